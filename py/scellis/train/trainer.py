"""A training on a device: its steps, its measures, its state."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import Any

import attrs
import numpy as np

from scellis.device.protocol import Compiled, Device
from scellis.errors import ScellisError
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.op import Array
from scellis.graph.types import F32
from scellis.sml.training import TrainingRecord
from scellis.train.data import Batch, Dataset, Loader
from scellis.train.feed import Feed
from scellis.train.planned import PlannedTraining, plan_training
from scellis.train.step import Measure, Step, key_array


@attrs.frozen
class Report:
    """What a step gave back: `loss`, the mean over its parts, and what the record asks for besides.

    None stands for what is no finite number, or is not asked for.
    """

    step: int
    lr: float
    loss: float | None
    gradient_norm: float | None = None
    loss_scale: float | None = None
    skipped: bool = False
    """left out, for a gradient overflowed"""


class Trainer:
    """Steps of a record on a device. Made by `open_trainer`.

    The state stays on the device; `state` copies it back, `load` puts another there.
    """

    def __init__(
        self,
        record: TrainingRecord,
        dataset_address: str,
        loader: Loader,
        step: Step,
        measure: Measure,
        compiled: tuple[Compiled, Compiled],
        begin: Callable[[], Mapping[str, Array]],
    ) -> None:
        self.record = record
        self.dataset_address = dataset_address
        self.loader = loader
        self._step = step
        self._measure = measure
        self._stepper, self._measurer = compiled
        self._begin = begin
        self._feed = Feed(loader, record.accumulate, record.epochs * loader.steps_per_epoch)
        self._turn = asyncio.Lock()
        self._key = key_array(record.seed)
        self._pending: dict[str, Array] = {}
        self._names = tuple(step.inputs[place] for place in step.carry.values())

    def begin(self) -> None:
        """Stand at the beginning, whatever was done."""
        self.load(self._begin())

    @property
    def total_steps(self) -> int:
        """Steps of the whole training."""
        return self.record.epochs * self.loader.steps_per_epoch

    @property
    def state_bytes(self) -> int:
        """What a copy of the state takes."""
        types = (
            self._step.graph.types[self._step.graph.inputs[place]] for place in self._step.carry.values()
        )
        return sum(type_.size * np.dtype(NUMPY_TYPES[type_.dtype]).itemsize for type_ in types)

    @property
    def parameters(self) -> int:
        """Numbers in the model's parameters."""
        first = min(self._step.carry.values())
        types = [self._step.graph.types[node] for node in self._step.graph.inputs[first:]]
        return sum(
            type_.size
            for name, type_ in zip(self._names, types, strict=True)
            if name.startswith("parameter/")
        )

    def load(self, state: Mapping[str, Array]) -> None:
        """Go on from a state. Raises `SCL-TRAIN-STATE` for one of another record."""
        self.check(state)
        self._pending = dict(state)

    def check(self, state: Mapping[str, Array]) -> None:
        """Raise `SCL-TRAIN-STATE` unless a state has the arrays that this record's training has."""
        odd = set(state) ^ set(self._names)
        if odd:
            raise ScellisError("SCL-TRAIN-STATE", f"The state is of another record: {min(odd)[:120]} is odd.")
        graph, first = self._step.graph, min(self._step.carry.values())
        for place, name in enumerate(self._names, first):
            wanted = graph.types[graph.inputs[place]]
            kinds = {NUMPY_TYPES[wanted.dtype], *([np.float64] if wanted.dtype == F32 else [])}
            if state[name].shape != wanted.shape or state[name].dtype.type not in kinds:
                raise ScellisError(
                    "SCL-TRAIN-STATE",
                    f"{name} of the state is {state[name].shape} {state[name].dtype}; {wanted} is kept.",
                )

    async def step(self, step: int, lr: float) -> Report:
        """One step, of all its parts, with a learning rate. Steps are taken in the order of their calls."""
        async with self._turn:
            return await self._stepped(step, lr)

    async def _stepped(self, step: int, lr: float) -> Report:
        parts = self.record.accumulate
        losses = []
        found: dict[str, float] = {}
        for part in range(parts):
            batch = await self._feed.batch(step, part)
            given: dict[str, Array] = {
                "x": batch.x, "y": batch.y, "lr": np.array(lr, np.float32), "key": self._key,
                "index": np.array((step * parts + part) % 2**32, np.uint32),
                "first": np.array(part == 0, np.int32), "last": np.array(part == parts - 1, np.int32),
                **self._pending,
            }  # fmt: skip
            self._pending = {}
            results = await self._stepper.compute([given.get(name) for name in self._step.inputs])
            found = {
                name: float(np.asarray(value))
                for name, value in zip(self._step.reports, results, strict=False)
            }
            losses.append(found["loss"])
        return Report(
            step,
            lr,
            _finite(sum(losses) / parts),
            _finite(found.get("gradient_norm")),
            found.get("loss_scale"),
            skipped=not found.get("finite", 1),
        )

    async def measure(self) -> dict[str, float]:
        """Loss and metrics on what is held out; empty where nothing is."""
        if not self.loader.validations:
            return {}
        state: Mapping[str, Array | None] = await self.state()
        sums: Any = 0.0
        for number in range(self.loader.validations):
            sums = sums + await self._measured(await self._feed.validation(number), state)
            state = {}
        names = ["loss", *(use.id for use in self.record.metrics)]
        means = [float(total / count) for count, total in zip(sums[::2], sums[1::2], strict=True)]
        for place, use in enumerate(self.record.metrics):
            entry = self.record.entry(use, "metric")
            if "finish" in entry.module:
                means[place + 1] = float(entry.call("finish", means[place + 1], fields=use.fields))
        return dict(zip(names, means, strict=True))

    async def _measured(self, batch: Batch, state: Mapping[str, Array | None]) -> Array:
        given = {"x": batch.x, "y": batch.y, "weight": batch.weight, **state}
        found = await self._measurer.compute([given.get(name) for name in self._measure.inputs])
        return np.array([float(np.asarray(value)) for value in found])

    async def state(self) -> dict[str, Array]:
        """Copies of all that a next step hangs on, by their paths."""
        if self._pending:
            return dict(self._pending)
        first = min(self._step.carry.values())
        return {name: await self._stepper.read(first + place) for place, name in enumerate(self._names)}

    def close(self) -> None:
        """Free what is held on the device; closing twice is once."""
        self._feed.close()
        self._stepper.close()
        self._measurer.close()


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None


async def open_trainer(record: TrainingRecord, dataset: Dataset, device: Device) -> Trainer:
    """Compile a record's steps for a device, at the state that it begins with.

    Raises what `plan_training` raises, and `SCL-GPU-*`.
    """
    return await open_planned(await plan_training(record, dataset, device))


async def open_planned(planned: PlannedTraining) -> Trainer:
    """Compile what is planned, at the state that it begins with. Raises `SCL-GPU-*`."""
    record = planned.record

    def begin() -> Mapping[str, Array]:
        return planned.begin.compute(record.seed)

    state = begin()
    compiled = await planned.compile()
    trainer = Trainer(
        record, planned.dataset.address, planned.loader, planned.step, planned.measure, compiled, begin
    )
    trainer.load(state)
    return trainer
