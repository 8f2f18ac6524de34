"""A training before anything of it is on a device: its graphs, and the buffers that they would take there."""

from __future__ import annotations

from functools import cached_property

import attrs

from scellis.device.protocol import Compiled, Device, Planned
from scellis.errors import ScellisError
from scellis.graph import Graph
from scellis.sml.training import TrainingRecord
from scellis.train.data import Dataset, Loader
from scellis.train.memory import Memory, memory_of
from scellis.train.numbers import check_numbers
from scellis.train.step import Beginning, Measure, Step, Types, beginning, evaluation, training_step


@attrs.frozen(eq=False, slots=False)
class PlannedTraining:
    """What `plan_training` makes. What is planned is what `compile` makes on the device: no second plan."""

    record: TrainingRecord
    dataset: Dataset
    device: Device
    loader: Loader
    begin: Beginning
    step: Step
    measure: Measure
    plans: tuple[Planned, Planned] | None
    """of the step and of the validation; None where the device has no buffers"""

    @cached_property
    def memory(self) -> Memory | None:
        """What the training takes on the device; None where that has no buffers."""
        if self.plans is None:
            return None
        return memory_of(self.record, self.step, self.measure, *self.plans)

    async def compile(self) -> tuple[Compiled, Compiled]:
        """The step and the validation on the device. Raises `SCL-GPU-*`."""
        stepper = await self._compile(0, self.step.graph)
        try:
            return stepper, await self._compile(1, self.measure.graph)
        except BaseException:
            stepper.close()
            raise

    async def _compile(self, number: int, graph: Graph) -> Compiled:
        if self.plans is not None:
            return await self.plans[number].compile()
        carry = self.step.carry if number == 0 else None
        return await self.device.compile(graph, self.record.determinism_tier, carry)


async def plan_training(record: TrainingRecord, dataset: Dataset, device: Device) -> PlannedTraining:
    """Trace a record's steps and plan them for a device, on which nothing is made yet.

    Raises what its entries raise where they do not fit one another, `SCL-DATA-*`, `SCL-KERNEL-*`.
    """
    if dataset.id != record.data.dataset:
        raise ScellisError("SCL-TRAIN-DATASET", f"The record reads {record.data.dataset}, not {dataset.id}.")
    loader = Loader(dataset, record.data, record.batch_size, record.accumulate, record.seed)
    types = Types.of(record.batch_size, loader.example_types)
    begin = beginning(record, types)
    step = training_step(record, types, begin.types)
    measure = evaluation(record, types, begin.types)
    check_numbers(record, dataset, measure.classes)
    stepper = await device.plan(step.graph, record.determinism_tier, step.carry)
    measurer = await device.plan(measure.graph, record.determinism_tier)
    plans = (stepper, measurer) if stepper and measurer else None
    return PlannedTraining(record, dataset, device, loader, begin, step, measure, plans)
