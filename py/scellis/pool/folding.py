"""The end of a pool on one device: the table of accepted digests, the states behind it, the owner's audit."""

from __future__ import annotations

import asyncio

from scellis.content import Store, parse_json
from scellis.errors import Finding, ScellisError
from scellis.pool import messages as m
from scellis.pool.digests import address_of, split, unpack
from scellis.pool.draws import Commitment, audit
from scellis.pool.states import ACCEPTED, Cell
from scellis.pool.view import View
from scellis.pool.work import Work

_RECORD_LIMIT_BYTES = 1024 * 1024


class Folding:
    """What this device was told of commitments, and the table in the end.

    `store` keeps the commitments over a reload, where this device is the owner and audits them.
    """

    def __init__(self, header: m.PoolHeader, key: str, store: Store | None) -> None:
        self._header = header
        self._key = key
        self._store = store
        self.commitments: dict[int, Commitment] = {}
        self._digests: dict[int, bytes] = {}
        self._holders: dict[int, tuple[int, ...]] = {}
        self.result = ""
        """the address that this device folded"""
        self._secret = b""
        self.sealed = ""
        """the address that the owner sealed"""

    @property
    def _prefix(self) -> str:
        return f"pool-{self._header.pool}-batch-"

    async def load(self) -> None:
        """Read the commitments of earlier visits."""
        if self._store is None:
            return
        names = await self._store.refs(self._prefix)
        found = await asyncio.gather(*map(self._store.get_ref, names))
        for name, data in zip(names, found, strict=True):
            value = parse_json(data or b"", what="commitment", limit_bytes=_RECORD_LIMIT_BYTES)
            runs = tuple((first, count, epoch) for first, count, epoch in value["runs"])
            self.commitments[int(name.removeprefix(self._prefix))] = Commitment(
                self._header.pool, value["author"], runs, unpack(value["digests"])
            )

    async def own(self, noted: m.Noted, commit: m.Commit) -> None:
        """Note the batch that an own commit became."""
        digests = unpack(commit.digests)
        runs = tuple((first, count, commit.epoch) for first, count in noted.runs)
        part = b"".join(
            digests[32 * (first - commit.first) : 32 * (first - commit.first + count)]
            for first, count in noted.runs
        )
        await self._note(noted.batch, Commitment(self._header.pool, self._key, runs, part))

    async def other(self, keep: m.Keep) -> None:
        """Note another's batch. Told twice it must be the same: a batch is fixed before it is drawn from."""
        commitment = Commitment(self._header.pool, keep.key, keep.runs, unpack(keep.digests))
        if len(commitment.digests) != 32 * len(commitment.shards()):
            raise ScellisError(
                "SCL-POOL-PROTOCOL", "A batch has a digest too many or too few.", field="digests"
            )
        if self.commitments.get(keep.batch, commitment) != commitment:
            raise ScellisError(
                "SCL-POOL-FORGED", f"The coordinator changed batch {keep.batch} after its commit."
            )
        await self._note(keep.batch, commitment)

    async def _note(self, batch: int, commitment: Commitment) -> None:
        if batch not in self.commitments and self._store is not None:
            await self._store.set_ref(f"{self._prefix}{batch:08d}", commitment.to_bytes())
        self.commitments[batch] = commitment

    def address(self, shard: int, epoch: int) -> str | None:
        """The address of (shard, epoch), where this device knows its batch or, in the end, the table."""
        for commitment in self.commitments.values():
            at = 0
            for first, count, of in commitment.runs:
                if of == epoch and first <= shard < first + count:
                    start = 32 * (at + shard - first)
                    return address_of(commitment.digests[start : start + 32])
                at += count
        return address_of(self._digests[shard]) if shard in self._digests else None

    def table(self, part: m.Table) -> bool:
        """Take in a part of the table; True when it is whole."""
        for shard, digest in enumerate(split(unpack(part.digests)), part.first):
            self._digests[shard] = digest
            self._holders[shard] = part.holders
        return len(self._digests) == self._header.shards

    def addresses(self) -> list[str]:
        """The address of every shard's state, in order; the table must be whole."""
        return [address_of(self._digests[shard]) for shard in range(self._header.shards)]

    def forget_table(self) -> None:
        """Another table is asked for."""
        self._digests.clear()
        self._holders.clear()

    async def states(self, work: Work) -> tuple[list[bytes], list[int]]:
        """Every shard's state, in order, and the shards whose state cannot be had now."""
        names = self.addresses()
        by_holders: dict[tuple[int, ...], list[str]] = {}
        for shard, name in enumerate(names):
            by_holders.setdefault(self._holders[shard], []).append(name)
        found: dict[str, bytes] = {}
        for holders, wanted in by_holders.items():
            found |= await work.fetch(wanted, holders)
        lacking = [shard for shard, name in enumerate(names) if name not in found]
        return [found[name] for name in names if name in found], lacking

    def uncommitted(self) -> list[int]:
        """Shards of the table whose digest the owner was never told before; it does not seal over them."""
        if self._store is None:
            return []
        known: set[tuple[int, bytes]] = set()
        for commitment in self.commitments.values():
            known.update(zip(commitment.shards(), split(commitment.digests), strict=True))
        return [shard for shard, digest in self._digests.items() if (shard, digest) not in known]

    def held_by(self, no: int, shards: list[int]) -> list[int]:
        """Those of `shards` that member `no` is said to hold."""
        return [shard for shard in shards if no in self._holders.get(shard, ())]

    def seal(self, message: m.Sealed) -> None:
        """The owner sealed the pool, and the coordinator revealed its secret."""
        self.sealed = address_of(unpack(message.digest))
        self._secret = bytes.fromhex(message.secret)

    def audit(self, view: View) -> list[Finding]:
        """What is not in order with a sealed pool.

        The owner repeats every draw; anyone compares the sealed result with what it folded itself.
        """
        findings: list[Finding] = []
        if self.result and self.result != self.sealed:
            what = f"this device folded {self.result}, the pool was sealed over {self.sealed}"
            findings.append(Finding("finding-folded", what, {"here": self.result, "sealed": self.sealed}))
        if self._store is not None and len(self._digests) == self._header.shards:

            def accepted(shard: int) -> tuple[int, bytes, bool]:
                if view.cells[shard] not in ACCEPTED:
                    return -1, b"", False
                return view.epochs[shard], self._digests[shard], view.cells[shard] == Cell.RE_EXECUTED

            findings += audit(self._header, self._secret, self.commitments.values(), accepted)
        return findings
