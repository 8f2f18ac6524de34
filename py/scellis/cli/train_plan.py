"""What `scellis train` says of a training's memory before it begins, and the remedies that it takes."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from scellis.device.protocol import Device
from scellis.planner.verdict import POOLING, RED, YELLOW
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train.data import Dataset
from scellis.train.fitting import Fitting, fitting, size_text
from scellis.train.planned import PlannedTraining, plan_training
from scellis.train.remedies import REMEDIES, Remedy, remedied, remedies


async def planned_to_fit(
    text: str,
    record: TrainingRecord,
    dataset: Dataset,
    device: Device,
    set_bytes: int | None,
    remedy: str | None,
) -> tuple[PlannedTraining, str]:
    """A training as it is to be run, with the remedy that was asked for, and its text.

    Raises `SCL-TRAIN-MEMORY` where it does not fit, and names what would save memory.
    """
    planned = await plan_training(record, dataset, device)
    found = await fitting(planned, set_bytes)
    if found and remedy:
        taken = await remedied(remedy, text, record, dataset, device, found.memory.bytes, found.capacity)
        for name, value in taken.fields.items():
            print(f"  changed   {name}: {value}", file=sys.stderr)
        text, record = taken.text, parse_training(taken.text, record.library)
        planned = await plan_training(record, dataset, device)
        found = await fitting(planned, set_bytes)
    if found and found.verdict == RED:
        offered = await remedies(text, record, dataset, device, found.memory.bytes, found.capacity)
        found.refuse(_offer(offered))
    if found and found.verdict == YELLOW:
        print(f"  memory    {_summary(found)}: nearly all that the device holds", file=sys.stderr)
    return planned, text


async def print_plan(
    text: str, record: TrainingRecord, dataset: Dataset, device: Device, set_bytes: int | None, as_json: bool
) -> None:
    """Print what a training takes and what would save memory, and make nothing on the device."""
    found = await fitting(await plan_training(record, dataset, device), set_bytes)
    if found is None:
        print(
            json.dumps({"event": "plan"}) if as_json else "The oracle has no buffers to plan: see --device."
        )
        return
    offered = await remedies(text, record, dataset, device, found.memory.bytes, found.capacity)
    if as_json:
        print(json.dumps({"event": "plan", **_as_dict(found, offered)}))
        return
    memory = found.memory
    for kind, size in memory.kinds.items():
        if size:
            print(f"  {kind:<12} {size_text(size):>12}")
    print(f"  {'in all':<12} {size_text(memory.bytes):>12}")
    for layer in memory.layers:
        times = f", {layer.repeat} times" if layer.repeat > 1 else ""
        print(f"    of it {layer.name}{times}: {size_text(layer.bytes)}")
    print(f"  fullest at kernel {memory.step + 1} of {memory.steps}, {memory.place}")
    print(f"  {found.verdict}: {_summary(found)}")
    for remedy in offered:
        fields = ", ".join(f"{name}: {value}" for name, value in remedy.fields.items())
        print(f"  --remedy {remedy.name:<14} saves {size_text(remedy.saves)} ({fields})")
        print(f"    {REMEDIES[remedy.name]}")
    print(f"  {POOLING}")


def _summary(found: Fitting) -> str:
    least = "at least " if found.capacity.at_least else ""
    held = f"{least}{size_text(found.capacity.bytes)}, {found.capacity.source}"
    return f"{size_text(found.memory.bytes)} of {held}"


def _offer(offered: Sequence[Remedy]) -> str:
    if not offered:
        return "Nothing that is known here saves memory."
    each = (f"--remedy {remedy.name} ({size_text(remedy.saves)} less)" for remedy in offered)
    return f"What saves memory: {'; '.join(each)}."


def _as_dict(found: Fitting, offered: Sequence[Remedy]) -> dict[str, object]:
    return {
        "bytes": found.memory.bytes,
        "kinds": dict(found.memory.kinds),
        "fixed_bytes": found.memory.fixed_bytes,
        "capacity_bytes": found.capacity.bytes,
        "capacity_source": found.capacity.source,
        "verdict": found.verdict,
        "remedies": [
            {"name": remedy.name, "fields": dict(remedy.fields), "saves_bytes": remedy.saves}
            for remedy in offered
        ],
    }
