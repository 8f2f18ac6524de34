// An integer from 0 to before `bound`, each equally likely; 0 for a bound of 0. The same bits on every device.
//
// D. Lemire, "Fast random integer generation in an interval", 2019: the upper word of word times bound, unless the lower
// one is among those that would favour some. One word a round; after the last one it counts all the same.
// Reference: scellis.rng.rejection.below. Test: tests/native/test_random.py.

//#include rejection.wgsl

fn random_below(key: vec2<u32>, draw: u32, block: u32, index: u32, family: u32, bound: u32) -> u32 {
  let counter = counter_of(key, draw, block, index, family);
  let least = (0u - bound) % max(bound, 1u);
  var product = Wide(0u, 0u);
  for (var round = 0u; round < ROUNDS / 2u; round += 1u) {
    let words = counter_words(counter, round);
    for (var lane = 0u; lane < 4u; lane += 1u) {
      product = multiply_wide(words[lane], bound);
      if (product.low >= least) {
        return product.high;
      }
    }
  }
  return product.high;
}
