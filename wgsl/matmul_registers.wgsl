// The matrix product, ROWS by COLUMNS of the result a thread, held in registers: no shared memory, no barrier.
//
// Best where the processor computes, whose caches are near and whose barriers are dear; see docs/bench/peers.md. Each
// sum has a name of its own: a processor keeps those in registers, an array that a loop goes over it does not.
// Bindings   the stored arrays that are read, then `result`; put in, as are M, K, N, and what is done for each term.
// Workgroup  8 by 8 threads; z counts the batch.
// Result     fixed: each sum runs over k in one order.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCESS

fn put(batch: u32, row: u32, column: u32, total: vec4<f32>) {
  if (row >= M || column >= N) {
    return;
  }
  finish(batch, row, column, total.x);
  if (column + 1u < N) {
    finish(batch, row, column + 1u, total.y);
  }
  if (column + 2u < N) {
    finish(batch, row, column + 2u, total.z);
  }
  if (column + 3u < N) {
    finish(batch, row, column + 3u, total.w);
  }
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
  let batch = at.z;
  let row0 = at.y * ROWS;
  let column0 = at.x * COLUMNS;
  if (row0 >= M || column0 >= N) {
    return;
  }
  //#put TOTALS
  for (var k = 0u; k < K; k += STEP) {
    //#put SUMS
  }
  //#put STORES
}
