"""Who holds the bytes of which batch. Accepted means that two devices, or the owner's store, hold them."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from scellis.pool.core import Core
from scellis.pool.digests import pack
from scellis.pool.draws import Commitment
from scellis.pool.members import Member
from scellis.pool.messages import Held, Keep, Lost
from scellis.pool.states import Cell

KEEP_S = 120.0
"""how long a device may take to fetch a batch before another is asked"""
DELIVERY_TRIES = 3
"""deliveries that may fail while a holder is there; with the last, the state counts as not delivered"""
HOLDERS_SENT = 8


@attrs.define
class Batch:
    """One accepted commit: what its author answers for, and who has the bytes."""

    no: int
    author: int
    commitment: Commitment
    holders: set[int]
    pending: set[int] = attrs.field(factory=set)
    """drawn or disputed shards; the batch is accepted when none is left"""
    keeper: int = 0
    """who is fetching it now; 0 is nobody"""
    since_s: float = 0.0
    failed: set[int] = attrs.field(factory=set)
    """members that could not fetch it from the present holders"""
    tries: int = 0
    late: set[int] = attrs.field(factory=set)
    """members that were asked and have not answered in time; an answer still counts"""


class Holding:
    """All batches."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self.batches: dict[int, Batch] = {}
        self._thin: dict[int, None] = {}  # batches that the owner's store lacks, in order
        self._last = 0

    def add(self, member: Member, shards: list[tuple[int, bytes]], epoch: int) -> Batch:
        """The batch of a commit; its author holds it."""
        runs: list[tuple[int, int, int]] = []
        for shard, _ in shards:
            if runs and runs[-1][0] + runs[-1][1] == shard:
                runs[-1] = (runs[-1][0], runs[-1][1] + 1, epoch)
            else:
                runs.append((shard, 1, epoch))
        digests = b"".join(digest for _, digest in shards)
        commitment = Commitment(self._core.header.pool, member.key, tuple(runs), digests)
        self._last += 1
        batch = Batch(self._last, member.no, commitment, {member.no})
        self.batches[batch.no] = batch
        if not member.owner:
            self._thin[batch.no] = None
        for shard, _ in shards:
            self._core.board.batches[shard] = batch.no
        return batch

    def shards(self, batch: Batch) -> Iterator[int]:
        """The shards that are still the batch's."""
        board = self._core.board
        return (shard for shard in batch.commitment.shards() if board.batches[shard] == batch.no)

    def sources(self, batch: Batch) -> list[int]:
        """Live holders, the owner first."""
        live = [no for no in sorted(batch.holders) if self._core.members[no].live]
        return sorted(live, key=lambda no: not self._core.members[no].owner)[:HOLDERS_SENT]

    def safe(self, batch: Batch) -> bool:
        """Whether two devices that are here, or the owner's store, hold the batch."""
        members = self._core.members
        owner = members.owner
        if owner is not None and owner.no in batch.holders and (owner.durable or owner.present):
            return True
        return sum(members[no].present for no in batch.holders) >= 2

    def replicate(self) -> None:
        """Ask the owner, or else another device, to fetch each batch that the owner's store lacks."""
        for no in self._thin:
            batch = self.batches[no]
            if batch.keeper and not self._core.members[batch.keeper].present:
                batch.keeper = 0
            sources = self.sources(batch)
            keeper = self._keeper(batch) if sources and not batch.keeper else None
            if keeper is not None:
                batch.keeper, batch.since_s = keeper.no, self._core.now_s
                self._core.send(keeper.no, self._message(batch, sources))

    def _message(self, batch: Batch, sources: list[int]) -> Keep:
        """The whole commitment, replaced shards included: the owner's audit repeats the draw from it."""
        return Keep(
            batch=batch.no,
            author=batch.author,
            key=batch.commitment.author,
            runs=batch.commitment.runs,
            digests=pack(batch.commitment.digests),
            holders=tuple(sources),
        )

    def remind(self, owner: Member) -> None:
        """Tell the owner of its own batches: its connection may have gone before it heard of them."""
        for batch in self.batches.values():
            if batch.author == owner.no:
                self._core.send(owner.no, self._message(batch, [owner.no]))

    def _keeper(self, batch: Batch) -> Member | None:
        members = self._core.members
        owner = members.owner
        if owner is not None and owner.live and owner.no not in batch.failed | batch.holders | batch.late:
            return owner
        if self.safe(batch):
            return None
        able = [
            member
            for member in members
            if member.live and not member.aside and member.no not in batch.holders | batch.failed
        ]
        # Who was late is asked again after all others, the owner first.
        return min(able, key=lambda member: (member.no in batch.late, not member.owner), default=None)

    def held(self, member: Member, message: Held) -> tuple[Batch, bool] | None:
        """Take in a keeper's answer: the batch, and whether its author counts as not delivering.

        None where nobody asked this member (a late or repeated answer).
        """
        batch = self.batches.get(message.batch)
        if batch is None or member.no not in {batch.keeper, *batch.late}:
            return None
        batch.late.discard(member.no)
        if batch.keeper == member.no:
            batch.keeper = 0
        if not set(message.missing) & set(self.shards(batch)):
            batch.holders.add(member.no)
            if member.owner:
                self._thin.pop(batch.no, None)
            return batch, False
        return batch, self._failed(batch, member)

    def _failed(self, batch: Batch, member: Member) -> bool:
        if not self.sources(batch):
            return False  # nobody to blame: whoever holds it is away
        if not member.owner:
            batch.failed.add(member.no)
            return False
        batch.tries += 1
        batch.holders -= {no for no in self.sources(batch) if no != batch.author}
        return batch.tries >= DELIVERY_TRIES and self._core.members[batch.author].live

    def left(self, member: Member) -> None:
        """A device went away: where it was the owner's and keeps nothing, others are to hold its batches."""
        if member.owner and not member.durable:
            for batch in self.batches.values():
                if member.no in batch.holders:
                    self._thin[batch.no] = None

    def overdue(self) -> None:
        """Keepers that take too long: another one is asked."""
        for no in self._thin:
            batch = self.batches[no]
            if batch.keeper and self._core.now_s - batch.since_s > KEEP_S:
                batch.late.add(batch.keeper)
                batch.keeper = 0

    def joined(self, member: Member, *, same_store: bool) -> None:
        """A device (re)appears: it is asked again; where its store is another one, it holds nothing."""
        for batch in self.batches.values():
            batch.failed.discard(member.no)
            if (
                batch.keeper == member.no
            ):  # what it was fetching when its connection went is asked of it again
                batch.keeper = 0
            if not same_store and member.no in batch.holders:
                batch.holders.discard(member.no)
                self._thin[batch.no] = None

    def dropped(self, member: Member, message: Lost) -> None:
        """A device no longer has what it was said to hold."""
        board = self._core.board
        for shard in message.shards:
            batch = self.batches.get(board.batches[shard]) if shard < board.shards else None
            if batch is not None and member.no in batch.holders:
                batch.holders.discard(member.no)
                self._thin[batch.no] = None

    def lost(self) -> list[Batch]:
        """Batches whose every holder is away, and overdue to come back."""
        members = self._core.members
        return [
            batch
            for batch in (self.batches[no] for no in self._thin)
            if all(
                members[no].state == "away" and members[no].back_by_s <= self._core.now_s
                for no in batch.holders
            )
        ]

    def lost_s(self) -> float:
        """When the next batch may be lost; infinity where none is in danger."""
        members = self._core.members
        return min(
            (
                max((members[no].back_by_s for no in batch.holders), default=0.0)
                for batch in (self.batches[no] for no in self._thin)
                if all(members[no].state == "away" for no in batch.holders)
            ),
            default=float("inf"),
        )

    def keep_s(self) -> float:
        """When the next keeper is overdue; infinity where none is at work."""
        waits = [self.batches[no].since_s + KEEP_S for no in self._thin if self.batches[no].keeper]
        return min(waits, default=float("inf"))

    def forget(self, batch: Batch, cell: Cell) -> list[int]:
        """Put all of a batch's shards back; returns them."""
        shards = list(self.shards(batch))
        for shard in shards:
            self._core.board.release(shard, cell)
        self.drop(batch)
        return shards

    def drop(self, batch: Batch) -> None:
        """Forget a batch that has no shard left."""
        self.batches.pop(batch.no, None)
        self._thin.pop(batch.no, None)

    def state(self) -> list[object]:
        """All batches as JSON values."""
        rows: list[object] = [self._last, list(self._thin)]
        for batch in self.batches.values():
            rows.append(
                {
                    "no": batch.no,
                    "author": batch.author,
                    "commitment": batch.commitment.to_bytes().decode(),
                    "holders": sorted(batch.holders),
                    "pending": sorted(batch.pending),
                    "keeper": batch.keeper,
                    "since_s": batch.since_s,
                    "failed": sorted(batch.failed),
                    "tries": batch.tries,
                    "late": sorted(batch.late),
                }
            )
        return rows
