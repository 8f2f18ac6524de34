"""What trainings are planned to take beside what their buffers took, as a table.

On this machine's driver, through wgpu-py:   python tests/bench/training_memory.py
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.training import PRECISIONS, example_of
from scellis.content.store import MemoryStore
from scellis.device.native import open_native
from scellis.sml.training import TrainingRecord
from scellis.train.data import Dataset
from scellis.train.planned import plan_training
from scellis.train.run import TrainingRun
from scellis.train.trainer import Report, open_planned
from support.memory_cases import MEMORY_CASES
from support.training_texts import dots, training

EXAMPLES = ("digits_mlp", "digits_cnn", "iris", "breast_cancer", "diabetes")


async def main() -> None:
    """Print a line of the table for each training."""
    cases = {name: (training(changes), dots()) for name, changes in MEMORY_CASES.items()}
    for name in EXAMPLES:
        cases |= {f"{name}.sml, {policy}": example_of(name, policy, "prod") for policy in PRECISIONS}
    print("| training | planned, bytes | taken, bytes | planned of taken |\n| --- | --- | --- | --- |")
    for name, (record, dataset) in cases.items():
        planned, taken = await _compared(record, dataset)
        print(f"| {name} | {planned} | {taken} | {planned / taken:.3f} |", flush=True)


async def _compared(record: TrainingRecord, dataset: Dataset) -> tuple[int, int]:
    device = await open_native(plans=False)
    before = device.gpu.stats()["bytes"]
    planned = await plan_training(record, dataset, device)
    trainer = await open_planned(planned)

    def reported(report: Report) -> None:
        if report.step + 1 == trainer.loader.steps_per_epoch:  # a validation follows, and a checkpoint
            run.pause()

    run = TrainingRun(trainer, MemoryStore(), on_report=reported)
    await run.go()
    trainer.close()
    taken = device.gpu.stats()["peak_bytes"] - before
    await device.close()
    memory = planned.memory
    assert memory is not None
    return memory.bytes, taken


if __name__ == "__main__":
    asyncio.run(main())
