"""The board: one row of flat columns over all shards, and its run-length form for the wire.

Columns are flat arrays, 47 bytes a shard, so that a million shards fit in 50 MB.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from scellis.pool.digests import DIGEST_BYTES
from scellis.pool.states import LEASABLE, STEPS, Cell

Run = tuple[int, int, int, int, int]
"""first shard, count, cell, peer number, epoch"""

_LEGAL = frozenset((int(old), int(new)) for old, new in STEPS)


class Board:
    """What is known of each shard: its cell, epoch, peer, digest, lease, batch and checker."""

    def __init__(self, shards: int) -> None:
        self.shards = shards
        self.cells = bytearray(shards)
        self.epochs = array("I", bytes(4 * shards))
        self.peers = array("H", bytes(2 * shards))
        """who leases or authored the shard; 0 is nobody"""
        self.checkers = array("H", bytes(2 * shards))
        """who executed it again; 0 is nobody"""
        self.leases = array("I", bytes(4 * shards))
        self.batches = array("I", bytes(4 * shards))
        self.counts = [0] * len(Cell)
        self.counts[Cell.QUEUED] = shards
        self._digests = bytearray(DIGEST_BYTES * shards)
        self._low = 0  # no shard below is leasable

    def move(self, shard: int, cell: Cell) -> None:
        """Take one step; a step that `states.STEPS` lacks is a fault of the machine, not of a peer."""
        old = self.cells[shard]
        if (old, cell) not in _LEGAL:
            raise AssertionError(f"shard {shard}: no step from {Cell(old).name} to {cell.name}")
        self.cells[shard] = cell
        self.counts[old] -= 1
        self.counts[cell] += 1
        if cell in LEASABLE and shard < self._low:
            self._low = shard

    def release(self, shard: int, cell: Cell) -> None:
        """Put a shard back (`QUEUED` or `REFUSED`): its epoch rises, so that whoever had it is late."""
        self.move(shard, cell)
        self.epochs[shard] += 1
        self.peers[shard] = self.checkers[shard] = 0
        self.leases[shard] = self.batches[shard] = 0
        self._digests[DIGEST_BYTES * shard : DIGEST_BYTES * (shard + 1)] = bytes(DIGEST_BYTES)

    def digest(self, shard: int) -> bytes:
        """The committed digest; zeros where there is none."""
        return bytes(self._digests[DIGEST_BYTES * shard : DIGEST_BYTES * (shard + 1)])

    def set_digest(self, shard: int, digest: bytes) -> None:
        """Note the committed digest, 32 bytes."""
        self._digests[DIGEST_BYTES * shard : DIGEST_BYTES * (shard + 1)] = digest

    def digests(self, first: int, count: int) -> bytes:
        """The digests of a run, end to end."""
        return bytes(self._digests[DIGEST_BYTES * first : DIGEST_BYTES * (first + count)])

    @property
    def leasable(self) -> int:
        """Shards that wait for a peer."""
        return self.counts[Cell.QUEUED] + self.counts[Cell.REFUSED]

    @property
    def accepted(self) -> int:
        """Shards that count."""
        return self.counts[Cell.RE_EXECUTED] + self.counts[Cell.BATCH_CHECKED]

    def next_run(self, limit: int) -> tuple[int, int] | None:
        """The first run of at most `limit` leasable shards of one epoch: first shard and count."""
        found = [at for cell in LEASABLE if (at := self.cells.find(cell, self._low)) >= 0]
        if not found:
            self._low = self.shards
            return None
        first = self._low = min(found)
        end = first + 1
        while (
            end < self.shards
            and end - first < limit
            and self.cells[end] in LEASABLE
            and self.epochs[end] == self.epochs[first]
        ):
            end += 1
        return first, end - first

    def runs(self, first: int = 0, end: int | None = None) -> Iterator[Run]:
        """Equal neighbours as runs, over [first, end)."""
        end = self.shards if end is None else end
        while first < end:
            key = (self.cells[first], self.peers[first], self.epochs[first])
            stop = first + 1
            while stop < end and (self.cells[stop], self.peers[stop], self.epochs[stop]) == key:
                stop += 1
            yield first, stop - first, *key
            first = stop

    def state(self) -> dict[str, object]:
        """All columns as JSON values: equal boards have equal states."""
        return {
            "cells": self.cells.hex(),
            "epochs": self.epochs.tolist(),
            "peers": self.peers.tolist(),
            "checkers": self.checkers.tolist(),
            "leases": self.leases.tolist(),
            "batches": self.batches.tolist(),
            "digests": self._digests.hex(),
        }
