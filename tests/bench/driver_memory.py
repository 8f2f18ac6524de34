"""What a training is planned to take, what its buffers took, and what the driver of an NVIDIA card counts.

In Node, as in a tab (Pyodide and Dawn), a case at a time, so that none finds another's memory still held:

    node tests/bench/node/bench.mjs RUNTIME '{"case": "parameters"}' driver_memory
"""

from __future__ import annotations

import json
from collections.abc import Callable

import attrs
import machine  # what bench.mjs tells of the machine
import numpy as np

from bench.training import example_of
from scellis.content.store import MemoryStore
from scellis.device.gpu import GpuDevice
from scellis.sml.training import TrainingRecord
from scellis.train.data import Dataset
from scellis.train.planned import plan_training
from scellis.train.run import TrainingRun
from scellis.train.trainer import Report, open_planned
from support.training_texts import training

_LINEAR = "{{ block_id: model/layer/linear, out_features: {} }}"
_ACTIVE = "{ block_id: model/layer/gelu }"


def _layers(width: int) -> str:
    """Three layers of a width, and two logits."""
    linear = _LINEAR.format(width)
    return (
        f"{{ first: {linear}, one: {_ACTIVE}, second: {linear}, two: {_ACTIVE}, third: {linear},"
        f" three: {_ACTIVE}, logits: {_LINEAR.format(2)} }}"
    )


_PARAMETERS = {"layers": _layers(4096), "batch_size": "256"}
_ACTIVATIONS = {"layers": _layers(1024), "batch_size": "16384"}
CASES: dict[str, dict[str, str]] = {
    "parameters": _PARAMETERS,
    "mixed f16": _PARAMETERS | {"precision": "{ policy: mixed_f16 }"},
    "activations": _ACTIVATIONS,
    "rematerialised": _ACTIVATIONS | {"rematerialise": "{ every_layers: 3 }"},
}
FEATURES = 64
STEPS = 20


@attrs.frozen
class Options:
    """Which case: one of CASES, or an example's name."""

    case: str = "parameters"


async def bench(
    device: GpuDevice, clock: Callable[[], float], options: Options, say: Callable[[str], None]
) -> None:
    """Say what was planned, taken and counted, all in bytes."""
    record, dataset = _case(options.case)
    counts = [machine.driver_bytes()]
    held = device.gpu.stats()["bytes"]
    planned = await plan_training(record, dataset, device)
    assert planned.memory is not None
    trainer = await open_planned(planned)

    def reported(report: Report) -> None:
        counts.append(machine.driver_bytes())
        if report.step + 1 == min(STEPS, trainer.loader.steps_per_epoch):
            run.pause()

    run = TrainingRun(trainer, MemoryStore(), on_report=reported)
    await run.go()
    counts.append(machine.driver_bytes())
    taken = device.gpu.stats()["peak_bytes"] - held
    trainer.close()
    driver = max(counts) - counts[0]
    share = round(planned.memory.bytes / driver, 3) if driver else None
    found = {"case": options.case, "planned": planned.memory.bytes, "taken": taken, "driver": driver}
    say(json.dumps(found | {"planned_of_driver": share}))


def _case(name: str) -> tuple[TrainingRecord, Dataset]:
    if name not in CASES:
        return example_of(name, "f32", "prod")
    record = training(CASES[name], determinism_tier="prod")
    points = np.random.default_rng(5).normal(size=(4 * record.batch_size, FEATURES)).astype(np.float32)
    return record, Dataset("dots", 1, {"points": points, "kind": (points[:, 0] > 0).astype(np.int32)})
