"""The end of a pool on one device: the table of accepted digests, the states behind it, the owner's audit."""

from __future__ import annotations

import asyncio

import attrs

from scellis.content import Store, parse_json
from scellis.errors import Finding, ScellisError
from scellis.pool import messages as m
from scellis.pool.digests import DIGEST_BYTES, address_of, split, table_digest, unpack
from scellis.pool.draws import Commitment, audit
from scellis.pool.states import ACCEPTED, Cell
from scellis.pool.view import View
from scellis.pool.wire import protocol_error
from scellis.pool.work import Work

_RECORD_LIMIT_BYTES = 1024 * 1024


@attrs.frozen
class Row:
    """One accepted shard: the digest of its state, and the members that hold it."""

    digest: bytes
    holders: tuple[int, ...]


class Folding:
    """What this device was told of commitments, and the table in the end.

    `store` keeps the commitments over a reload, where this device is the owner and audits them.
    """

    def __init__(self, header: m.PoolHeader, key: str, store: Store | None) -> None:
        self._header = header
        self._key = key
        self._store = store
        self.commitments: dict[int, Commitment] = {}
        self._committed: dict[tuple[int, int], bytes] = {}  # by shard and epoch
        self._parts: list[Row] = []  # of the table that was asked for last
        self.leaves: list[bytes] = []
        """the digests that this device folded"""
        self.result = ""
        """the address of what it folded them to"""
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
            commitment = Commitment(self._header.pool, value["author"], runs, unpack(value["digests"]))
            self._enter(int(name.removeprefix(self._prefix)), commitment)

    async def own(self, noted: m.Noted, commit: m.Commit) -> None:
        """Note the batch that an own commit became. Raises `SCL-POOL-PROTOCOL` where it is none of it."""
        digests, known = split(unpack(commit.digests)), []
        for first, count in noted.runs:
            start = first - commit.first
            part = digests[start : start + count]
            if start < 0 or len(part) != count:
                raise protocol_error("a batch that is not of the commit", field="runs")
            known += part
        runs = tuple((first, count, commit.epoch) for first, count in noted.runs)
        await self._note(noted.batch, Commitment(self._header.pool, self._key, runs, b"".join(known)))

    async def other(self, keep: m.Keep) -> None:
        """Note another's batch."""
        digests = unpack(keep.digests)
        beyond = any(first + count > self._header.shards for first, count, _ in keep.runs)
        if beyond or len(digests) != DIGEST_BYTES * sum(count for _, count, _ in keep.runs):
            raise protocol_error("a batch has a digest or a shard too many", field="digests")
        await self._note(keep.batch, Commitment(self._header.pool, keep.key, keep.runs, digests))

    async def _note(self, batch: int, commitment: Commitment) -> None:
        """Told twice it must be the same: a batch is fixed before it is drawn from."""
        if self.commitments.get(batch, commitment) != commitment:
            raise ScellisError("SCL-POOL-FORGED", f"The coordinator changed batch {batch} after its commit.")
        if batch not in self.commitments and self._store is not None:
            await self._store.set_ref(f"{self._prefix}{batch:08d}", commitment.to_bytes())
        self._enter(batch, commitment)

    def _enter(self, batch: int, commitment: Commitment) -> None:
        self.commitments[batch] = commitment
        for shard, epoch, digest in commitment.rows():
            self._committed[shard, epoch] = digest

    def address(self, shard: int, epoch: int) -> str | None:
        """The address of (shard, epoch), where this device knows its batch or folded it."""
        digest = self._committed.get((shard, epoch))
        if digest is None and self.leaves:
            digest = self.leaves[shard]
        return None if digest is None else address_of(digest)

    # ---- the table ----

    @property
    def wanted(self) -> int:
        """The first shard of the part of the table that is to be asked for next."""
        return len(self._parts)

    def start_table(self) -> None:
        """Another table is asked for, from its beginning."""
        self._parts = []

    def take(self, part: m.Table) -> bool:
        """Take in a part of the table; False where it is not the part that was asked for last.

        Raises `SCL-POOL-PROTOCOL` for one that does not fit the job.
        """
        digests = split(unpack(part.digests))
        holders = [run[1:] for run in part.holders for _ in range(min(run[0], len(digests)) if run else 0)]
        if not digests or len(digests) != len(holders) or part.first + len(digests) > self._header.shards:
            raise protocol_error("a part of the table that does not fit the job", field="digests")
        if part.first != self.wanted:
            return False
        self._parts += map(Row, digests, holders)
        return True

    def table(self) -> list[Row] | None:
        """The table, once all parts of it are here."""
        return self._parts if len(self._parts) == self._header.shards else None

    def is_last(self, table: list[Row]) -> bool:
        """Whether no other table was asked for meanwhile."""
        return table is self._parts

    def uncommitted(self, table: list[Row]) -> list[int]:
        """Shards of the table whose digest the owner was never told before; it does not seal over them."""
        if self._store is None:
            return []
        known = {(shard, digest) for (shard, _), digest in self._committed.items()}
        return [shard for shard, row in enumerate(table) if (shard, row.digest) not in known]

    # ---- the end ----

    def fold(self, table: list[Row], result: str) -> None:
        """This device folded the states of a table to `result`, an address."""
        self.leaves, self.result = [row.digest for row in table], result

    def addresses(self) -> list[str]:
        """The addresses of the states that this device folded, in order; empty where it has not."""
        return list(map(address_of, self.leaves))

    def table_digest(self) -> bytes:
        """Names the table that this device folded (`digests.table_digest`)."""
        return table_digest(b"".join(self.leaves))

    def seal(self, message: m.Sealed) -> None:
        """The owner sealed the pool, and the coordinator revealed its secret."""
        self.sealed = address_of(unpack(message.digest))
        self._secret = bytes.fromhex(message.secret)

    def audit(self, view: View) -> list[Finding]:
        """What is not in order with a sealed pool, once this device has folded it.

        The owner repeats every draw; anyone compares the sealed result with what it folded itself.
        """
        findings: list[Finding] = []
        if self.result != self.sealed:
            what = f"this device folded {self.result}, the pool was sealed over {self.sealed}"
            findings.append(Finding("finding-folded", what, {"here": self.result, "sealed": self.sealed}))
        if self._store is not None:

            def accepted(shard: int) -> tuple[int, bytes, bool]:
                if view.cells[shard] not in ACCEPTED:
                    return -1, b"", False
                return view.epochs[shard], self.leaves[shard], view.cells[shard] == Cell.RE_EXECUTED

            findings += audit(self._header, self._secret, self.commitments.values(), accepted)
        return findings


async def states_of(table: list[Row], work: Work) -> list[bytes | None]:
    """Every shard's state, in order; None for what cannot be had now."""
    by_holders: dict[tuple[int, ...], list[str]] = {}
    for row in table:
        by_holders.setdefault(row.holders, []).append(address_of(row.digest))
    found: dict[str, bytes] = {}
    for holders, names in by_holders.items():
        found |= await work.fetch_states(names, holders)
    return [found.get(address_of(row.digest)) for row in table]
