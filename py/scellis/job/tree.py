"""The fixed tree that shard states are merged along, so that the order of arrival cannot change a bit."""

from __future__ import annotations

from collections.abc import Mapping

from scellis.job.state import ShardState


class MergeTree:
    """A binary tree over shard indices, padded with empty states to a power of two.

    A node merges its left and right half; an empty half leaves the other as it is. Setting a leaf costs one
    merge a level, ⌈log₂ shards⌉ in all, and replacing one recomputes just its path.
    """

    def __init__(self, shards: int, bins: int) -> None:
        self._leaves = 1 << max(shards - 1, 0).bit_length()
        self._shards = shards
        self._empty = ShardState.empty(bins)
        # Heap order: the root is 1, node i has children 2i and 2i + 1.
        self._nodes: dict[int, ShardState] = {}

    def update(self, states: Mapping[int, ShardState]) -> None:
        """Set many leaves; each inner node on their paths is merged once."""
        dirty: set[int] = set()
        for shard, state in states.items():
            if not 0 <= shard < self._shards:
                raise IndexError(f"shard {shard} of {self._shards}")
            self._nodes[self._leaves + shard] = state
            dirty.add((self._leaves + shard) >> 1)
        while dirty and 0 not in dirty:
            for node in dirty:
                self._nodes[node] = self._at(2 * node).merge(self._at(2 * node + 1))
            dirty = {node >> 1 for node in dirty}

    def _at(self, node: int) -> ShardState:
        return self._nodes.get(node, self._empty)

    @property
    def root(self) -> ShardState:
        """The merge of all leaves set so far."""
        return self._at(1)
