// The matrix product in tiles of 32 by 32 of the result a workgroup, 2 by 2 a thread, factors in shared memory.
//
// For results too small to fill a graphics processor with larger tiles; see docs/bench/kernels.md.
// Bindings   the stored arrays that are read, then the result; put in, as are M, K and N.
// Workgroup  16 by 16 threads; z counts the batch.
// Limits     shared memory 8.5 KiB.
// Result     fixed: each sum runs over k in one order.
// Test       tests/native/test_arrays.py against scellis.graph.compute.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCESS

const TILE = 32u;
const PITCH = 33u; // of a row in shared memory: neighbours in a column lie in different banks

var<workgroup> a_tile: array<f32, 1056>; // [row][k]
var<workgroup> b_tile: array<f32, 1056>; // [k][column]

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(local_invocation_id) at: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
) {
  let batch = workgroup.z;
  let tile_row = workgroup.y * TILE;
  let tile_column = workgroup.x * TILE;
  // Neighbouring threads read neighbours in memory, whichever way a factor lies.
  let near = thread & 31u;
  let far = thread >> 5u;
  var total: array<f32, 4>;
  for (var k0 = 0u; k0 < K; k0 += TILE) {
    for (var n = 0u; n < 4u; n += 1u) {
      let other = far + 8u * n;
      let a_row = select(other, near, A_TURNED);
      let a_k = select(near, other, A_TURNED);
      let b_k = select(other, near, B_TURNED);
      let b_column = select(near, other, B_TURNED);
      a_tile[a_row * PITCH + a_k] = select(0.0, a_at(batch, tile_row + a_row, k0 + a_k), k0 + a_k < K);
      b_tile[b_k * PITCH + b_column] = select(0.0, b_at(batch, k0 + b_k, tile_column + b_column), k0 + b_k < K);
    }
    workgroupBarrier();
    for (var k = 0u; k < TILE; k += 1u) {
      let a0 = a_tile[at.y * PITCH + k];
      let a1 = a_tile[(at.y + 16u) * PITCH + k];
      let b0 = b_tile[k * PITCH + at.x];
      let b1 = b_tile[k * PITCH + at.x + 16u];
      total[0] += a0 * b0;
      total[1] += a0 * b1;
      total[2] += a1 * b0;
      total[3] += a1 * b1;
    }
    workgroupBarrier();
  }
  for (var n = 0u; n < 4u; n += 1u) {
    let row = tile_row + at.y + 16u * (n >> 1u);
    let column = tile_column + at.x + 16u * (n & 1u);
    if (row < M && column < N) {
      finish(batch, row, column, total[n]);
    }
  }
}
