// The matrix product, a block of ROWS by COLUMNS of the result a thread: no shared memory, no barrier.
//
// For a processor that plays a GPU, where an element that is read costs as much as ten that are multiplied, and a
// barrier as much as a thousand; see docs/bench/peers.md. Statements for each sum are put in: `totals` has a place for
// each that stays where it is, and is looked through by number at the end alone.
// Bindings   the stored arrays that are read, then `result`; put in, as are M, K, N, and what is done for STEP terms and
//            for each of the last.
// Workgroup  THREADS threads, each with one of ACROSS by DOWN blocks; workgroups are folded over x and y, z counts the
//            batch.
// Result     fixed: each sum runs over k in one order.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCESS

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
) {
  let block = (workgroup.y * workgroups.x + workgroup.x) * THREADS + thread;
  if (block >= ACROSS * DOWN) {
    return;
  }
  let batch = workgroup.z;
  let row0 = block / ACROSS * ROWS;
  let column0 = block % ACROSS * COLUMNS;
  //#put PLACES
  var totals: array<f32, ROWS * COLUMNS>;
  for (var k = 0u; k + STEP <= K; k += STEP) {
    //#put SUMS
  }
  for (var k = K - K % STEP; k < K; k += 1u) {
    //#put LAST
  }
  for (var row = row0; row < min(row0 + ROWS, M); row += 1u) {
    for (var first = column0; first < min(column0 + COLUMNS, N); first += WIDTH) {
      let total = (row - row0) * COLUMNS + first - column0;
      let q = ((batch * M + row) * N + first) / WIDTH;
      //#put FINISH
    }
  }
}
