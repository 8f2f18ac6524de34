// The derivative of attention by its queries: a workgroup computes BLOCK rows, going through the keys 64 at a time.
//
// Weights are computed again from the scores and each row's logarithm; source: T. Dao, "FlashAttention-2", 2023,
// algorithm 2. Bindings, workgroup, limits and test as in attention_tiles.wgsl.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCESS

var<workgroup> row_tile: array<array<vec4<f32>, ROW_FOURS>, DEPTH>; // [feature or key][row / 4]
var<workgroup> column_tile: array<array<vec4<f32>, COLUMN_FOURS>, DEPTH>; // [feature][key / 4], then [key][feature / 4]

//#put LOADS

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let batch = workgroup.z;
  let head = workgroup.y;
  let group = head / EACH;
  let row0 = ((S - 1u) / BLOCK - workgroup.x) * BLOCK; // where the mask is causal, the longest first
  let tx = thread & 15u;
  let ty = thread >> 4u;
  //#put TOTALS
  let end = select(T, min(T, row0 + BLOCK), CAUSAL);
  for (var column0 = 0u; column0 < end; column0 += 64u) {
    let column = column0 + 4u * tx;
    //#put SCORES
    for (var feature = 0u; feature < WIDTH; feature += DEPTH) {
      workgroupBarrier();
      load_query(batch, head, row0, feature, thread);
      load_key(batch, group, column0, feature, thread ^ 128u);
      workgroupBarrier();
      for (var k = 0u; k < DEPTH; k += 1u) {
        //#put SCORE
      }
    }
    for (var feature = 0u; feature < VALUE_WIDTH; feature += DEPTH) {
      workgroupBarrier();
      load_cotangent(batch, head, row0, feature, thread);
      load_value(batch, group, column0, feature, thread ^ 128u);
      workgroupBarrier();
      for (var k = 0u; k < DEPTH; k += 1u) {
        //#put SLOPE
      }
    }
    //#put WEIGHTS
    for (var part = 0u; part < 64u / DEPTH; part += 1u) {
      workgroupBarrier();
      if (4u * tx / DEPTH == part) {
        //#put SHARE
      }
      take_key(batch, group, column0 + DEPTH * part, thread);
      workgroupBarrier();
      for (var k = 0u; k < DEPTH; k += 1u) {
        //#put TOTAL
      }
    }
  }
  //#put STORES
}
