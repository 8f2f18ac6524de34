"""What makes a training smaller: its record, changed in one way, and planned anew for the same device."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import attrs

from scellis.catalog.library import Library
from scellis.device.protocol import Device
from scellis.errors import ScellisError
from scellis.planner.capacity import Capacity
from scellis.sml.edit import with_fields
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train.data import Dataset
from scellis.train.planned import plan_training

ACCUMULATE, BATCH, REMATERIALISE, PRECISION = "accumulate", "batch", "rematerialise", "precision"
REMEDIES = {
    ACCUMULATE: "smaller parts of a batch, more of them a step: the same examples in each step",
    BATCH: "a smaller batch: other steps, and a learning rate that was meant for larger ones",
    REMATERIALISE: "activations computed again for their gradients: more time, the same bits",
    PRECISION: "f16 for products, with master weights of f32: other roundings",
}


@attrs.frozen
class Remedy:
    """A change of a record that saves memory. `text` is the changed record, `fields` what was set in it."""

    name: str
    fields: Mapping[str, str]
    text: str
    bytes: int
    """that the changed training takes"""
    saves: int


async def remedies(
    text: str, record: TrainingRecord, dataset: Dataset, device: Device, needed: int, capacity: Capacity
) -> list[Remedy]:
    """The remedies that save anything, by how much they save: each was planned, none is guessed.

    Of smaller batches it is the largest that fits, or one example where none does. `text` is the record's,
    which takes `needed` bytes.
    """
    found: dict[str, Remedy] = {}
    for name, fields in _candidates(record):
        known = found.get(name)
        if known is not None and known.bytes <= capacity.bytes:
            continue
        changed = with_fields(text, fields)
        size = await _planned_bytes(changed, record.library, dataset, device)
        if size is not None and size < needed and (known is None or size < known.bytes):
            found[name] = Remedy(name, fields, changed, size, needed - size)
    return sorted(found.values(), key=lambda remedy: -remedy.saves)


async def remedied(
    name: str,
    text: str,
    record: TrainingRecord,
    dataset: Dataset,
    device: Device,
    needed: int,
    capacity: Capacity,
) -> Remedy:
    """The remedy of that name. Raises `SCL-TRAIN-REMEDY` where it is none that saves anything."""
    offered = await remedies(text, record, dataset, device, needed, capacity)
    for remedy in offered:
        if remedy.name == name:
            return remedy
    names = ", ".join(remedy.name for remedy in offered) or "none"
    raise ScellisError("SCL-TRAIN-REMEDY", f"{name[:40]} saves nothing here.", f"What saves memory: {names}.")


def _candidates(record: TrainingRecord) -> Iterator[tuple[str, dict[str, str]]]:
    size = record.batch_size
    halves = [size >> shift for shift in range(1, size.bit_length())]
    for part in halves:
        if size % part == 0:
            parts = record.accumulate * (size // part)
            yield ACCUMULATE, {"batch_size": str(part), "accumulate": str(parts)}
    for part in halves:
        yield BATCH, {"batch_size": str(part)}
    names = sum(len(layer.names) for layer in record.layers)
    if record.rematerialise is None and names > 2:
        yield REMATERIALISE, {"rematerialise": f"{{ every_layers: {round(math.sqrt(names))} }}"}
    if record.precision == "f32":
        yield PRECISION, {"precision": "{ policy: mixed_f16 }"}


async def _planned_bytes(text: str, library: Library, dataset: Dataset, device: Device) -> int | None:
    """What a record takes; None where the change makes none of it."""
    try:
        memory = (await plan_training(parse_training(text, library), dataset, device)).memory
    except ScellisError:
        return None  # say, a loss that wants more than one example
    return memory.bytes if memory else None
