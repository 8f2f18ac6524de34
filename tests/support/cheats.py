"""Dishonest devices. They exist only here; each is to be caught."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from scellis.device.oracle import OracleDevice
from scellis.errors import Finding
from scellis.job import BySeed, Job, JobWorker, ShardState
from scellis.job.compute import prepare_job
from scellis.pool import messages as m
from scellis.pool.digests import pack, unpack
from scellis.pool.peer import Peer
from scellis.pool.ports import StateReader
from scellis.pool.states import Cell
from support.pool_world import Plane, honest


class Cheat:
    """An honest worker whose `run` is bent by `bend`; its oracle and its comparisons stay honest."""

    device = "oracle"
    rate = 0.0
    step = 4

    def __init__(self, job: Job, rate: float = 20.0) -> None:
        self.job = job
        self.worker: JobWorker = honest(job, rate)

    async def run(self, first: int, count: int) -> list[bytes]:
        true = await self.worker.run(first, count)
        return [await self.bend(first + at, state) for at, state in enumerate(true)]

    async def bend(self, shard: int, state: bytes) -> bytes:
        return state

    async def oracle(self, shard: int) -> bytes:
        return await self.worker.oracle(shard)

    def differ(self, found: bytes, expected: bytes) -> list[Finding]:
        return self.worker.differ(found, expected)


class ShiftsMean(Cheat):
    """Moves the mean by a tenth of the shard's standard error: no eye would see it."""

    async def bend(self, shard: int, state: bytes) -> bytes:
        true = ShardState.from_bytes(state)
        error = math.sqrt(true.m2 / (true.count - 1) / true.count)
        return attrs.evolve(true, mean=true.mean + 0.1 * error).to_bytes()


class ReturnsShardBefore(Cheat):
    """Commits shard k − 1's state for shard k: honest numbers, in the wrong place."""

    async def bend(self, shard: int, state: bytes) -> bytes:
        return (await self.worker.run(max(shard - 1, 0), 1))[0] if shard else (await self.worker.run(1, 1))[0]


class DoublesHalf(Cheat):
    """Draws half of the shard and counts it twice."""

    async def bend(self, shard: int, state: bytes) -> bytes:
        half = attrs.evolve(self.job, partition=BySeed(self.job.partition.shards, 128))
        (drawn,) = await (await prepare_job(half, OracleDevice())).states(shard, 1)
        return drawn.merge(drawn).to_bytes()


class CommitsJunk(Cheat):
    """Commits to bytes that are no state at all, for one shard of a lease: seldom the one that is drawn."""

    async def run(self, first: int, count: int) -> list[bytes]:
        return [*await super().run(first, count - 1), b"junk"] if count > 1 else await super().run(first, 1)


class CommitsAnothersShape(Cheat):
    """Commits to well-formed states of another job, with one bin more, for three shards of four."""

    async def bend(self, shard: int, state: bytes) -> bytes:
        true = ShardState.from_bytes(state)
        return attrs.evolve(true, bins=np.concatenate([true.bins, [0]])).to_bytes() if shard % 4 else state


class Agrees(Cheat):
    """Computes honestly and finds everything in order, whoever did it: a friend of cheats."""

    def differ(self, found: bytes, expected: bytes) -> list[Finding]:
        return []


class LiesAboutOthers(Cheat):
    """Computes honestly and finds fault with everyone, as checker and as referee."""

    def differ(self, found: bytes, expected: bytes) -> list[Finding]:
        return ["no"]


class ForgesHashes(Peer):
    """Commits to hashes of bytes that it does not have."""

    async def _send(self, message: m.FromPeer) -> None:
        if isinstance(message, m.Commit):
            forged = bytes(byte ^ 1 for byte in unpack(message.digests))
            message = attrs.evolve(message, digests=pack(forged))
        await super()._send(message)


class StealsLeases(Peer):
    """Commits to shards that others lease, with any hash."""

    stolen = 0

    async def _send(self, message: m.FromPeer) -> None:
        if isinstance(message, m.Ask) and self.view is not None:
            for shard, cell in enumerate(self.view.cells):
                if cell == Cell.LEASED and self.view.who[shard] != self.no:
                    self.stolen += 1
                    epoch = self.view.epochs[shard]
                    await super()._send(m.Commit(first=shard, epoch=epoch, digests=pack(bytes([7]) * 32)))
        await super()._send(message)


class Withholds(Plane):
    """Commits honestly and then gives nothing."""

    def open(self, no: int, read: StateReader, signal: Any) -> None:
        async def nothing(name: str) -> None:
            return None

        super().open(no, nothing, signal)

    async def fetch(self, no: int, addresses: Sequence[str], timeout_s: float) -> dict[str, bytes]:
        return await super().fetch(no, addresses, timeout_s)
