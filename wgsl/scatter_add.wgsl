// Adds updates up where their indices say, a thread EACH neighbours of the result: no atomics, so that sums have one
// order.
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
  let first = ((workgroup.y * workgroups.x + workgroup.x) * WORKGROUP + thread) * EACH;
  if (first >= SIZE) {
    return;
  }
  //#put SETUP
  var totals: array<Accumulator, EACH>;
  for (var n = 0u; n < EACH; n += 1u) {
    totals[n] = identity();
  }
  for (var r = 0u; r < LENGTH; r += 1u) {
    //#put INDEX
    // A loop and no `if`: a processor that plays a GPU goes through an `if` either way, but not through a loop.
    for (var n = select(EACH, 0u, index == target_index); n < EACH; n += 1u) {
      let i = first + n;
      //#put ELEMENT
      totals[n] = combine(totals[n], element);
    }
  }
  for (var n = 0u; n < EACH; n += 1u) {
    let i = first + n;
    let total = totals[n];
    //#put FINISH
  }
}
