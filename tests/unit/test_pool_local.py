"""A run alone: one process, the same path; stopped, gone on with, and refused where its log is gone."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from scellis import ENGINE_VERSION
from scellis.content import FolderStore, MemoryStore, Store
from scellis.errors import ScellisError
from scellis.pool.local import forget_local, open_local
from scellis.pool.peer import Peer
from scellis.pool.ports import Compute
from support.cheats import ShiftsMean
from support.pool_world import Player, honest, small_job, solo_result
from support.virtual import VirtualClock, run_virtual

JOB = small_job(24)


class _Run(Player):
    def __init__(self, store: Store, compute: Compute | None = None, resume: str = "", seed: int = 1) -> None:
        super().__init__(JOB, compute or honest(JOB, rate=4.0))
        self.store = store
        self.computed: list[int] = []
        self.resume = resume
        self.pool = ""
        self.peer: Peer | None = None
        self._stop_after: int | None = None
        self._stops: list[asyncio.Future[None]] = []
        self._random = random.Random(seed)

    async def play(self, stop_after: int | None = None) -> bytes:
        self._stop_after = stop_after
        async with open_local(
            self.store,
            engine=ENGINE_VERSION,
            job=JOB.to_bytes(),
            shards=24,
            check_rate=0.1,
            label="alone",
            device="oracle",
            clock=VirtualClock(),
            entropy=self._random.randbytes,
            resume=self.resume,
        ) as local:
            self.pool = local.pool
            self.peer = local.make(self)
            await self.peer.run()
        results = [data["bytes"] for name, data in self.events if name == "result"]
        return results[-1] if results else b""

    def heard(self, name: str, data: dict[str, Any]) -> None:
        super().heard(name, data)
        view = self.peer.view if self.peer is not None else None
        if self._stop_after is not None and view is not None and view.accepted() >= self._stop_after:
            self._stops.append(asyncio.ensure_future(self.peer.stop()))

    def seen(self, name: str) -> list[dict[str, Any]]:
        return [data for kind, data in self.events if kind == name]


def test_a_run_alone_checks_itself_on_the_oracle_and_gives_the_honest_result() -> None:
    async def play() -> None:
        run = _Run(MemoryStore())
        assert await run.play() == await solo_result(JOB)
        assert run.peer is not None
        assert run.peer.view is not None
        checked = [row for row in run.peer.view.board() if row[1] == "re-executed"]
        assert checked
        assert run.seen("sealed")

    run_virtual(play())


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    async def play() -> None:
        store = FolderStore(tmp_path)
        first = _Run(store)
        assert await first.play(stop_after=6) == b""
        assert first.peer is not None
        assert first.peer.view is not None
        done = first.peer.view.accepted()
        assert 6 <= done < 24
        second = _Run(FolderStore(tmp_path), resume=first.pool, seed=2)
        assert await second.play() == await solo_result(JOB)
        leased = sum(data["count"] for data in second.seen("lease"))
        assert leased <= 24 - done  # nothing accepted is computed again
        await forget_local(store, first.pool)
        assert await store.refs(f"pool-{first.pool}") == []
        with pytest.raises(ScellisError, match="SCL-POOL-UNKNOWN"):
            await _Run(store, resume=first.pool).play()

    run_virtual(play())


def test_states_that_the_store_lost_are_computed_again(tmp_path: Path) -> None:
    async def play() -> None:
        first = _Run(FolderStore(tmp_path))
        await first.play(stop_after=6)
        for name in await first.store.refs(f"pool-{first.pool}-shelf-"):
            await first.store.delete_ref(name)
        second = _Run(FolderStore(tmp_path), resume=first.pool, seed=2)
        assert await second.play() == await solo_result(JOB)

    run_virtual(play())


def test_a_device_that_computes_wrongly_alone_is_refused_by_the_oracle() -> None:
    """Nothing wrong is folded: its results are refused, it gets no more work, and the page is told."""

    async def play() -> None:
        run = _Run(MemoryStore(), compute=ShiftsMean(JOB))
        task = asyncio.ensure_future(run.play())
        await asyncio.sleep(300)
        assert [data["id"] for data in run.seen("notice")].count("pool-wrong-result") == 1
        assert run.peer is not None
        assert run.peer.view is not None
        assert run.peer.view.accepted() == 0
        assert not run.seen("result")
        task.cancel()

    run_virtual(play())
