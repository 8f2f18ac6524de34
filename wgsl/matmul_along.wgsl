// A factor whose neighbours in memory lie along k: LINES of them a tile, rows or columns. The first threads fetch four by
// four of them each and turn them, for no two threads may write parts of one vector. FACTOR, LINES and FETCHED, the four
// neighbours at `line` and `k`, are put in.
var<workgroup> FACTOR_tile: array<array<vec4<f32>, LINES / 4u + 1u>, DEPTH>; // [k][line / 4], spread over the banks

alias FACTOR_Next = mat4x4<f32>; // what a thread fetches: a column is four along k

fn fetch_FACTOR(next: ptr<function, FACTOR_Next>, batch: u32, line0: u32, k0: u32, thread: u32) {
  if (thread < LINES * DEPTH / 16u) {
    let k = k0 + thread % (DEPTH / 4u) * 4u;
    for (var n = 0u; n < 4u; n += 1u) {
      let line = line0 + thread / (DEPTH / 4u) * 4u + n;
      (*next)[n] = FETCHED;
    }
  }
}

fn put_FACTOR(next: ptr<function, FACTOR_Next>, thread: u32) {
  if (thread < LINES * DEPTH / 16u) {
    let turned = transpose(*next);
    let k = thread % (DEPTH / 4u) * 4u;
    for (var n = 0u; n < 4u; n += 1u) {
      FACTOR_tile[k + n][thread / (DEPTH / 4u)] = turned[n];
    }
  }
}
