"""The loop: plain Python that a person can read, and replace.

What hangs on a step's report takes effect `decide_after` steps later, whenever the report arrives: so the
bits of a training do not depend on how fast a device answers.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from typing import Any, Protocol

import attrs

from scellis.errors import ScellisError
from scellis.train.schedule import Schedule, SchedulerState
from scellis.train.trainer import Report, Trainer

LEAST_SCALE = 2.0**-14
"""A loss scale below it, f16's least normal number, helps no gradient: what overflows there is no number."""


@attrs.define
class Progress:
    """How far a training is: all that the host keeps from one step to the next."""

    step: int = 0
    pending: list[Report] = attrs.field(factory=list)
    """reports that nothing has been decided by yet"""
    scheduler: SchedulerState = None
    best: float | None = None
    """the least validation loss so far"""
    best_epoch: int = 0
    ended: str = ""
    """why it ended: `done` or `early_stop`"""


class Watcher(Protocol):
    """Who follows a training."""

    def reported(self, report: Report) -> None:
        """A step's report, in the order of steps."""

    def measured(self, epoch: int, measures: dict[str, float], *, best: bool) -> None:
        """What a validation found at the end of an epoch, from 1 on."""

    async def keep(self, trainer: Trainer, progress: Progress) -> None:
        """A checkpoint is due."""

    def stops(self) -> bool:
        """Whether the training is to pause after this step."""


async def fit(trainer: Trainer, progress: Progress, watcher: Watcher) -> Progress:
    """Train from where `progress` stands to the end, or until the watcher stops it; a checkpoint is kept.

    `progress` moves on with each step that is begun. After an error it is ahead of what the device holds:
    whoever goes on does so from a checkpoint. Raises `SCL-TRAIN-DIVERGED` for a loss that is no number, or
    gradients that overflow at every loss scale, and what the device raises.
    """
    record, total = trainer.record, trainer.total_steps
    schedule = Schedule(record, total)
    if progress.step == 0:
        progress.scheduler = schedule.start()
    flying: deque[asyncio.Future[Report]] = deque(map(_known, progress.pending))
    try:
        while progress.step < total and not progress.ended:
            if len(flying) >= record.decide_after:
                _decide(await flying[0], watcher)
                flying.popleft()
            rate = schedule.rate(progress.step, progress.scheduler)
            flying.append(asyncio.ensure_future(trainer.step(progress.step, rate)))
            progress.step += 1
            due = progress.step % record.checkpoint_steps == 0
            if progress.step % trainer.loader.steps_per_epoch == 0:
                await asyncio.gather(*flying)
                due |= await _validate(trainer, progress, schedule, watcher)
            if due or (watcher.stops() and not progress.ended):
                progress.pending = list(await asyncio.gather(*flying))
                for report in progress.pending:
                    _check(report)  # so that no checkpoint is kept of what has diverged
                await watcher.keep(trainer, progress)
                if watcher.stops() and not progress.ended:
                    return progress
        while flying:
            _decide(await flying[0], watcher)
            flying.popleft()
    finally:
        await asyncio.gather(*flying, return_exceptions=True)  # so that none fails unheard
    progress.pending = []
    progress.ended = progress.ended or "done"
    await watcher.keep(trainer, progress)
    return progress


def _decide(report: Report, watcher: Watcher) -> None:
    """What a step's report means for those that follow."""
    _check(report)
    watcher.reported(report)


def _check(report: Report) -> None:
    if report.loss is None and not report.skipped:
        raise diverged(f"The loss of step {report.step} is no number any more.")
    if report.skipped and report.loss_scale is not None and report.loss_scale < LEAST_SCALE:
        raise diverged(f"Step {report.step} overflows even at the loss scale {report.loss_scale:g}.")


def diverged(what: str) -> ScellisError:
    """The error of a training that leads nowhere."""
    return ScellisError(
        "SCL-TRAIN-DIVERGED",
        what,
        "Take a smaller learning rate, clip gradients, or go on from a checkpoint before it.",
    )


async def _validate(trainer: Trainer, progress: Progress, schedule: Schedule, watcher: Watcher) -> bool:
    """The end of an epoch: measures, the scheduler's view of them, early stop. Whether it is the best."""
    measures = await trainer.measure()
    if not measures:
        return False
    epoch = progress.step // trainer.loader.steps_per_epoch
    if not math.isfinite(measures["loss"]):
        raise diverged(f"The validation loss of epoch {epoch} is no number any more.")
    best = progress.best is None or measures["loss"] < progress.best
    if best:
        progress.best, progress.best_epoch = measures["loss"], epoch
    watcher.measured(epoch, measures, best=best)
    progress.scheduler = schedule.watch(measures["loss"], progress.scheduler)
    patience = trainer.record.patience
    if patience is not None and epoch - progress.best_epoch >= patience:
        progress.ended = "early_stop"
    return best


def _known(report: Report) -> asyncio.Future[Any]:
    found = asyncio.get_running_loop().create_future()
    found.set_result(report)
    return found
