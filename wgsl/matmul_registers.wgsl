// The matrix product, ROWS by 4 COLUMNS of the result a thread, held in registers: no shared memory, no barrier.
//
// Best where the processor computes, whose caches are near and whose barriers are dear; see docs/bench/kernels.md.
// Bindings   the stored arrays that are read, then `result`; put in, as are BATCH, M, K and N.
// Workgroup  8 by 8 threads; z counts the batch.
// Result     fixed: each sum runs over k in one order.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCESS

const ROWS = 4u;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
  let batch = at.z;
  let row0 = at.y * ROWS;
  let column0 = at.x * 4u;
  if (row0 >= M || column0 >= N) {
    return;
  }
  var total: array<vec4<f32>, ROWS>;
  for (var k = 0u; k < K; k += 1u) {
    let right = vec4<f32>(
      b_at(batch, k, column0), b_at(batch, k, column0 + 1u), b_at(batch, k, column0 + 2u), b_at(batch, k, column0 + 3u));
    for (var row = 0u; row < ROWS; row += 1u) {
      total[row] += a_at(batch, row0 + row, k) * right;
    }
  }
  for (var row = 0u; row < ROWS; row += 1u) {
    for (var column = 0u; column < 4u; column += 1u) {
      if (row0 + row < M && column0 + column < N) {
        finish(batch, row0 + row, column0 + column, total[row][column]);
      }
    }
  }
}
