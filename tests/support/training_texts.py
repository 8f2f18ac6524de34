"""Texts of small trainings, the data that they read, and running them."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Collection, Mapping, Sequence

import attrs
import numpy as np

from scellis.catalog.library import built_in
from scellis.content.store import Store
from scellis.device.carried import OracleGraph
from scellis.device.oracle import OracleDevice
from scellis.device.protocol import Device
from scellis.errors import ScellisError
from scellis.graph import Graph, compute
from scellis.graph.op import Array
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train.data import Dataset
from scellis.train.run import TrainingRun
from scellis.train.trainer import Report, Trainer, open_trainer

FIELDS = {
    "sml": "1",
    "model": "user/test/small@1",
    "data": "{ dataset: dots@1, input: points, target: kind, validation: 0.25 }",
    "layers": "{ hidden: { block_id: model/layer/linear, out_features: 6 },"
    " active: { block_id: model/layer/gelu }, logits: { block_id: model/layer/linear, out_features: 2 } }",
    "optimizer": "{ block_id: training/optimizer/adamw, lr: 0.02 }",
    "scheduler": "{ block_id: training/scheduler/constant }",
    "loss": "{ block_id: training/loss/cross_entropy }",
    "epochs": "2",
    "batch_size": "8",
    "determinism_tier": "debug",
    "seed": "42",
}

EVERYTHING = {
    "data": "{ dataset: dots@1, input: points, target: height, validation: 0.25,"
    " augment: [{ block_id: data/augmentation/noise, std: 0.05 }] }",
    "layers": "{ scale: { block_id: model/layer/batch_norm },"
    " hidden: { block_id: model/layer/linear, out_features: 6 }, active: { block_id: model/layer/gelu },"
    " drop: { block_id: model/layer/dropout, rate: 0.2 },"
    " height: { block_id: model/layer/linear, out_features: 1 } }",
    "optimizer": "{ block_id: training/optimizer/adamw, lr: 0.5 }",
    "scheduler": "{ block_id: training/scheduler/plateau, factor: 0.5, patience: 0 }",
    "loss": "{ block_id: training/loss/mse }",
    "metrics": "[{ block_id: training/metric/rmse }]",
    "epochs": "8",
    "batch_size": "3",
    "accumulate": "2",
    "grad_clip": "{ max_norm: 1.0 }",
    "precision": "{ policy: mixed_f16, master_weights: f32, loss_scaling: dynamic }",
    "early_stop": "{ patience: 2 }",
    "checkpoint": "{ every_steps: 3, keep: 2 }",
    "decide_after": "3",
}
"""All at once that a stop might change."""


def training_text(changes: Mapping[str, str | None] | None = None, **more: str | None) -> str:
    """A record, a line a field; None leaves a field out."""
    fields = {**FIELDS, **(changes or {}), **more}
    return "".join(f"{name}: {value}\n" for name, value in fields.items() if value is not None)


def training(changes: Mapping[str, str | None] | None = None, **more: str | None) -> TrainingRecord:
    return parse_training(training_text(changes, **more), built_in())


def dots(count: int = 40, height: float = 100.0) -> Dataset:
    """Points of a plane; `height` times the product of their coordinates; whether that is above 0."""
    points = np.random.default_rng(5).normal(size=(count, 2)).astype(np.float32)
    product = points.prod(axis=1, keepdims=True)
    kind = (product[:, 0] > 0).astype(np.int32)
    return Dataset("dots", 1, {"points": points, "height": product * np.float32(height), "kind": kind})


@attrs.frozen
class Told:
    """What a run tells, in order."""

    reports: list[Report] = attrs.field(factory=list)
    measures: list[tuple[int, dict[str, float]]] = attrs.field(factory=list)
    checkpoints: list[int] = attrs.field(factory=list)

    async def kept(self, step: int) -> None:
        self.checkpoints.append(step)

    def run(self, trainer: Trainer, store: Store) -> TrainingRun:
        return TrainingRun(
            trainer, store, on_report=self.reports.append,
            on_measures=lambda epoch, found: self.measures.append((epoch, found)),
            on_checkpoint=self.kept,
        )  # fmt: skip


def pause_after(run: TrainingRun, stops: Collection[int]) -> None:
    """Have a run pause after so many steps."""
    run.stops = lambda: run.progress.step in stops  # type: ignore[method-assign]


async def trained(
    record: TrainingRecord,
    dataset: Dataset,
    store: Store,
    stops: Sequence[int] = (),
    device: Device | None = None,
) -> tuple[dict[str, Array], Told]:
    """A whole training, which is taken down and set up anew after each of these steps."""
    told = Told()
    while True:
        trainer = await open_trainer(record, dataset, device or OracleDevice())
        run = told.run(trainer, store)
        at = await run.resume()
        pause_after(run, [stop for stop in stops if stop > at])
        progress = await run.go()
        state = await trainer.state()
        trainer.close()
        if progress.ended:
            return state, told


def same_bits(first: Mapping[str, Array], second: Mapping[str, Array]) -> bool:
    return first.keys() == second.keys() and all(
        array.dtype == second[name].dtype and array.tobytes() == second[name].tobytes()
        for name, array in first.items()
    )


class NarrowDevice(OracleDevice):
    """The oracle in the types that a graph has: f16 and f32 round and overflow, as on a GPU.

    With `turns`, results come back so many turns of the event loop later, one number after the other.
    `fails_at` computes that many graphs and then no more.
    """

    def __init__(self, turns: Sequence[int] = (0,), fails_at: int | None = None) -> None:
        super().__init__()
        self._turns = itertools.cycle(turns)
        self._left = fails_at

    def comes_back(self) -> None:
        """From now on it fails no more."""
        self._left = None

    async def compile(
        self, graph: Graph, tier: str, carry: Mapping[int, int] | None = None, trap: str = ""
    ) -> OracleGraph:
        async def computed(inputs: list[Array]) -> list[Array]:
            if self._left is not None:
                self._left -= 1
                if self._left < 0:
                    raise ScellisError("SCL-GPU-LOST", "The device went away.")
            found = compute(graph, inputs, wide=False)
            for _ in range(next(self._turns)):
                await asyncio.sleep(0)
            return found

        return OracleGraph(graph, carry, computed)
