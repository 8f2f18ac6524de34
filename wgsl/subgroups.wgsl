// The lesser and the greater of all values of a subgroup; NaN where one of them is, which WGSL leaves open.
//
// Test: tests/native/test_subgroups.py.

//#include classes.wgsl

fn least_of_subgroup(x: f32) -> f32 {
  return select(subgroupMin(x), not_a_number(x), subgroupAny(is_nan(x)));
}

fn greatest_of_subgroup(x: f32) -> f32 {
  return select(subgroupMax(x), not_a_number(x), subgroupAny(is_nan(x)));
}
