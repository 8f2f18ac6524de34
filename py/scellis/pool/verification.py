"""Verification: commit, then draw, then another peer's check, then, where they differ, the oracle."""

from __future__ import annotations

import attrs

from scellis.pool.assignment import Check, Dispute, assign, assign_referee, overrules
from scellis.pool.core import Core
from scellis.pool.digests import pack, unpack
from scellis.pool.draws import choose, draw
from scellis.pool.holding import DELIVERY_TRIES, Batch, Holding
from scellis.pool.leases import TARGET_S, Leases
from scellis.pool.members import Member
from scellis.pool.messages import CHECK_LIMIT, Ruling, Verdict
from scellis.pool.messages import Check as CheckMessage
from scellis.pool.messages import Referee as RefereeMessage
from scellis.pool.states import Cell

ORACLE_CHECKS = 64
"""shards in one check lease on the oracle, which has no rate yet"""


class Verification:
    """All checks and disputes."""

    def __init__(self, core: Core, leases: Leases, holding: Holding) -> None:
        self._core = core
        self._leases = leases
        self._holding = holding
        self.checks: dict[int, Check] = {}
        self.disputes: dict[int, Dispute] = {}

    # ---- draw ----

    def draw(self, batch: Batch) -> None:
        """Draw from a batch that was just committed.

        One of the drawn shards, by the secret, goes to the owner's device: two others in league cannot pass
        each other's batches.
        """
        drawn = draw(self._core.secret, batch.commitment, self._core.header.check_rate)
        epoch = self._core.board.epochs[drawn[0]]
        own = choose(self._core.secret, "owner", drawn[0], epoch, 0, drawn)
        for shard in drawn:
            self._open(shard, batch, by_owner=shard == own)

    def _open(self, shard: int, batch: Batch, *, prior: int = 0, by_owner: bool = False) -> None:
        self._core.board.move(shard, Cell.DRAWN)
        batch.pending.add(shard)
        self.checks[shard] = Check(shard, prior=prior, by_owner=by_owner)
        self._assign(self.checks[shard])

    def _batch(self, shard: int) -> Batch:
        return self._holding.batches[self._core.board.batches[shard]]

    def _assign(self, check: Check) -> None:
        assign(self._core, check, self._core.members[self._core.board.peers[check.shard]])

    def reassign(self) -> None:
        """Give the work of members that cannot do it now to others."""
        members = self._core.members
        for check in self.checks.values():
            assignee = members[check.assignee] if check.assignee else None
            if assignee is None or not (
                assignee.eligible or (check.oracle and assignee.live and assignee.consent)
            ):
                self._assign(check)
        for dispute in self.disputes.values():
            if (
                not dispute.referee
                or not members[dispute.referee].live
                or not members[dispute.referee].consent
            ):
                assign_referee(self._core, dispute)

    def overdue(self) -> None:
        """Checks and rulings that take longer than a lease: another peer is asked, where there is one."""
        limit_s = self._core.now_s - self._core.header.lease_s
        for check in self.checks.values():
            if check.lease and check.issued_s < limit_s:
                self._assign(check)
        for dispute in self.disputes.values():
            if dispute.lease and dispute.issued_s < limit_s:
                assign_referee(self._core, dispute)

    def overdue_s(self) -> float:
        """When the next of them is overdue; infinity where none is at work."""
        issued = [check.issued_s for check in self.checks.values() if check.lease]
        issued += [dispute.issued_s for dispute in self.disputes.values() if dispute.lease]
        return min(issued, default=float("inf")) + self._core.header.lease_s

    # ---- hand out ----

    def serve(self, member: Member) -> bool:
        """Send `member` a dispute or checks that wait for it; False where there are none."""
        for dispute in self.disputes.values():
            if dispute.referee == member.no and not dispute.lease and self._send_dispute(member, dispute):
                return True
        waiting = [
            check
            for check in self.checks.values()
            if check.assignee == member.no
            and not check.lease
            and (check.oracle or not member.aside)
            and self._reachable(check.shard, member)
        ]
        if not waiting:
            return False
        oracle = waiting[0].oracle
        limit = ORACLE_CHECKS if oracle else max(1, min(int(member.rate * TARGET_S), CHECK_LIMIT))
        waiting = [check for check in waiting if check.oracle == oracle][:limit]
        self._send_checks(member, waiting)
        return True

    def _reachable(self, shard: int, member: Member) -> bool:
        batch = self._batch(shard)
        return member.no in batch.holders or bool(self._holding.sources(batch))

    def _send_checks(self, member: Member, checks: list[Check]) -> None:
        lease = self._core.next_lease()
        for check in checks:
            check.lease, check.issued_s = lease, self._core.now_s
        message = CheckMessage(
            lease=lease,
            shards=tuple(check.shard for check in checks),
            digests=pack(b"".join(self._core.board.digest(check.shard) for check in checks)),
            holders=tuple(tuple(self._holding.sources(self._batch(check.shard))) for check in checks),
            oracle=checks[0].oracle,
        )
        self._core.send(member.no, message)

    def _send_dispute(self, member: Member, dispute: Dispute) -> bool:
        batch = self._batch(dispute.shard)
        if not self._reachable(dispute.shard, member):
            return False
        dispute.lease, dispute.issued_s = self._core.next_lease(), self._core.now_s
        checker = self._core.members[dispute.checker]
        message = RefereeMessage(
            lease=dispute.lease,
            shard=dispute.shard,
            author=pack(self._core.board.digest(dispute.shard)),
            author_holders=tuple(self._holding.sources(batch)),
            checker=pack(dispute.digest),
            checker_holders=(checker.no,) if checker.live else (),
        )
        self._core.send(member.no, message)
        return True

    # ---- results ----

    def verdict(self, member: Member, message: Verdict) -> None:
        """Take in the results of a check lease. What was reassigned meanwhile is passed over."""

        def asked(shard: int) -> bool:
            check = self.checks.get(shard)
            return check is not None and (check.lease, check.assignee) == (message.lease, member.no)

        for shard in filter(asked, message.agree):
            self._agree(shard, member.no)
        digests = unpack(message.digests)
        for at, shard in enumerate(message.differ):
            if asked(shard):
                self._differ(shard, member, digests[32 * at : 32 * at + 32])
        for shard in filter(asked, message.missing):
            check = self.checks[shard]
            check.missed += bool(self._holding.sources(self._batch(shard)))
            if check.missed >= DELIVERY_TRIES:
                self._differ(shard, member, b"")
            else:  # a slow device, or one that is away: another try; if it stays away its bytes count as lost
                self._assign(check)

    def _agree(self, shard: int, checker: int) -> None:
        batch = self._batch(shard)
        self.checks.pop(shard, None)
        self.disputes.pop(shard, None)
        self._core.board.move(shard, Cell.AGREED)
        self._core.board.checkers[shard] = checker
        batch.pending.discard(shard)
        self.settle(batch)

    def _differ(self, shard: int, checker: Member, digest: bytes) -> None:
        core, check = self._core, self.checks.pop(shard)
        author = core.members[core.board.peers[shard]]
        doubted = check.prior == 0 or bool(core.members[check.prior].aside)
        if author.aside and doubted:  # nobody's good name is at stake: compute it anew
            self._refuse(shard)
            return
        core.board.move(shard, Cell.DISPUTED)
        core.notice("pool-mismatch", peer=author.no, shard=shard)
        self.disputes[shard] = Dispute(shard, author.no, checker.no, digest, check.prior)
        assign_referee(self._core, self.disputes[shard])

    def _refuse(self, shard: int) -> None:
        batch = self._batch(shard)
        self.checks.pop(shard, None)
        self.disputes.pop(shard, None)
        self._core.board.release(shard, Cell.REFUSED)
        batch.pending.discard(shard)
        self.settle(batch)

    def ruling(self, member: Member, message: Ruling) -> None:
        """Take in the oracle's word. One that was reassigned meanwhile is passed over."""
        dispute = self.disputes.get(message.shard)
        if dispute is None or dispute.lease != message.lease or dispute.referee != member.no:
            return
        oracle, owner = unpack(message.oracle), self._core.members.owner
        if owner is not None and owner is not member and overrules(owner.no, dispute, message):
            dispute.appealed_from, dispute.oracle = member.no, oracle
            assign_referee(self._core, dispute)
            return
        if dispute.appealed_from and dispute.oracle != oracle:
            self.set_aside(dispute.appealed_from, "pool-wrong-ruling")
        self._apply(dispute, message, member)

    def _apply(self, dispute: Dispute, message: Ruling, referee: Member) -> None:
        shard, checker = dispute.shard, dispute.checker
        if message.author == "within":
            self._agree(shard, referee.no)
            accused = bool(dispute.digest) and checker != dispute.author
            if accused and message.checker != "within" and self._core.members[checker].live:
                self.set_aside(checker, "pool-wrong-check")
            return
        if message.author == "missing" and not self._holding.sources(self._batch(shard)):
            del self.disputes[shard]
            self._core.board.move(shard, Cell.DRAWN)
            self.checks[shard] = Check(shard, prior=dispute.prior)
            self._assign(self.checks[shard])
            return
        self._refuse(shard)
        self.set_aside(
            dispute.author, "pool-wrong-result" if message.author == "outside" else "pool-withheld"
        )
        if dispute.prior:
            self.set_aside(dispute.prior, "pool-wrong-check")
        if dispute.digest and message.checker == "outside" and checker != dispute.author:
            self.set_aside(checker, "pool-wrong-check")

    def undelivered(self, batch: Batch) -> None:
        """The author does not deliver a batch to the owner: what is not accepted of it is computed anew."""
        for shard in list(self._holding.shards(batch)):
            if self._core.board.cells[shard] in (Cell.COMMITTED, Cell.DRAWN, Cell.AGREED, Cell.DISPUTED):
                self._refuse(shard)
        self.set_aside(batch.author, "pool-withheld")

    # ---- consequences ----

    def set_aside(self, no: int, why: str) -> None:
        """A member gave a wrong answer: no more work for it, and what rests on it is checked again, once."""
        core, member = self._core, self._core.members[no]
        if member.aside:
            return
        member.aside = why
        core.notice(why, peer=no)
        self._leases.release(member)
        for dispute in [dispute for dispute in self.disputes.values() if dispute.checker == no]:
            del self.disputes[dispute.shard]
            core.board.move(dispute.shard, Cell.DRAWN)
            self.checks[dispute.shard] = Check(dispute.shard, prior=dispute.prior)
        for batch in list(self._holding.batches.values()):
            for shard in list(self._holding.shards(batch)):
                self._doubt(shard, batch, no)
        self.reassign()

    def _doubt(self, shard: int, batch: Batch, no: int) -> None:
        """Check a shard again if it rests on `no`: its result (unless the owner repeated it) or its check."""
        core = self._core
        cell, checker = core.board.cells[shard], core.board.checkers[shard]
        trusted = core.members.owner is not None and checker == core.members.owner.no and checker != no
        if cell == Cell.DRAWN and batch.author == no:  # whoever has it now might be its friend
            self.checks[shard].by_owner = True
            self._assign(self.checks[shard])
        elif cell in (Cell.COMMITTED, Cell.BATCH_CHECKED) and batch.author == no:
            self._open(shard, batch, by_owner=True)
        elif cell in (Cell.AGREED, Cell.RE_EXECUTED) and no in (batch.author, checker) and not trusted:
            core.board.checkers[shard] = 0
            self._open(shard, batch, prior=checker, by_owner=True)

    def settle(self, batch: Batch) -> None:
        """Accept a batch whose every drawn shard agrees and whose bytes are safe."""
        if batch.pending:
            return
        board = self._core.board
        shards = list(self._holding.shards(batch))
        if not shards:
            self._holding.drop(batch)
        elif self._holding.safe(batch):
            for shard in shards:
                if board.cells[shard] == Cell.COMMITTED:
                    board.move(shard, Cell.BATCH_CHECKED)
                elif board.cells[shard] == Cell.AGREED:
                    board.move(shard, Cell.RE_EXECUTED)

    def lose(self, batch: Batch) -> None:
        """Every device that held a batch is gone: its shards are computed anew."""
        for shard in self._holding.forget(batch, Cell.QUEUED):
            self.checks.pop(shard, None)
            self.disputes.pop(shard, None)

    def state(self) -> list[dict[str, object]]:
        """All checks and disputes as JSON values."""
        rows: list[Check | Dispute] = [*self.checks.values(), *self.disputes.values()]
        return [attrs.asdict(row, value_serializer=_json_value) for row in rows]


def _json_value(_: object, __: object, value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value
