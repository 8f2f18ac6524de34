// Adds updates up where their indices say, one thread an element of the result: no atomics, so that sums have one order.
//
// Bindings   the stored arrays that are read, then `result`; put in, as are SIZE elements, LENGTH updates along the axis.
// Workgroup  WORKGROUP threads; workgroups are folded over x and y. Each thread looks at every index.
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
  //#put SETUP
  var total = identity();
  for (var r = 0u; r < LENGTH; r += 1u) {
    //#put INDEX
    if (index == target_index) {
      //#put ELEMENT
      total = combine(total, element);
    }
  }
  //#put FINISH
}
