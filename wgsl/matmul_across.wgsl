// A factor whose neighbours in memory lie across k: LINES of them a tile, rows or columns. FACTOR, LINES and FETCHED, the
// four neighbours at `line` and `k`, are put in.
var<workgroup> FACTOR_tile: array<array<vec4<f32>, LINES / 4u>, DEPTH>; // [k][line / 4]

alias FACTOR_Next = array<vec4<f32>, LINES * DEPTH / (4u * THREADS)>; // what a thread fetches

fn fetch_FACTOR(next: ptr<function, FACTOR_Next>, batch: u32, line0: u32, k0: u32, thread: u32) {
  for (var n = 0u; n < LINES * DEPTH / (4u * THREADS); n += 1u) {
    let four = thread + n * THREADS;
    let line = line0 + four % (LINES / 4u) * 4u;
    let k = k0 + four / (LINES / 4u);
    (*next)[n] = FETCHED;
  }
}

fn put_FACTOR(next: ptr<function, FACTOR_Next>, thread: u32) {
  for (var n = 0u; n < LINES * DEPTH / (4u * THREADS); n += 1u) {
    let four = thread + n * THREADS;
    FACTOR_tile[four / (LINES / 4u)][four % (LINES / 4u)] = (*next)[n];
  }
}
