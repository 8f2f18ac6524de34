"""A training with a store: it begins, goes on from its last checkpoint, and keeps what is due."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable

from scellis.content.store import Claim, Store
from scellis.errors import ScellisError
from scellis.sml.training import TrainingRecord
from scellis.train import checkpoint
from scellis.train.history import History
from scellis.train.loop import Progress, fit
from scellis.train.trainer import Report, Trainer

TRAINING = "training-"


def training_name(record: str) -> str:
    """What is held in a store while the training of the record at this address goes on there."""
    return TRAINING + record.removeprefix("sha256:")[:32]


async def claim_training(store: Store, record: TrainingRecord) -> Claim:
    """Have a record's training alone. Raises `SCL-TRAIN-ELSEWHERE` where another tab or process has it."""
    claim = await store.claim(training_name(record.address))
    if claim is None:
        raise ScellisError(
            "SCL-TRAIN-ELSEWHERE",
            f"{record.model} is being trained in another tab or process, which keeps its checkpoints here.",
            "Go on there, or pause it there first.",
        )
    return claim


async def unheard(step: int) -> None:
    """Nobody wants to know of checkpoints."""


class TrainingRun:
    """A watcher that keeps checkpoints and tells others. `pause` stops it after the step under way.

    `progress` and `history` say where it stands: while it goes, at the step that was begun last; after an
    error, at the last checkpoint. `unkept` is why a checkpoint could not be written: the training is paused
    then, and stands, with all that it has done, where it could not be kept.
    """

    def __init__(
        self,
        trainer: Trainer,
        store: Store,
        *,
        on_report: Callable[[Report], None] = lambda report: None,
        on_measures: Callable[[int, dict[str, float]], None] = lambda epoch, measures: None,
        on_checkpoint: Callable[[int], Awaitable[None]] = unheard,
    ) -> None:
        self.trainer = trainer
        self.progress = Progress()
        self.history = History()
        self.fault: ScellisError | None = None
        self.unkept: ScellisError | None = None
        self._kept = (Progress(), History())
        self._behind = False
        self._store = store
        self._on_report = on_report
        self._on_measures = on_measures
        self._on_checkpoint = on_checkpoint
        self._stops = False

    async def resume(self) -> int:
        """Go on from the last checkpoint that can be read; its step, 0 where there is none.

        Of one that is damaged the error is raised where no earlier one can be read; else it is `fault`.
        """
        self.fault = self.unkept = None
        for step in reversed(await checkpoint.steps_kept(self._store, self.trainer)):
            try:
                self._stands(*await checkpoint.load(self._store, self.trainer, step))
            except ScellisError as error:
                self.fault = self.fault or error
                continue
            return step
        if self.fault:
            raise self.fault
        if self._behind or self.progress.step:
            self.trainer.begin()
        self._stands(Progress(), History())
        return 0

    async def go(self) -> Progress:
        """Train until the end or a pause. Raises what `fit` raises; the last checkpoint is kept.

        `SCL-STORE-FULL` is raised for a checkpoint that could not be written, at `progress`; called again, it
        writes that first. After any other error the next call goes on from the last checkpoint.
        """
        self._stops = False
        if self._behind:
            await self.resume()
        if self.unkept is not None:
            await self.keep(self.trainer, self.progress)
        if self.unkept is None and not self.progress.ended:
            self._behind = True
            try:
                self.progress = await fit(self.trainer, self.progress, self)
                self._behind = False
            finally:
                if self._behind:
                    self.progress, self.history = copy.deepcopy(self._kept)
        if self.unkept is not None:
            raise self.unkept
        return self.progress

    def _stands(self, progress: Progress, history: History) -> None:
        self.progress, self.history = progress, history
        self._kept = copy.deepcopy((progress, history))
        self._behind = False

    def pause(self) -> None:
        """Stop after the step that is under way, with a checkpoint."""
        self._stops = True

    # ---- as a watcher ----

    def reported(self, report: Report) -> None:
        self.history.reported(report)
        self._on_report(report)

    def measured(self, epoch: int, measures: dict[str, float], *, best: bool) -> None:
        self.history.measured(epoch, measures)
        self._on_measures(epoch, measures)

    async def keep(self, trainer: Trainer, progress: Progress) -> None:
        self.unkept = None
        try:
            await self._keep(trainer, progress)
        except ScellisError as error:
            if error.code != "SCL-STORE-FULL":
                raise
            self.unkept = error

    async def _keep(self, trainer: Trainer, progress: Progress) -> None:
        await checkpoint.save(self._store, trainer, progress, self.history)
        self._kept = copy.deepcopy((progress, self.history))
        await self._on_checkpoint(progress.step)
        best = progress.best_epoch * trainer.loader.steps_per_epoch
        await checkpoint.retain(self._store, trainer, progress.step, best or None)

    def stops(self) -> bool:
        return self._stops or self.unkept is not None
