"""A checkpoint as one file: a ZIP of its manifest and blobs, uncompressed."""

from __future__ import annotations

import io
import zipfile

from scellis.content import address
from scellis.content.store import Store
from scellis.errors import ScellisError
from scellis.train.checkpoint import keep
from scellis.train.history import History
from scellis.train.manifest import addresses_of, array_of, checked, manifest_of, missing, ref_of
from scellis.train.trainer import Trainer
from scellis.train.zips import FAULTS

FILE_LIMIT_BYTES = 2**33
MANIFEST = "manifest.json"


async def export(store: Store, trainer: Trainer, step: int) -> bytes:
    """The file of a checkpoint that is kept. Raises `SCL-CHECKPOINT-MISSING`, `-DAMAGED`."""
    manifest = await manifest_of(store, ref_of(trainer, step))
    if manifest is None:
        raise missing(step)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(await addresses_of(store, ref_of(trainer, step))):
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
    checkpoint = checked(members.pop(MANIFEST, b""), trainer)
    blobs = {address(blob): blob for blob in members.values()}
    if not set(members) == set(map(_member, checkpoint.blobs)) == set(map(_member, blobs)):
        raise ScellisError("SCL-CHECKPOINT-FORM", "The file holds other parts than its manifest names.")
    History.from_bytes(blobs[checkpoint.history])
    trainer.check({path: array_of(path, blobs[name]) for path, name in checkpoint.arrays.items()})
    await keep(store, trainer, checkpoint, blobs.values())
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
    except FAULTS as error:
        raise ScellisError("SCL-CHECKPOINT-FORM", f"This file is no checkpoint: {error}.") from error


def _member(name: str) -> str:
    """What a blob is called in a file: an address, as a file name."""
    return name.replace(":", "-")
