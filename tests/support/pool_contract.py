"""The contract of a pool's host over a log. One suite: over the memory log, a store's and SQLite, and once
more inside the browser's interpreter. Plain asserts, no test framework: Pyodide has none.

A case takes a function that gives the log, a new handle on the same storage each time, and plays by hand.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

from scellis.errors import ScellisError
from scellis.pool import messages as m
from scellis.pool.digests import pack, split, table_digest, unpack
from scellis.pool.machine import Machine
from support.pool_table import GetLog, Hand, Table, agree, commit, digest, keep

Case = Callable[[GetLog], Awaitable[None]]


# ---- the door ----


async def case_the_door_refuses_by_name(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    hand = Hand(table, "stranger")
    for changes, code in (
        ({"protocol": 99}, "SCL-POOL-VERSION"),
        ({"engine": "other"}, "SCL-POOL-ENGINE"),
        ({"pool": "0" * 32}, "SCL-POOL-UNKNOWN"),
        ({"invite": "0" * 32}, "SCL-POOL-INVITE"),
        ({"invite": ""}, "SCL-POOL-INVITE"),
        ({"key": table.keys.make("another").key}, "SCL-POOL-SIGNATURE"),
        ({"surprise": 1}, None),
    ):
        with contextlib.suppress(TypeError):  # a hello with a field of its own cannot be signed
            await hand.join(**changes)
        refused = hand.last(m.Refused)
        assert refused.final
        assert hand.closed
        assert refused.code == (code or "SCL-POOL-PROTOCOL"), (refused, changes)
    assert len(table.machine.core.members) == 0
    await table.kill()


async def case_out_of_protocol_is_refused_and_changes_nothing(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    owner = Hand(table, "owner")
    await owner.join()
    before = table.machine.state()
    bad: list[Any] = [
        "no json",
        "[]",
        b"\xff\xfe",
        {"kind": "unheard-of"},
        {"kind": "ask", "rate": -1},
        {"kind": "ask", "rate": "1"},
        {"kind": "ask"},
        {"kind": "beat", "extra": 1},
        {"kind": "commit", "first": 0, "epoch": 0, "digests": "AAAA"},
        {"kind": "commit", "first": 7, "epoch": 0, "digests": pack(bytes(64))},
        {"kind": "verdict", "lease": 1, "differ": [1]},
        {"kind": "verdict", "lease": 1, "agree": [-1_000_000]},
        {"kind": "lost", "shards": [-1_000_000]},
        {"kind": "held", "batch": 1, "missing": [2**31]},
        {"kind": "want", "first": 8},
        r'{"kind": "signal", "to": 1, "data": "\ud800"}',
        {
            "kind": "ruling",
            "lease": 1,
            "shard": 0,
            "oracle": pack(bytes(32)),
            "author": "maybe",
            "checker": "",
        },
        {"kind": "hello", "protocol": 1},
        {"kind": "welcome"},
        '{"kind": "beat", "kind": "beat"}',
        '{"kind": "ask", "rate": NaN}',
        json.dumps({"kind": "signal", "to": 1, "data": "x" * (m.SIGNAL_LIMIT + 1)}),
        "[" * 100_000,
    ]
    for message in bad:
        await owner.raw(message)
        assert owner.last(m.Refused).code == "SCL-POOL-PROTOCOL", message
        assert owner.closed, message
        assert table.machine.core.board.state() == before["board"]
        await owner.join()
    await table.kill()


async def case_a_second_tab_of_one_device_takes_over(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    first = await table.member("owner")
    second = Hand(table, "owner")
    await second.join()
    assert first.last(m.Refused).code == "SCL-POOL-REPLACED"
    assert first.closed
    assert second.last(m.Welcome).no == first.last(m.Welcome).no == 1
    assert len(table.machine.core.members) == 1
    assert first.connection is not None
    first.connection.lost()  # late news of the replaced connection
    await table.settle()
    assert table.machine.core.members[1].conn
    await table.kill()


# ---- leases ----


async def case_without_consent_no_lease(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    hand = Hand(table, "owner")
    await hand.join()
    await hand.say(m.Ask(rate=1))
    assert hand.last(m.Refused).code == "SCL-POOL-CONSENT"
    await hand.say(m.Consent(given=True))
    await hand.say(m.Ask(rate=2))
    assert hand.last(m.Lease).count == 2  # a second's worth; later ones have two
    await hand.say(m.Consent(given=False))
    assert table.machine.core.board.leasable == 8
    await table.kill()


async def case_sixty_seconds_of_silence_kill_no_lease(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    owner = await table.member("owner", rate=2)
    lease = owner.last(m.Lease)
    await table.tick(60)
    assert owner.last(m.Board).runs[0][2] == 2  # shown as stale
    await owner.say(commit(lease))
    assert owner.last(m.Noted).late == 0
    assert owner.last(m.Noted).runs == ((lease.first, lease.count),)
    await table.kill()


async def case_an_expired_lease_goes_to_others_and_its_late_commit_changes_nothing(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    owner = await table.member("owner", rate=1)
    lost = owner.last(m.Lease)
    await table.tick(91)
    other = await table.member("other", rate=8)
    taken = other.last(m.Lease)
    assert (taken.first, taken.epoch) == (lost.first, lost.epoch + 1)
    await other.say(commit(taken))
    before = table.machine.core.board.state()
    await owner.say(commit(lost, salt="late"))
    noted = owner.last(m.Noted)
    assert (noted.batch, noted.late) == (0, lost.count)
    await owner.say(commit(lost))
    assert owner.last(m.Noted).duplicate == lost.count
    assert table.machine.core.board.state() == before
    await table.kill()


async def case_a_lost_socket_frees_its_leases_at_once(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    owner = await table.member("owner")
    assert table.machine.core.board.leasable < 8
    assert owner.connection is not None
    owner.connection.lost()
    await table.settle()
    assert table.machine.core.board.leasable == 8
    await table.kill()


async def case_given_back_shards_are_leased_again(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    owner = await table.member("owner", rate=8)
    lease = owner.last(m.Lease)
    assert lease.count == 8
    await owner.say(m.GiveBack(first=3, count=5, epoch=0))
    await owner.say(m.Ask(rate=4))
    assert (owner.last(m.Lease).first, owner.last(m.Lease).epoch) == (3, 1)
    await table.kill()


async def case_a_lease_that_is_not_yours(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    owner = await table.member("owner", rate=1)
    thief = await table.member("thief", rate=1)
    before = table.machine.core.board.state()
    await thief.say(commit(owner.last(m.Lease)))
    assert thief.last(m.Refused).code == "SCL-POOL-LEASE"
    assert not thief.closed
    assert table.machine.core.board.state() == before
    await table.kill()


async def case_an_idle_peer_takes_a_stale_lease(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open(shards=2)
    owner = await table.member("owner", rate=0.5)
    other = await table.member("other", rate=0.5)
    mine = other.last(m.Lease)
    await other.say(commit(mine))
    await other.say(m.Ask(rate=1))
    await table.tick(10)
    await other.say(m.Beat())
    await table.tick(6)
    taken = other.last(m.Lease)
    assert (taken.first, taken.epoch) == (owner.last(m.Lease).first, 1)
    await table.kill()


# ---- acceptance ----


async def case_nothing_counts_before_it_is_checked_and_held(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open(shards=1, check_rate=0.1)
    other = await table.member("other")
    await other.say(commit(other.last(m.Lease)))
    board = table.machine.core.board
    assert board.accepted == 0
    owner = await table.member("owner")
    await agree(owner)
    assert board.accepted == 0  # checked, but on one device only
    await keep(owner)
    assert board.accepted == 1
    assert table.machine.phase == "complete"
    await table.kill()


async def case_a_batch_kept_late_is_kept(get_log: GetLog) -> None:
    """Its keeper had many others to fetch first; nobody else is there to ask."""
    table = Table(get_log)
    await table.open(shards=1)
    other = await table.member("other")
    owner = await table.member("owner")
    await other.say(commit(other.last(m.Lease)))
    await owner.say(m.Ask(rate=1))
    await agree(owner)
    for _ in range(5):  # longer than a keeper may take
        await table.tick(30)
        await owner.say(m.Beat())
        await other.say(m.Beat())
    assert table.machine.core.board.accepted == 0
    await keep(owner)
    assert table.machine.core.board.accepted == 1
    await table.kill()


async def case_a_keeper_that_is_late_is_asked_again(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open(shards=1)
    other = await table.member("other")
    owner = await table.member("owner")
    await other.say(commit(other.last(m.Lease)))
    asked = sum(isinstance(message, m.Keep) for message in owner.got)
    for _ in range(10):
        await table.tick(30)
        await owner.say(m.Beat())
        await other.say(m.Beat())
    assert sum(isinstance(message, m.Keep) for message in owner.got) > asked
    await table.kill()


async def case_a_verdict_counts_from_the_device_that_was_asked(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open(shards=1)
    other = await table.member("other")
    owner = await table.member("owner")
    await other.say(commit(other.last(m.Lease), salt="forged"))
    await owner.say(m.Ask(rate=1))
    lease = owner.last(m.Check).lease
    before = table.machine.core.board.state()
    for word in ({"agree": (0,)}, {"differ": (0,), "digests": pack(digest(0))}, {"missing": (0,)}):
        await other.say(m.Verdict(lease=lease, **word))  # numbers of leases can be guessed
    assert table.machine.core.board.state() == before
    assert not table.machine.verification.disputes
    await owner.say(m.Verdict(lease=lease, agree=(0,)))
    assert table.machine.core.board.state() != before
    await table.kill()


async def case_repeated_messages_change_nothing(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open(shards=1)
    other = await table.member("other")
    owner = await table.member("owner")
    lease = other.last(m.Lease)
    await other.say(commit(lease))
    await owner.say(m.Ask(rate=1))
    sent: list[tuple[Hand, m.FromPeer]] = [
        (other, commit(lease)),
        (owner, m.Verdict(lease=owner.last(m.Check).lease, agree=(0,))),
        (owner, m.Held(batch=1)),
    ]
    for hand, message in sent[1:]:
        await hand.say(message)
    assert table.machine.phase == "complete"
    before = table.machine.core.board.state()
    for hand, message in sent * 2:
        await hand.say(message)
    assert table.machine.core.board.state() == before
    folded = pack(table_digest(digest(0)))
    await owner.say(m.Seal(digest=pack(digest(0)), table=pack(table_digest(digest(0, "replaced")))))
    assert owner.last(m.Refused).code == "SCL-POOL-INCOMPLETE"
    seal = m.Seal(digest=pack(digest(0)), table=folded)
    await other.say(seal)
    assert other.last(m.Refused).code == "SCL-POOL-OWNER"
    await owner.say(seal)
    await owner.say(seal)
    assert owner.last(m.Sealed).secret
    await owner.say(m.Seal(digest=pack(digest(1)), table=folded))
    assert owner.last(m.Refused).code == "SCL-POOL-SEALED"
    await table.kill()


async def case_signals_reach_members_of_the_pool_only(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    owner = await table.member("owner")
    other = await table.member("other")
    await owner.say(m.Signal(to=2, data="offer"))
    assert other.last(m.Signalled) == m.Signalled(sender=1, data="offer")
    await owner.say(m.Signal(to=3, data="offer"))
    assert owner.last(m.Refused).code == "SCL-POOL-AWAY"
    assert not owner.closed
    await table.kill()


async def case_the_table_comes_in_parts(get_log: GetLog) -> None:
    table = Table(get_log)
    shards = m.TABLE_LIMIT + 10
    await table.open(shards=shards, check_rate=1e-9)
    owner = await table.member("owner", rate=4096)
    while table.machine.phase == "open":
        await owner.say(commit(owner.last(m.Lease)))
        await owner.say(m.Ask(rate=4096))
        if table.machine.verification.checks:
            check = owner.last(m.Check)
            await owner.say(m.Verdict(lease=check.lease, agree=check.shards))
            await owner.say(m.Ask(rate=4096))
    found: list[bytes] = []
    while len(found) < shards:
        await owner.say(m.Want(first=len(found)))
        part = owner.last(m.Table)
        assert part.first == len(found)
        assert part.holders == ((len(split(unpack(part.digests))), 1),)
        found += split(unpack(part.digests))
    assert found == [digest(shard) for shard in range(shards)]
    await table.kill()


# ---- faults of the coordinator itself ----


async def case_a_fault_ends_no_pool_and_is_sent_once(get_log: GetLog) -> None:
    """Who sent what the machine could not take is refused for good; the others come back."""
    table = Table(get_log)
    await table.open()
    owner = await table.member("owner")
    other = await table.member("other")

    def broken(*_: object) -> None:
        raise IndexError

    table.machine._handlers[m.Lost] = broken
    await other.say(m.Lost(shards=(0,)))
    assert (other.last(m.Refused).code, other.last(m.Refused).final) == ("SCL-APP-FAULT", True)
    assert (owner.last(m.Refused).code, owner.last(m.Refused).final) == ("SCL-APP-FAULT", False)
    assert owner.closed
    await owner.join()
    assert owner.last(m.Welcome).header == table.header
    await table.kill()


async def case_a_log_that_cannot_be_read_now_is_no_end(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    read = table.log.read

    async def fails(pool: str) -> Any:
        raise ScellisError("SCL-SERVE-DB", "The database is busy.")

    table.log.read = fails  # type: ignore[method-assign]
    owner = Hand(table, "owner")
    await owner.join()
    assert not owner.last(m.Refused).final
    assert owner.closed
    table.log.read = read  # type: ignore[method-assign]
    await owner.join()
    assert owner.last(m.Welcome).no == 1
    await table.kill()


async def case_a_failed_append_hides_no_refusal(get_log: GetLog) -> None:
    """What one pool is refused is said, whatever befalls another one's log in the same turn."""
    table = Table(get_log)
    await table.open()
    thief = await table.member("thief")
    first = table.header
    await table.open()
    owner = await table.member("owner", rate=2)

    async def full(events: Any) -> None:
        raise OSError("disk full")

    table.log.append = full  # type: ignore[method-assign]
    assert owner.connection is not None
    assert thief.connection is not None
    await thief.connection.receive(m.encode(m.Commit(first=7, epoch=9, digests=pack(digest(7)))))
    await owner.connection.receive(m.encode(commit(owner.last(m.Lease))))
    await table.settle()
    assert owner.last(m.Refused).code == "SCL-POOL-STORE"
    assert thief.last(m.Refused).code == "SCL-POOL-LEASE"
    assert first.pool in table.host.rooms
    await table.kill()


