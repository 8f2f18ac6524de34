"""SML of a training: a model's layers, its data, and how it is trained. Nothing is set anywhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from scellis.catalog.entry import Entry
from scellis.catalog.fields import FieldValue
from scellis.catalog.library import Library
from scellis.catalog.model import INPUT, Layer, Model
from scellis.content import address, canonical_json
from scellis.errors import ScellisError
from scellis.graph.mixed import PRECISIONS
from scellis.kernels.sampling import TIERS
from scellis.rng.streams import SEED_LIMIT
from scellis.sml.document import Section, load
from scellis.sml.job_text import VERSION, VERSION_LIMIT

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_MODEL = re.compile(r"[a-z][a-z0-9_]{0,39}(/[a-z][a-z0-9_]{0,39}){0,4}@[1-9][0-9]{0,5}")
_DATASET = re.compile(r"[a-z][a-z0-9_]{0,63}@[1-9][0-9]{0,5}")

LAYERS_LIMIT = 1000
REPEAT_LIMIT = 200
EPOCHS_LIMIT = 1_000_000
BATCH_LIMIT = 2**20
ACCUMULATE_LIMIT = 4096
DELAY_LIMIT = 64
LOSS_SCALINGS = ("none", "dynamic")
_NOTHING_HELD_OUT = "and no data is held out"
_HOLD_OUT = "Set data.validation, the share that is not trained on."

FIELDS = (
    "sml", "model", "about", "data", "layers", "optimizer", "scheduler", "loss", "metrics", "epochs",
    "batch_size", "accumulate", "grad_clip", "precision", "rematerialise", "early_stop", "checkpoint",
    "decide_after", "determinism_tier", "seed",
)  # fmt: skip


@attrs.frozen
class Use:
    """An entry of the catalog with the values of its fields."""

    id: str
    fields: Mapping[str, FieldValue]

    def as_json(self, library: Library, kind: str) -> dict[str, Any]:
        """What a record pins: the id, the address of the text, every field."""
        return {
            "block_id": self.id,
            "address": library.get(self.id, kind).address,
            "fields": {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in self.fields.items()
            },
        }


@attrs.frozen
class Data:
    """Which data a training reads.

    `dataset` is a name with its version; `input` and `target` name its arrays. With a `sequence`, the dataset
    is one long row of tokens, and an example so many of them, whose targets are those that follow each.
    `validation` is the share of examples, the last ones, that it is not trained on.
    """

    dataset: str
    input: str
    target: str
    sequence: int | None
    validation: float
    augment: tuple[Use, ...]


@attrs.frozen
class TrainingRecord:
    """All that defines a training run."""

    model: str
    about: str
    data: Data
    layers: tuple[Layer, ...]
    optimizer: Use
    scheduler: Use
    loss: Use
    metrics: tuple[Use, ...]
    epochs: int
    batch_size: int
    accumulate: int
    max_norm: float | None
    """the norm of all gradients is clipped to it"""
    precision: str
    loss_scaling: str
    rematerialise: int | None
    """so many layers in a row are computed again for their gradients; None: all that these need is kept"""
    patience: int | None
    """epochs without a better validation loss before the training stops"""
    checkpoint_steps: int
    keep: int
    """checkpoints that are kept: the last ones, and the best"""
    decide_after: int
    """steps after which a decision takes effect that hangs on what a step gave back"""
    determinism_tier: str
    seed: int
    library: Library = attrs.field(repr=False, eq=False)

    @property
    def network(self) -> Model:
        """The layers, as a model."""
        return Model(self.layers, self.library, self.rematerialise)

    def as_json(self) -> dict[str, Any]:
        """The record as canonical JSON holds it: every field, defaults written out, every entry's address."""
        used = self.library
        data = attrs.asdict(self.data, recurse=False)
        data["augment"] = [use.as_json(used, "augmentation") for use in self.data.augment]
        return {
            "scellis_training": 1,
            **{
                name: getattr(self, name)
                for name in (
                    "model", "epochs", "batch_size", "accumulate", "max_norm", "precision", "loss_scaling",
                    "rematerialise", "patience", "checkpoint_steps", "keep", "decide_after",
                    "determinism_tier",
                )
            },
            "seed": str(self.seed),
            "data": data,
            "layers": [
                {
                    "name": layer.name, "of": list(layer.of), "repeat": layer.repeat, "frozen": layer.frozen,
                    **Use(layer.id, layer.fields).as_json(used, "layer"),
                }
                for layer in self.layers
            ],
            "optimizer": self.optimizer.as_json(used, "optimizer"),
            "scheduler": self.scheduler.as_json(used, "scheduler"),
            "loss": self.loss.as_json(used, "loss"),
            "metrics": [use.as_json(used, "metric") for use in self.metrics],
            "entries": self.entries,
        }  # fmt: skip

    @property
    def entries(self) -> dict[str, str]:
        """The addresses of all entries that it may use, by their ids: those within others, too."""
        uses: list[Use | Layer] = [self.optimizer, self.scheduler, self.loss]
        uses += [*self.metrics, *self.data.augment, *self.layers]
        texts = [value for use in uses for value in use.fields.values() if isinstance(value, str)]
        return self.library.named_by([*(use.id for use in uses), *texts])

    @property
    def address(self) -> str:
        """The content address of the record: two that differ in anything that is computed differ here."""
        return address(canonical_json(self.as_json()))

    def entry(self, use: Use, kind: str) -> Entry:
        """The entry that is used."""
        return self.library.get(use.id, kind)


