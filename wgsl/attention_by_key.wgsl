// The derivatives of attention by its keys and values: a workgroup computes BLOCK rows of each, going through the
// queries of all heads that share them 64 at a time.
//
// Weights are computed again from the scores and each query's logarithm; source: T. Dao, "FlashAttention-2", 2023,
// algorithm 2. Bindings, workgroup, limits and test as in attention_tiles.wgsl.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCESS

var<workgroup> row_tile: array<array<vec4<f32>, ROW_FOURS>, DEPTH>; // [feature or query][row / 4]
var<workgroup> column_tile: array<array<vec4<f32>, COLUMN_FOURS>, DEPTH>; // [feature][query / 4], then [query][feature / 4]

//#put LOADS

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let batch = workgroup.z;
  let group = workgroup.y;
  let row0 = workgroup.x * BLOCK;
  let tx = thread & 15u;
  let ty = thread >> 4u;
  //#put TOTALS
  let start = select(0u, row0 & ~63u, CAUSAL);
  for (var head = group * EACH; head < (group + 1u) * EACH; head += 1u) {
    for (var column0 = start; column0 < S; column0 += 64u) {
      let column = column0 + 4u * tx;
      //#put SCORES
      for (var feature = 0u; feature < WIDTH; feature += DEPTH) {
        workgroupBarrier();
        load_key(batch, group, row0, feature, thread);
        load_query(batch, head, column0, feature, thread ^ 128u);
        workgroupBarrier();
        for (var k = 0u; k < DEPTH; k += 1u) {
          //#put SCORE
        }
      }
      for (var feature = 0u; feature < VALUE_WIDTH; feature += DEPTH) {
        workgroupBarrier();
        load_value(batch, group, row0, feature, thread);
        load_cotangent(batch, head, column0, feature, thread ^ 128u);
        workgroupBarrier();
        for (var k = 0u; k < DEPTH; k += 1u) {
          //#put SLOPE
        }
      }
      //#put WEIGHTS
      for (var part = 0u; part < 64u / DEPTH; part += 1u) {
        workgroupBarrier();
        if (4u * tx / DEPTH == part) {
          //#put SHARE_OF_WEIGHTS
        }
        take_cotangent(batch, head, column0 + DEPTH * part, thread);
        workgroupBarrier();
        for (var k = 0u; k < DEPTH; k += 1u) {
          //#put VALUE_TOTAL
        }
        workgroupBarrier();
        if (4u * tx / DEPTH == part) {
          //#put SHARE_OF_SLOPES
        }
        take_query(batch, head, column0 + DEPTH * part, thread);
        workgroupBarrier();
        for (var k = 0u; k < DEPTH; k += 1u) {
          //#put KEY_TOTAL
        }
      }
    }
  }
  //#put STORES
}
