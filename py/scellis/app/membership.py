"""One device's part in one pool, and what is seen of it. A run alone is a pool of one, on the same path."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from scellis.app.models import Model, job_model, notice
from scellis.app.tracker import Tracker
from scellis.app.world import World
from scellis.errors import Finding, ScellisError, as_scellis_error
from scellis.job import (
    Job,
    JobWorker,
    ShardState,
    admitted,
    check_frozen,
    check_poolable,
    measure_rate,
)
from scellis.pool.messages import PoolHeader
from scellis.pool.peer import Peer
from scellis.pool.ports import Participant
from scellis.pool.states import IN_BATCH, Cell
from scellis.records import Leaf, RunRecord

SHOW_S = 0.1
"""The page is told at most ten times a second: more is not seen, and each time costs a crossing."""
AGE_S = 1.0
"""What is shown is at most so old."""

FOUND_WRONG = ("pool-wrong-result", "pool-wrong-check")
"""Notices that set a device aside."""

MakePeer = Callable[[Participant], Peer]


class Membership:
    """Runs a peer and shows it. `rate` is what a pilot measured, in shards a second, or 0.

    `owner`: this device opened the pool. `job` is given where it is its own, else it comes with the pool.
    """

    def __init__(
        self, world: World, make_peer: MakePeer, *, job: Job | None, rate: float, owner: bool
    ) -> None:
        self.world = world
        self.owner = owner
        self.asked = False
        """whether the person has answered here if this device may compute"""
        self.record: RunRecord | None = None
        self.sealed: asyncio.Future[RunRecord] = asyncio.get_running_loop().create_future()
        """the record, once the pool is sealed over what this device folded itself"""
        self.states: list[ShardState] = []
        self.job: Job | None = None
        self.tracker: Tracker | None = None
        self.error: ScellisError | None = None
        self.notices: list[Model] = []
        self.findings: list[Finding] = []
        self.stopping = False
        self._result: ShardState | None = None  # what this device folded
        self._rate = rate
        self._worker: JobWorker | None = None
        self._leaving: asyncio.Future[None] | None = None
        self._pinned: Model = {}
        self._waiting: set[int] = set()  # accepted, their bytes not yet here
        self._changed = True  # since it was shown
        if job is not None:
            self._track(job)
        self.peer = make_peer(self)

    # ---- what the session calls ----

    async def run(self, show: Callable[[Membership], None]) -> None:
        """Take part until the pool is sealed, or until `stop`; `show` is called as things change.

        Raises what ended it.
        """
        showing = asyncio.ensure_future(self._show(show))
        try:
            await self.peer.run()
            if self.error is not None:
                raise self.error
        except Exception as error:
            self.error = as_scellis_error(error)
            if self.error is error:
                raise
            raise self.error from error
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)
            await self._settle()
            if self._worker is not None:
                self._worker.close()
            show(self)

    async def stop(self) -> None:
        """Leave the pool; what is computed is kept and committed."""
        self.stopping = True
        await self.peer.stop()

    # ---- what the peer calls: pool.ports.Participant ----

    def take_job(self, data: bytes, header: PoolHeader) -> None:
        job = Job.from_bytes(data)
        if (job.partition.shards, job.policy) != (header.shards, header.policy):
            raise ScellisError(
                "SCL-POOL-FORGED",
                "The pool's header says other things of its job than the job itself.",
                "Do not use this invitation.",
            )
        if self.job is None:  # another device's
            check_poolable(job)
            check_frozen(job)
            self._track(job)

    def is_state(self, data: bytes) -> bool:
        return self._read(data) is not None

    def _read(self, data: bytes) -> ShardState | None:
        """The state of one shard of the job; None for what is none, whoever committed to it."""
        assert self.job is not None
        try:
            state = ShardState.from_bytes(data)
        except ScellisError:
            return None
        fits = state.is_of(self.job.partition.draws_per_shard, self.job.reduction.bins)
        return state if fits else None

    async def open_compute(self) -> JobWorker:
        assert self.job is not None
        device = await self.world.devices.main()
        if not self._rate:
            self._rate = await measure_rate(self.job, device, self.world.clock.now_s)
        self._worker = JobWorker(
            self.job,
            device,
            self.world.devices.oracle,
            rate=self._rate,
            reopen=self.world.devices.reopen,
            on_recovery=lambda error: self._note("run-device-recovered", code=error.code),
        )
        return self._worker

    def fold(self, states: list[bytes]) -> bytes:
        assert self.tracker is not None
        self.states = [ShardState.from_bytes(state) for state in states]
        self._waiting.clear()
        self.tracker.accept(dict(enumerate(self.states)), self.world.clock.now_s())
        self._result = self.tracker.root
        return self._result.to_bytes()

    def heard(self, name: str, data: dict[str, Any]) -> None:
        self._changed = True
        if name == "accepted":
            self._waiting.update(data["shards"])
        elif name == "reopened":
            self._waiting.difference_update(data["shards"])
            if self.tracker is not None:
                self.tracker.reopen(data["shards"])
        elif name == "lease":
            if self.tracker is not None and not self._waiting:
                self.tracker.begin(self.world.clock.now_s())
        elif name == "notice":
            self._note(data["id"], peer=data["peer"], shard=data["shard"])
            if data["id"] in FOUND_WRONG and data["peer"] == self.peer.no:
                self._found_wrong(data["shard"])
        elif name == "fault":
            self._note("pool-fault", message=data["error"].message)
        elif name == "sealed":
            self.findings = data["findings"]
            if self.findings:
                self._found_unverified()
            else:
                self._seal()

    def _track(self, job: Job) -> None:
        job.check_engine()
        admitted(job.reduction.kind)
        self.job = job
        self._pinned = job_model(job)
        self.tracker = Tracker(job)

    def _found_wrong(self, shard: int) -> None:
        """This device gets no more work: its part ends here, with what was wrong."""
        self._end(
            ScellisError(
                "SCL-RUN-DEVICE",
                f"This device computed shard {shard} otherwise than the oracle: its results do not count.",
                "Compute on another device; 'scellis doctor' checks this one.",
                shard=shard,
            )
        )

    def _found_unverified(self) -> None:
        """The sealed pool does not pass this device's audit: there is no record of it here."""
        for finding in self.findings:
            self._note(finding.id, **finding.args)
        self._end(
            ScellisError(
                "SCL-RUN-UNVERIFIED",
                "The pool's result is not verified: " + "; ".join(map(str, self.findings[:3])) + ".",
                "Do not use this result; ask whoever runs the coordinator.",
            )
        )

    def _end(self, error: ScellisError) -> None:
        """Leave the pool because of `error`, which `run` then raises."""
        self.error = error
        self._leaving = asyncio.ensure_future(self.peer.stop())

    def _note(self, message_id: str, **args: str | int | float | bool | None) -> None:
        said = notice(message_id, **args)
        if said not in self.notices:  # said once, however often it is met
            self.notices.append(said)
            del self.notices[:-20]

    def _seal(self) -> None:
        """The record of the sealed pool, where this device has folded the result itself."""
        view, folding = self.peer.view, self.peer.folding
        if self._result is None or self.job is None or view is None or folding is None:
            return
        checked = [cell == Cell.RE_EXECUTED for cell in view.cells]
        leaves = tuple(
            Leaf(address, "re-executed" if again else "batch-checked")
            for address, again in zip(folding.addresses(), checked, strict=True)
        )
        self.record = RunRecord(self.job, self._result, leaves)
        if not self.sealed.done():
            self.sealed.set_result(self.record)

    # ---- showing ----

    async def _show(self, show: Callable[[Membership], None]) -> None:
        shown_s = 0.0
        while True:
            await self._settle()
            now_s = self.world.clock.now_s()
            if self._changed or now_s - shown_s >= AGE_S:  # rates and times change by themselves
                self._changed, shown_s = False, now_s
                show(self)
            await self.world.clock.sleep(SHOW_S)

    async def _settle(self) -> None:
        """Merge the accepted states whose bytes are on this device."""
        peer = self.peer
        if not self._waiting or self.tracker is None or peer.view is None or peer.folding is None:
            return
        found: dict[int, tuple[int, ShardState]] = {}
        for shard in sorted(self._waiting):
            epoch = peer.view.epochs[shard]
            address = peer.folding.address(shard, epoch)
            data = await peer.shelf.get(address) if address else None
            state = self._read(data) if data is not None else None
            if state is not None:
                found[shard] = epoch, state
        # While the store was read, a result may have been withdrawn or replaced.
        states = {
            shard: state
            for shard, (epoch, state) in found.items()
            if shard in self._waiting and peer.view.epochs[shard] == epoch
        }
        self._waiting.difference_update(states)
        if states:
            self._changed = True
            self.tracker.accept(states, self.world.clock.now_s())

    @property
    def state(self) -> str:
        """The run's state as the page names it."""
        if self.record is not None:
            return "done"
        if self.error is not None:
            return "failed"
        if self.stopping:
            return "interrupted" if self.peer.state == "left" else "stopping"
        if not self.peer.given:
            return "ready" if self.owner else "watching"
        view = self.peer.view
        if view is not None and not any(view.count(cell) for cell in Cell if cell not in IN_BATCH):
            return "verifying"
        return "running"

    def _nonfinite(self) -> list[Model]:
        """A word on draws that are in no mean and no interval."""
        count = self.tracker.root.nonfinite if self.tracker is not None else 0
        return [notice("run-nonfinite", count=count)] if count else []

    def computed(self) -> int:
        """Shards that somebody has computed."""
        view = self.peer.view
        return sum(view.count(cell) for cell in IN_BATCH) if view is not None else 0

    def run_model(self) -> Model:
        """The run's view model."""
        assert self.tracker is not None
        return {
            **self._pinned,
            "state": self.state,
            "computed": self.computed(),
            "address": self.record.result_address if self.record else None,
            "findings": [finding.as_dict() for finding in self.findings],
            "notices": [*self.notices, *self._nonfinite()],
            **self.tracker.model(self.world.clock.now_s()),
        }
