// Merges WAYS sorted runs at a time, one thread an element: it finds how many elements of each other run come before its own.
//
// Bindings   the stored arrays that are read, then `result`; put in, as are SIZE elements in rows of LENGTH, the RUN that
//            is sorted already, and how the order is read, the keys are, and which of two precedes the other.
// Workgroup  WORKGROUP threads; workgroups are folded over x and y.
// Limits     the runs are sorted: else two elements may be put at one place.
// Result     exact: an element's place hangs on no other thread.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCESS

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
  let row = i / LENGTH;
  let place = i % LENGTH;
  let run = place / RUN;
  let first = run / WAYS * WAYS;
  let number = order_at(row, place);
  let key = key_at(row, u32(number));
  var rank = first * RUN + place % RUN;
  for (var other = first; other < first + WAYS && other * RUN < LENGTH; other += 1u) {
    if (other == run) {
      continue;
    }
    var low = other * RUN;
    var high = min(low + RUN, LENGTH);
    rank -= low;
    while (low < high) {
      let middle = (low + high) / 2u;
      let held = key_at(row, u32(order_at(row, middle)));
      // Of equal elements those of an earlier run come first.
      if (select(precedes(held, key), !precedes(key, held), other < run)) {
        low = middle + 1u;
      } else {
        high = middle;
      }
    }
    rank += low;
  }
  let at = row * LENGTH + rank;
  //#put FINISH
}
