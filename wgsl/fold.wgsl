// Joins what the threads of a workgroup have gathered, in two steps; each of them has the whole after it.

const PARTS = min(WORKGROUP, 16u);

var<workgroup> tree: array<Accumulator, WORKGROUP>;

fn fold(thread: u32, gathered: Accumulator) -> Accumulator {
  tree[thread] = gathered;
  workgroupBarrier();
  if (thread < PARTS) {
    var part = gathered;
    for (var other = thread + PARTS; other < WORKGROUP; other += PARTS) {
      part = combine(part, tree[other]);
    }
    tree[thread] = part;
  }
  workgroupBarrier();
  var whole = tree[0];
  for (var part = 1u; part < PARTS; part += 1u) {
    whole = combine(whole, tree[part]);
  }
  return whole;
}
