"""Whole sessions in one pool, in virtual time: what each person sees who invites, agrees, or only watches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest

from scellis.app.devices import Devices
from scellis.app.session import Session
from scellis.app.storage import Storage
from scellis.app.world import World as Surroundings
from scellis.content import MemoryStore, address
from scellis.device.protocol import Device
from scellis.errors import ScellisError
from scellis.pool.messages import OpenRequest, PoolHeader
from scellis.pool.ports import Connect, DataPlane, Transport
from support.pool_world import Plane, Tab, World, small_job, small_text
from support.virtual import run_virtual

SHARDS = 24
LIMIT_S = 600.0


class WorldNetwork:
    """The way into a test's world."""

    def __init__(self, world: World, name: str) -> None:
        self.label = name
        self.signer = world.keys.signer(name)
        self.store_id = (name.encode().hex() + "0" * 32)[:32]
        self._world = world
        self._tab = Tab(name, MemoryStore())
        self._tab.awake.set()

    async def open_pool(self, request: OpenRequest, signature: str) -> PoolHeader:
        return await self._world.host.open(request, signature)

    def connect(self) -> Connect:
        async def connect() -> Transport:
            return await self._world.connect(self._tab)

        return connect

    def data_plane(self) -> DataPlane:
        return Plane(self._world)

    def link(self, pool: str, invite: str) -> str:
        return f"https://example.org/#pool={pool}.{invite}"


class Person:
    """A session, and the latest of each view that its page was told."""

    def __init__(self, world: World, name: str) -> None:
        self.views: dict[str, Any] = {}
        self._world = world
        self.session = Session(
            Surroundings(
                emit=self.views.__setitem__,
                clock=world.clock,
                store=MemoryStore(),
                storage=Storage("memory"),
                devices=Devices(_no_gpu),
                entropy=world.entropy,
                network=WorldNetwork(world, name),
                examples={},
            )
        )

    async def call(self, method: str, **params: Any) -> None:
        await self.session.call(method, params)

    async def until(self, view: str, **wanted: Any) -> Any:
        """Until a view has these values; what it then shows."""
        end_s = self._world.clock.now_s() + LIMIT_S
        while not all((self.views.get(view) or {}).get(key) == value for key, value in wanted.items()):
            assert self._world.clock.now_s() < end_s, (wanted, self.views.get(view))
            await self._world.clock.sleep(0.05)
        return self.views[view]


async def _no_gpu() -> Device:
    raise ScellisError("SCL-GPU-NONE", "There is no GPU here.")


@asynccontextmanager
async def people(*names: str) -> AsyncIterator[list[Person]]:
    """The first has opened a pool; the others have joined it by its link."""
    world = World(1)
    found = [Person(world, name) for name in names]
    owner = found[0]
    await owner.call("open_text", sml=small_text(SHARDS))
    await owner.call("pool_create")
    link = (await owner.until("pool", state="open"))["link"]
    for guest in found[1:]:
        await guest.call("pool_join", link=link)
        await guest.until("pool", state="waiting-consent")
    yield found
    for person in found:
        await person.session.close()
    await world.close()


def test_who_is_asked_is_told_what_for() -> None:
    async def play() -> None:
        async with people("owner", "guest") as (_, guest):
            pool = await guest.until("pool", title="Two lengths")
            assert pool["draws"] == SHARDS * 256
            assert guest.views["run"]["state"] == "watching"

    run_virtual(play())


def test_who_only_watches_sees_the_same_verified_result() -> None:
    async def play() -> None:
        async with people("owner", "worker", "watcher", "silent") as (owner, worker, watcher, silent):
            await worker.call("consent", given=True)
            await watcher.call("consent", given=False)
            await watcher.until("pool", state="watching")
            await owner.call("run")
            expected = (await owner.until("run", state="done"))["address"]
            for person in (worker, watcher, silent):
                run = await person.until("run", state="done")
                assert run["address"] == expected
                assert run["url"]
            rows = {row["label"]: row for row in owner.views["pool"]["peers"]}
            assert rows["watcher"]["shards"] == rows["silent"]["shards"] == 0
            assert rows["owner"]["shards"] + rows["worker"]["shards"] == SHARDS

    run_virtual(play())


