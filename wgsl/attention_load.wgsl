// Takes OPERAND into shared memory, `ACROSS` of its rows from `first` on, 16 features from `feature0` on: TILE is
// [feature][row / 4]. OPERAND and TILE are put in.
fn load_OPERAND(batch: u32, head: u32, first: u32, feature0: u32, thread: u32) {
  let feature = (thread & 3u) * 4u;
  for (var row = thread >> 2u; row < OPERAND_ACROSS; row += 64u) {
    let four = OPERAND_at(batch, head, first + row, feature0 + feature);
    for (var n = 0u; n < 4u; n += 1u) {
      TILE[feature + n][row >> 2u][row & 3u] = four[n];
    }
  }
}
