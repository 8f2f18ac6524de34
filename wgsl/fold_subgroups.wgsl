// Joins what the threads of a workgroup have gathered: those of each subgroup at once, then the subgroups in order; each
// thread has the whole after it. In the place of fold.wgsl in the tier fast.
//
// `united` is what a subgroup's make together. Nothing is assumed of how many threads a subgroup has, or which.

var<workgroup> parts: array<Accumulator, WORKGROUP>;

fn fold(member: u32, subgroup: u32, subgroups: u32, gathered: Accumulator) -> Accumulator {
  let part = united(gathered);
  if (subgroups == 1u) {
    return part;
  }
  if (member == 0u) {
    parts[subgroup] = part;
  }
  workgroupBarrier();
  var whole = parts[0];
  for (var other = 1u; other < subgroups; other += 1u) {
    whole = combine(whole, parts[other]);
  }
  return whole;
}
