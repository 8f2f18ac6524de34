// The matrix product in tiles of TILE_ROWS by TILE_COLUMNS of the result a workgroup, factors in shared memory.
//
// A thread has ROWS by COLUMNS sums in registers; it fetches the next tiles of the factors while it adds those at hand.
// Best on graphics processors; how large a tile is chosen: docs/bench/kernels.md.
// Bindings   the stored arrays that are read, then the result; put in, as are M, K, N, the sizes of a tile, and
//            each factor's tile with what fetches it, which reads 0 past the end of k.
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

//#put FACTORS

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let batch = workgroup.z;
  let row0 = workgroup.y * TILE_ROWS;
  let column0 = workgroup.x * TILE_COLUMNS;
  let tx = thread % ACROSS;
  let ty = thread / ACROSS;
  var totals: array<vec4<f32>, ROWS * COLUMN_FOURS>;
  var a_next: a_Next;
  var b_next: b_Next;
  fetch_a(&a_next, batch, row0, 0u, thread);
  fetch_b(&b_next, batch, column0, 0u, thread);
  // An index after k stands by itself, so that the check of its bounds is made once and not for each k.
  for (var k0 = 0u; k0 < K; k0 += DEPTH) {
    workgroupBarrier();
    put_a(&a_next, thread);
    put_b(&b_next, thread);
    workgroupBarrier();
    fetch_a(&a_next, batch, row0, k0 + DEPTH, thread);
    fetch_b(&b_next, batch, column0, k0 + DEPTH, thread);
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
