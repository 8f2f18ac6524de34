// The cells that the shard board draws. A pool of many shards is drawn in blocks of equally many of them.

/** Cells that are still told apart, and drawn fast enough to follow a run. */
export const CELL_LIMIT = 4096;

/**
 * `runs`: [[count, state, peer_no] …] over all shards. Returns {size, counts, cells}: `size` shards are one cell,
 * `counts` has the shards of each state, and `cells` is [[state, peer_no] …]. A cell of several shards shows the
 * state and device that most of them have, at a tie the one that came first.
 */
export function toBlocks(runs, limit = CELL_LIMIT) {
  const shards = runs.reduce((sum, [count]) => sum + count, 0);
  const size = Math.max(1, Math.ceil(shards / limit));
  const counts = {};
  const cells = [];
  let held = new Map(); // of the cell at hand: "state peer" -> how many of its shards
  let room = size;
  for (const [count, state, peer = 0] of runs) {
    counts[state] = (counts[state] ?? 0) + count;
    for (let left = count; left > 0;) {
      const part = Math.min(left, room);
      held.set(`${state} ${peer}`, (held.get(`${state} ${peer}`) ?? 0) + part);
      left -= part;
      room -= part;
      if (room === 0) {
        cells.push(most(held));
        held = new Map();
        room = size;
      }
    }
  }
  if (held.size) cells.push(most(held));
  return { size, shards, counts, cells };
}

function most(held) {
  const [name] = [...held].reduce((best, next) => (next[1] > best[1] ? next : best));
  const [state, peer] = name.split(" ");
  return [state, Number(peer)];
}
