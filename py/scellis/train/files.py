"""One file of a dataset, what is read from it, and the faults that name it."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Generator, Mapping, Sequence

import attrs
import numpy as np

from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.sml.dataset import DatasetText, Part
from scellis.train.data import DATASET_LIMIT_BYTES, Column

PIECE_BYTES = 2**20


@attrs.frozen
class DataFile:
    """One file of a dataset, and the arrays that are read from it."""

    text: DatasetText
    name: str
    parts: Sequence[Part]

    def fault(self, why: str) -> ScellisError:
        """The error of a file that is not what the dataset's text says."""
        return ScellisError(
            "SCL-DATA-FORM", f"{self.name} of {self.text.id}: {why}.", "Mend the file or the dataset's text."
        )

    def too_large(self) -> ScellisError:
        """The error of a file that is more than is read."""
        return ScellisError(
            "SCL-DATA-SIZE", f"{self.name} has more than {DATASET_LIMIT_BYTES} bytes, or unpacks to more."
        )


@attrs.frozen
class Found:
    """What a file holds: arrays, and what the numbers of some of them stand for."""

    arrays: Mapping[str, Column]
    words: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)


Reading = Generator[None, None, Found]
"""Reads a file in pieces, and gives way after each: in a tab there is one thread."""
Reader = Callable[[DataFile, bytes], Reading]


def unpacked(file: DataFile, data: bytes) -> Generator[None, None, bytes]:
    """What a gzip file holds, in pieces. Raises `SCL-DATA-FORM`, `SCL-DATA-SIZE`."""
    found: list[bytes] = []
    size_bytes = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacker:
            while piece := unpacker.read(PIECE_BYTES):
                found.append(piece)
                size_bytes += len(piece)
                if size_bytes > DATASET_LIMIT_BYTES:
                    raise file.too_large()
                yield
    except (zlib.error, OSError, EOFError) as error:
        raise file.fault(f"it is no gzip file: {error}") from error
    return b"".join(found)


def decoded(file: DataFile, data: bytes) -> str:
    """The text that a file is. Raises `SCL-DATA-FORM`, `SCL-DATA-SIZE`."""
    if len(data) > DATASET_LIMIT_BYTES:
        raise file.too_large()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise file.fault(f"it is not text in UTF-8, at byte {error.start}") from error


def shaped(file: DataFile, part: Part, found: Array) -> Array:
    """Numbers as the array that is wanted of them."""
    if found.dtype.kind not in "fiub":
        raise file.fault(f"{part.name} holds {found.dtype}, which are no numbers")
    if not found.ndim:
        raise file.fault(f"{part.name} is one number, where one for each example is wanted")
    try:
        shape = found.shape[1:] if part.shape is None else part.shape
        found = found.reshape((found.shape[0], *shape))
    except ValueError as error:
        raise file.fault(
            f"{part.name}: an example of {found.shape[1:]} is not of shape {part.shape}"
        ) from error
    return scaled(file, part, found)


def scaled(file: DataFile, part: Part, found: Array) -> Array:
    """Numbers as elements of the array that is wanted: (x − offset) · scale, in f64, as f32 or i32."""
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = (found.astype(np.float64) - part.offset) * part.scale
        narrow = numbers.astype(np.float32)
    if not np.isfinite(narrow).all():
        raise file.fault(f"{part.name} holds what is no finite number of 32 bits")
    if part.dtype == "f32":
        return narrow
    if not (numbers == np.round(numbers)).all() or (np.abs(numbers) >= 2**31).any():
        raise file.fault(f"{part.name} holds what is no whole number of 32 bits")
    return numbers.astype(np.int32)