# ---- the log ----


async def _play(table: Table, upto: int) -> int:
    """A short life of a pool, cut after `upto` steps; returns how many there are."""
    steps: list[Callable[[], Awaitable[None]]] = []
    hands: dict[str, Hand] = {}

    async def come(name: str) -> None:
        hands[name] = await table.member(name, rate=1)

    async def say(name: str, make: Callable[[Hand], m.FromPeer]) -> None:
        await hands[name].say(make(hands[name]))

    steps += [
        lambda: table.open(shards=4),  # type: ignore[list-item,return-value]
        lambda: come("owner"),
        lambda: come("other"),
        lambda: say("owner", lambda hand: commit(hand.last(m.Lease))),
        lambda: say("other", lambda hand: m.Ask(rate=1)),
        lambda: say("other", lambda hand: commit(hand.last(m.Lease))),
        lambda: table.tick(20),
        lambda: say("owner", lambda hand: m.Ask(rate=1)),
        lambda: say("other", lambda hand: m.Bye()),
    ]
    for step in steps[:upto]:
        await step()
    return len(steps)


async def case_a_host_killed_after_any_step_goes_on_from_its_log(get_log: GetLog) -> None:
    table = Table(get_log)
    steps = await _play(table, 0)
    await table.kill()
    for upto in range(1, steps + 1):
        table = Table(get_log)
        await _play(table, upto)
        room = table.host.rooms.get(table.header.pool)
        before = room.machine.state() if room else None
        await table.kill()
        events = await table.get_log().read(table.header.pool)
        replayed = Machine.replay(events)
        assert before is None or replayed.state() == before, upto
        table.start()
        owner = await table.member("owner")
        assert owner.last(m.Welcome).header == table.header
        board = table.machine.core.board
        assert sum(board.counts) == 4
        await table.kill()


