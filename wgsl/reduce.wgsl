// Reduces an array, one workgroup an element of the result.
//
// Bindings   the stored arrays that are read, then `result`; put in, as are SIZE elements of the result, LENGTH of each.
// Workgroup  WORKGROUP threads, a power of two; workgroups are folded over x and y.
// Limits     shared memory: WORKGROUP accumulators.
// Result     fixed for a given WORKGROUP: each thread adds in one order, and the fold is one; by subgroups, in fast, for
//            a device.
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
  //#put SUBGROUPS
) {
  let i = workgroup.y * workgroups.x + workgroup.x;
  if (i >= SIZE) {
    return;
  }
  var sum = identity();
  for (var r = thread; r < LENGTH; r += WORKGROUP) {
    //#put ELEMENT
    sum = combine(sum, element);
  }
  //#put TOTAL
  if (thread == 0u) {
    //#put FINISH
  }
}
