// Computes arrays row by row, one workgroup a row: reductions along the row, one after the other, and what follows.
//
// Bindings   the stored arrays that are read, then the results; put in, as are ROWS and the LENGTH of a row.
// Workgroup  WORKGROUP threads, a power of two; workgroups are folded over x and y.
// Limits     shared memory: WORKGROUP accumulators for each reduction.
// Result     fixed for a given WORKGROUP: each thread adds in one order, and the fold is one; by subgroups, in fast, for
//            a device.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCUMULATORS

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
  //#put SUBGROUPS
) {
  let row = workgroup.y * workgroups.x + workgroup.x;
  if (row >= ROWS) {
    return;
  }
  //#put STAGES
}