def parse_training(text: str, library: Library) -> TrainingRecord:
    """Read a training's SML. Raises `SCL-SML-TEXT`, `SCL-CATALOG-*`, naming the line and the field."""
    top = load(text)
    if top.integer("sml", 0, VERSION_LIMIT) != VERSION:
        raise top.refuse("sml", f"this engine reads SML version {VERSION}.")
    top.only(FIELDS)
    precision, scaling = _precision(top)
    data = _data(top.section("data"), library)
    checkpoint = top.section("checkpoint") if top.has("checkpoint") else None
    if checkpoint:
        checkpoint.only(("every_steps", "keep"))
    record = TrainingRecord(
        model=_matching(top, "model", _MODEL, "a name and a version, user/ada/digits@1"),
        about=top.text("about") if top.has("about") else "",
        data=data,
        layers=_layers(top.section("layers"), library),
        optimizer=_use(top.section("optimizer"), library, "optimizer"),
        scheduler=_scheduler(top.section("scheduler"), library, data),
        loss=_use(top.section("loss"), library, "loss"),
        metrics=_metrics(top.sections("metrics") if top.has("metrics") else (), library),
        epochs=top.integer("epochs", 1, EPOCHS_LIMIT),
        batch_size=top.integer("batch_size", 1, BATCH_LIMIT),
        accumulate=_optional(top, "accumulate", 1, ACCUMULATE_LIMIT, 1),
        max_norm=_max_norm(top),
        precision=precision,
        loss_scaling=scaling,
        rematerialise=_rematerialise(top),
        patience=_patience(top, data),
        checkpoint_steps=_optional(checkpoint, "every_steps", 1, 2**31, 500),
        keep=_optional(checkpoint, "keep", 1, 1000, 3),
        decide_after=_optional(top, "decide_after", 1, DELAY_LIMIT, 2),
        determinism_tier=top.one_of("determinism_tier", TIERS),
        seed=top.integer("seed", 0, SEED_LIMIT - 1),
        library=library,
    )
    return attrs.evolve(record, library=library.only(record.entries))  # what is not pinned cannot be used


def _optional(section: Section | None, key: str, least: int, most: int, default: int) -> int:
    return section.integer(key, least, most) if section and section.has(key) else default


def _matching(section: Section, key: str, pattern: re.Pattern[str], wanted: str) -> str:
    found = section.text(key)
    if not pattern.fullmatch(found):
        raise section.refuse(key, f"{found[:80]!r} is not {wanted}.")
    return found


def _use(section: Section, library: Library, kind: str, besides: tuple[str, ...] = ()) -> Use:
    """An entry and its fields, `{block_id: training/optimizer/adamw, lr: 3.0e-4}`."""
    id_ = section.text("block_id")
    try:
        entry = library.get(id_, kind)
    except ScellisError as error:
        raise section.refuse("block_id", error.message, error.remedy) from error
    own = {"block_id", *besides}
    section.only((*own, *entry.fields))
    try:
        return Use(id_, entry.read({key: section.plain(key) for key in section.fields() if key not in own}))
    except ScellisError as error:
        field = error.arguments.get("field")
        known = isinstance(field, str) and section.has(field)
        raise section.refuse(field if known else None, error.message, error.remedy) from error  # type: ignore[arg-type]


def _scheduler(section: Section, library: Library, data: Data) -> Use:
    use = _use(section, library, "scheduler")
    if not data.validation and "watch" in library.get(use.id, "scheduler").module:
        raise section.refuse("block_id", f"{use.id} follows the validation, {_NOTHING_HELD_OUT}.", _HOLD_OUT)
    return use


