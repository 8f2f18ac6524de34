// The matrix product in tiles of 128 by 128 of the result a workgroup, 8 by 8 a thread, factors in shared memory.
//
// Best on graphics processors, for results of at least some tiles; see docs/bench/kernels.md.
// Bindings   the stored arrays that are read, then the result; put in, as are M, K and N.
// Workgroup  256 threads, 16 by 16 in the tile; z counts the batch.
// Limits     shared memory 16 KiB, what every adapter has.
// Result     fixed: each sum runs over k in one order.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCESS

const DEPTH = 16u; // of k, a tile

var<workgroup> a_tile: array<vec4<f32>, 512>; // [k][row / 4]
var<workgroup> b_tile: array<vec4<f32>, 512>; // [k][column / 4]

// Element (row, k) of the left factor; zero past the end of k. Rows past the end are read somewhere and never stored.
fn left(batch: u32, row: u32, k: u32) -> f32 {
  return select(0.0, a_at(batch, row, k), k < K);
}

fn right(batch: u32, k: u32, column: u32) -> f32 {
  return select(0.0, b_at(batch, k, column), k < K);
}

fn finish_row(batch: u32, row: u32, column0: u32, a: vec4<f32>, b: vec4<f32>) {
  if (row >= M) {
    return;
  }
  for (var n = 0u; n < 4u; n += 1u) {
    if (column0 + n < N) {
      finish(batch, row, column0 + n, a[n]);
    }
    if (column0 + 64u + n < N) {
      finish(batch, row, column0 + 64u + n, b[n]);
    }
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let batch = workgroup.z;
  let tile_row = workgroup.y * 128u;
  let tile_column = workgroup.x * 128u;
  let tx = thread & 15u;
  let ty = thread >> 4u;
  // What this thread fetches of each tile: two groups of four that lie together in memory.
  let a_row = select(thread >> 2u, (thread & 31u) * 4u, A_TURNED);
  let a_k = select((thread & 3u) * 4u, thread >> 5u, A_TURNED);
  let b_k = select(thread >> 5u, (thread & 3u) * 4u, B_TURNED);
  let b_column = select((thread & 31u) * 4u, thread >> 2u, B_TURNED);
  var r0a = vec4<f32>();
  var r0b = vec4<f32>();
  var r1a = vec4<f32>();
  var r1b = vec4<f32>();
  var r2a = vec4<f32>();
  var r2b = vec4<f32>();
  var r3a = vec4<f32>();
  var r3b = vec4<f32>();
  var r4a = vec4<f32>();
  var r4b = vec4<f32>();
  var r5a = vec4<f32>();
  var r5b = vec4<f32>();
  var r6a = vec4<f32>();
  var r6b = vec4<f32>();
  var r7a = vec4<f32>();
  var r7b = vec4<f32>();
  for (var k0 = 0u; k0 < K; k0 += DEPTH) {
    var a_next: array<vec4<f32>, 2>;
    var b_next: array<vec4<f32>, 2>;
    for (var n = 0u; n < 2u; n += 1u) {
      for (var c = 0u; c < 4u; c += 1u) {
        if (A_TURNED) {
          a_next[n][c] = left(batch, tile_row + a_row + c, k0 + a_k + 8u * n);
        } else {
          a_next[n][c] = left(batch, tile_row + a_row + 64u * n, k0 + a_k + c);
        }
        if (B_TURNED) {
          b_next[n][c] = right(batch, k0 + b_k + c, tile_column + b_column + 64u * n);
        } else {
          b_next[n][c] = right(batch, k0 + b_k + 8u * n, tile_column + b_column + c);
        }
      }
    }
    workgroupBarrier();
    for (var n = 0u; n < 2u; n += 1u) {
      if (A_TURNED) {
        a_tile[(a_k + 8u * n) * 32u + (a_row >> 2u)] = a_next[n];
      } else {
        for (var c = 0u; c < 4u; c += 1u) {
          let row = a_row + 64u * n;
          a_tile[(a_k + c) * 32u + (row >> 2u)][row & 3u] = a_next[n][c];
        }
      }
      if (B_TURNED) {
        for (var c = 0u; c < 4u; c += 1u) {
          let column = b_column + 64u * n;
          b_tile[(b_k + c) * 32u + (column >> 2u)][column & 3u] = b_next[n][c];
        }
      } else {
        b_tile[(b_k + 8u * n) * 32u + (b_column >> 2u)] = b_next[n];
      }
    }
    workgroupBarrier();
    for (var k = 0u; k < DEPTH; k += 1u) {
      let a0 = a_tile[k * 32u + ty];
      let a1 = a_tile[k * 32u + 16u + ty];
      let b0 = b_tile[k * 32u + tx];
      let b1 = b_tile[k * 32u + 16u + tx];
      r0a = fma(vec4<f32>(a0.x), b0, r0a);
      r0b = fma(vec4<f32>(a0.x), b1, r0b);
      r1a = fma(vec4<f32>(a0.y), b0, r1a);
      r1b = fma(vec4<f32>(a0.y), b1, r1b);
      r2a = fma(vec4<f32>(a0.z), b0, r2a);
      r2b = fma(vec4<f32>(a0.z), b1, r2b);
      r3a = fma(vec4<f32>(a0.w), b0, r3a);
      r3b = fma(vec4<f32>(a0.w), b1, r3b);
      r4a = fma(vec4<f32>(a1.x), b0, r4a);
      r4b = fma(vec4<f32>(a1.x), b1, r4b);
      r5a = fma(vec4<f32>(a1.y), b0, r5a);
      r5b = fma(vec4<f32>(a1.y), b1, r5b);
      r6a = fma(vec4<f32>(a1.z), b0, r6a);
      r6b = fma(vec4<f32>(a1.z), b1, r6b);
      r7a = fma(vec4<f32>(a1.w), b0, r7a);
      r7b = fma(vec4<f32>(a1.w), b1, r7b);
    }
  }
  let row0 = tile_row + ty * 4u;
  let column0 = tile_column + tx * 4u;
  finish_row(batch, row0 + 0u, column0, r0a, r0b);
  finish_row(batch, row0 + 1u, column0, r1a, r1b);
  finish_row(batch, row0 + 2u, column0, r2a, r2b);
  finish_row(batch, row0 + 3u, column0, r3a, r3b);
  finish_row(batch, row0 + 64u, column0, r4a, r4b);
  finish_row(batch, row0 + 65u, column0, r5a, r5b);
  finish_row(batch, row0 + 66u, column0, r6a, r6b);
  finish_row(batch, row0 + 67u, column0, r7a, r7b);
}
