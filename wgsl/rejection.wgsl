// Where a draw that takes several blocks of its stream finds them: block `offset` of those that its array was given.
//
// Reference: scellis.rng.rejection. Test: tests/native/test_random.py.

//#include words_shift.wgsl
//#include philox.wgsl
//#include stream.wgsl
//#include soft_float.wgsl

const ROUNDS = 26u; // pairs of words that a rejection tries, two a block

struct Counter {
  stream: StreamHead,
  draw: DrawHead,
  block: u32,
}

fn counter_of(key: vec2<u32>, draw: u32, block: u32, index: u32, family: u32) -> Counter {
  let stream = stream_head(key, index, family);
  return Counter(stream, draw_head(stream, draw), block);
}

fn counter_words(counter: Counter, offset: u32) -> vec4<u32> {
  return stream_words(counter.stream, block_head(counter.stream, counter.block + offset), counter.draw);
}

// The pair of words of a round: of a block, held in `words`, the first or the last two.
fn pair_of(words: vec4<u32>, round: u32) -> vec2<u32> {
  return select(words.xy, words.zw, (round & 1u) == 1u);
}

// A uniform in (0, 1), 31 bits in the middle of their cells.
fn odd_uniform(word: u32) -> Soft {
  return soft_scaled(word | 1u, -32);
}
