"""Checkpoints: all that a training's next step hangs on, each part under its address.

Blobs are put first, then the manifest, then the reference that names it: a process that is killed in between
leaves the checkpoint before. Equal arrays are one blob. Before anything is put or forgotten, a log names the
blobs that a kill might leave with nobody to name them; `collect` finds them by it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager, suppress

import attrs
import numpy as np

from scellis import ENGINE_VERSION
from scellis.content import address, canonical_json, parse_address, parse_json
from scellis.content.store import Store
from scellis.errors import ScellisError
from scellis.train.history import History
from scellis.train.loop import Progress, diverged
from scellis.train.manifest import (
    MANIFEST_LIMIT_BYTES,
    REF,
    STEP,
    Checkpoint,
    addresses_of,
    array_of,
    blob_of,
    checked,
    manifest_of,
    missing,
    prefix_of,
    ref_of,
)  # fmt: skip
from scellis.train.trainer import Trainer

WRITING = "checkpoints"
"""What is held while blobs are put or dropped: so nobody drops one that another is about to name."""
_LOG = "loose-"


async def save(store: Store, trainer: Trainer, progress: Progress, history: History) -> Checkpoint:
    """Keep a training as it stands, and what it has told.

    Raises `SCL-TRAIN-DIVERGED` where a parameter is no number any more, and `SCL-STORE-FULL`; the checkpoints
    before are then as they were, and what was written of this one is gone.
    """
    state = await trainer.state()
    for path, array in state.items():
        if path.startswith("parameter/") and not np.isfinite(array).all():
            raise diverged(f"{path} is no number any more after step {progress.step}.")
    blobs: dict[str, bytes] = {}
    arrays = {}
    for path in list(state):
        blob = blob_of(state.pop(path))  # of each array one copy at a time
        arrays[path] = address(blob)
        blobs[arrays[path]] = blob
    told = history.to_bytes()
    checkpoint = Checkpoint(
        trainer.record.address, trainer.dataset_address, ENGINE_VERSION, arrays, address(told),
        attrs.evolve(progress),
    )  # fmt: skip
    await keep(store, trainer, checkpoint, [*blobs.values(), told])
    return checkpoint


async def keep(store: Store, trainer: Trainer, checkpoint: Checkpoint, blobs: Iterable[bytes]) -> None:
    """Keep a manifest and the blobs that it names; what one of the same step held goes."""
    ref = ref_of(trainer, checkpoint.progress.step)
    manifest = checkpoint.to_bytes(trainer.record)
    with await store.turn(WRITING):
        before = await addresses_of(store, ref)
        async with _logged(store, ref, {*before, *checkpoint.blobs, address(manifest)}):
            for blob in blobs:
                await store.put(blob)
            await store.put(manifest)
            await store.set_ref(ref, address(manifest).encode())


async def steps_kept(store: Store, trainer: Trainer) -> list[int]:
    """The steps of which a training's checkpoints are kept, in order."""
    steps = [name.removeprefix(prefix_of(trainer)) for name in await store.refs(prefix_of(trainer))]
    return sorted(int(step) for step in steps if STEP.fullmatch(step))


async def load(store: Store, trainer: Trainer, step: int) -> tuple[Progress, History]:
    """Go on from a checkpoint that is kept. Raises `SCL-CHECKPOINT-*`, `SCL-STORE-DAMAGED`."""
    name = await manifest_of(store, ref_of(trainer, step))
    data = await store.get(name) if name else None
    if data is None:
        raise missing(step)
    checkpoint = checked(data, trainer)
    if checkpoint.progress.step != step:
        raise ScellisError(
            "SCL-CHECKPOINT-FORM", f"What is kept as step {step} is of step {checkpoint.progress.step}."
        )
    state = {path: array_of(path, await store.get(name)) for path, name in checkpoint.arrays.items()}
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
    await _forget(store, [ref_of(trainer, step) for step in steps if step not in kept])


async def forget(store: Store, trainer: Trainer) -> None:
    """Forget all checkpoints of a training."""
    await _forget(store, [ref_of(trainer, step) for step in await steps_kept(store, trainer)])


async def _forget(store: Store, refs: Collection[str]) -> None:
    """Forget references, and the arrays that no other one needs."""
    if not refs:
        return
    with await store.turn(WRITING):
        gone: set[str] = set()
        for ref in refs:
            gone |= await addresses_of(store, ref)
        async with _logged(store, next(iter(refs)), gone):
            for ref in refs:
                await store.delete_ref(ref)


async def collect(store: Store) -> None:
    """Drop what a kill left unnamed, of all trainings; nothing while another process writes."""
    claim = await store.claim(WRITING)
    if claim is not None:
        with claim:
            for log in await store.refs(_LOG):
                await _drop(store, log)


@asynccontextmanager
async def _logged(store: Store, ref: str, names: Collection[str]) -> AsyncIterator[None]:
    """Say which blobs may be left unnamed by what is done inside, and afterwards drop those that are."""
    log = _LOG + ref.removeprefix(REF)[:32]
    loose = sorted({*names, *await _loose(store, log)})
    await store.set_ref(log, canonical_json(loose))
    try:
        yield
    except BaseException:
        with suppress(ScellisError):  # the log stays, and the first error is the one to tell
            await _drop(store, log)
        raise
    await _drop(store, log)


async def _loose(store: Store, log: str) -> set[str]:
    try:
        value = parse_json(
            await store.get_ref(log) or b"[]", what="log of blobs", limit_bytes=MANIFEST_LIMIT_BYTES
        )
        return set(map(parse_address, value))
    except (ScellisError, TypeError) as error:
        if isinstance(error, ScellisError) and not error.code.startswith("SCL-CONTENT-"):
            raise
        return set()  # damaged: what it named cannot be known


async def _drop(store: Store, log: str) -> None:
    """Delete the blobs that a log names, but for those that a reference needs, and then the log."""
    gone = await _loose(store, log)
    for ref in await store.refs(REF):
        gone -= await addresses_of(store, ref)
    for name in sorted(gone):
        await store.delete(name)
    await store.delete_ref(log)
