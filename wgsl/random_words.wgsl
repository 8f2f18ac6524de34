// The four words of one block of a named stream, by scellis.rng.streams: the same bits on every device.
//
// Test: tests/native/test_arrays.py.

//#include words_shift.wgsl
//#include philox.wgsl
//#include stream.wgsl

fn random_block(key: vec2<u32>, draw: u32, block: u32, index: u32, family: u32) -> vec4<u32> {
  let stream = stream_head(key, index, family);
  return stream_words(stream, block_head(stream, block), draw_head(stream, draw));
}
