// Sums up to and with each element along an axis, one thread a line of it.
//
// Bindings   the stored arrays that are read, then `result`; put in, as are SIZE lines of LENGTH elements each.
// Workgroup  WORKGROUP threads; workgroups are folded over x and y.
// Result     fixed: each sum runs in one order.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCUMULATOR

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
) {
  let i = (workgroup.y * workgroups.x + workgroup.x) * WORKGROUP + thread;
  if (i >= SIZE) {
    return;
  }
  var total = identity();
  for (var r = 0u; r < LENGTH; r += 1u) {
    //#put ELEMENT
    total = combine(total, element);
    //#put FINISH
  }
}
