"""A training with a store: it begins, goes on from its last checkpoint, and keeps what is due."""

from __future__ import annotations

from collections.abc import Callable

from scellis.content.store import Store
from scellis.errors import ScellisError
from scellis.train import checkpoint
from scellis.train.history import History
from scellis.train.loop import Progress, fit
from scellis.train.trainer import Report, Trainer


class TrainingRun:
    """A watcher that keeps checkpoints and tells others. `pause` stops it after the step under way."""

    def __init__(
        self,
        trainer: Trainer,
        store: Store,
        *,
        on_report: Callable[[Report], None] = lambda report: None,
        on_measures: Callable[[int, dict[str, float]], None] = lambda epoch, measures: None,
        on_checkpoint: Callable[[int], None] = lambda step: None,
    ) -> None:
        self.trainer = trainer
        self.progress = Progress()
        self.history = History()
        self.fault: ScellisError | None = None
        self._store = store
        self._on_report = on_report
        self._on_measures = on_measures
        self._on_checkpoint = on_checkpoint
        self._stops = False

    async def resume(self) -> int:
        """Go on from the last checkpoint that can be read; its step, 0 where there is none.

        Of one that is damaged the error is raised where no earlier one can be read; else it is `fault`.
        """
        self.fault = None
        for step in reversed(await checkpoint.steps_kept(self._store, self.trainer)):
            try:
                self.progress, self.history = await checkpoint.load(self._store, self.trainer, step)
            except ScellisError as error:
                self.fault = self.fault or error
                continue
            return step
        if self.fault:
            raise self.fault
        return 0

    async def go(self) -> Progress:
        """Train until the end or a pause. Raises what `fit` raises; the last checkpoint is kept."""
        self._stops = False
        self.progress = await fit(self.trainer, self.progress, self)
        return self.progress

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
        await checkpoint.save(self._store, trainer, progress, self.history)
        best = progress.best_epoch * trainer.loader.steps_per_epoch
        await checkpoint.retain(self._store, trainer, progress.step, best or None)
        self._on_checkpoint(progress.step)

    def stops(self) -> bool:
        return self._stops
