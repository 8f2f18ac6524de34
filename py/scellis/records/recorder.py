"""Writing the record of a training while it is run: with each checkpoint, and when it is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from scellis import ENGINE_VERSION
from scellis.content import address
from scellis.content.store import Store
from scellis.errors import ScellisError
from scellis.kernels.table import kernel_table_address
from scellis.records.trained import (
    PinnedData,
    PinnedProgram,
    Sitting,
    TrainedRun,
    kept_losses,
    own_entries,
    sittings_up_to,
)
from scellis.records.trained_store import KeptRun, keep_run, load_run, new_ref, prefix_of
from scellis.train import checkpoint
from scellis.train.manifest import manifest_of, ref_of
from scellis.train.planned import PlannedTraining
from scellis.train.run import TrainingRun

INTERRUPTED = "interrupted"


@attrs.frozen
class Texts:
    """What a training was read from: its own SML text and its dataset's."""

    training: str
    dataset: str


class Recorder:
    """The record of one sitting of a training, and of those before that it goes on from.

    `now_s` is the clock: seconds since 1970.
    """

    def __init__(
        self, store: Store, planned: PlannedTraining, texts: Texts, now_s: Callable[[], float]
    ) -> None:
        self._store = store
        self._planned = planned
        self._texts = texts
        self._now_s = now_s
        self._device: dict[str, Any] = dict(planned.device.fingerprint)
        self._training = planned.record.address
        self._program = PinnedProgram(planned.step.graph.address, planned.measure.graph.address)
        self._ref = ""
        self._before: tuple[Sitting, ...] = ()
        self._first = 0
        self._begun_s = 0.0

    async def begin(self, step: int) -> None:
        """A sitting begins at a step: it goes on with the run that came there, or begins a new one."""
        self._first, self._begun_s = step, self._now_s()
        earlier = await self._earlier() if step else None
        self._ref = earlier.ref if earlier else new_ref(self._training, self._begun_s)
        self._before = sittings_up_to(earlier.run.sittings, step) if earlier else ()
        if self._before and self._before[-1].last != step:  # what came between was not written down
            self._before = ()

    async def _earlier(self) -> KeptRun | None:
        refs = await self._store.refs(prefix_of(self._training))
        try:
            found = await load_run(self._store, refs[-1]) if refs else None
        except ScellisError:
            return None  # damaged: `kept_runs` tells of it
        return found if found and found.run.dataset.address == self._planned.dataset.address else None

    async def keep(self, run: TrainingRun, state: str = INTERRUPTED) -> TrainedRun:
        """Keep the record of a run where it stands, and where its last checkpoint does.

        Raises `SCL-STORE-FULL`.
        """
        found = await self._record(run, state)
        await keep_run(self._store, self._ref, found, run.history)
        return found

    async def _record(self, run: TrainingRun, state: str) -> TrainedRun:
        planned, history, step = self._planned, run.history, run.progress.step
        sitting = Sitting(self._first, step, self._begun_s, max(self._begun_s, self._now_s()), self._device)
        epoch, measures = history.measures[-1] if history.measures else (0, {})
        return TrainedRun(
            sml=self._texts.training,
            entries=own_entries(planned.record),
            training=planned.record.as_json(),
            program=self._program,
            dataset=PinnedData(planned.dataset.id, planned.dataset.address, self._texts.dataset),
            engine=ENGINE_VERSION,
            kernel_table=kernel_table_address(),
            sittings=(*self._before, sitting),
            state=state,
            step=step,
            total=run.trainer.total_steps,
            checkpoints=await self._checkpoints(run),
            curve=address(history.to_bytes()),
            losses=kept_losses(dict(history.curves["loss"].points)),
            epoch=epoch,
            measures=dict(measures),
        )

    async def _checkpoints(self, run: TrainingRun) -> dict[str, str]:
        found = {}
        for step in await checkpoint.steps_kept(self._store, run.trainer):
            manifest = await manifest_of(self._store, ref_of(run.trainer, step))
            if manifest is not None and step <= run.progress.step:
                found[str(step)] = manifest
        return found
