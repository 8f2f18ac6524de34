// Takes 16 rows of OPERAND from `first` on into shared memory, all features: column_tile is [row][feature / 4].
// What lies past the last row is 0, so that it adds nothing. OPERAND is put in.
fn take_OPERAND(batch: u32, head: u32, first: u32, thread: u32) {
  let row = thread >> 4u;
  for (var four = thread & 15u; four < OPERAND_FOURS; four += 16u) {
    let found = OPERAND_at(batch, head, min(first + row, OPERAND_ROWS - 1u), four * 4u);
    column_tile[row][four] = select(vec4<f32>(), found, first + row < OPERAND_ROWS);
  }
}
