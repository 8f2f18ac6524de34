// The words of a stream: Philox4x32-10 of the counter (draw, block, index, family), as scellis.rng.streams writes it.
//
// The same bits as philox4x32, with what does not change taken out of the loop over draws. In the first round the
// product of the index, in the second that of the block, are the same for all draws; of the draw's own products those
// of the first three rounds are shared by all its blocks. Of 20 products a block 13 to 15 remain.
// Needs philox.wgsl. Tests: tests/native/test_philox.py.

struct StreamHead { // of one stream
  key: vec2<u32>,
  family: u32,
  index: Product, // round 1
}

struct DrawHead { // of one draw, for all its blocks
  low_1: u32,    // what round 1 leaves to round 2
  low_2: u32,    // what round 2 leaves to round 3
  product_3: Product,
}

fn stream_head(key: vec2<u32>, index: u32, family: u32) -> StreamHead {
  return StreamHead(key, family, multiply_m1(index));
}

// Round 2's product of one block: the same for every draw.
fn block_head(stream: StreamHead, block: u32) -> Product {
  return multiply_m0(stream.index.high ^ block ^ stream.key.x);
}

fn draw_head(stream: StreamHead, draw: u32) -> DrawHead {
  let first = multiply_m0(draw);
  let second = multiply_m1(first.high ^ stream.family ^ stream.key.y);
  let third = multiply_m0(second.high ^ stream.index.low ^ (stream.key.x + PHILOX_W0));
  return DrawHead(first.low, second.low, third);
}

fn stream_words(stream: StreamHead, block: Product, draw: DrawHead) -> vec4<u32> {
  let k = stream.key;
  let third = multiply_m1(block.high ^ draw.low_1 ^ (k.y + PHILOX_W1));
  let c3 = vec4<u32>(
    third.high ^ draw.low_2 ^ (k.x + 2u * PHILOX_W0),
    third.low,
    draw.product_3.high ^ block.low ^ (k.y + 2u * PHILOX_W1),
    draw.product_3.low,
  );
  let c4 = philox_round(c3, k.x + 3u * PHILOX_W0, k.y + 3u * PHILOX_W1);
  let c5 = philox_round(c4, k.x + 4u * PHILOX_W0, k.y + 4u * PHILOX_W1);
  let c6 = philox_round(c5, k.x + 5u * PHILOX_W0, k.y + 5u * PHILOX_W1);
  let c7 = philox_round(c6, k.x + 6u * PHILOX_W0, k.y + 6u * PHILOX_W1);
  let c8 = philox_round(c7, k.x + 7u * PHILOX_W0, k.y + 7u * PHILOX_W1);
  let c9 = philox_round(c8, k.x + 8u * PHILOX_W0, k.y + 8u * PHILOX_W1);
  return philox_round(c9, k.x + 9u * PHILOX_W0, k.y + 9u * PHILOX_W1);
}

// (w div 2^9 + 1/2) 2^-23: the top 23 bits and a half below them are an odd number of 24 bits, exact in f32, and a
// power of two scales it. No sum is left that a compiler could merge with the program's own, as NVIDIA's does.
fn uniform_from_word(w: u32) -> f32 {
  return f32((w & 0xfffffe00u) | 0x100u) * 0x1p-32f;
}
