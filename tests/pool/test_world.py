"""Whole pools in virtual time under a seeded scheduler: churn, sleep, restarts; always the same bits."""

from __future__ import annotations

import random

import pytest

from scellis.pool import messages as m
from scellis.pool.leases import Lease
from scellis.pool.members import Member
from scellis.pool.states import ACCEPTED, Cell
from support.pool_world import World, small_job, solo_result
from support.virtual import run_virtual

NAMES = ("owner", "second", "third")


async def _three(seed: int, shards: int = 60, check_rate: float = 0.1) -> World:
    world = World(seed)
    await world.open(small_job(shards), check_rate=check_rate)
    for name in NAMES:
        await world.start(name)
    return world


async def _same_bits(world: World) -> None:
    assert await world.sealed(3000) == await solo_result(world.job)
    assert world.devices["owner"].heard("sealed")[-1]["findings"] == []
    assert not any(member.aside for member in world.machine.core.members)


def _member(world: World, name: str) -> Member:
    return next(member for member in world.machine.core.members if member.label == name)


def _leases(world: World, name: str) -> list[Lease]:
    no = _member(world, name).no
    return [lease for lease in world.machine.leases.book.values() if lease.member == no]


def _accepted(world: World) -> int:
    return int(world.machine.core.board.accepted)


@pytest.mark.parametrize("seed", range(5))
def test_three_devices_share_the_work_and_fold_the_same_result(seed: int) -> None:
    async def play() -> None:
        world = await _three(seed)
        await _same_bits(world)
        for name in NAMES:
            device = world.devices[name]
            await world.until(lambda device=device: bool(device.heard("sealed")))
            assert device.peer is not None
            assert device.peer.folding is not None
            assert device.peer.folding.result == device.peer.folding.sealed
            assert world.machine.core.board.peers.count(device.peer.no) > 0
        await world.close()

    run_virtual(play())


def test_bytes_over_the_coordinator_stay_under_a_kilobyte_a_shard() -> None:
    """All messages of three devices in both directions, from the first hello until all have the result."""

    async def play() -> None:
        world = World(1)
        await world.open(small_job(640), check_rate=1 / 32)
        for name, rate in zip(NAMES, (60.0, 40.0, 20.0), strict=True):
            await world.start(name, rate)
        await _same_bits(world)
        await world.until(lambda: all(device.heard("sealed") for device in world.devices.values()))
        a_shard = (world.bytes_up + world.bytes_down) / 640
        assert a_shard <= 1000
        print(f"{a_shard:.0f} bytes a shard ({world.bytes_up} up, {world.bytes_down} down)")
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", range(5))
def test_a_device_closed_in_mid_run(seed: int) -> None:
    """Its leases go to others at once, and what was accepted of it stays accepted."""

    async def play() -> None:
        world = await _three(seed)
        await world.until(lambda: _accepted(world) >= 20)
        before = _accepted(world)
        await world.kill("second")
        await world.until(lambda: not _member(world, "second").live)
        assert _accepted(world) >= before
        await _same_bits(world)
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", range(5))
def test_a_device_stopped_past_its_lease_and_woken(seed: int) -> None:
    async def play() -> None:
        world = World(seed)
        await world.open(small_job(60))
        await world.start("owner", rate=0.4)
        await world.start("second", rate=0.4)
        await world.start("third", rate=0.4)
        second, board = world.devices["second"], world.machine.core.board
        await world.until(lambda: bool(second.heard("noted")) and bool(_leases(world, "second")))
        lease = _leases(world, "second")[0]
        world.stop("second")
        await world.until(lambda: board.cells[lease.first] == Cell.STALE, 30)
        await world.until(lambda: board.epochs[lease.first] == lease.epoch + 1, 120)
        await world.until(lambda: board.cells[lease.first] in ACCEPTED, 600)
        accepted = board.digest(lease.first)
        noted = len(second.heard("noted"))
        world.wake("second")
        await world.until(lambda: len(second.heard("noted")) > noted or world.machine.phase != "open", 600)
        late = second.heard("noted")[noted:]
        assert not late or late[0]["late"] + late[0]["duplicate"] > 0
        assert board.digest(lease.first) == accepted
        await _same_bits(world)
        await world.close()

    run_virtual(play(), 20_000)


@pytest.mark.parametrize("seed", range(5))
def test_the_owner_closed_and_opened_again(seed: int) -> None:
    """Its store holds what was accepted; the others go on meanwhile."""

    async def play() -> None:
        world = await _three(seed)
        await world.until(lambda: _accepted(world) >= 20)
        before = _accepted(world)
        await world.kill("owner")
        await world.until(lambda: not _member(world, "owner").live)
        assert _accepted(world) >= before
        await world.start("owner")
        await _same_bits(world)
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", range(5))
def test_an_owner_that_keeps_nothing_leaves_no_hole(seed: int) -> None:
    """Private browsing: the others hold its states before they count, or they are computed again."""

    async def play() -> None:
        world = World(seed)
        await world.open(small_job(60))
        await world.start("owner", durable=False)
        await world.start("second")
        await world.start("third")
        await world.until(lambda: _accepted(world) >= 20)
        await world.kill("owner")
        await world.start("owner", durable=False)
        await _same_bits(world)
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", range(5))
def test_a_coordinator_killed_again_and_again(seed: int) -> None:
    async def play() -> None:
        world = await _three(seed)
        for share in (10, 25, 40):
            await world.until(lambda share=share: _accepted(world) >= share)
            before = world.machine.state()["board"]
            await world.restart_host()
            after = world.machine.state()["board"]
            assert after["digests"] == before["digests"]
        await _same_bits(world)
        await world.close()

    run_virtual(play())


