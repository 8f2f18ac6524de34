"""Training on the page: the record that is open, its run on this device, what the page shows of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from scellis.app.datasets import Datasets
from scellis.app.models import Model
from scellis.app.saved_training import SavedTraining, forget_training, load_training, save_training
from scellis.app.training_memory import TrainingMemory, weigh
from scellis.app.world import World
from scellis.catalog.library import built_in
from scellis.errors import ScellisError, as_scellis_error
from scellis.sml.dataset import DatasetText
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train import checkpoint
from scellis.train.data import Dataset
from scellis.train.history import CURVES, History
from scellis.train.planned import plan_training
from scellis.train.room import Room, room
from scellis.train.run import TrainingRun, claim_training, training_name
from scellis.train.trainer import Report, Trainer, open_planned

SHOWN_EVERY_S = 0.2
RATE_WINDOW = 50
"""Steps over which the rate is taken."""


class Training:
    """One record, open on the page. `memory_bytes`: what the device holds, by a person's word.

    `changed` is called when what is kept of it has changed: it began, has a new checkpoint, or stopped.
    """

    def __init__(
        self,
        world: World,
        datasets: Datasets,
        sml: str,
        example: str | None,
        record: TrainingRecord,
        text: DatasetText,
        memory_bytes: int | None,
        changed: Callable[[], Awaitable[None]],
    ) -> None:
        self._world = world
        self._datasets = datasets
        self._sml = sml
        self._example = example
        self.record = record
        self._text = text
        self._dataset: Dataset | None = None
        self._memory_bytes = memory_bytes
        self._memory: TrainingMemory | None = None
        self._trainer: Trainer | None = None
        self._run: TrainingRun | None = None
        self._device = ""
        self._state = "ready"
        self._changed = changed
        self._task: asyncio.Task[None] | None = None
        self._waiting: asyncio.Task[None] | None = None
        self._room: Room | None = None
        self._clear()

    @classmethod
    async def of(
        cls,
        world: World,
        datasets: Datasets,
        sml: str,
        example: str | None,
        memory_bytes: int | None,
        changed: Callable[[], Awaitable[None]],
    ) -> Training:
        """The training of a record's text. Raises `SCL-SML-TEXT`, `SCL-CATALOG-*`, `SCL-DATA-MISSING`."""
        record = parse_training(sml, built_in())
        text = await datasets.text(record.data.dataset)
        return cls(world, datasets, sml, example, record, text, memory_bytes, changed)

    def _clear(self) -> None:
        self._history = History()
        self._reported = self._resumed = 0
        self._kept: int | None = None
        self._times: list[float] = []
        self._shown_s = -1e9

    @property
    def elsewhere(self) -> bool:
        """Whether another tab trains it."""
        return self._state == "elsewhere"

    async def open(self) -> None:
        """Read its data and compile it; the page sees how far an earlier run came."""
        await self._prepare()
        self.show()

    async def start(self) -> None:
        """Train from where it stands. Pressed again while it runs, it changes nothing."""
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._go())

    async def weigh(self, memory_bytes: int | None) -> None:
        """Say what would save memory on a device that holds so much; None: what is assumed or tried."""
        self._memory_bytes = memory_bytes
        if self._memory is not None:
            self._memory = await weigh(self._memory.planned, self._sml, memory_bytes)
            if (
                self._memory is not None
                and not self._memory.fits
                and self._state not in ("running", "pausing")
            ):
                self._close()
                self._state = "too_large"
        if self._state == "too_large":
            await self._prepare()
        if self._memory is not None and self._memory.remedies is None:
            await self._memory.look(self._sml)
        self.show()

    def remedied(self, name: str) -> str:
        """The record's text with a remedy that `weigh` found. Raises `SCL-TRAIN-REMEDY`."""
        if self._memory is None:
            raise ScellisError("SCL-TRAIN-REMEDY", "Nothing is planned on this device.")
        return self._memory.remedied(name)

    async def pause(self) -> None:
        """Stop after the step that is under way, with a checkpoint."""
        if self._run is not None and self._state == "running":
            self._state = "pausing"
            self._run.pause()
            self.show()

    async def leave(self) -> None:
        """Pause, wait for it, and free the device."""
        if self._waiting is not None:
            self._waiting.cancel()
        await self.pause()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        self._close()

    async def restart(self) -> None:
        """Forget the checkpoints and stand at the beginning."""
        await self.leave()
        trainer = await self._prepared()
        with await claim_training(self._world.store, self.record):
            await checkpoint.forget(self._world.store, trainer)
            await forget_training(self._world.store, self.record.address)
        self._close()
        self._clear()
        self._state = "ready"
        await self.open()

    def _close(self) -> None:
        if self._trainer is not None:
            self._trainer.close()
        self._trainer = self._run = None

    async def _prepare(self) -> None:
        if self._trainer is not None:
            return
        if self._dataset is None:
            self._dataset = await self._datasets.read(self._text)
        device = await self._world.devices.main()
        self._device = device.kind
        planned = await plan_training(self.record, self._dataset, device)
        self._memory = await weigh(planned, self._sml, self._memory_bytes)
        if self._memory is not None and not self._memory.fits:
            self._state = "too_large"
            return
        self._trainer = await open_planned(planned)
        self._run = TrainingRun(
            self._trainer, self._world.store, on_report=self._on_report, on_checkpoint=self._on_checkpoint,
        )  # fmt: skip
        await self._resume(self._run)
        self._room = await room(self._world.store, self._trainer)
        await self._stands(self._run)

    async def _resume(self, run: TrainingRun) -> None:
        self._resumed = await run.resume()
        self._history = run.history
        if run.fault is not None:  # an earlier checkpoint goes on
            self._tell(run.fault)
        self._reported = self._resumed
        self._kept = self._resumed or None

    async def _stands(self, run: TrainingRun) -> None:
        """What is shown of one that does not go on here: it may in another tab, or have been cut off."""
        name, store = training_name(self.record.address), self._world.store
        held = name in await store.claimed(name)
        saved = await load_training(store, self.record.address)
        if held:
            self._state = "elsewhere"
            if self._waiting is None or self._waiting.done():
                self._waiting = asyncio.ensure_future(self._wait(run))
        elif saved is not None and saved.cut_off(held) and not run.progress.ended:
            self._state = "interrupted"
        else:
            self._state = run.progress.ended or ("paused" if self._resumed else "ready")

    async def _wait(self, run: TrainingRun) -> None:
        """Show where it stands once no other tab has it."""
        (await self._world.store.turn(training_name(self.record.address))).release()
        if run is self._run and self._state == "elsewhere":
            await self._resume(run)
            await self._stands(run)
            self.show()

    async def _prepared(self) -> Trainer:
        await self._prepare()
        if self._trainer is None:
            assert self._memory is not None
            self._memory.fitting.refuse("The screen says what saves memory.")
        assert self._trainer is not None
        return self._trainer

    async def _go(self) -> None:
        try:
            self._state = "compiling"
            self.show()
            trainer = await self._prepared()
            assert self._run is not None
            with await claim_training(self._world.store, self.record):
                await self._goes(self._run, trainer)
        except Exception as error:  # what ends a training is shown, whatever it is
            await self._failed(as_scellis_error(error))
        finally:
            self.show()
            await self._changed()

    async def _goes(self, run: TrainingRun, trainer: Trainer) -> None:
        last = max(await checkpoint.steps_kept(self._world.store, trainer), default=None)
        if last != self._kept:  # another tab has trained it meanwhile
            await self._resume(run)
        if not run.progress.ended or run.unkept is not None:
            self._room = await room(self._world.store, trainer)
            await self._save("running")
            await self._changed()
            self._state = "running"  # from now on a pause is heard
            self._times = []
            self.show()
            await run.go()
        self._state = run.progress.ended or "paused"
        await self._save(self._state)

    async def _failed(self, error: ScellisError) -> None:
        run = self._run
        if run is not None:
            self._history = run.history
        if error.code == "SCL-TRAIN-ELSEWHERE" and run is not None:
            await self._stands(run)
        elif run is not None and run.unkept is not None:  # it stands where it was, on the device
            self._state = "paused"
            self._room = await room(self._world.store, run.trainer)
        else:
            self._state = "fault" if self._memory is None or self._memory.fits else "too_large"
            self._close()
        self._tell(error)

    async def _save(self, state: str) -> None:
        """Have it listed, and found again. What finds no room is told of when a checkpoint does not."""
        total = self._trainer.total_steps if self._trainer else 0
        saved = SavedTraining(
            self.record.address, self.record.model, self._sml, state, self._kept or 0, total,
            self._world.clock.now_s(), self._example or "",
        )  # fmt: skip
        with suppress(ScellisError):
            await save_training(self._world.store, saved)

    def _tell(self, error: ScellisError) -> None:
        self._world.emit("fault", {**error.as_dict(), "id": error.message_id})

    # ---- what the run tells ----

    def _on_report(self, report: Report) -> None:
        self._reported = report.step + 1
        self._times = [*self._times[-RATE_WINDOW:], self._world.clock.now_s()]
        if self._times[-1] - self._shown_s >= SHOWN_EVERY_S:
            self.show()

    async def _on_checkpoint(self, step: int) -> None:
        self._kept = step
        assert self._trainer is not None
        self._room = await room(self._world.store, self._trainer)
        await self._save("running")
        await self._changed()

    # ---- showing ----

    def show(self) -> None:
        """Send the page what it shows."""
        self._shown_s = self._world.clock.now_s()
        self._world.emit("training", self.model())

    def model(self) -> Model:
        """What the page shows."""
        record, trainer = self.record, self._trainer
        total = trainer.total_steps if trainer else 0
        rate = self._rate() if self._state == "running" else None
        best = self._run.progress.best_epoch if self._run else 0
        history = self._history
        each = trainer.loader.steps_per_epoch if trainer else 0
        return {
            "model": record.model,
            "about": record.about,
            "example": self._example,
            "sml": self._sml,
            "record": record.address,
            "dataset": {
                "id": self._text.id,
                "address": self._dataset.address if self._dataset else None,
                "about": self._text.about,
                "licence": self._text.licence,
            },
            "determinism_tier": record.determinism_tier,
            "seed": str(record.seed),
            "device": self._device,
            "slow": self._device == "oracle",
            "parameters": trainer.parameters if trainer else 0,
            "memory": self._memory.model() if self._memory else None,
            "state": self._state,
            "step": self._reported,
            "total": total,
            "steps_per_epoch": each,
            "epochs": record.epochs,
            "kept": self._kept,
            "resumed": self._resumed,
            "unkept": self._run.progress.step if self._run and self._run.unkept else None,
            "room": None
            if self._room is None
            else {
                "each": self._room.each_bytes,
                "needed": self._room.needed_bytes,
                "free": self._room.free_bytes,
                "short": self._room.short,
            },
            "skipped": history.skipped,
            "rate": rate,
            "left_s": (total - self._reported) / rate if rate else None,
            "curve": history.curves["loss"].points,
            **{name: history.curves[name].points or None for name in CURVES if name != "loss"},
            "measures": [
                {
                    "epoch": epoch,
                    "step": epoch * each,
                    "values": {name.rpartition("/")[2]: value for name, value in measures.items()},
                }
                for epoch, measures in history.measures
            ],
            "best_epoch": best or None,
        }

    def _rate(self) -> float | None:
        span = self._times[-1] - self._times[0] if len(self._times) > 1 else 0.0
        return (len(self._times) - 1) / span if span > 0 else None
