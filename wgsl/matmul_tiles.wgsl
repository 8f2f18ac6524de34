// The matrix product in tiles of TILE_ROWS by TILE_COLUMNS of the result a workgroup, factors in shared memory.
//
// A thread has ROWS by COLUMNS sums in registers; it fetches the next tiles of the factors while it adds those at hand.
// Best on graphics processors; how large a tile is chosen: docs/bench/kernels.md.
// Bindings   the stored arrays that are read, then the result; put in, as are M, K, N, the sizes of a tile, and
//            `a_four` and `b_four`, which read four neighbours in memory of a factor, 0 past the end of k.
// Workgroup  ACROSS by DOWN threads in the tile; z counts the batch.
// Limits     shared memory 13 KiB; every adapter has 16.
// Result     fixed: each sum runs over k in one order.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCESS

const DEPTH = 16u; // of k, a tile
const ACROSS = TILE_COLUMNS / COLUMNS;
const DOWN = TILE_ROWS / ROWS;
const THREADS = ACROSS * DOWN;
const ROW_FOURS = ROWS / 4u; // fours of rows that a thread has, DOWN fours apart
const COLUMN_FOURS = COLUMNS / 4u;
const A_FETCHES = TILE_ROWS * DEPTH / (4u * THREADS); // fours of a tile that a thread fetches
const B_FETCHES = TILE_COLUMNS * DEPTH / (4u * THREADS);

// An index after k stands by itself, so that the check of its bounds is made once and not for each k. A four more than
// are used: what threads write that lies along k then falls into different banks.
var<workgroup> a_tile: array<array<vec4<f32>, TILE_ROWS / 4u + 1u>, DEPTH>; // [k][row / 4]
var<workgroup> b_tile: array<array<vec4<f32>, TILE_COLUMNS / 4u + 1u>, DEPTH>; // [k][column / 4]

// Where four neighbours in memory lie in a tile of so many rows or columns: (row or column, k).
fn place(four: u32, length: u32, turned: bool) -> vec2<u32> {
  let along_k = vec2<u32>(four / (DEPTH / 4u), four % (DEPTH / 4u) * 4u);
  let across_k = vec2<u32>(four % (length / 4u) * 4u, four / (length / 4u));
  return select(along_k, across_k, turned);
}

fn fetch_a(batch: u32, row0: u32, k0: u32, four: u32) -> vec4<f32> {
  let at = place(four, TILE_ROWS, A_TURNED);
  return a_four(batch, row0 + at.x, k0 + at.y);
}

fn fetch_b(batch: u32, column0: u32, k0: u32, four: u32) -> vec4<f32> {
  let at = place(four, TILE_COLUMNS, !B_TURNED);
  return b_four(batch, k0 + at.y, column0 + at.x);
}

fn put_a(four: u32, value: vec4<f32>) {
  let at = place(four, TILE_ROWS, A_TURNED);
  if (A_TURNED) {
    a_tile[at.y][at.x / 4u] = value;
  } else {
    for (var n = 0u; n < 4u; n += 1u) {
      a_tile[at.y + n][at.x / 4u][at.x % 4u] = value[n];
    }
  }
}

fn put_b(four: u32, value: vec4<f32>) {
  let at = place(four, TILE_COLUMNS, !B_TURNED);
  if (B_TURNED) {
    for (var n = 0u; n < 4u; n += 1u) {
      b_tile[at.y + n][at.x / 4u][at.x % 4u] = value[n];
    }
  } else {
    b_tile[at.y][at.x / 4u] = value;
  }
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let batch = workgroup.z;
  let row0 = workgroup.y * TILE_ROWS;
  let column0 = workgroup.x * TILE_COLUMNS;
  let tx = thread % ACROSS;
  let ty = thread / ACROSS;
  var totals: array<vec4<f32>, ROWS * COLUMN_FOURS>;
  var a_next: array<vec4<f32>, A_FETCHES>;
  var b_next: array<vec4<f32>, B_FETCHES>;
  for (var n = 0u; n < A_FETCHES; n += 1u) {
    a_next[n] = fetch_a(batch, row0, 0u, thread + n * THREADS);
  }
  for (var n = 0u; n < B_FETCHES; n += 1u) {
    b_next[n] = fetch_b(batch, column0, 0u, thread + n * THREADS);
  }
  for (var k0 = 0u; k0 < K; k0 += DEPTH) {
    workgroupBarrier();
    for (var n = 0u; n < A_FETCHES; n += 1u) {
      put_a(thread + n * THREADS, a_next[n]);
    }
    for (var n = 0u; n < B_FETCHES; n += 1u) {
      put_b(thread + n * THREADS, b_next[n]);
    }
    workgroupBarrier();
    for (var n = 0u; n < A_FETCHES; n += 1u) {
      a_next[n] = fetch_a(batch, row0, k0 + DEPTH, thread + n * THREADS);
    }
    for (var n = 0u; n < B_FETCHES; n += 1u) {
      b_next[n] = fetch_b(batch, column0, k0 + DEPTH, thread + n * THREADS);
    }
    for (var k = 0u; k < DEPTH; k += 1u) {
      var b: array<vec4<f32>, COLUMN_FOURS>;
      for (var c = 0u; c < COLUMN_FOURS; c += 1u) {
        b[c] = b_tile[k][c * ACROSS + tx];
      }
      for (var r = 0u; r < ROW_FOURS; r += 1u) {
        let a = a_tile[k][r * DOWN + ty];
        for (var n = 0u; n < 4u; n += 1u) {
          for (var c = 0u; c < COLUMN_FOURS; c += 1u) {
            let at = (4u * r + n) * COLUMN_FOURS + c;
            totals[at] = fma(vec4<f32>(a[n]), b[c], totals[at]);
          }
        }
      }
    }
  }
  for (var r = 0u; r < ROWS; r += 1u) {
    let row = row0 + (r / 4u * DOWN + ty) * 4u + r % 4u;
    for (var c = 0u; c < COLUMN_FOURS; c += 1u) {
      let column = column0 + (c * ACROSS + tx) * 4u;
      for (var n = 0u; n < 4u; n += 1u) {
        if (row < M && column + n < N) {
          finish(batch, row, column + n, totals[r * COLUMN_FOURS + c][n]);
        }
      }
    }
  }
}
