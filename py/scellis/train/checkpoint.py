"""Checkpoints: all that a training's next step hangs on, each part under its address.

A checkpoint is a manifest, canonical JSON, and a blob for each array, canonical safetensors. Blobs are put
first, then the manifest, then the reference that names it: a process that is killed in between leaves the
checkpoint before. Equal arrays are one blob.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import cattrs
import numpy as np

from scellis import ENGINE_VERSION
from scellis.codecs import safetensors
from scellis.content import address, canonical_json, is_address, parse_address, parse_json
from scellis.content.store import Store
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.rng import key_words
from scellis.sml.training import TrainingRecord
from scellis.train.history import History
from scellis.train.loop import Progress, diverged
from scellis.train.trainer import Trainer

MANIFEST_LIMIT_BYTES = 8 * 2**20
BLOB_LIMIT_BYTES = 2**30
FILE_LIMIT_BYTES = 2**33
FORM = 1
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


async def save(store: Store, trainer: Trainer, progress: Progress, history: History) -> Checkpoint:
    """Keep a training as it stands, and what it has told.

    Raises `SCL-TRAIN-DIVERGED` where a parameter is no number any more, and `SCL-STORE-FULL`; the checkpoints
    before are then as they were.
    """
    state = await trainer.state()
    for path, array in state.items():
        if path.startswith("parameter/") and not np.isfinite(array).all():
            raise diverged(f"{path} is no number any more after step {progress.step}.")
    arrays = {path: await store.put(_blob(array)) for path, array in state.items()}
    told = await store.put(history.to_bytes())
    checkpoint = Checkpoint(
        trainer.record.address, trainer.dataset_address, ENGINE_VERSION, arrays, told, attrs.evolve(progress)
    )
    await _name(store, trainer, checkpoint)
    return checkpoint


async def _name(store: Store, trainer: Trainer, checkpoint: Checkpoint) -> None:
    """Keep a manifest whose arrays are kept; what one of the same step held goes."""
    ref = _ref(trainer, checkpoint.progress.step)
    before = await _addresses(store, ref)
    manifest = await store.put(checkpoint.to_bytes(trainer.record))
    await store.set_ref(ref, manifest.encode())
    await _drop(store, before)


async def steps_kept(store: Store, trainer: Trainer) -> list[int]:
    """The steps of which a training's checkpoints are kept, in order."""
    steps = [name.removeprefix(_prefix(trainer)) for name in await store.refs(_prefix(trainer))]
    return sorted(int(step) for step in steps if _STEP.fullmatch(step))


async def load(store: Store, trainer: Trainer, step: int) -> tuple[Progress, History]:
    """Go on from a checkpoint that is kept. Raises `SCL-CHECKPOINT-*`, `SCL-STORE-DAMAGED`."""
    name = await _manifest(store, _ref(trainer, step))
    data = await store.get(name) if name else None
    if data is None:
        raise _missing(step)
    checkpoint = _checked(data, trainer)
    if checkpoint.progress.step != step:
        raise ScellisError(
            "SCL-CHECKPOINT-FORM", f"What is kept as step {step} is of step {checkpoint.progress.step}."
        )
    state = {path: _array(path, await store.get(name)) for path, name in checkpoint.arrays.items()}
    history = History.from_bytes(await store.get(checkpoint.history))
    trainer.load(state)
    return checkpoint.progress, history


async def retain(store: Store, trainer: Trainer, step: int, best: int | None) -> None:
    """Forget all checkpoints of a training but the last `keep` ones up to `step` and that of step `best`.

    Those of later steps could not be gone on from, and are made anew. Their arrays go too, but for those that
    another checkpoint holds.
    """
    steps = await steps_kept(store, trainer)
    kept = {*[kept for kept in steps if kept <= step][-trainer.record.keep :], best}
    await _forget(store, [_ref(trainer, step) for step in steps if step not in kept])


async def forget(store: Store, trainer: Trainer) -> None:
    """Forget all checkpoints of a training."""
    await _forget(store, [_ref(trainer, step) for step in await steps_kept(store, trainer)])


async def _forget(store: Store, refs: Sequence[str]) -> None:
    """Forget references, and the arrays that no other one needs."""
    gone: set[str] = set()
    for ref in refs:
        gone |= await _addresses(store, ref)
        await store.delete_ref(ref)
    await _drop(store, gone)


async def _drop(store: Store, gone: set[str]) -> None:
    """Delete blobs, but for those that a reference still needs."""
    if gone:
        for ref in await store.refs(_REF):
            gone -= await _addresses(store, ref)
        for name in sorted(gone):
            await store.delete(name)


