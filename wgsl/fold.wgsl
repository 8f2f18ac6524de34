// Joins what the threads of a workgroup have gathered; each of them has the whole after it.

var<workgroup> tree: array<Accumulator, WORKGROUP>;

fn fold(thread: u32, gathered: Accumulator) -> Accumulator {
  tree[thread] = gathered;
  workgroupBarrier();
  for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {
    if (thread < half) {
      tree[thread] = combine(tree[thread], tree[thread + half]);
    }
    workgroupBarrier();
  }
  return tree[0];
}
