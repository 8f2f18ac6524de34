// Computes arrays row by row, one thread a row: for rows too short to be shared, and for many rows where a barrier is
// dear. See rows.wgsl.
//
// Bindings   the stored arrays that are read, then the results; put in, as are ROWS and the LENGTH of a row.
// Workgroup  WORKGROUP threads; workgroups are folded over x and y.
// Result     fixed: each sum runs in one order.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCUMULATORS

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) place: u32,
) {
  let row = (workgroup.y * workgroups.x + workgroup.x) * WORKGROUP + place;
  if (row >= ROWS) {
    return;
  }
  let thread = 0u; // of one that shares this row
  //#put STAGES
}