async def export(store: Store, trainer: Trainer, step: int) -> bytes:
    """A checkpoint as one file: a ZIP of its manifest and blobs, uncompressed."""
    manifest = await _manifest(store, _ref(trainer, step))
    if manifest is None:
        raise _missing(step)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(await _addresses(store, _ref(trainer, step))):
            data = await store.get(name)
            if data is None:
                raise ScellisError("SCL-CHECKPOINT-DAMAGED", f"The checkpoint of step {step} lacks {name}.")
            member = MANIFEST if name == manifest else _member(name)
            archive.writestr(zipfile.ZipInfo(member, (1980, 1, 1, 0, 0, 0)), data)
    return out.getvalue()


async def bring(store: Store, trainer: Trainer, data: bytes) -> int:
    """Keep a checkpoint from a file; the step that it is of.

    Raises `SCL-CHECKPOINT-FORM` for a file that is damaged or holds anything else, `SCL-CHECKPOINT-FOREIGN`.
    """
    members = _members(data)
    checkpoint = _checked(members.pop(MANIFEST, b""), trainer)
    blobs = {address(blob): blob for blob in members.values()}
    if not set(members) == set(map(_member, checkpoint.blobs)) == set(map(_member, blobs)):
        raise ScellisError("SCL-CHECKPOINT-FORM", "The file holds other parts than its manifest names.")
    History.from_bytes(blobs[checkpoint.history])
    trainer.check({path: _array(path, blobs[name]) for path, name in checkpoint.arrays.items()})
    for blob in blobs.values():
        await store.put(blob)
    await _name(store, trainer, checkpoint)
    return checkpoint.progress.step


def _members(data: bytes) -> dict[str, bytes]:
    try:
        if len(data) > FILE_LIMIT_BYTES:
            raise ValueError(f"it has more than {FILE_LIMIT_BYTES} bytes")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            rows = archive.infolist()
            if any(row.compress_type != zipfile.ZIP_STORED for row in rows):
                raise ValueError("it is compressed")
            if sum(row.file_size for row in rows) > len(data):
                raise ValueError("its parts overlap")
            if len({row.filename for row in rows}) != len(rows):
                raise ValueError("it names a part twice")
            return {row.filename: archive.read(row) for row in rows}
    except (zipfile.BadZipFile, struct.error, ValueError, OSError, EOFError, RuntimeError) as error:
        raise ScellisError("SCL-CHECKPOINT-FORM", f"This file is no checkpoint: {error}.") from error


def _checked(data: bytes, trainer: Trainer) -> Checkpoint:
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


def _missing(step: int) -> ScellisError:
    return ScellisError("SCL-CHECKPOINT-MISSING", f"There is no checkpoint of step {step} of this training.")


MANIFEST = "manifest.json"


def _member(name: str) -> str:
    """What a blob is called in a file: an address, as a file name."""
    return name.replace(":", "-")


_DAMAGED = ("SCL-STORE-DAMAGED", "SCL-CHECKPOINT-DAMAGED", "SCL-CONTENT-JSON", "SCL-CONTENT-ADDRESS")
_STEP = re.compile(r"0|[1-9][0-9]{0,15}")
_REF = "checkpoint-"


def _prefix(trainer: Trainer) -> str:
    return f"{_REF}{trainer.record.address.removeprefix('sha256:')[:32]}-"


def _ref(trainer: Trainer, step: int) -> str:
    return f"{_prefix(trainer)}{step}"


async def _manifest(store: Store, ref: str) -> str | None:
    """The address of the manifest that a reference names, or None. Raises `SCL-CHECKPOINT-DAMAGED`."""
    data = await store.get_ref(ref)
    if data is None:
        return None
    name = data.decode("ascii", "replace")
    if not is_address(name):
        raise ScellisError("SCL-CHECKPOINT-DAMAGED", f"The reference {ref} names no manifest.")
    return name


async def _addresses(store: Store, ref: str) -> set[str]:
    """The manifest that a reference names, and all that it names; of one that is damaged what can be read."""
    found: set[str] = set()
    try:
        name = await _manifest(store, ref)
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


def _blob(array: Array) -> bytes:
    return safetensors.pack({"array": array})


def _array(path: str, data: bytes | None) -> Array:
    if data is None:
        raise ScellisError("SCL-CHECKPOINT-DAMAGED", f"The checkpoint lacks the array {path[:120]}.")
    found: dict[str, Any] = safetensors.unpack(data, what=path[:120], limit_bytes=BLOB_LIMIT_BYTES)
    if set(found) != {"array"}:
        raise ScellisError("SCL-CHECKPOINT-FORM", f"The blob of {path[:120]} holds no single array.")
    return np.array(found["array"])
