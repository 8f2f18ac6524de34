"""The pool's machine under hypothesis: any order of joins, leases, results, silences, losses and lies.

The devices of this test compute nothing: a state is a digest, right or wrong; the oracle is the right one.
"""

from __future__ import annotations

import hashlib
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scellis.content import address
from scellis.errors import ScellisError
from scellis.pool import messages as m
from scellis.pool.digests import pack, split, unpack
from scellis.pool.draws import secret_commitment
from scellis.pool.events import Event, Joined, Left, Opened, Restarted, Said, Send, Tick, from_line, to_line
from scellis.pool.machine import Machine
from scellis.pool.states import ACCEPTED, IN_BATCH, LEASABLE, Cell

SHARDS = 12
NAMES = ("owner", "b", "c", "cheat")
RIGHT, WRONG = "right", "wrong"


def digest(shard: int, kind: str) -> bytes:
    return hashlib.sha256(f"{shard} {kind}".encode()).digest()


def is_right(shard: int, found: bytes) -> bool:
    return found == digest(shard, RIGHT)


class Device:
    """What a peer would know: its work, and what it still has to answer."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.key = hashlib.sha256(name.encode()).hexdigest()
        self.no = 0
        self.conn = 0
        self.session = 0
        self.todo: list[Any] = []
        self.said: list[m.FromPeer] = []

    @property
    def kind(self) -> str:
        return WRONG if self.name == "cheat" else RIGHT


class Pool(RuleBasedStateMachine):
    """Drives one machine; every effective event is kept, as a log would."""

    @initialize(rate=st.sampled_from([0.0, 0.3, 1.0]), secret=st.integers(0, 255))
    def open(self, rate: float, secret: int) -> None:
        key = bytes([secret]) * 32
        self.devices = {name: Device(name) for name in NAMES}
        self.now_s = 1000.0
        self.conns = 0
        header = m.PoolHeader(
            protocol=m.PROTOCOL,
            pool="0" * 32,
            job=address(b"job"),
            engine="test",
            shards=SHARDS,
            policy="own_devices",
            owner=self.devices["owner"].key,
            invite=address(b"invite"),
            check_rate=rate,
            lease_s=90.0,
            secret_commitment=secret_commitment(key),
        )
        opened = Opened(now_s=self.now_s, header=header, secret=key.hex())
        self.log: list[Event] = [opened]
        self.machine = Machine(opened)
        self.epochs = [0] * SHARDS
        self.ever_accepted: dict[tuple[int, int], bytes] = {}

    # ---- plumbing ----

    def take(self, event: Event) -> bool:
        """Give the machine an event; deliver what it says. False where it was refused."""
        before = self.machine.state()
        try:
            outcome = self.machine.handle(event)
        except ScellisError:
            assert self.machine.state() == before, "a refusal changed something"
            return False
        if outcome.effective:
            self.log.append(event)
        else:
            assert self.machine.state() == before, "an event that is not logged changed something"
        for instruction in outcome.instructions:
            device = next(
                device for device in self.devices.values() if device.no == instruction.no or not device.no
            )
            device = next((d for d in self.devices.values() if d.conn == instruction.conn), device)
            if isinstance(instruction, Send) and isinstance(
                instruction.message, m.Lease | m.Check | m.Referee | m.Keep
            ):
                device.todo.append(instruction.message)
        return True

    def say(self, device: Device, message: m.FromPeer) -> bool:
        device.said.append(message)
        return self.take(Said(now_s=self.now_s, no=device.no, message=message))

    def here(self) -> list[Device]:
        return [device for device in self.devices.values() if device.conn]

    # ---- what happens ----

    @rule(name=st.sampled_from(NAMES), reload=st.booleans())
    def join(self, name: str, reload: bool) -> None:
        device = self.devices[name]
        self.conns += 1
        if reload:
            device.session += 1
            device.todo.clear()
        hello = m.Hello(
            protocol=m.PROTOCOL,
            engine="test",
            pool="0" * 32,
            key=device.key,
            session=f"{device.session:032x}",
            store=device.key[:32],
            durable=True,
            label=name,
            device="oracle",
        )
        device.conn = self.conns
        assert self.take(Joined(now_s=self.now_s, conn=self.conns, hello=hello))
        member = self.machine.core.members.by_key(device.key)
        assert member is not None
        device.no = member.no
        self.say(device, m.Consent(given=True))
        self.say(device, m.Ask(rate=2.0))

    @precondition(lambda self: self.here())
    @rule(data=st.data())
    def work(self, data: st.DataObject) -> None:
        """A device does the oldest thing that it was asked to do, and asks for more."""
        device = data.draw(st.sampled_from(self.here()))
        if device.todo:
            self.do(device, device.todo.pop(0))
        self.say(device, m.Ask(rate=2.0))

    def do(self, device: Device, task: Any) -> None:
        if isinstance(task, m.Lease):
            shards = range(task.first, task.first + task.count)
            digests = b"".join(digest(shard, device.kind) for shard in shards)
            self.say(device, m.Commit(first=task.first, epoch=task.epoch, digests=pack(digests)))
        elif isinstance(task, m.Check):
            committed = dict(zip(task.shards, split(unpack(task.digests)), strict=True))
            mine = RIGHT if task.oracle else device.kind
            agree = tuple(shard for shard, found in committed.items() if found == digest(shard, mine))
            differ = tuple(shard for shard in task.shards if shard not in agree)
            found = pack(b"".join(digest(shard, mine) for shard in differ))
            self.say(device, m.Verdict(lease=task.lease, agree=agree, differ=differ, digests=found))
        elif isinstance(task, m.Referee):
            words = [
                "missing" if not packed else "within" if is_right(task.shard, unpack(packed)) else "outside"
                for packed in (task.author, task.checker)
            ]
            if device.name == "cheat":  # it lies as a referee, too
                words = ["outside" if word == "within" else "within" for word in words]
            oracle = pack(digest(task.shard, device.kind))
            self.say(
                device,
                m.Ruling(
                    lease=task.lease, shard=task.shard, oracle=oracle, author=words[0], checker=words[1]
                ),
            )
        else:
            self.say(device, m.Held(batch=task.batch))

    @precondition(lambda self: any(isinstance(t, m.Keep) for d in self.here() for t in d.todo))
    @rule(data=st.data())
    def fail_to_keep(self, data: st.DataObject) -> None:
        able = [device for device in self.here() if any(isinstance(t, m.Keep) for t in device.todo)]
        device = data.draw(st.sampled_from(able))
        keep = next(task for task in device.todo if isinstance(task, m.Keep))
        device.todo.remove(keep)
        self.say(device, m.Held(batch=keep.batch, missing=(keep.runs[0][0],)))

    @precondition(lambda self: self.here())
    @rule(data=st.data(), how=st.sampled_from(["lost", "bye"]))
    def leave(self, data: st.DataObject, how: str) -> None:
        device = data.draw(st.sampled_from(self.here()))
        if how == "bye":
            self.say(device, m.Bye())
        self.take(Left(now_s=self.now_s, no=device.no, conn=device.conn))
        device.conn = 0

    @precondition(lambda self: any(device.said for device in self.here()))
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        """An old message once more: it may be refused or passed over; what is accepted stays as it is."""
        device = data.draw(st.sampled_from([device for device in self.here() if device.said]))
        message = data.draw(st.sampled_from(device.said))
        if isinstance(message, m.Consent | m.Bye):
            return
        accepted = {
            shard: self.machine.core.board.digest(shard)
            for shard, cell in enumerate(self.machine.core.board.cells)
            if cell in ACCEPTED
        }
        if isinstance(message, m.Commit | m.Ask | m.Beat | m.Held):
            self.take(Said(now_s=self.now_s, no=device.no, message=message))
            board = self.machine.core.board
            assert all(board.digest(shard) == found for shard, found in accepted.items())

    @precondition(lambda self: self.here())
    @rule(data=st.data(), shard=st.integers(0, SHARDS - 1), epoch=st.integers(0, 3))
    def steal(self, data: st.DataObject, shard: int, epoch: int) -> None:
        """Someone commits to a shard out of the blue."""
        device = data.draw(st.sampled_from(self.here()))
        board = self.machine.core.board
        if board.leases[shard] and board.peers[shard] == device.no and board.epochs[shard] == epoch:
            return  # its own
        self.take(
            Said(
                now_s=self.now_s,
                no=device.no,
                message=m.Commit(first=shard, epoch=epoch, digests=pack(digest(shard, "stolen"))),
            )
        )
        assert board.digest(shard) != digest(shard, "stolen")

    @precondition(lambda self: self.here())
    @rule(data=st.data())
    def beat(self, data: st.DataObject) -> None:
        self.say(data.draw(st.sampled_from(self.here())), m.Beat())

    @rule(forward_s=st.sampled_from([1.0, 16.0, 61.0, 91.0, 400.0]), back=st.booleans())
    def wait(self, forward_s: float, back: bool) -> None:
        self.now_s += forward_s
        self.take(Tick(now_s=self.now_s))
        if back:  # a clock that is set back
            self.take(Tick(now_s=self.now_s - 1000))

    @rule()
    def restart(self) -> None:
        """The coordinator is killed: its log is all there is."""
        lines = [to_line(event) for event in self.log]
        replayed = Machine.replay(map(from_line, lines))
        assert replayed.state() == self.machine.state()
        self.machine = replayed
        self.take(Restarted(now_s=self.now_s))
        for device in self.devices.values():
            device.conn = 0

    # ---- what always holds ----

    @invariant()
    def no_shard_is_lost_or_counted_twice(self) -> None:
        board = self.machine.core.board
        assert sum(board.counts) == SHARDS
        for cell in Cell:
            assert board.counts[cell] == board.cells.count(cell)
        leased = [0] * SHARDS
        for lease in self.machine.leases.book.values():
            outstanding = [
                s for s in range(lease.first, lease.first + lease.count) if board.leases[s] == lease.no
            ]
            assert len(outstanding) == lease.left > 0
            for shard in outstanding:
                leased[shard] += 1
        for shard in range(SHARDS):
            cell = Cell(board.cells[shard])
            assert leased[shard] == (cell in (Cell.LEASED, Cell.STALE))
            assert (board.batches[shard] > 0) == (cell in IN_BATCH)
            assert (cell == Cell.DRAWN) == (shard in self.machine.verification.checks)
            assert (cell == Cell.DISPUTED) == (shard in self.machine.verification.disputes)
            if cell in LEASABLE:
                assert board.peers[shard] == 0

    @invariant()
    def epochs_only_rise(self) -> None:
        epochs = self.machine.core.board.epochs.tolist()
        assert all(new >= old for new, old in zip(epochs, self.epochs, strict=True))
        self.epochs = epochs

    @invariant()
    def nothing_is_accepted_unverified(self) -> None:
        board, holding = self.machine.core.board, self.machine.holding
        for shard in range(SHARDS):
            cell = Cell(board.cells[shard])
            if cell not in ACCEPTED:
                continue
            batch = holding.batches[board.batches[shard]]
            assert batch.holders
            assert (cell == Cell.RE_EXECUTED) == (board.checkers[shard] > 0)
            author = self.machine.core.members[batch.author]
            if cell == Cell.BATCH_CHECKED:
                assert not author.aside
                shards = list(holding.shards(batch))
                assert any(board.checkers[other] for other in shards) or any(
                    other in self.machine.verification.checks or other in self.machine.verification.disputes
                    for other in shards
                )
            else:
                alone = board.checkers[shard] == batch.author
                assert not alone or author.owner

    @invariant()
    def one_epoch_has_one_result(self) -> None:
        board = self.machine.core.board
        for shard in range(SHARDS):
            if board.cells[shard] in IN_BATCH:
                key = (shard, board.epochs[shard])
                assert self.ever_accepted.setdefault(key, board.digest(shard)) == board.digest(shard)

    @invariant()
    def honest_devices_are_not_set_aside_by_lies(self) -> None:
        owner = self.machine.core.members.owner
        if owner is not None:
            assert not owner.aside

    def teardown(self) -> None:
        if not hasattr(self, "machine"):
            return
        self.finish()
        lines = [to_line(event) for event in self.log]
        assert Machine.replay(map(from_line, lines)).state() == self.machine.state()

    def finish(self) -> None:
        """Honest devices come back and work on: the job ends, and every state in it is right."""
        for name in ("owner", "b", "c"):
            self.join(name, reload=True)
        for _ in range(200):
            for device in self.here():
                if device.name != "cheat":
                    tasks, device.todo = device.todo, []
                    for task in tasks:
                        self.do(device, task)
                    self.say(device, m.Ask(rate=2.0))
            self.now_s += 5
            self.take(Tick(now_s=self.now_s))
            if self.machine.phase != "open":
                break
        board = self.machine.core.board
        assert self.machine.phase == "complete", [Cell(cell).name for cell in board.cells]
        for shard in range(SHARDS):
            if board.checkers[shard] and self.machine.core.members[board.checkers[shard]].owner:
                assert is_right(shard, board.digest(shard)), shard


Pool.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestPool = Pool.TestCase
