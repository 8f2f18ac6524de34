"""A record's training from several seeds: what its last validation finds, and the mean.

    PYTHONPATH=py python tests/bench/seeds.py examples/digits_mlp.sml --seeds 5 --device oracle

The seed decides which examples are held out, what the parameters begin with and the order of the batches, so
each seed is another division of the data. Nothing is chosen by what it finds: all of them are printed.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

import attrs
import numpy as np

from scellis.cli.datasets import find_dataset
from scellis.cli.devices import add_device_arguments, open_device
from scellis.cli.train import read_record
from scellis.content import MemoryStore
from scellis.train.run import TrainingRun
from scellis.train.trainer import open_trainer


async def main() -> None:
    """Train, and print a line a seed, then the means."""
    command = argparse.ArgumentParser(description=__doc__)
    command.add_argument("record", type=Path)
    command.add_argument("--data", type=Path)
    command.add_argument("--seeds", type=int, default=5, help="seeds 1 to this number")
    add_device_arguments(command)
    options = command.parse_args()
    record = read_record(options.record, [])
    dataset, _ = find_dataset(record, options.record, options.data, options.site)
    device = await open_device(options.device, options.site)
    rows = []
    for seed in range(1, options.seeds + 1):
        last: dict[str, float] = {}
        trainer = await open_trainer(attrs.evolve(record, seed=seed), dataset, device)
        await TrainingRun(
            trainer, MemoryStore(), on_measures=lambda _, found, last=last: last.update(found)
        ).go()
        trainer.close()
        rows.append(last)
        print(f"seed {seed}: {_words(last)}", flush=True)
    names = rows[0]
    print(f"mean:   {_words({name: float(np.mean([row[name] for row in rows])) for name in names})}")
    print(f"spread: {_words({name: float(np.std([row[name] for row in rows], ddof=1)) for name in names})}")
    await device.close()


def _words(measures: dict[str, float]) -> str:
    return ", ".join(f"{name.rpartition('/')[2]} {value:.4f}" for name, value in measures.items())


if __name__ == "__main__":
    asyncio.run(main())
