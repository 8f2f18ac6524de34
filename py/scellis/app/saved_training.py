"""Trainings that this device knows of: what lists them, tells which were cut off, and resumes them."""

from __future__ import annotations

from typing import Any

import attrs
import cattrs

from scellis.app.models import Model
from scellis.content import Store, canonical_json, parse_json
from scellis.errors import ScellisError
from scellis.train.run import TRAINING, training_name

ENDED = ("done", "early_stop")
_LIMIT_BYTES = 1024 * 1024
_converter = cattrs.Converter(forbid_extra_keys=True)


@attrs.frozen
class SavedTraining:
    """One training: its record, and how far its last checkpoint came when this was written."""

    record: str
    model: str
    text: str
    state: str
    step: int
    total: int
    updated_s: float
    example: str = ""

    def row(self, held: bool) -> Model:
        """One row of the list of runs. What goes on, but that no tab holds, was cut off."""
        return {
            "kind": "training",
            "address": self.record,
            "title": self.model,
            "state": "interrupted" if self.cut_off(held) else self.state,
            "updated": self.updated_s,
            "example": self.example or None,
            "step": self.step,
            "total": self.total,
            "url": None,
        }

    def cut_off(self, held: bool) -> bool:
        """Whether its tab or process ended in the middle of it; `held` says whether one has it now."""
        return self.state == "running" and not held


async def save_training(store: Store, training: SavedTraining) -> None:
    """Remember a training, in the place of what was known of it."""
    await store.set_ref(training_name(training.record), canonical_json(attrs.asdict(training)))


async def load_training(store: Store, record: str) -> SavedTraining | None:
    """What is known of a record's training; None where nothing is, or it is damaged."""
    data = await store.get_ref(training_name(record))
    return _read(data) if data is not None else None


async def forget_training(store: Store, record: str) -> None:
    """Forget that it was begun."""
    await store.delete_ref(training_name(record))


async def training_rows(store: Store) -> list[Model]:
    """All trainings, as the list of runs shows them; what is damaged is left out."""
    held = set(await store.claimed(TRAINING))
    found = [_read(await store.get_ref(name) or b"") for name in await store.refs(TRAINING)]
    return [training.row(training_name(training.record) in held) for training in found if training]


def _read(data: bytes) -> SavedTraining | None:
    try:
        value: Any = parse_json(data, what="saved training", limit_bytes=_LIMIT_BYTES)
        return _converter.structure(value, SavedTraining)
    except (ScellisError, cattrs.BaseValidationError):
        return None
