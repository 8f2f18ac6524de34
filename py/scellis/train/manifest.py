"""The manifest of a checkpoint: where a training stood, and under which addresses its arrays lie.

It is canonical JSON, and each array canonical safetensors. A reference, `checkpoint-<record>-<step>`, names
it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs
import cattrs
import numpy as np

from scellis.codecs import safetensors
from scellis.content import canonical_json, is_address, parse_address, parse_json
from scellis.content.store import Store
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.rng import key_words
from scellis.sml.training import TrainingRecord
from scellis.train.loop import Progress
from scellis.train.trainer import Trainer

MANIFEST_LIMIT_BYTES = 8 * 2**20
BLOB_LIMIT_BYTES = 2**30
FORM = 1
REF = "checkpoint-"
_CONVERTER = cattrs.Converter(forbid_extra_keys=True)


@attrs.frozen
class Checkpoint:
    """A manifest: the addresses of the state's arrays by their paths, and of what was told so far."""

    record: str
    dataset: str
    engine: str
    arrays: Mapping[str, str]
    history: str
    progress: Progress

    @property
    def blobs(self) -> set[str]:
        """The addresses of all that it names."""
        return {*self.arrays.values(), self.history}

    def to_bytes(self, record: TrainingRecord) -> bytes:
        """The canonical bytes; what the streams of random numbers and the loader stand at is written out."""
        key = key_words(record.seed)
        step = self.progress.step
        return canonical_json(
            {
                "scellis_checkpoint": FORM,
                "record": self.record,
                "dataset": self.dataset,
                "engine": self.engine,
                "arrays": dict(self.arrays),
                "history": self.history,
                "progress": _CONVERTER.unstructure(self.progress),
                "rng": {
                    "generator": "philox4x32-10",
                    "key": list(key),
                    "streams": {"dropout": step * record.accumulate, "augment": step * record.accumulate},
                },
            }
        )

    @classmethod
    def from_bytes(cls, data: bytes, record: TrainingRecord) -> Checkpoint:
        """Read a manifest from anyone. Raises `SCL-CHECKPOINT-FORM`, or `SCL-CHECKPOINT-FOREIGN`."""
        try:
            value = parse_json(data, what="checkpoint", limit_bytes=MANIFEST_LIMIT_BYTES)
            arrays = {str(path): parse_address(name) for path, name in value["arrays"].items()}
            found = cls(
                parse_address(value["record"]),
                parse_address(value["dataset"]),
                str(value["engine"]),
                arrays,
                parse_address(value["history"]),
                _CONVERTER.structure(value["progress"], Progress),
            )
        except (
            ScellisError, KeyError, TypeError, ValueError, AttributeError, OverflowError,
            cattrs.BaseValidationError,
        ) as error:  # fmt: skip
            raise ScellisError(
                "SCL-CHECKPOINT-FORM", "This is no checkpoint: a field of its manifest is damaged or missing."
            ) from error
        if found.record != record.address:
            raise ScellisError(
                "SCL-CHECKPOINT-FOREIGN",
                f"The checkpoint is of the record {found.record}, not of {record.address}.",
                "Go on with the record that it was made by; one that differs in any field is another run.",
            )
        if found.to_bytes(record) != data:
            raise ScellisError(
                "SCL-CHECKPOINT-FORM", "The manifest of the checkpoint is not in its canonical form."
            )
        return found


def checked(data: bytes, trainer: Trainer) -> Checkpoint:
    """A manifest from anyone, that a training could go on from."""
    found = Checkpoint.from_bytes(data, trainer.record)
    if found.dataset != trainer.dataset_address:
        raise ScellisError(
            "SCL-CHECKPOINT-FOREIGN",
            f"The checkpoint is of a training on {found.dataset}, not on {trainer.dataset_address}.",
            "Go on with the data that it was made on; what another holds by its name is another dataset.",
        )
    progress = found.progress
    if (
        not 0 <= progress.step <= trainer.total_steps
        or not 0 <= progress.best_epoch <= trainer.record.epochs
        or len(progress.pending) > trainer.record.decide_after
        or progress.ended not in ("", "done", "early_stop")
    ):
        raise ScellisError(
            "SCL-CHECKPOINT-FORM",
            f"No training of {trainer.total_steps} steps stands where the checkpoint does.",
        )
    return found


def missing(step: int) -> ScellisError:
    """The error of a step that no checkpoint is of."""
    return ScellisError("SCL-CHECKPOINT-MISSING", f"There is no checkpoint of step {step} of this training.")


_DAMAGED = ("SCL-STORE-DAMAGED", "SCL-CHECKPOINT-DAMAGED", "SCL-CONTENT-JSON", "SCL-CONTENT-ADDRESS")
STEP = re.compile(r"0|[1-9][0-9]{0,15}")


def prefix_of(trainer: Trainer) -> str:
    """What the references of a training's checkpoints begin with."""
    return f"{REF}{trainer.record.address.removeprefix('sha256:')[:32]}-"


def ref_of(trainer: Trainer, step: int) -> str:
    """The reference that names the checkpoint of a step."""
    return f"{prefix_of(trainer)}{step}"


async def manifest_of(store: Store, ref: str) -> str | None:
    """The address of the manifest that a reference names, or None. Raises `SCL-CHECKPOINT-DAMAGED`."""
    data = await store.get_ref(ref)
    if data is None:
        return None
    name = data.decode("ascii", "replace")
    if not is_address(name):
        raise ScellisError("SCL-CHECKPOINT-DAMAGED", f"The reference {ref} names no manifest.")
    return name


async def addresses_of(store: Store, ref: str) -> set[str]:
    """The manifest that a reference names, and all that it names; of one that is damaged what can be read."""
    found: set[str] = set()
    try:
        name = await manifest_of(store, ref)
        if name is not None:
            found.add(name)
            data = await store.get(name)
            value = parse_json(data or b"{}", what="checkpoint", limit_bytes=MANIFEST_LIMIT_BYTES)
            found.update(map(parse_address, [*value["arrays"].values(), value["history"]]))
    except (KeyError, TypeError, AttributeError):
        pass  # `load` says what is wrong with it, and nobody goes on from it
    except ScellisError as error:
        if error.code not in _DAMAGED:
            raise  # what cannot be read now may be read later, and still needs its arrays
    return found


def blob_of(array: Array) -> bytes:
    """The bytes under whose hash an array is kept."""
    return safetensors.pack({"array": array})


def array_of(path: str, data: bytes | None) -> Array:
    """The array in a blob from anyone. Raises `SCL-CHECKPOINT-*`, and what reading raises."""
    if data is None:
        raise ScellisError("SCL-CHECKPOINT-DAMAGED", f"The checkpoint lacks the array {path[:120]}.")
    found: dict[str, Any] = safetensors.unpack(data, what=path[:120], limit_bytes=BLOB_LIMIT_BYTES)
    if set(found) != {"array"}:
        raise ScellisError("SCL-CHECKPOINT-FORM", f"The blob of {path[:120]} holds no single array.")
    return np.array(found["array"])
