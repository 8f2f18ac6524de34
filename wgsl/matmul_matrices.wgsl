// The product of f16 matrices by the matrix units of a graphics processor, 128 by 128 of the result a workgroup.
//
// A subgroup has 64 by 64 of the result, as 4 by 4 matrices of 16 by 16 that no thread sees whole; terms are added in f32.
// Needs      subgroups of 32 threads that follow each other, which WGSL does not promise and cards have; Chromium's experimental subgroup matrices, f16 16 by 16 by 16 with sums in f32.
//            Source: https://dawn.googlesource.com/dawn/+/refs/heads/main/docs/dawn/features/subgroup_matrix.md
// Bindings   the stored arrays that are read, then the result; put in, as are M, K, N, and `a_eight` and `b_eight`, which
//            read eight neighbours in memory of a factor, 0 past the end of k. The factors are bound as words.
// Workgroup  128 threads, 4 subgroups, 2 by 2 in the tile; z counts the batch.
// Limits     shared memory 24 KiB.
// Result     within the tolerance of f32: how a matrix unit adds its 16 terms is its own affair.
// Test       tests/native/test_half_tint.py compiles it; tests/bench/arrays.py checks it where there are such units.

//#put FUNCTIONS
//#put BINDINGS
//#put CONSTANTS
//#put ACCESS

alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Sums = subgroup_matrix_result<f32, 16, 16>;

const TILE = 128u;
const DEPTH = 32u; // of k, a tile
const THREADS = 128u;
// Eights of a line in shared memory, one more than are used: lines begin in different banks.
const A_PITCH = select(DEPTH, TILE, A_TURNED) / 8u + 1u;
const B_PITCH = select(TILE, DEPTH, B_TURNED) / 8u + 1u;
const FETCHES = TILE * DEPTH / 8u / THREADS; // eights of a tile that a thread fetches

var<workgroup> a_tile: array<vec4<u32>, select(TILE, DEPTH, A_TURNED) * A_PITCH>; // [row][k / 8], turned [k][row / 8]
var<workgroup> b_tile: array<vec4<u32>, select(DEPTH, TILE, B_TURNED) * B_PITCH>; // [k][column / 8], or the other way
var<workgroup> passed: array<f32, 1024>; // a matrix of each subgroup, on its way to its threads

// Line and eight of what lies along k or across it, of the number of an eight.
fn place(eight: u32, along_k: bool) -> vec2<u32> {
  let width = select(TILE, DEPTH, along_k) / 8u;
  return vec2<u32>(eight / width, eight % width);
}

fn left(row: u32, k: u32) -> Left {
  if (A_TURNED) {
    return subgroupMatrixLoad<Left, col_major>(&a_tile, k * A_PITCH + row / 8u, A_PITCH);
  }
  return subgroupMatrixLoad<Left, row_major>(&a_tile, row * A_PITCH + k / 8u, A_PITCH);
}

fn right(k: u32, column: u32) -> Right {
  if (B_TURNED) {
    return subgroupMatrixLoad<Right, col_major>(&b_tile, column * B_PITCH + k / 8u, B_PITCH);
  }
  return subgroupMatrixLoad<Right, row_major>(&b_tile, k * B_PITCH + column / 8u, B_PITCH);
}

// What the threads of a subgroup do with a matrix of theirs that has been passed.
fn give(batch: u32, row0: u32, column0: u32, thread: u32) {
  for (var at = thread % 32u; at < 256u; at += 32u) {
    let row = row0 + at / 16u;
    let column = column0 + at % 16u;
    if (row < M && column < N) {
      finish(batch, row, column, passed[thread / 32u * 256u + at]);
    }
  }
}

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) workgroup: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
) {
  let subgroup = thread / 32u;
  let batch = workgroup.z;
  let row0 = workgroup.y * TILE;
  let column0 = workgroup.x * TILE;
  let inner_row = subgroup / 2u * 64u;
  let inner_column = subgroup % 2u * 64u;
  //#put SUMS
  for (var k0 = 0u; k0 < K; k0 += DEPTH) {
    var a_next: array<vec4<u32>, FETCHES>;
    var b_next: array<vec4<u32>, FETCHES>;
    for (var n = 0u; n < FETCHES; n += 1u) {
      let a = place(thread + n * THREADS, !A_TURNED);
      let b = place(thread + n * THREADS, B_TURNED);
      if (A_TURNED) {
        a_next[n] = a_eight(batch, row0 + a.y * 8u, k0 + a.x);
      } else {
        a_next[n] = a_eight(batch, row0 + a.x, k0 + a.y * 8u);
      }
      if (B_TURNED) {
        b_next[n] = b_eight(batch, k0 + b.y * 8u, column0 + b.x);
      } else {
        b_next[n] = b_eight(batch, k0 + b.x, column0 + b.y * 8u);
      }
    }
    workgroupBarrier();
    for (var n = 0u; n < FETCHES; n += 1u) {
      let a = place(thread + n * THREADS, !A_TURNED);
      let b = place(thread + n * THREADS, B_TURNED);
      a_tile[a.x * A_PITCH + a.y] = a_next[n];
      b_tile[b.x * B_PITCH + b.y] = b_next[n];
    }
    workgroupBarrier();
    for (var k = 0u; k < DEPTH; k += 16u) {
      //#put TERMS
    }
  }
  //#put STORES
}
