import assert from "node:assert/strict";
import { test } from "node:test";

import { toBlocks } from "../../static/ui/blocks.js";

test("few shards are one cell each", () => {
  assert.deepEqual(toBlocks([[2, "queued", 0], [1, "leased", 3]]),
    { size: 1, shards: 3, counts: { queued: 2, leased: 1 }, cells: [["queued", 0], ["queued", 0], ["leased", 3]] });
});

test("many shards are drawn in blocks that show what most of their shards are", () => {
  const runs = [[3, "leased", 1], [2, "queued", 0], [4, "re-executed", 2]];
  assert.deepEqual(toBlocks(runs, 3), { size: 3, shards: 9, counts: { leased: 3, queued: 2, "re-executed": 4 },
    cells: [["leased", 1], ["queued", 0], ["re-executed", 2]] });
  assert.deepEqual(toBlocks([[5, "queued", 0]], 3).cells, [["queued", 0], ["queued", 0], ["queued", 0]]);
});

test("a tie goes to what comes first, and the last block may be short", () => {
  assert.deepEqual(toBlocks([[1, "queued", 0], [1, "leased", 1], [1, "drawn", 2]], 2).cells, [["queued", 0], ["drawn", 2]]);
  assert.deepEqual(toBlocks([]), { size: 1, shards: 0, counts: {}, cells: [] });
});

test("a million shards, all different from their neighbours, are few cells", () => {
  const runs = Array.from({ length: 1_000_000 }, (_, i) => [1, i % 2 ? "leased" : "queued", i % 7]);
  const { size, cells, counts } = toBlocks(runs);
  assert.equal(size, 245);
  assert.ok(cells.length <= 4096);
  assert.equal(counts.leased, 500_000);
});
