"""Leases: runs of consecutive shards of one epoch, pulled by peers and sized from their own rate."""

from __future__ import annotations

import math

import attrs

from scellis.errors import ScellisError
from scellis.pool.core import Core
from scellis.pool.digests import split
from scellis.pool.members import STALE_S, Member
from scellis.pool.messages import LEASE_LIMIT, Commit, GiveBack
from scellis.pool.messages import Lease as LeaseMessage
from scellis.pool.states import HELD_BY_LEASE, IN_BATCH, Cell

TARGET_S = 2.0
"""computing time of a lease: long enough that messages cost nothing, short enough to lose"""
FIRST_S = 1.0
"""that of a device's first: its rate is a pilot's word, and a person waits for the first result"""
FLOOR_S = 0.5
"""shorter leases are not made to share out the tail"""


@attrs.define
class Lease:
    """A run of shards that one member computes; `left` of them are outstanding."""

    no: int
    member: int
    first: int
    count: int
    epoch: int
    issued_s: float
    left: int


@attrs.frozen
class Claim:
    """A commit, sorted: what is the sender's to commit, what is known already, what came too late."""

    mine: list[tuple[int, bytes]]
    duplicate: int
    late: int


class Leases:
    """All outstanding leases."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self.book: dict[int, Lease] = {}

    def size(self, member: Member) -> int:
        """How many shards the next lease of `member` has.

        About `TARGET_S` of its own rate, at first `FIRST_S` (one shard while it knows none), and at most half
        of its even share of what is left, so that peers of any speed end together; shares under `FLOOR_S` are
        not cut further.
        """
        left = self._core.board.leasable
        target_s = TARGET_S if member.leases else FIRST_S
        wished = max(1, math.floor(min(member.rate * target_s, LEASE_LIMIT)))
        peers = max(1, len(self._core.members.eligible()))
        if peers == 1:
            return max(1, min(wished, left))
        floor = min(math.ceil(min(member.rate, LEASE_LIMIT) * FLOOR_S), math.ceil(left / peers))
        return max(1, min(wished, max(math.ceil(left / (2 * peers)), floor), left))

    def grant(self, member: Member) -> bool:
        """Lease the next run to `member`; False where nothing is queued."""
        run = self._core.board.next_run(self.size(member))
        if run is None:
            return False
        self._issue(member, *run)
        return True

    def _issue(self, member: Member, first: int, count: int) -> None:
        board = self._core.board
        lease = Lease(
            self._core.next_lease(), member.no, first, count, board.epochs[first], self._core.now_s, count
        )
        self.book[lease.no] = lease
        member.leases += 1
        for shard in range(first, first + count):
            board.move(shard, Cell.LEASED)
            board.peers[shard] = member.no
            board.leases[shard] = lease.no
        self._core.send(member.no, LeaseMessage(first=first, count=count, epoch=lease.epoch))

    def take_over(self, member: Member) -> bool:
        """Where nothing is queued: give `member` shards of another's stale or overdue lease, one epoch on."""
        lease = self.takeable(member, self._core.now_s)
        if lease is not None:
            self._take(member, lease)
        return lease is not None

    def takeable(self, member: Member, now_s: float) -> Lease | None:
        """A lease of another member that is silent, or that has it for longer than leases last."""
        for lease in self.book.values():
            silent = now_s - self._core.members[lease.member].heard_s > STALE_S
            overdue = now_s - lease.issued_s > self._core.header.lease_s
            if lease.member != member.no and (silent or overdue):
                return lease
        return None

    def _take(self, member: Member, lease: Lease) -> None:
        board = self._core.board
        mine = [s for s in range(lease.first, lease.first + lease.count) if board.leases[s] == lease.no]
        first, limit = mine[0], max(1, math.floor(min(member.rate * TARGET_S, LEASE_LIMIT)))
        count = 1
        while count < min(limit, len(mine)) and mine[count] == first + count:
            count += 1
        for shard in range(first, first + count):
            board.epochs[shard] += 1
        self._shrink(lease, count)
        self._issue(member, first, count)

    def claim(self, member: Member, commit: Commit, digests: bytes) -> Claim:
        """Compare-and-set on (shard, epoch) for each shard of a commit.

        Raises `SCL-POOL-LEASE` where a shard is neither the sender's, nor known, nor overtaken: then nothing
        of the message counts.
        """
        board = self._core.board
        mine: list[tuple[int, bytes]] = []
        duplicate = late = 0
        for shard, digest in enumerate(split(digests), commit.first):
            cell, epoch = board.cells[shard], board.epochs[shard]
            if cell in HELD_BY_LEASE and epoch == commit.epoch and board.peers[shard] == member.no:
                mine.append((shard, digest))
            elif cell in IN_BATCH and board.digest(shard) == digest:
                duplicate += 1
            elif commit.epoch < epoch:
                late += 1
            else:
                raise ScellisError(
                    "SCL-POOL-LEASE",
                    f"Shard {shard} (epoch {commit.epoch}) is not leased to this device.",
                    shard=shard,
                )
        return Claim(mine, duplicate, late)

    def fulfil(self, claim: Claim) -> None:
        """Take the claimed shards out of their leases."""
        board = self._core.board
        for shard, digest in claim.mine:
            self._shrink(self.book[board.leases[shard]], 1)
            board.move(shard, Cell.COMMITTED)
            board.leases[shard] = 0
            board.set_digest(shard, digest)

    def give_back(self, member: Member, message: GiveBack) -> None:
        """Queue shards again that `member` did not start; those that are not its own are left alone."""
        board = self._core.board
        for shard in range(message.first, min(message.first + message.count, board.shards)):
            if (
                board.cells[shard] in HELD_BY_LEASE
                and board.peers[shard] == member.no
                and board.epochs[shard] == message.epoch
            ):
                self._queue(shard)

    def release(self, member: Member) -> None:
        """Queue everything that `member` leases."""
        for lease in [lease for lease in self.book.values() if lease.member == member.no]:
            for shard in range(lease.first, lease.first + lease.count):
                if self._core.board.leases[shard] == lease.no:
                    self._queue(shard)

    def _queue(self, shard: int) -> None:
        self._shrink(self.book[self._core.board.leases[shard]], 1)
        self._core.board.release(shard, Cell.QUEUED)

    def _shrink(self, lease: Lease, count: int) -> None:
        lease.left -= count
        if lease.left == 0:
            del self.book[lease.no]

    def show(self, member: Member, cell: Cell) -> None:
        """Show the member's leased shards as `LEASED` or `STALE`."""
        board = self._core.board
        for lease in self.book.values():
            if lease.member == member.no:
                for shard in range(lease.first, lease.first + lease.count):
                    if board.leases[shard] == lease.no and board.cells[shard] != cell:
                        board.move(shard, cell)

    def state(self) -> list[dict[str, object]]:
        """All leases as JSON values."""
        return [attrs.asdict(lease) for lease in self.book.values()]