def test_an_owner_whose_audit_finds_something_has_no_result() -> None:
    """The coordinator reveals another secret than it committed to: nobody can repeat its draws."""

    async def play() -> None:
        async with people("owner", "worker") as (owner, worker):
            await worker.call("consent", given=True)
            (room,) = owner._world.host.rooms.values()
            honest = room.machine._sealed
            room.machine._sealed = lambda: attrs.evolve(honest(), secret="0" * 64)  # type: ignore[method-assign]
            await owner.call("run")
            run = await owner.until("run", state="failed")
            assert [finding["id"] for finding in run["findings"]] == ["finding-secret"]
            assert "finding-secret" in [note["id"] for note in run["notices"]]
            assert run["url"] is None
            await owner.until("fault", code="SCL-RUN-UNVERIFIED")

    run_virtual(play())


def test_who_is_refused_is_in_no_pool_and_told_why() -> None:
    async def play() -> None:
        async with people("owner", "guest") as (owner, guest):
            link = owner.views["pool"]["link"]
            await guest.call("stop")
            stranger = Person(guest._world, "stranger")
            await stranger.call("pool_join", link=link[:-1] + ("0" if link[-1] != "0" else "1"))
            await stranger.until("fault", code="SCL-POOL-INVITE")
            await stranger.until("pool", state="none")

    run_virtual(play())


def test_who_watches_may_agree_later_and_is_not_asked_again() -> None:
    async def play() -> None:
        async with people("owner", "guest") as (owner, guest):
            await guest.call("consent", given=False)
            await guest.until("pool", state="watching")
            await guest.call("consent", given=True)
            await guest.until("pool", state="joined")
            link = owner.views["pool"]["link"]
            await guest.call("stop")
            await guest.call("pool_join", link=link)
            await guest.until("pool", state="joined")
            await owner.call("run")
            assert (await guest.until("run", state="done"))["accepted"] == SHARDS

    run_virtual(play())


def test_a_watcher_s_run_taken_up_again_still_asks() -> None:
    async def play() -> None:
        async with people("owner", "guest") as (_, guest):
            await guest.call("stop")
            saved = guest.views["storage"]["recent"][0]
            await guest.call("resume", address=saved["address"])
            await guest.until("pool", state="waiting-consent")

    run_virtual(play())


@pytest.mark.parametrize(
    "changes",
    [{"check_rate": 0.0}, {"job": address(b"another")}, {"shards": 1}, {"owner": "3" * 64}],
    ids=lambda changes: next(iter(changes)),
)
def test_who_opens_a_pool_gets_the_one_that_was_signed(changes: dict[str, Any]) -> None:
    async def play() -> None:
        world = World(1)
        owner = Person(world, "owner")
        network = owner.session.world.network
        honest = network.open_pool

        async def lies(request: OpenRequest, signature: str) -> PoolHeader:
            return attrs.evolve(await honest(request, signature), **changes)

        network.open_pool = lies  # type: ignore[method-assign]
        await owner.call("open_text", sml=small_text(SHARDS))
        with pytest.raises(ScellisError) as refused:
            await owner.call("pool_create")
        assert refused.value.code == "SCL-POOL-FORGED"
        assert owner.views["pool"] is None
        await owner.session.close()
        await world.close()

    run_virtual(play())


def test_a_job_that_is_not_what_the_header_says_is_refused() -> None:
    async def play() -> None:
        world = World(1)
        job = small_job(SHARDS)
        header = await world.open(job, shards=SHARDS + 1)
        guest = Person(world, "guest")
        await guest.session.world.store.put(job.to_bytes())
        await guest.call("pool_join", link=f"https://example.org/#pool={header.pool}.{world.invite}")
        await guest.until("fault", code="SCL-POOL-FORGED")
        await world.close()

    run_virtual(play())
