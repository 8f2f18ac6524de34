"""Trainings of examples on a device in both precisions; whether one that was stopped ends in the same bits.

On this machine's driver, through wgpu-py:   python tests/bench/training.py [OPTIONS AS JSON]
In Node, as in a tab (Pyodide and Dawn):      node tests/bench/node/bench.mjs RUNTIME OPTIONS training

The examples' files are those of a built site, in dist/data.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from scellis.catalog.library import built_in
from scellis.content.store import MemoryStore
from scellis.device.gpu import GpuDevice
from scellis.sml.dataset import parse_dataset
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train.data import Dataset
from scellis.train.reading import read_dataset
from scellis.train.run import TrainingRun
from scellis.train.trainer import Report, Trainer, open_trainer

ROOT = Path(__file__).parents[2]
PRECISIONS = ("f32", "mixed_f16")


@attrs.frozen
class Options:
    """Which examples to train, and after which steps one of tier debug is stopped."""

    examples: Sequence[str] = ("digits_mlp", "digits_cnn")
    stops: Sequence[int] = (7, 100)


async def bench(
    device: GpuDevice, clock: Callable[[], float], options: Options, say: Callable[[str], None]
) -> None:
    """Train everything and say each finding."""
    say(f"adapter: {device.fingerprint['adapter']} ({device.fingerprint['class']}, {device.kind})")
    say(f"f16 of its own: {'shader-f16' in device.features}")
    for example in options.examples:
        for policy in PRECISIONS:
            record, dataset = example_of(example, policy, "prod")
            trainer = await open_trainer(record, dataset, device)
            reports: list[Report] = []
            start = clock()
            await TrainingRun(trainer, MemoryStore(), on_report=reports.append).go()
            seconds = clock() - start
            found = {
                "case": example, "precision": policy, "steps": len(reports), "s": round(seconds, 2),
                "last_loss": reports[-1].loss, "skipped": sum(report.skipped for report in reports),
                "loss_scale": reports[-1].loss_scale, **await trainer.measure(),
            }  # fmt: skip
            trainer.close()
            say(json.dumps(found))
    for policy in PRECISIONS:
        ends = [await _end(device, options.examples[0], policy, stops) for stops in ((), options.stops)]
        same = ends[0] == ends[1]
        say(json.dumps({"case": "stopped and resumed, debug", "precision": policy, "same_bits": same}))


async def _end(device: GpuDevice, example: str, policy: str, stops: Sequence[int]) -> dict[str, bytes]:
    """The state in which a training ends, stopped after these steps, and each time opened anew."""
    record, dataset = example_of(example, policy, "debug")
    store = MemoryStore()
    for stop in (*stops, None):
        trainer = await open_trainer(record, dataset, device)
        run = _stopped_after(stop, trainer, store)
        await run.resume()
        await run.go()
        state = {name: array.tobytes() for name, array in (await trainer.state()).items()}
        trainer.close()
    return state


def _stopped_after(step: int | None, trainer: Trainer, store: MemoryStore) -> TrainingRun:
    def reported(report: Report) -> None:
        if report.step + 1 == step:
            run.pause()

    run = TrainingRun(trainer, store, on_report=reported)
    return run


def example_of(name: str, policy: str, tier: str) -> tuple[TrainingRecord, Dataset]:
    """An example's record in a precision and a tier, and its dataset."""
    text = (ROOT / "examples" / f"{name}.sml").read_text()
    lines = [line for line in text.splitlines() if not line.startswith(("precision", "determinism_tier"))]
    lines += [f"precision: {{ policy: {policy} }}", f"determinism_tier: {tier}"]
    record = parse_training("\n".join(lines) + "\n", built_in())
    dataset = record.data.dataset.partition("@")[0]
    described = parse_dataset((ROOT / "examples" / "data" / f"{dataset}.sml").read_text())
    files = {file: (ROOT / "dist" / "data" / file).read_bytes() for file in described.files}
    return record, read_dataset(described, files)


async def main(options: Options) -> None:
    """On this machine's own driver."""
    from scellis.device.native import open_native

    device = await open_native()
    try:
        await bench(device, time.perf_counter, options, print)
    finally:
        await device.close()


if __name__ == "__main__":
    asyncio.run(main(Options(**json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}"))))
