// Attention: a workgroup computes BLOCK rows of the result, going through the keys 64 at a time. No score is stored.
//
// The sums are scaled to the largest score so far, and scaled again when a larger one comes; source: T. Dao,
// "FlashAttention-2", 2023, algorithm 1. Statements for the rows of a thread are put in: each sum has a name of its own.
// Bindings   the stored arrays that are read, then the results; put in, as are the lengths S and T and all functions
//            that read an operand (4 features of a row) or store a result.
// Workgroup  256 threads, 16 by 16; x counts blocks of rows, y heads, z the batch.
// Limits     shared memory 16 KiB, what every adapter has.
// Result     fixed: each sum runs over the keys in one order.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

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
    workgroupBarrier();
    //#put LARGEST
    workgroupBarrier();
    for (var n = 0u; n < 16u; n += 1u) {
      //#put TOP
    }
    //#put WEIGHTS
    for (var part = 0u; part < PARTS; part += 1u) {
      workgroupBarrier();
      if (4u * tx / DEPTH == part) {
        //#put SHARE
      }
      take_value(batch, group, column0 + DEPTH * part, thread);
      workgroupBarrier();
      for (var k = 0u; k < DEPTH; k += 1u) {
        //#put VALUE
      }
    }
  }
  workgroupBarrier();
  //#put SUMS
  workgroupBarrier();
  for (var n = 0u; n < 16u; n += 1u) {
    //#put TOTAL
  }
  //#put STORES
}