def _metrics(sections: Sequence[Section], library: Library) -> tuple[Use, ...]:
    found: dict[str, Use] = {}
    for section in sections:
        use = _use(section, library, "metric")
        if use.id in found:
            raise section.refuse("block_id", f"{use.id} stands twice.")
        found[use.id] = use
    return tuple(found.values())


def _layers(section: Section, library: Library) -> tuple[Layer, ...]:
    found: list[Layer] = []
    taken: dict[str, str] = {}
    names = section.fields()
    if not 1 <= len(names) <= LAYERS_LIMIT:
        raise section.refuse(None, f"a model has from 1 to {LAYERS_LIMIT} layers.")
    for name in names:
        if not _NAME.fullmatch(name) or name == INPUT:
            raise section.refuse(
                name, f"a layer's name is lower-case letters, digits and _, and not {INPUT!r}."
            )
        row = section.section(name)
        use = _use(row, library, "layer", ("of", "repeat", "frozen"))
        before = [INPUT, *(layer.name for layer in found)]
        of = _of(row, before) if row.has("of") else (before[-1],)
        repeat = _optional(row, "repeat", 1, REPEAT_LIMIT, 1)
        if repeat > 1 and len(of) > 1:
            raise row.refuse("repeat", "a layer of several arrays is not repeated.")
        layer = Layer(name, use.id, use.fields, of, repeat, row.has("frozen") and row.truth("frozen"))
        for path in layer.names:
            if taken.setdefault(path, name) != name:
                raise section.refuse(name, f"its arrays would be called {path}/…, as those of {taken[path]}.")
        found.append(layer)
    return tuple(found)


def _of(row: Section, before: list[str]) -> tuple[str, ...]:
    given = row.plain("of")
    of = tuple(map(str, given if isinstance(given, list) else [given]))
    for name in of:
        if name not in before:
            raise row.refuse(
                "of", f"there is no layer {name[:40]!r} before this one.", f"Known: {', '.join(before)}."
            )
    if not of:
        raise row.refuse("of", "a layer reads at least one array.")
    return of


def _data(section: Section, library: Library) -> Data:
    section.only(("dataset", "input", "target", "sequence", "validation", "augment"))
    sequence = section.integer("sequence", 1, 2**20) if section.has("sequence") else None
    if sequence and section.has("target"):
        raise section.refuse(
            "target", "the targets of a sequence are the tokens that follow: there is no other."
        )
    validation = section.number("validation") if section.has("validation") else 0.0
    if not 0 <= validation < 1:
        raise section.refuse("validation", "a share from 0 to below 1 is expected.")
    augment = section.sections("augment") if section.has("augment") else []
    return Data(
        dataset=_matching(section, "dataset", _DATASET, "a name and a version, digits@1"),
        input=section.text("input"),
        target="" if sequence else section.text("target"),
        sequence=sequence,
        validation=validation,
        augment=tuple(_use(row, library, "augmentation") for row in augment),
    )


def _precision(top: Section) -> tuple[str, str]:
    if not top.has("precision"):
        return "f32", "none"
    section = top.section("precision")
    section.only(("policy", "master_weights", "loss_scaling"))
    policy = section.one_of("policy", PRECISIONS)
    if section.has("master_weights"):
        section.one_of("master_weights", ("f32",))
    scaling = section.one_of("loss_scaling", LOSS_SCALINGS) if section.has("loss_scaling") else None
    return policy, scaling or ("dynamic" if policy == "mixed_f16" else "none")


def _max_norm(top: Section) -> float | None:
    if not top.has("grad_clip"):
        return None
    section = top.section("grad_clip")
    section.only(("max_norm",))
    found = section.number("max_norm")
    if not found > 0:
        raise section.refuse("max_norm", "a number above 0 is expected.")
    return found


def _rematerialise(top: Section) -> int | None:
    if not top.has("rematerialise"):
        return None
    section = top.section("rematerialise")
    section.only(("every_layers",))
    return section.integer("every_layers", 1, LAYERS_LIMIT)


def _patience(top: Section, data: Data) -> int | None:
    if not top.has("early_stop"):
        return None
    section = top.section("early_stop")
    section.only(("patience",))
    if not data.validation:
        raise section.refuse("patience", f"it counts validations, {_NOTHING_HELD_OUT}.", _HOLD_OUT)
    return section.integer("patience", 1, EPOCHS_LIMIT)
