// Words and uniforms of a stream, as the sampling kernel takes them. inputs: key (2), index, family, blocks a draw.
// outputs: for each draw and block four words, then their four uniforms.

//#include words
//#include philox.wgsl
//#include stream.wgsl

@group(0) @binding(0) var<storage, read> inputs: array<u32>;
@group(0) @binding(1) var<storage, read_write> outputs: array<vec4<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= arrayLength(&outputs) / 2u) {
    return;
  }
  let blocks = inputs[4];
  let stream = stream_head(vec2<u32>(inputs[0], inputs[1]), inputs[2], inputs[3]);
  let words = stream_words(stream, block_head(stream, id.x % blocks), draw_head(stream, id.x / blocks + inputs[5]));
  outputs[2u * id.x] = words;
  outputs[2u * id.x + 1u] = bitcast<vec4<u32>>(vec4<f32>(
    uniform_from_word(words.x), uniform_from_word(words.y), uniform_from_word(words.z), uniform_from_word(words.w),
  ));
}
