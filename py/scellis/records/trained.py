"""The record of a training that was run: what it pins, where it was computed, and what it left.

It is canonical JSON (RFC 8785) under its sha256. The training's SML text is in it, and the texts of entries
that do not come with the engine: whoever has it can run the training again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import attrs
import cattrs

from scellis.catalog.library import built_in
from scellis.content import address, canonical_json, parse_address, parse_json
from scellis.errors import ScellisError
from scellis.kernels.sampling import TIERS
from scellis.sml.dataset import DatasetText, parse_dataset
from scellis.sml.training import TrainingRecord, parse_training

RECORD_LIMIT_BYTES = 1024 * 1024
STATES = ("done", "early_stop", "paused", "interrupted")
"""How a run was left. `interrupted` is written with every checkpoint, and holds if the process dies."""
POINTS_LIMIT = 64
"""Losses that the record itself holds; the curve at its address has more."""
SITTINGS_LIMIT = 10_000
_STEP_LIMIT = 2**53
_converter = cattrs.Converter(forbid_extra_keys=True)


@attrs.frozen
class PinnedProgram:
    """The addresses of the graphs that were computed: of a step, and of the validation."""

    step: str
    validation: str


@attrs.frozen
class PinnedData:
    """The dataset: name and version, the address of what is read, and its SML text, which names its files."""

    id: str
    address: str
    sml: str


@attrs.frozen
class Sitting:
    """A stretch without a stop, of the steps `first` … `last` − 1, on the device of a fingerprint.

    Seconds are those since 1970, of the clock that the run was given.
    """

    first: int
    last: int
    begun_s: float
    ended_s: float
    device: dict[str, Any]


@attrs.frozen(slots=False)
class TrainedRun:
    """A run of a training. `training` is its record as canonical JSON holds it, tier and seed among it.

    `checkpoints` are the addresses of the manifests kept at the end, by their steps; `curve` that of the
    history (`train.history`), of which `losses` are (step, loss) of some steps; `measures` are those of
    `epoch`, the last one that was validated, 0 where none was.
    """

    sml: str
    entries: dict[str, str]
    training: dict[str, Any]
    program: PinnedProgram
    dataset: PinnedData
    engine: str
    kernel_table: str
    sittings: tuple[Sitting, ...]
    state: str
    step: int
    total: int
    checkpoints: dict[str, str]
    curve: str
    losses: tuple[tuple[int, float], ...]
    epoch: int
    measures: dict[str, float]

    def __attrs_post_init__(self) -> None:
        try:
            _check(self)
        except (KeyError, TypeError, ValueError, ScellisError) as error:
            raise ScellisError("SCL-RECORD-FORM", f"This is no record of a training: {error}.") from error

    @property
    def model(self) -> str:
        """The model's name and version."""
        return str(self.training["model"])

    @property
    def tier(self) -> str:
        """The determinism tier."""
        return str(self.training["determinism_tier"])

    @cached_property
    def training_address(self) -> str:
        """The address of the training's record, which names its checkpoints."""
        return address(canonical_json(self.training))

    @property
    def begun_s(self) -> float:
        """When its first step was taken."""
        return self.sittings[0].begun_s

    @property
    def ended_s(self) -> float:
        """When its last step was taken."""
        return self.sittings[-1].ended_s

    def to_bytes(self) -> bytes:
        """The canonical bytes."""
        return canonical_json({"scellis_trained_run": 1, **_converter.unstructure(self)})

    @cached_property
    def address(self) -> str:
        """The content address of the record."""
        return address(self.to_bytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> TrainedRun:
        """Read a record from a stranger. Raises `SCL-RECORD-FORM`, `SCL-CONTENT-*`."""
        value = parse_json(data, what="record of a training", limit_bytes=RECORD_LIMIT_BYTES)
        try:
            if value.pop("scellis_trained_run") != 1:
                raise ValueError("unknown format")
            found = _converter.structure(value, cls)
            if found.to_bytes() != data:
                raise ValueError("it is not in its canonical form")
        except (
            AttributeError, KeyError, TypeError, ValueError, OverflowError, cattrs.BaseValidationError,
        ) as error:  # fmt: skip
            named = (
                "a field is damaged or missing" if isinstance(error, cattrs.BaseValidationError) else error
            )
            raise ScellisError("SCL-RECORD-FORM", f"This is no record of a training: {named}.") from error
        return found

    def read(self) -> tuple[TrainingRecord, DatasetText]:
        """The training and the dataset that its texts say, held to the addresses that the record pins.

        Raises `SCL-RECORD-FOREIGN` where they say another one, as they may in another engine, and what
        reading them raises.
        """
        record = parse_training(self.sml, built_in().with_texts(self.entries))
        text = parse_dataset(self.dataset.sml)
        if record.address != self.training_address:
            raise ScellisError(
                "SCL-RECORD-FOREIGN",
                f"In this engine the run's text is another training, {record.address}, than its record pins,"
                f" {self.training_address}.",
                f"It was made by engine {self.engine}: an entry of its catalog was another one.",
                engine=self.engine,
            )
        if (text.id, text.address) != (self.dataset.id, self.dataset.address):
            raise ScellisError(
                "SCL-RECORD-FORM", "The record's text of the dataset is of another one than it pins."
            )
        return record, text


def own_entries(record: TrainingRecord) -> dict[str, str]:
    """The texts, by their ids, of the entries that a training uses and the engine does not come with."""
    known = {entry.id for entry in built_in()}
    return {entry.id: entry.text for entry in record.library if entry.id not in known}


def _check(run: TrainedRun) -> None:
    """Raise `ValueError`, or what looking raises, for what no run leaves behind."""
    for name in (
        run.program.step, run.program.validation, run.dataset.address, run.kernel_table, run.curve,
        *run.checkpoints.values(),
    ):  # fmt: skip
        parse_address(name)
    if run.state not in STATES or run.tier not in TIERS or not isinstance(run.training["seed"], str):
        raise ValueError("its state, tier or seed is none")
    if not isinstance(run.training["model"], str):
        raise ValueError("its model has no name")
    if not 0 < run.step <= run.total < _STEP_LIMIT or not 0 <= run.epoch < _STEP_LIMIT:
        raise ValueError("its step lies outside of the training")
    _check_sittings(run)
    if any(str(int(step)) != step or not 0 <= int(step) <= run.step for step in run.checkpoints):
        raise ValueError("a checkpoint is of no step of it")
    steps = [step for step, _ in run.losses]
    if (
        len(steps) > POINTS_LIMIT
        or steps != sorted(set(steps))
        or any(not 0 <= step < run.step for step in steps)
    ):
        raise ValueError("its losses are not of its steps")
    if not all(map(math.isfinite, [loss for _, loss in run.losses] + list(run.measures.values()))):
        raise ValueError("a loss or measure is no number")


def _check_sittings(run: TrainedRun) -> None:
    if not 0 < len(run.sittings) <= SITTINGS_LIMIT or run.sittings[-1].last != run.step:
        raise ValueError("its sittings do not lead to its step")
    before = 0
    for place, sitting in enumerate(run.sittings):
        if sitting.last < sitting.first or sitting.first < 0 or (place and sitting.first != before):
            raise ValueError("its sittings do not follow one another")
        if not (math.isfinite(sitting.begun_s) and math.isfinite(sitting.ended_s)):
            raise ValueError("a sitting is of no time")
        before = sitting.last


def sittings_up_to(sittings: tuple[Sitting, ...], step: int) -> tuple[Sitting, ...]:
    """What is left of sittings where a run goes on from a step before their end."""
    return tuple(
        attrs.evolve(sitting, last=min(sitting.last, step)) for sitting in sittings if sitting.first < step
    )


def kept_losses(points: Mapping[int, float]) -> tuple[tuple[int, float], ...]:
    """Some of a curve's points for the record: of evenly spaced steps, the same ones in every run."""
    each = 1
    while len(found := [(step, loss) for step, loss in points.items() if step % each == 0]) > POINTS_LIMIT:
        each *= 2
    return tuple(found)
