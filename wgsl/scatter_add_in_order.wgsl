// Adds updates up where their indices say, one thread an element of the result, which finds its terms by their order.
//
// Bindings   the stored arrays that are read, then `result`; put in, as are SIZE elements, LENGTH updates along the axis.
// Workgroup  WORKGROUP threads; workgroups are folded over x and y.
// Limits     the indices are in range, and the order is theirs, equal ones in place.
// Result     fixed, and that of scatter_add.wgsl to the bit: each sum runs in the order of its updates.
// Test       tests/native/test_arrays.py against scellis.graph.compute and scatter_add.wgsl.

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
  var at = 0u;
  var end = LENGTH;
  while (at < end) { // the first that is not less
    let place = (at + end) / 2u;
    //#put INDEX
    if (index < target_index) {
      at = place + 1u;
    } else {
      end = place;
    }
  }
  var total = identity();
  for (; at < LENGTH; at += 1u) {
    let place = at;
    //#put INDEX
    if (index != target_index) {
      break;
    }
    //#put ELEMENT
    total = combine(total, element);
  }
  //#put FINISH
}
