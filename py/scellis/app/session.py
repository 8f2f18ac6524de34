"""The session behind the page: what each press does. One program is open, and one run or pool of it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any

import attrs

from scellis.app.datasets import DATA_CALLS, Datasets
from scellis.app.membership import Membership
from scellis.app.models import Model, notice, plan_model
from scellis.app.pooling import Entry, Pooling
from scellis.app.record_models import record_model, replay_model
from scellis.app.saved import SavedRun, load_run, save_run, saved_runs
from scellis.app.saved_training import training_rows
from scellis.app.trainings import TRAINING_CALLS, TRAINING_IN_TURN, Trainings, training_models
from scellis.app.world import World
from scellis.device.protocol import Device
from scellis.errors import ScellisError
from scellis.job import Job, Plan, ShardState, check_frozen, measure_rate, plan_job
from scellis.pool.local import forget_local
from scellis.records import LinkedRun, parse_fragment, replay_shard, run_fragment
from scellis.sml import parse_job_text
from scellis.train import checkpoint

Params = dict[str, Any]
Calls = Mapping[str, Callable[..., Awaitable[Any]]]


@attrs.define
class Opened:
    """The program that is open: its plan, and what this device measured of it."""

    plan: Plan
    text: str
    example: str
    rate: float
    """shards a second"""


class Session:
    """Answers the page's calls. Every public method that is listed in `CALLS` is one."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.pooling = Pooling(world)
        self.datasets = Datasets(world)
        self.trainings = Trainings(world, self.datasets, self._device, self._kept)
        self._owners: tuple[tuple[Any, Calls], ...] = (
            (self, CALLS), (self.trainings, TRAINING_CALLS), (self.datasets, DATA_CALLS),
        )  # fmt: skip
        self._opened: Opened | None = None
        self._membership: Membership | None = None
        self._saved: SavedRun | None = None
        self._task: asyncio.Task[None] | None = None
        self._linked: LinkedRun | None = None
        self._selected: int | None = None
        self._started_s = 0.0
        self._turn = asyncio.Lock()

    async def call(self, method: str, params: Params) -> Any:
        """Do what the page asks. Raises `SCL-APP-CALL` for what it cannot ask, and what the call raises."""
        found = [(owner, calls[method]) for owner, calls in self._owners if method in calls]
        if not found:
            raise ScellisError("SCL-APP-CALL", f"The page asked for {method[:40]!r}, which does not exist.")
        owner, handler = found[0]
        try:
            inspect.signature(handler).bind(owner, **params)
        except TypeError as error:
            raise ScellisError("SCL-APP-CALL", f"{method}: {error}.") from error
        if handler in IN_TURN or handler in TRAINING_IN_TURN:
            async with self._turn:
                return await handler(owner, **params)
        return await handler(owner, **params)

    # ---- opening ----

    async def hello(self) -> None:
        """The page is there: tell it of this device, the examples and earlier runs."""
        await checkpoint.collect(self.world.store)
        await self._device()
        self._emit("examples", [_example_model(name, text) for name, text in self.world.examples.items()])
        self._emit("trainings", training_models(self.world))
        await self.datasets.show()
        await self._list_runs()

    async def _device(self) -> Device:
        """The device that computes. The page is told each time: after a loss it may be a slower one."""
        device = await self.world.devices.main()
        self._emit("device", self.world.devices.model(self.world.storage.model()))
        return device

    async def open_example(self, id: str) -> None:  # noqa: A002 - the page's word
        """Open an example by its name."""
        if id not in self.world.examples:
            raise ScellisError("SCL-APP-EXAMPLE", f"There is no example {id[:40]!r}.")
        await self._open(self.world.examples[id], id)

    async def open_text(self, sml: str) -> None:
        """Open an SML text."""
        await self._open(sml, "")

    async def _open(self, text: str, example: str) -> None:
        plan = plan_job(text)
        await self._leave()
        device = await self._device()
        rate = await measure_rate(plan.job, device, self.world.clock.now_s)
        self._opened = Opened(plan, text, example, rate)
        self._emit("run", None)
        self._emit("pool", None)
        self._show_plan()

    def _show_plan(self) -> None:
        assert self._opened is not None
        plan = self._opened.plan
        model = plan_model(
            plan, self._opened.rate * plan.job.partition.draws_per_shard, self._opened.example or None
        )
        self._emit("plan", {**model, "sml": self._opened.text})

    # ---- running alone ----

    async def run(self) -> None:
        """Run the open program: in the pool that is open for it, else on this device alone.

        Pressed again while it runs, it changes nothing.
        """
        opened = self._need_open()
        if self._membership is not None and self._under_way():
            if self._membership.state == "ready":
                await self._membership.peer.consent(True)
                self._show(self._membership)
            return
        await self._leave()
        await self._take_part(self._new_run(), opened.plan.job)

    async def resume(self, address: str) -> None:
        """Go on with an interrupted run, named by its pool or its job; open a finished one."""
        runs = await saved_runs(self.world.store)
        run = next((run for run in runs if address in (run.pool, run.job)), None)
        if run is None:
            raise ScellisError("SCL-RUN-UNKNOWN", "This device keeps no such run.", "Start it anew.")
        if self._under_way(run.pool):
            return
        if run.text:
            await self._open(run.text, run.example)
        else:  # another's program: what was open before is not its
            self._opened = None
            self._emit("plan", None)
        job = await self._kept_job(run) if run.owner else None  # another's comes with the pool
        await self._leave()
        await self._take_part(run, job)

    async def _kept_job(self, run: SavedRun) -> Job:
        data = await self.world.store.get(run.job)
        if data is None:
            raise ScellisError("SCL-RUN-UNKNOWN", "The job of this run is no longer kept.", "Start it anew.")
        job = Job.from_bytes(data)
        job.check_engine()
        return job

    async def stop(self) -> None:
        """Stop; what was computed stays, and the run can be resumed."""
        if self._membership is not None and self._task is not None and not self._task.done():
            await self._membership.stop()
            self._show(self._membership)

    def _need_open(self) -> Opened:
        if self._opened is None:
            raise ScellisError("SCL-APP-NOTHING-OPEN", "No program is open.", "Open an example first.")
        return self._opened

    def _new_run(self, pool: str = "", invite: str = "") -> SavedRun:
        """A run of the open program: alone where no `pool` is named, else as that pool's owner."""
        opened = self._need_open()
        return SavedRun(
            job=opened.plan.job.address,
            title=opened.plan.job.labels.title,
            state="running",
            updated_s=self.world.clock.now_s(),
            pool=pool,
            remote=bool(pool),
            owner=True,
            invite=invite,
            text=opened.text,
            example=opened.example,
        )

    # ---- pooling ----

    async def pool_create(self) -> None:
        """Open a pool for the open program at this page's coordinator.

        This device computes once `run` is called;
        devices that join compute as soon as somebody agrees on them.
        """
        opened = self._need_open()
        if self._saved is not None and self._saved.remote and self._under_way():
            return
        await self._leave()
        pool, invite = await self.pooling.create(opened.plan.job)
        await self._take_part(self._new_run(pool, invite), opened.plan.job, given=False)

    async def pool_join(self, link: str) -> None:
        """Join the pool that an invitation link names. Nothing is computed before `consent`."""
        pool, invite = self.pooling.parse_link(link)
        if self._under_way(pool):
            return
        await self._leave()
        self._opened = None
        self._emit("plan", None)
        try:
            run = await load_run(self.world.store, pool)
        except ScellisError:
            run = SavedRun(
                job="",
                title="",
                state="running",
                updated_s=self.world.clock.now_s(),
                pool=pool,
                remote=True,
                owner=False,
                invite=invite,
            )
        await self._take_part(run, None)

    async def consent(self, given: bool) -> None:
        """Whether this device may compute for others' pools; remembered on this device.

        One that does not agree watches: it sees the board, and the result in the end.
        """
        if self._membership is None:
            raise ScellisError("SCL-APP-NO-POOL", "This device is in no pool.", "Open an invitation first.")
        await self.pooling.remember_consent(given)
        self._membership.asked = True
        await self._membership.peer.consent(given)
        self._show(self._membership)

    async def select_shard(self, shard: int | None) -> None:
        """Show the history of one shard, from now on as it grows."""
        self._selected = shard
        if self._membership is not None:
            self._show_shard(self._membership)

    # ---- the one run at a time ----

    def _under_way(self, pool: str = "") -> bool:
        """Whether a run (that of `pool`) goes on: not stopped, and not at its end."""
        return (
            self._task is not None
            and not self._task.done()
            and self._membership is not None
            and not self._membership.stopping
            and self._membership.record is None
            and self._saved is not None
            and pool in ("", self._saved.pool)
        )

    async def _take_part(self, run: SavedRun, job: Job | None, *, given: bool = True) -> None:
        given = given and (run.owner or await self.pooling.consented())
        if job is not None:
            await self.world.store.put(job.to_bytes())
        device = (await self._device()).kind
        entry: Entry
        if run.remote:
            entry = self.pooling.join(run.pool, run.invite, device)
        else:
            assert job is not None
            entry = self.pooling.alone(job, device, resume=run.pool)
        entered = AsyncExitStack()
        place = await entered.enter_async_context(entry)
        self._saved = attrs.evolve(run, pool=place.pool)
        self._selected = None
        self._started_s = self.world.clock.now_s()
        rate = self._opened.rate if self._opened is not None else 0.0
        self._membership = Membership(self.world, place.make, job=job, rate=rate, owner=run.owner)
        await self._membership.peer.consent(given)
        await self._save("running")
        self._task = asyncio.ensure_future(self._follow(self._membership, entered))

    async def _follow(self, membership: Membership, entered: AsyncExitStack) -> None:
        keeping = asyncio.ensure_future(self._keep_record(membership))
        async with entered:
            try:
                await membership.run(self._show)
            except ScellisError as error:
                self._emit("fault", {**error.as_dict(), "id": error.message_id})
        if membership.record is None:
            keeping.cancel()
            await self._save("interrupted", job=membership.job)
        else:
            await keeping
        self._show(membership)

    async def _keep_record(self, membership: Membership) -> None:
        """Keep the record as soon as the pool is sealed; the peer may linger for others after that."""
        record = await membership.sealed
        fragment = ""
        try:
            await self.world.store.put(record.to_bytes())
            fragment = run_fragment(record, membership.states)
        except ScellisError as error:
            membership.notices.append(notice(error.message_id, message=error.message))
        await self._save("done", job=record.job, fragment=fragment)
        if self._saved is not None and not self._saved.remote:
            await forget_local(self.world.store, self._saved.pool)
        self._show(membership)

    async def _save(self, state: str, *, job: Job | None = None, fragment: str = "") -> None:
        assert self._saved is not None
        run = attrs.evolve(self._saved, state=state, updated_s=self.world.clock.now_s())
        if job is not None:
            run = attrs.evolve(run, job=job.address, title=job.labels.title)
        self._saved = attrs.evolve(run, fragment=fragment or run.fragment)
        try:
            await save_run(self.world.store, self._saved)
        except ScellisError as error:
            if self._membership is not None:
                self._membership.notices.append(notice(error.message_id, message=error.message))
        await self._kept()

    async def _leave(self) -> None:
        """End the run that goes on, if one does: it is interrupted and can be resumed."""
        if self._membership is not None and self._task is not None:
            if not self._task.done():
                await self._membership.stop()
            await self._task
        self._membership = None
        self._task = None

    async def close(self) -> None:
        """Leave everything, for good."""
        await self._leave()
        await self.trainings.leave()
        await self.world.devices.close()

    # ---- records ----

    async def open_record(self, fragment: str) -> None:
        """Show the run that a URL names."""
        linked = parse_fragment(fragment)
        check_frozen(linked.job)
        self._linked = linked
        self._emit("record", record_model(self._linked))
        self._emit("replay", None)

    async def replay(self, shard: int) -> None:
        """Recompute one shard of the shown record on this device, and compare."""
        if self._linked is None:
            raise ScellisError("SCL-APP-NO-RECORD", "No record is open.", "Open a run's URL.")
        device = await self._device()
        replay = await replay_shard(self._linked, shard, device, self._original(shard))
        self._emit("replay", replay_model(replay, device.kind))

    def _original(self, shard: int) -> ShardState | None:
        """The state that the run left of a shard, where this device still keeps it."""
        membership = self._membership
        record = membership.record if membership is not None else None
        if membership is None or record is None or self._linked is None:
            return None
        if record.address != self._linked.record_address or not 0 <= shard < len(membership.states):
            return None
        return membership.states[shard]

    # ---- showing ----

    def _emit(self, name: str, model: Any) -> None:
        self.world.emit(name, model)

    async def _list_runs(self) -> None:
        runs = [run.model() for run in await saved_runs(self.world.store)]
        self._emit("storage", {"recent": [*runs, *await training_rows(self.world.store)]})

    async def _kept(self) -> None:
        """There is something worth keeping, and the list of it has changed."""
        await self._list_runs()
        if await self.world.storage.persist():
            await self._device()

    def _show(self, membership: Membership) -> None:
        if membership is not self._membership:
            return
        if membership.tracker is not None:
            self._emit("run", self._run_model(membership))
        if self._saved is not None and self._saved.remote:
            self._emit("pool", self.pooling.model(membership, self._saved))
        if self._selected is not None:
            self._show_shard(membership)

    def _run_model(self, membership: Membership) -> Model:
        model = membership.run_model()
        if self._saved is not None:
            model["example"] = self._saved.example or None
            model["url"] = "#" + self._saved.fragment if self._saved.fragment else None
        return model

    def _show_shard(self, membership: Membership) -> None:
        view, folding = membership.peer.view, membership.peer.folding
        if view is None or folding is None or self._selected is None or self._selected >= view.shards:
            return
        history = [
            {
                **row,
                "findings": [finding.as_dict() for finding in row.get("findings", ())],
                "at_s": max(0.0, row["at_s"] - self._started_s),
                "address": row.get("address") or folding.address(self._selected, row.get("epoch", -1)),
            }
            for row in view.history(self._selected)
        ]
        self._emit("shard", {"shard": self._selected, "history": history})


CALLS: dict[str, Callable[..., Awaitable[Any]]] = {
    method.__name__: method
    for method in (
        Session.hello,
        Session.open_example,
        Session.open_text,
        Session.run,
        Session.stop,
        Session.resume,
        Session.pool_create,
        Session.pool_join,
        Session.consent,
        Session.select_shard,
        Session.open_record,
        Session.replay,
    )
}
"""What the page may ask for, by name."""

IN_TURN = (
    Session.open_example,
    Session.open_text,
    Session.run,
    Session.resume,
    Session.pool_create,
    Session.pool_join,
)
"""Calls that change which run goes on: one at a time, so that two presses do not start two."""


def _example_model(name: str, text: str) -> Model:
    parsed = parse_job_text(text)
    return {"id": name, "title": parsed.title, "about": parsed.about, "unit": parsed.unit, "sml": text}