async def case_leases_stand_over_a_restart(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    owner = await table.member("owner", rate=2)
    lease = owner.last(m.Lease)
    await table.kill()
    table.start()
    await owner.join()
    await owner.say(commit(lease))
    assert owner.last(m.Noted).runs == ((lease.first, lease.count),)
    await table.kill()


async def case_what_cannot_be_logged_has_not_happened(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    owner = await table.member("owner", rate=2)
    lease = owner.last(m.Lease)
    append = table.log.append

    async def full(events: Any) -> None:
        raise OSError("disk full")

    table.log.append = full  # type: ignore[method-assign]
    await owner.say(commit(lease))
    assert owner.last(m.Refused).code == "SCL-POOL-STORE"
    assert owner.closed
    assert not any(isinstance(message, m.Noted) for message in owner.got)
    table.log.append = append  # type: ignore[method-assign]
    await owner.join()
    await owner.say(commit(lease))
    assert owner.last(m.Noted).batch == 1
    await table.kill()


async def case_a_damaged_log_is_named(get_log: GetLog) -> None:
    table = Table(get_log)
    await table.open()
    await table.kill()
    events = await table.get_log().read(table.header.pool)
    code = ""
    try:
        Machine.replay(events[1:])
    except ScellisError as error:
        code = error.code
    assert code == "SCL-POOL-LOG"


CASES: dict[str, Case] = {
    name.removeprefix("case_"): case for name, case in list(globals().items()) if name.startswith("case_")
}
