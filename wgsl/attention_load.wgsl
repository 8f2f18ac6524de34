// Takes OPERAND into shared memory, `ACROSS` of its rows from `first` on, DEPTH features from `feature0` on: TILE is
// [feature][row / 4]. A thread takes four features of four rows and turns them, for no two threads may write parts of
// one vector. OPERAND and TILE are put in.
fn load_OPERAND(batch: u32, head: u32, first: u32, feature0: u32, thread: u32) {
  for (var at = thread; at < OPERAND_ACROSS / 4u * (DEPTH / 4u); at += 256u) {
    let four = at % (OPERAND_ACROSS / 4u);
    let feature = at / (OPERAND_ACROSS / 4u) * 4u;
    let row = first + 4u * four;
    let turned = transpose(mat4x4<f32>(
      OPERAND_at(batch, head, row, feature0 + feature),
      OPERAND_at(batch, head, row + 1u, feature0 + feature),
      OPERAND_at(batch, head, row + 2u, feature0 + feature),
      OPERAND_at(batch, head, row + 3u, feature0 + feature),
    ));
    TILE[feature][four] = turned[0];
    TILE[feature + 1u][four] = turned[1];
    TILE[feature + 2u][four] = turned[2];
    TILE[feature + 3u][four] = turned[3];
  }
}
