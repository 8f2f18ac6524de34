"""What a peer does with each piece of work: compute, check, referee, keep."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from scellis.errors import Finding, ScellisError
from scellis.pool import messages as m
from scellis.pool.digests import address_of, digest_of, join, pack, split, unpack
from scellis.pool.ports import Clock, Compute, DataPlane
from scellis.pool.shelf import Shelf
from scellis.pool.view import View
from scellis.pool.wire import protocol_error

DELIVER_S = 30.0
"""how long a holder has to deliver; longer than the silence after which a peer counts as stale, so that a
sleeping one is not taken for one that withholds"""
COMMIT_S = 0.5
"""how long a peer computes between two commits: what is lost with it, and how often its results show"""
FETCH_TRIES = 2
FETCH_PAUSE_S = 2.0
_RATE_MEMORY = 0.5


class Work:
    """A device at work for one pool."""

    def __init__(
        self,
        no: int,
        compute: Compute,
        shelf: Shelf,
        data: DataPlane,
        clock: Clock,
        view: View,
        is_state: Callable[[bytes], bool],
    ) -> None:
        self._no = no
        self._is_state = is_state
        self._compute = compute
        self._shelf = shelf
        self._data = data
        self._clock = clock
        self._view = view
        self.rate = compute.rate
        """shards a second, measured over leases"""

    async def lease(self, lease: m.Lease, stopped: Callable[[], bool]) -> AsyncIterator[m.FromPeer]:
        """Compute a lease, committing each part as it is done; what a stop left unstarted is given back."""
        done, part = 0, list[bytes]()
        started_s = committed_s = self._clock.now_s()
        while done + len(part) < lease.count and not stopped():
            count = min(max(1, self._compute.step), lease.count - done - len(part))
            part += await self._compute.run(lease.first + done + len(part), count)
            # The oracle never waits for anything: without this a tab would hear nothing until the lease ends.
            await self._clock.sleep(0)
            now_s = self._clock.now_s()
            if now_s - committed_s >= COMMIT_S or done + len(part) == lease.count:
                self._measure(done + len(part), now_s - started_s)
                yield await self._commit(lease, done, part)
                done, part, committed_s = done + len(part), [], now_s
        if part:
            yield await self._commit(lease, done, part)
            done += len(part)
        if done < lease.count:
            yield m.GiveBack(first=lease.first + done, count=lease.count - done, epoch=lease.epoch)

    async def _commit(self, lease: m.Lease, done: int, part: list[bytes]) -> m.Commit:
        addresses = await self._shelf.put(part)  # kept before it is claimed
        return m.Commit(first=lease.first + done, epoch=lease.epoch, digests=pack(join(addresses)))

    def _measure(self, shards: int, elapsed_s: float) -> None:
        if shards and elapsed_s > 0:
            rate = min(shards / elapsed_s, 1e9)
            self.rate = rate if self.rate == 0 else (1 - _RATE_MEMORY) * self.rate + _RATE_MEMORY * rate

    async def check(self, check: m.Check) -> list[m.FromPeer]:
        """Execute shards again and compare with what was committed.

        What this device was to hold itself, and no longer does, is not somebody's fault but lost.
        """
        committed = _addresses(check.digests, len(check.shards), len(check.holders))
        fetching = asyncio.ensure_future(self._fetch_all(committed, check.holders))
        try:
            own = [await self._again(shard, check.oracle) for shard in check.shards]  # while the bytes travel
            found = await fetching
        finally:
            fetching.cancel()
        agree: list[int] = []
        differ: list[int] = []
        missing: list[int] = []
        lost: list[int] = []
        digests = b""
        for shard, name, holders, state in zip(check.shards, committed, check.holders, own, strict=True):
            if name not in found:
                (lost if self._no in holders else missing).append(shard)
                self._view.note(shard, "missing", self._clock.now_s(), address=name)
                continue
            findings = self._compute.differ(found[name], state)
            self._view.note(
                shard, "check", self._clock.now_s(), address=name, findings=findings, peer_no=self._no
            )
            if findings:
                differ.append(shard)
                digests += digest_of((await self._shelf.put([state]))[0])
            else:
                agree.append(shard)
        verdict = m.Verdict(
            lease=check.lease,
            agree=tuple(agree),
            differ=tuple(differ),
            digests=pack(digests),
            missing=tuple(missing),
        )
        return [m.Lost(shards=tuple(lost)), verdict] if lost else [verdict]

    async def _again(self, shard: int, on_oracle: bool) -> bytes:
        state = await self._compute.oracle(shard) if on_oracle else (await self._compute.run(shard, 1))[0]
        await self._clock.sleep(0)
        return state

    async def _fetch_all(self, names: list[str], holders: Sequence[tuple[int, ...]]) -> dict[str, bytes]:
        wanted: dict[tuple[int, ...], list[str]] = {}
        for name, of in zip(names, holders, strict=True):
            wanted.setdefault(of, []).append(name)
        found: dict[str, bytes] = {}
        for of, some in wanted.items():
            found |= await self.fetch(some, of)
        return found

    async def referee(self, task: m.Referee) -> m.Ruling:
        """Compute a disputed shard on the oracle and hold both states against it."""
        oracle = await self._compute.oracle(task.shard)
        author = await self._within(task.author, task.author_holders, oracle, task.shard)
        checker = await self._within(task.checker, task.checker_holders, oracle, task.shard)
        name = (await self._shelf.put([oracle]))[0]
        return m.Ruling(
            lease=task.lease, shard=task.shard, oracle=pack(digest_of(name)), author=author, checker=checker
        )

    async def _within(self, packed: str, holders: Sequence[int], oracle: bytes, shard: int) -> str:
        names = list(map(address_of, split(unpack(packed))))
        found = await self.fetch(names, holders)
        if not names or names[0] not in found:
            return "missing"
        findings = self._compute.differ(found[names[0]], oracle)
        self._view.note(
            shard, "ruling", self._clock.now_s(), address=names[0], findings=findings, peer_no=self._no
        )
        return "outside" if findings else "within"

    async def keep(self, keep: m.Keep) -> m.Held:
        """Fetch a batch and store it; what is no state of the job is not there, whatever its hash."""
        shards = [shard for first, count, _ in keep.runs for shard in range(first, first + count)]
        names = _addresses(keep.digests, len(shards))
        found = await self.fetch_states(names, keep.holders)
        await self._shelf.put(list(found.values()))
        missing = tuple(shard for shard, name in zip(shards, names, strict=True) if name not in found)
        return m.Held(batch=keep.batch, missing=missing)

    async def fetch_states(self, names: Iterable[str], holders: Sequence[int]) -> dict[str, bytes]:
        """As `fetch`, without what is no state of a shard of the job."""
        found = await self.fetch(names, holders)
        return {name: state for name, state in found.items() if self._is_state(state)}

    async def fetch(self, names: Iterable[str], holders: Sequence[int]) -> dict[str, bytes]:
        """Bytes by address, from the shelf or from the holders in turn; what nobody has is left out."""
        found: dict[str, bytes] = {}
        missing = []
        for name in names:
            state = await self._shelf.get(name)
            if state is None:
                missing.append(name)
            else:
                found[name] = state
        for no in holders:
            for _ in range(FETCH_TRIES):
                if missing and no != self._no:
                    found |= await self._data.fetch(no, missing, DELIVER_S)
                    missing = [name for name in missing if name not in found]
                    if missing:  # its channel may have broken in between
                        await self._clock.sleep(FETCH_PAUSE_S)
        return found


class NoCompute:
    """The compute port of a device that only keeps states: it has not consented to compute."""

    device = "none"
    rate = 0.0
    step = 1

    async def run(self, first: int, count: int) -> list[bytes]:
        """Refused: `SCL-POOL-CONSENT`."""
        raise ScellisError("SCL-POOL-CONSENT", "This device has not consented to compute for the pool.")

    async def oracle(self, shard: int) -> bytes:
        """Refused: `SCL-POOL-CONSENT`."""
        raise ScellisError("SCL-POOL-CONSENT", "This device has not consented to compute for the pool.")

    def differ(self, found: bytes, expected: bytes) -> list[Finding]:
        """Refused: `SCL-POOL-CONSENT`."""
        raise ScellisError("SCL-POOL-CONSENT", "This device has not consented to compute for the pool.")


def _addresses(packed: str, *lengths: int) -> list[str]:
    """The addresses of packed digests, as many as each of `lengths`. Raises `SCL-POOL-PROTOCOL`."""
    names = list(map(address_of, split(unpack(packed))))
    if any(length != len(names) for length in lengths):
        raise protocol_error("a list is longer than the other", field="digests")
    return names
