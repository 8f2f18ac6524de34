// The output of a program for each draw of a stream. inputs: key (2), index, family. Put in: BLOCKS, DRAW.

//#include words
//#include philox.wgsl
//#include stream.wgsl
//#include classes.wgsl
//#include trigonometry.wgsl
//#include elementary
//#include distributions.wgsl

@group(0) @binding(0) var<storage, read> inputs: array<u32>;
@group(0) @binding(1) var<storage, read_write> outputs: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= arrayLength(&outputs)) {
    return;
  }
  let stream = stream_head(vec2<u32>(inputs[0], inputs[1]), inputs[2], inputs[3]);
  let draw = draw_head(stream, id.x);
  //#put BLOCKS
  //#put DRAW
  outputs[id.x] = y;
}
