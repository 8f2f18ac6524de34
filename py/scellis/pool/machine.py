"""The pool as a pure state machine: events in, instructions out; no I/O, no clock, no unkeyed randomness.

Its state is the fold of the events that `handle` calls effective, so a log of those is the whole truth: a
coordinator that is killed and started again folds its log and goes on. The same code runs under uvicorn and
in a tab.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import attrs

from scellis.errors import ScellisError
from scellis.pool import messages as m
from scellis.pool.core import Core
from scellis.pool.digests import pack, split, table_digest, unpack
from scellis.pool.events import Event, Instruction, Joined, Left, Opened, Restarted, Said, Tick
from scellis.pool.holding import Holding
from scellis.pool.leases import Leases
from scellis.pool.members import STALE_S, Member
from scellis.pool.states import Cell
from scellis.pool.verification import Verification
from scellis.pool.wire import protocol_error

RULINGS = frozenset({"within", "outside", "missing"})


@attrs.frozen
class Outcome:
    """What an event led to. `effective`: it belongs into the log, before any instruction leaves."""

    instructions: list[Instruction]
    effective: bool


class Machine:
    """One pool."""

    def __init__(self, opened: Opened) -> None:
        self.core = Core(opened.header, bytes.fromhex(opened.secret))
        self.leases = Leases(self.core)
        self.holding = Holding(self.core)
        self.verification = Verification(self.core, self.leases, self.holding)
        self._wanting: dict[int, int] = {}  # by member, the first shard of the part
        self._unchecked = False
        self._handlers: dict[type, Callable[[Member, Any], None]] = {
            m.Consent: self._consent,
            m.Ask: self._ask,
            m.Beat: lambda member, message: None,
            m.Commit: self._commit,
            m.GiveBack: self.leases.give_back,
            m.Verdict: self.verification.verdict,
            m.Ruling: self.verification.ruling,
            m.Held: self._held,
            m.Lost: self.holding.dropped,
            m.Want: self._want,
            m.Result: self._result,
            m.Seal: self._seal,
            m.Bye: self._bye,
        }

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Machine:
        """The machine whose log this is; the first event is `Opened`."""
        iterator = iter(events)
        opened = next(iterator, None)
        if not isinstance(opened, Opened):
            raise ScellisError("SCL-POOL-LOG", "The pool's log does not begin with its opening.")
        machine = cls(opened)
        for event in iterator:
            machine.handle(event)
        return machine

    @property
    def phase(self) -> str:
        """`open`, `complete` or `sealed`."""
        return self.core.phase

    def handle(self, event: Event) -> Outcome:
        """Take one event in.

        Raises a `ScellisError` for what a member may not do; the state is then as it was before.
        """
        if isinstance(event, Said) and isinstance(event.message, m.Signal):
            return Outcome(self._relay(event.no, event.message), effective=False)
        if isinstance(event, Tick) and not self._due(event.now_s):
            return Outcome([], effective=False)
        if isinstance(event, Said):
            self._check(self._member(event.no), event.message)
        self.core.now_s = max(self.core.now_s, event.now_s)  # a clock that is set back moves nothing
        if isinstance(event, Said):
            self._said(event)
        elif isinstance(event, Joined):
            self._joined(event)
        elif isinstance(event, Left):
            self._left(event)
        elif isinstance(event, Restarted):
            self._restarted()
        else:
            self._tick()
        self._follow_up()
        instructions, self.core.out = self.core.out, []
        return Outcome(instructions, effective=True)

    def _member(self, no: int) -> Member:
        try:
            return self.core.members[no]
        except KeyError as error:
            raise ScellisError("SCL-POOL-MEMBER", f"There is no member {no} in this pool.") from error

    # ---- what may be refused is refused here, before anything changes ----

    def _check(self, member: Member, message: m.FromPeer) -> None:
        if type(message) not in self._handlers:
            raise protocol_error(f"{message.kind!r} has no place here", kind=message.kind)
        if isinstance(message, m.Ask) and member.aside and not member.owner:
            raise ScellisError(
                "SCL-POOL-ASIDE",
                "This device was set aside: a result of it was wrong or not delivered.",
                "Its work is done by others; the pool's notices say what happened.",
            )
        if isinstance(message, m.Ask) and not member.consent:
            raise ScellisError("SCL-POOL-CONSENT", "This device has not consented to compute for the pool.")
        if isinstance(message, m.Commit):
            digests = unpack(message.digests)
            if not digests or message.first + len(split(digests)) > self.core.board.shards:
                raise protocol_error("a commit beyond the job's shards", field="digests")
            self.leases.claim(member, message, digests)
        if isinstance(message, m.Want) and message.first >= self.core.board.shards:
            raise protocol_error("a part of the table beyond the job's shards", field="first")
        if isinstance(message, m.Verdict) and len(split(unpack(message.digests))) != len(message.differ):
            raise protocol_error("a verdict with a digest too many or too few", field="digests")
        if isinstance(message, m.Ruling) and not {message.author, message.checker} <= RULINGS:
            raise protocol_error("a ruling that is none", field="author")
        if isinstance(message, m.Seal):
            self._check_seal(member, message)

    def _check_seal(self, member: Member, message: m.Seal) -> None:
        if not member.owner:
            raise ScellisError("SCL-POOL-OWNER", "Only the pool's owner seals it.")
        if self.phase == "open":
            raise ScellisError(
                "SCL-POOL-INCOMPLETE", "The pool cannot be sealed: not every shard is accepted."
            )
        if self.phase == "sealed" and message.digest != self.core.result:
            raise ScellisError("SCL-POOL-SEALED", "The pool is sealed over another result.")
        board = self.core.board
        if self.phase == "complete" and unpack(message.table) != table_digest(board.digests(0, board.shards)):
            raise ScellisError(
                "SCL-POOL-INCOMPLETE", "A result was replaced since this one was folded; fold the table anew."
            )

    # ---- events ----

    def _said(self, event: Said) -> None:
        member = self.core.members[event.no]
        if member.conn or isinstance(event.message, m.Bye):
            self._hear(member)
        self._handlers[type(event.message)](member, event.message)

    def _hear(self, member: Member) -> None:
        member.heard_s = self.core.now_s
        if member.state != "live":
            member.state = "live"
            self.leases.show(member, Cell.LEASED)
            self._members_changed()

    def _joined(self, event: Joined) -> None:
        hello, member = event.hello, self.core.members.admit(event)
        if member.conn:
            self.core.close(member.no, member.conn)
        if member.session != hello.session:  # a reload: what the old page did not commit is gone
            self.leases.release(member)
            member.consent = False
        same_store = member.store == hello.store or not member.store
        member.conn, member.session, member.store = event.conn, hello.session, hello.store
        member.durable, member.label, member.device = hello.durable, hello.label, hello.device
        member.asking = False
        self.holding.joined(member, same_store=same_store)
        self.core.send(member.no, m.Welcome(no=member.no, header=self.core.header, phase=self.phase))
        if member.owner:
            self.holding.remind(member)
        if self.phase != "open":
            self.core.send(member.no, m.Complete())
        if self.phase == "sealed":
            self.core.send(member.no, self._sealed())
        member.state = "stale"
        self._hear(member)

    def _left(self, event: Left) -> None:
        member = self._member(event.no)
        if member.conn == event.conn:
            member.conn, member.asking = 0, False
            self._away(member, self.core.now_s + STALE_S)

    def _bye(self, member: Member, _: m.Bye) -> None:
        member.asking = False
        self._away(member, self.core.now_s)

    def _away(self, member: Member, back_by_s: float) -> None:
        # One that is merely silent still asks: when it wakes it waits for work, and says nothing of it again.
        member.state, member.back_by_s = "away", back_by_s
        self._wanting.pop(member.no, None)
        self.leases.release(member)
        self.holding.left(member)
        self._members_changed()

    def _restarted(self) -> None:
        """Connections are gone; leases stand until they expire, and what peers hold is waited for as long."""
        for member in self.core.members:
            member.conn, member.asking = 0, False
            member.back_by_s = self.core.now_s + self.core.header.lease_s
            if member.present:
                member.state, member.heard_s = "stale", self.core.now_s
                self.leases.show(member, Cell.STALE)
        self._wanting.clear()
        self._members_changed()

    def _tick(self) -> None:
        now_s = self.core.now_s
        for member in self.core.members:
            silent_s = now_s - member.heard_s
            if member.present and silent_s > self.core.header.lease_s:
                self._away(member, now_s)
            elif member.live and silent_s > STALE_S:
                member.state = "stale"
                self.leases.show(member, Cell.STALE)
                self._members_changed()
        self.holding.overdue()
        self.verification.overdue()
        for batch in self.holding.lost():
            self.core.notice("pool-bytes-lost", peer=batch.author, shard=batch.commitment.runs[0][0])
            self.verification.lose(batch)

    def _due(self, now_s: float) -> bool:
        members, lease_s = self.core.members, self.core.header.lease_s
        return (
            any(
                (member.live and now_s - member.heard_s > STALE_S)
                or (member.present and now_s - member.heard_s > lease_s)
                or (member.asking and member.eligible and self.leases.takeable(member, now_s) is not None)
                for member in members
            )
            or self.holding.lost_s() <= now_s
            or self.holding.keep_s() < now_s
            or self.verification.overdue_s() < now_s
        )

    # ---- messages ----

    def _consent(self, member: Member, message: m.Consent) -> None:
        member.consent = message.given
        if not message.given:
            member.asking = False
            self.leases.release(member)
        self.verification.reassign()

    def _ask(self, member: Member, message: m.Ask) -> None:
        member.asking, member.rate = True, message.rate
        if not self._give(member):
            self.core.send(member.no, m.Wait())

    def _give(self, member: Member) -> bool:
        """One piece of work for a member that asks: a dispute, checks, a lease, another's overdue lease."""
        given = self.verification.serve(member) or (
            member.eligible and (self.leases.grant(member) or self.leases.take_over(member))
        )
        member.asking = not given
        return given

    def _commit(self, member: Member, message: m.Commit) -> None:
        claim = self.leases.claim(member, message, unpack(message.digests))
        batch = None
        if claim.mine:
            self.leases.fulfil(claim)
            batch = self.holding.add(member, claim.mine, message.epoch)
        noted = m.Noted(
            batch=batch.no if batch else 0,
            first=message.first,
            duplicate=claim.duplicate,
            late=claim.late,
            runs=tuple((first, count) for first, count, _ in batch.commitment.runs) if batch else (),
        )
        self.core.send(member.no, noted)
        if batch:
            self.holding.replicate()  # the owner reads the commitment before any draw shows
            self.verification.draw(batch)
            self.verification.settle(batch)

    def _held(self, member: Member, message: m.Held) -> None:
        answer = self.holding.held(member, message)
        if answer is not None:
            batch, withheld = answer
            if withheld:
                self.verification.undelivered(batch)
            else:
                self.verification.settle(batch)

    def _want(self, member: Member, message: m.Want) -> None:
        self._wanting[member.no] = message.first

    def _result(self, member: Member, message: m.Result) -> None:
        member.result = message.digest
        if self.phase == "sealed" and message.digest != self.core.result:
            self.core.notice("pool-result-differs", peer=member.no)

    def _seal(self, member: Member, message: m.Seal) -> None:
        member.result = self.core.result = message.digest
        if self.phase == "complete":
            self.core.phase = "sealed"
            self.core.broadcast(self._sealed())
            for other in self.core.members:
                if other.result not in ("", message.digest):
                    self.core.notice("pool-result-differs", peer=other.no)
        else:
            self.core.send(member.no, self._sealed())

    def _sealed(self) -> m.Sealed:
        return m.Sealed(digest=self.core.result, secret=self.core.secret.hex())

    def _relay(self, no: int, message: m.Signal) -> list[Instruction]:
        target = self.core.members[message.to] if message.to <= len(self.core.members) else None
        if target is None or not target.conn or message.to == no:
            raise ScellisError("SCL-POOL-AWAY", f"Member {message.to} is not connected.", peer=message.to)
        self.core.send(target.no, m.Signalled(sender=no, data=message.data))
        instructions, self.core.out = self.core.out, []
        return instructions

    # ---- what follows from any change ----

    def _members_changed(self) -> None:
        self.verification.reassign()
        for batch in list(self.holding.batches.values()):
            self.verification.settle(batch)

    def _follow_up(self) -> None:
        self.holding.replicate()
        unchecked = any(not check.assignee for check in self.verification.checks.values())
        if unchecked and not self._unchecked and any(member.consent for member in self.core.members):
            self.core.notice("pool-no-checker")
        self._unchecked = unchecked
        for member in self.core.members:
            if member.asking and member.live and member.consent:
                self._give(member)
        complete = self.core.board.accepted == self.core.board.shards
        if complete and self.phase == "open":
            self.core.phase = "complete"
            self.core.broadcast(m.Complete())
        elif not complete and self.phase == "complete":
            self.core.phase = "open"  # the last devices that held some states are gone
        if complete:
            for no, first in self._wanting.items():
                self._send_table(no, first)
            self._wanting.clear()

    def _send_table(self, no: int, first: int) -> None:
        """One part of the table; the member asks for the next when it has taken this one in."""
        board, end = self.core.board, min(first + m.TABLE_LIMIT, self.core.board.shards)
        holders: list[tuple[int, ...]] = []
        for batch, run in itertools.groupby(board.batches[first:end]):
            sources = self.holding.sources(self.holding.batches[batch])
            holders.append((sum(1 for _ in run), *sources))
        digests = pack(board.digests(first, end - first))
        self.core.send(no, m.Table(first=first, digests=digests, holders=tuple(holders)))

    def state(self) -> dict[str, object]:
        """Everything, as JSON values: two machines with equal states go on alike."""
        return {
            **self.core.state(),
            "leases": self.leases.state(),
            "batches": self.holding.state(),
            "verification": self.verification.state(),
            "wanting": list(self._wanting.items()),
            "unchecked": self._unchecked,
        }