def test_without_consent_a_device_computes_nothing_but_gets_the_result() -> None:
    async def play() -> None:
        world = World(2)
        await world.open(small_job(30))
        await world.start("owner")
        await world.start("second", consent=False)
        await _same_bits(world)
        second = world.devices["second"]
        await world.until(lambda: bool(second.heard("sealed")))
        assert not second.heard("lease")
        assert second.peer is not None
        assert second.peer.no not in world.machine.core.board.peers
        await world.close()

    run_virtual(play())


def test_consent_withdrawn_in_mid_run_gives_the_lease_back() -> None:
    async def play() -> None:
        world = World(5)
        await world.open(small_job(60))
        await world.start("owner", rate=2)
        second = await world.start("second", rate=2)
        await world.until(lambda: len(second.heard("noted")) > 1)
        assert second.peer is not None
        await second.peer.consent(False)
        await world.until(lambda: not _leases(world, "second"))
        leased = len(second.heard("lease"))
        await _same_bits(world)
        assert len(second.heard("lease")) == leased
        await world.close()

    run_virtual(play())


def test_a_latecomer_to_a_sealed_pool_gets_the_result() -> None:
    async def play() -> None:
        world = World(6)
        await world.open(small_job(20))
        await world.start("owner")
        await _same_bits(world)
        late = await world.start("late")
        await world.until(lambda: bool(late.heard("sealed")))
        assert late.heard("sealed")[-1]["findings"] == []
        await world.close()

    run_virtual(play())


def test_a_reconnection_after_the_sealing_changes_nothing() -> None:
    """The owner has its audit and its leaves, whenever the connection breaks between the fold and the end."""

    async def play(after_s: float) -> None:
        world = World(1)
        await world.open(small_job(30))
        owner = await world.start("owner")
        await world.until(lambda: bool(owner.heard("result")))
        await world.clock.sleep(after_s)
        assert owner.wire is not None
        owner.wire.sever()
        await world.until(lambda: bool(owner.heard("sealed")))
        await world.clock.sleep(20)
        assert [data["findings"] for data in owner.heard("sealed")] == [[]]
        assert not owner.heard("fault")
        assert owner.peer is not None
        assert owner.peer.folding is not None
        assert len(owner.peer.folding.addresses()) == 30
        await world.close()

    for after_s in (0.0, 0.02, 0.05, 0.1, 5.0):
        run_virtual(play(after_s))


def test_a_result_that_was_replaced_is_not_sealed() -> None:
    """The owner folds a table, one of whose results is then refused: what it seals is the table after it."""

    async def play() -> None:
        world = World(1)
        await world.open(small_job(30))
        owner = await world.start("owner")
        await world.start("second")
        machine = world.machine
        check = machine._check_seal
        stale: list[m.Seal] = []

        def first_replaced(member: Member, message: m.Seal) -> None:
            if not stale:
                stale.append(message)
                machine.core.board.set_digest(7, bytes(32))  # as if it had been computed anew meanwhile
            check(member, message)

        machine._check_seal = first_replaced  # type: ignore[method-assign]
        await world.until(lambda: any(f["error"].code == "SCL-POOL-INCOMPLETE" for f in owner.heard("fault")))
        assert machine.phase == "complete"
        await world.close()

    run_virtual(play())


def test_what_still_arrives_once_a_device_has_left_does_not_bring_it_back() -> None:
    async def play() -> None:
        world = World(1)
        await world.open(small_job(30))
        owner, second = await world.start("owner"), await world.start("second")
        assert second.peer is not None
        assert second.task is not None
        await world.until(lambda: bool(second.heard("result")))
        await second.peer.stop()
        await second.task
        await world.until(lambda: bool(owner.heard("sealed")))
        second.peer._welcomed = True  # what lay in the socket's buffer is read in its session
        await second.peer._take(world.machine._sealed())
        assert second.peer.state == "left"
        await world.close()

    run_virtual(play())


def test_a_stop_gives_back_what_was_not_started() -> None:
    async def play() -> None:
        world = await _three(4)
        second = world.devices["second"]
        await world.until(lambda: len(second.heard("noted")) > 1)
        assert second.peer is not None
        assert second.task is not None
        await second.peer.stop()
        await world.until(second.task.done)
        assert not _leases(world, "second")
        await _same_bits(world)
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", [*range(10), 228, 304])  # the last two once left devices waiting for ever
def test_any_churn_ends_in_the_same_bits(seed: int) -> None:
    """Devices and the coordinator come and go as the seed says."""

    async def play() -> None:
        world = await _three(seed, shards=90)
        chance = random.Random(seed)
        gone: set[str] = set()
        for share in range(5, 85, 8):
            if "owner" in gone:  # what only its store holds waits for it
                gone.discard("owner")
                await world.start("owner")
            await world.until(
                lambda share=share: _accepted(world) >= share or world.machine.phase != "open", 3000
            )
            act = chance.choice(("kill", "kill", "host", "cut", "sleep"))
            name = chance.choice(NAMES)
            if act == "kill" and name not in gone:
                await world.kill(name)
                gone.add(name)
            elif act == "host":
                await world.restart_host()
            elif act == "cut" and name not in gone:
                wire = world.devices[name].wire
                assert wire is not None
                wire.sever()
            elif act == "sleep" and name not in gone:
                world.stop(name)
                world.clock.offset_s += chance.choice((0.0, 20.0, 200.0))
                world.wake(name)
            if len(gone) > 1 or (gone and chance.random() < 0.5):
                back = sorted(gone)[0]
                gone.discard(back)
                await world.start(back)
        for name in gone:
            await world.start(name)
        await _same_bits(world)
        await world.close()

    run_virtual(play(), 20_000)
