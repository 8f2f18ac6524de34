// Takes DEPTH rows of OPERAND from `first` on into shared memory, all features: column_tile is [row][feature / 4].
// What lies past the last row is 0, so that it adds nothing. OPERAND is put in.
fn take_OPERAND(batch: u32, head: u32, first: u32, thread: u32) {
  for (var at = thread; at < DEPTH * OPERAND_FOURS; at += 256u) {
    let row = at / OPERAND_FOURS;
    let four = at % OPERAND_FOURS;
    let found = OPERAND_at(batch, head, min(first + row, OPERAND_ROWS - 1u), four * 4u);
    column_tile[row][four] = select(vec4<f32>(), found, first + row < OPERAND_ROWS);
  }
}
