"""Cheats in a pool of three: each is caught, and what is folded is what an honest device computes alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scellis.job import Job
from scellis.pool.states import ACCEPTED
from support import cheats
from support.pool_world import World, small_job, solo_result
from support.virtual import run_virtual

SHARDS = 48
SEEDS = range(4)


async def _pool(seed: int, start_cheat: Callable[[World, Job], Any], check_rate: float = 0.1) -> World:
    world, job = World(seed), small_job(SHARDS)
    await world.open(job, check_rate=check_rate)
    await world.start("owner")
    await world.start("honest")
    await start_cheat(world, job)
    assert await world.sealed() == await solo_result(job)
    await world.until(lambda: all(tab.peer.state == "sealed" for tab in world.devices.values() if tab.peer))
    assert world.devices["owner"].heard("sealed")[-1]["findings"] == []
    return world


def _aside(world: World) -> set[str]:
    return {member.label for member in world.machine.core.members if member.aside}


def _committed(world: World, name: str) -> bool:
    """Whether a device got as far as committing something; else there was nothing to catch."""
    return bool(world.devices[name].heard("noted"))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("cheat", [cheats.ShiftsMean, cheats.ReturnsShardBefore, cheats.DoublesHalf])
def test_wrong_values_are_caught(cheat: type[cheats.Cheat], seed: int) -> None:
    async def play() -> None:
        world = await _pool(seed, lambda world, job: world.start("cheat", compute=cheat(job)))
        assert _committed(world, "cheat")
        assert _aside(world) == {"cheat"}
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("cheat", [cheats.CommitsJunk, cheats.CommitsAnothersShape])
def test_what_is_no_state_of_the_job_is_not_kept(cheat: type[cheats.Cheat], seed: int) -> None:
    """Drawn or not: the owner keeps none, so what it folds can be folded."""

    async def play() -> None:
        world = await _pool(seed, lambda world, job: world.start("cheat", compute=cheat(job)), 0.01)
        assert _committed(world, "cheat")
        assert _aside(world) == {"cheat"}
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_forged_hash_is_caught(seed: int) -> None:
    async def play() -> None:
        world = await _pool(seed, lambda world, job: world.start("cheat", make=cheats.ForgesHashes))
        assert _aside(world) == {"cheat"}
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", SEEDS)
def test_withheld_bytes_count_as_a_mismatch(seed: int) -> None:
    async def play() -> None:
        world = await _pool(seed, lambda world, job: world.start("cheat", plane=cheats.Withholds(world)))
        assert _aside(world) == {"cheat"}
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_stolen_lease_is_refused_and_changes_nothing(seed: int) -> None:
    async def play() -> None:
        world = await _pool(seed, lambda world, job: world.start("cheat", make=cheats.StealsLeases))
        cheat = world.devices["cheat"].peer
        assert isinstance(cheat, cheats.StealsLeases)
        assert cheat.stolen
        refusals = world.devices["cheat"].heard("fault")
        assert {refusal["error"].code for refusal in refusals} <= {"SCL-POOL-LEASE"}
        assert refusals or not _committed(world, "cheat")
        assert _aside(world) == set()
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", range(12))
def test_a_colluding_pair_is_caught(seed: int) -> None:
    """One cheats, the other finds it in order: the owner sees one drawn shard of each batch."""

    async def play() -> None:
        world, job = World(seed), small_job(SHARDS)
        await world.open(job, check_rate=0.3)
        await world.start("owner")
        await world.start("cheat", compute=cheats.ShiftsMean(job))
        await world.start("friend", compute=cheats.Agrees(job))
        assert await world.sealed() == await solo_result(job)
        assert "cheat" in _aside(world)
        assert "owner" not in _aside(world)
        await world.close()

    run_virtual(play())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_liar_about_others_harms_only_itself(seed: int) -> None:
    async def play() -> None:
        world = await _pool(seed, lambda world, job: world.start("liar", compute=cheats.LiesAboutOthers(job)))
        assert _aside(world) <= {"liar"}
        await world.close()

    run_virtual(play())


def test_after_a_mismatch_all_else_of_the_peer_is_checked_again_and_the_penalty_falls_once() -> None:
    async def play() -> None:
        world = await _pool(3, lambda world, job: world.start("cheat", compute=cheats.ShiftsMean(job)))
        notices = [data["id"] for data in world.devices["owner"].heard("notice")]
        assert notices.count("pool-wrong-result") == 1
        cheat = next(member for member in world.machine.core.members if member.label == "cheat")
        assert cheat.no not in world.machine.core.board.peers  # nothing of it is left in the result
        await world.close()

    run_virtual(play())


def test_a_coordinator_that_forges_a_digest_gets_nothing_wrong_sealed() -> None:
    async def play() -> None:
        world = World(8)
        await world.open(small_job(SHARDS))
        owner = await world.start("owner")
        await world.start("honest")
        board = world.machine.core.board
        await world.until(lambda: board.accepted >= 20)
        forged = next(shard for shard in range(SHARDS) if board.cells[shard] in ACCEPTED)
        board.set_digest(forged, bytes(32))
        await world.until(lambda: any(f["error"].code == "SCL-POOL-FORGED" for f in owner.heard("fault")))
        assert not owner.heard("result")
        assert await world.sealed() == await solo_result(world.job)  # the owner asked for it anew
        await world.close()

    run_virtual(play())
