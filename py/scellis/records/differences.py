"""What differs between runs of trainings: a query over their records, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from scellis.records.trained import TrainedRun

_NAMES = ("name", "block_id")
_TOLD = ("sml", "losses", "measures", "epoch", "entries", "sittings")
"""Fields of a record that are compared otherwise: texts by what they say, numbers side by side."""


@attrs.frozen
class Difference:
    """A field by its path, `training.optimizer.fields.lr`, and its value in each run; None: it has none."""

    path: str
    values: tuple[Any, ...]


@attrs.frozen
class Apart:
    """The first step of which the losses of runs differ; `each` says how often a step of a curve is kept."""

    step: int
    losses: tuple[float, ...]
    each: int


def differences(runs: Sequence[TrainedRun]) -> list[Difference]:
    """The fields that are not the same in all runs, in the order of the record."""
    found = [facts(run) for run in runs]
    paths = dict.fromkeys(path for fields in found for path in fields)
    rows = [Difference(path, tuple(fields.get(path) for fields in found)) for path in paths]
    return [
        row
        for row in rows
        if any(value != row.values[0] for value in row.values) and not _follows(row.path, found)
    ]


def facts(run: TrainedRun) -> dict[str, Any]:
    """The fields of a record by their paths; a list is one value where its elements have no names."""
    record = {name: value for name, value in attrs.asdict(run).items() if name not in _TOLD}
    record["dataset"].pop("sml")
    devices = [sitting.device for sitting in run.sittings]
    record["device"] = devices[-1]
    if any(device != devices[-1] for device in devices):
        record["device_before"] = {str(place): device for place, device in enumerate(devices[:-1])}
    record["sittings"] = len(devices)
    record["seconds"] = round(sum(sitting.ended_s - sitting.begun_s for sitting in run.sittings), 3)
    record["begun_s"] = run.begun_s
    return dict(_leaves(record, ""))


def measured(runs: Sequence[TrainedRun]) -> dict[str, tuple[float | None, ...]]:
    """Numbers that runs ended with, side by side: the last loss that is kept, the last validation."""
    names = dict.fromkeys(name for run in runs for name in run.measures)
    last = tuple(run.losses[-1][1] if run.losses else None for run in runs)
    return {
        "training loss": last,
        **{
            f"validation {name.rpartition('/')[2]}": tuple(run.measures.get(name) for run in runs)
            for name in names
        },
    }


def first_apart(curves: Sequence[Sequence[tuple[int, float]]]) -> Apart | None:
    """Where curves of losses, (step, loss), first differ, of the steps that all have; None: nowhere."""
    tables = [dict(curve) for curve in curves]
    common = [step for step in tables[0] if all(step in table for table in tables)]
    each = common[1] - common[0] if len(common) > 1 else 1
    for step in common:
        losses = tuple(table[step] for table in tables)
        if any(loss != losses[0] for loss in losses):
            return Apart(step, losses, each)
    return None


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for name, part in value.items():
            yield from _leaves(part, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple) and value and all(isinstance(part, Mapping) for part in value):
        for place, part in enumerate(value):
            name = next((str(part[key]) for key in _NAMES if part.get(key)), str(place))
            yield from _leaves(part, f"{path}.{name}")
    else:
        yield path, list(value) if isinstance(value, tuple) else value


def _follows(path: str, found: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a difference follows from another: a use's address, that of an entry not all runs have."""
    if path.startswith("training.entries."):
        return any(path not in fields for fields in found)
    return path.startswith("training.") and path.endswith(".address")  # `training.entries` has it
