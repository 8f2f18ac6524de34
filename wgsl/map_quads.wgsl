// Computes an array element by element, four neighbours a thread: they are read and written together.
//
// Bindings   the stored arrays that are read, then the results, by fours where each element is read at its own place;
//            put in, as is the number of fours, QUADS.
// Workgroup  WORKGROUP threads; workgroups are folded over x and y.
// Result     each element on its own: nothing hangs on the order.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
) {
  let q = (workgroup.y * workgroups.x + workgroup.x) * WORKGROUP + thread;
  if (q >= QUADS) {
    return;
  }
  //#put QUAD
}
