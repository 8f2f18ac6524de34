"""Files of data, read to datasets: tables (CSV), archives of arrays (NPZ), text."""

from __future__ import annotations

import csv
import gzip
import io
import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from scellis.content import address
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.sml.dataset import DatasetText, Part
from scellis.train.data import DATASET_LIMIT_BYTES, Dataset

PIECE_BYTES = 2**20
MEMBERS_LIMIT = 1000
VOCABULARY_LIMIT = 65_536


def read_dataset(text: DatasetText, files: Mapping[str, bytes]) -> Dataset:
    """The dataset that an SML text says is in files, by their names.

    Raises `SCL-DATA-HASH` for other files, `SCL-DATA-FORM` with the row or array of what is wrong,
    `SCL-DATA-SIZE` for one that unpacks to too much.
    """
    arrays: dict[str, Array] = {}
    words: dict[str, tuple[str, ...]] = {}
    for name, wanted in text.files.items():
        if (found := address(files[name])) != wanted:
            raise ScellisError(
                "SCL-DATA-HASH",
                f"{name} is {found}, and {text.id} is made of {wanted}.",
                "Take the file that the dataset was written for, or give it a new version with this address.",
            )
        file = _File(text, name, [part for part in text.parts if part.file == name])
        data = _unpacked(file, files[name]) if name.endswith(".gz") else files[name]
        read = _READERS[text.format](file, data)
        arrays |= read.arrays
        words |= read.words
    return Dataset(text.name, text.version, {part.name: arrays[part.name] for part in text.parts}, words)


@attrs.frozen
class _File:
    """One file of a dataset, and the arrays that it holds."""

    text: DatasetText
    name: str
    parts: Sequence[Part]


@attrs.frozen
class _Found:
    """What a file holds: arrays, and what the numbers of some of them stand for."""

    arrays: dict[str, Array]
    words: dict[str, tuple[str, ...]] = attrs.field(factory=dict)


def _unpacked(file: _File, data: bytes) -> bytes:
    found: list[bytes] = []
    size_bytes = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacker:
            while piece := unpacker.read(PIECE_BYTES):
                found.append(piece)
                size_bytes += len(piece)
                if size_bytes > DATASET_LIMIT_BYTES:
                    raise _too_large(file)
    except (zlib.error, OSError, EOFError) as error:
        raise _fault(file, f"it is no gzip file: {error}") from error
    return b"".join(found)


def _csv(file: _File, data: bytes) -> _Found:
    lines = io.StringIO(_decoded(file, data), newline="")
    try:
        rows = list(csv.reader(lines, delimiter=file.text.delimiter, strict=True))[file.text.skip :]
    except csv.Error as error:
        raise _fault(file, f"it is no table: {error}") from error
    header = [name.strip() for name in rows.pop(0)] if file.text.header and rows else None
    rows = [row for row in rows if row]
    if not rows:
        raise _fault(file, "it has no rows")
    width = len(rows[0])
    if header is not None and len(header) != width:
        raise _fault(file, f"its header names {len(header)} columns, where the first row has {width}")
    for number, row in enumerate(rows):
        if len(row) != width:
            raise _fault(file, f"row {number + 1} has {len(row)} columns, where the first has {width}")
    columns: dict[str | int, list[int]] = {place: [place] for place in range(width)}
    for place, name in enumerate(header or []):
        columns.setdefault(name, []).append(place)
    return _Found(
        {part.name: _columns_of(file, part, rows, _places(file, part, columns)) for part in file.parts}
    )


def _places(file: _File, part: Part, columns: Mapping[str | int, list[int]]) -> list[int]:
    found = []
    for column in part.columns:
        places = columns.get(column, [])
        if len(places) != 1:
            known = ", ".join(str(name) for name in columns if isinstance(name, str))[:400]
            count = "several columns" if places else "no column"
            raise _fault(
                file,
                f"there is {count} {column!r} for {part.name}; there are "
                + (known or f"0 to {len(columns) - 1}"),
            )
        found += places
    return found


def _columns_of(file: _File, part: Part, rows: Sequence[Sequence[str]], places: Sequence[int]) -> Array:
    cells = [[row[place].strip() for place in places] for row in rows]
    if part.classes:
        return _shaped(file, part, _classes(cells))
    try:
        return _shaped(file, part, _one_or_many(np.array(cells, np.float64)))
    except ValueError:
        for number, row in enumerate(cells):
            for place, cell in zip(places, row, strict=True):
                if not _is_number(cell):
                    raise _fault(
                        file, f"row {number + 1}, column {place}: {cell[:40]!r} is no number"
                    ) from None
        raise


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _classes(cells: Sequence[Sequence[str]]) -> Array:
    """Numbers for what stands in cells: in the order of numbers where all are, else of the alphabet."""
    words = {cell for row in cells for cell in row}
    numeric = all(_is_number(word) and math.isfinite(float(word)) for word in words)
    values: dict[str, Any] = {word: float(word) if numeric else word for word in words}
    places = {value: place for place, value in enumerate(sorted(set(values.values())))}
    return _one_or_many(np.array([[places[values[cell]] for cell in row] for row in cells], np.float64))


def _one_or_many(table: Array) -> Array:
    """Columns, or the only one as a row of numbers."""
    return table[:, 0] if table.shape[1] == 1 else table


def _npz(file: _File, data: bytes) -> _Found:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            rows = archive.infolist()
            if len(rows) > MEMBERS_LIMIT or sum(row.file_size for row in rows) > DATASET_LIMIT_BYTES:
                raise _too_large(file)
            members = {row.filename.removesuffix(".npy"): row for row in rows}
            if len(members) != len(rows):
                raise _fault(file, "it holds two arrays of one name")
            return _Found(
                {part.name: _shaped(file, part, _member(file, part, archive, members)) for part in file.parts}
            )
    except (
        zipfile.BadZipFile, zlib.error, struct.error, ValueError, OSError, EOFError,
        RuntimeError, NotImplementedError,
    ) as error:  # fmt: skip
        raise _fault(file, f"it is no archive of arrays: {str(error)[:120]}") from error


def _member(
    file: _File, part: Part, archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo]
) -> Array:
    """One array of an archive. NumPy's own reader makes room for whatever a header says before it reads."""
    name = str(part.columns[0])
    if name not in members:
        raise _fault(file, f"it has no array {name!r}; it has {', '.join(list(members)[:40])}")
    if members[name].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _fault(file, f"{name} is compressed in a way that is not read")
    data = archive.read(members[name])
    stream = io.BytesIO(data)
    shape, by_columns, dtype = _header(stream)
    if dtype.hasobject:
        raise _fault(file, f"{name} holds objects of Python, which are not read")
    start, count = stream.tell(), math.prod(shape)
    if count * dtype.itemsize != len(data) - start:
        raise _fault(file, f"{name} has {len(data) - start} bytes, which are no {shape} of {dtype}")
    found = np.frombuffer(data, dtype, count, start).reshape(shape, order="F" if by_columns else "C")
    return _numbered(file, part, found) if part.classes else found


def _header(stream: io.BytesIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, whether it is stored by columns, and type of an array of a .npy file."""
    version = np.lib.format.read_magic(stream)
    try:
        found: tuple[tuple[int, ...], bool, np.dtype[Any]] = _HEADERS[version](stream)
    except (KeyError, TypeError, SyntaxError, tokenize.TokenError, RecursionError, MemoryError) as error:
        raise ValueError("the header of an array is damaged") from error
    return found


def _numbered(file: _File, part: Part, found: Array) -> Array:
    """The number of each element's class: its place among those that occur, in order."""
    if found.dtype.kind not in "fiubSU":
        raise _fault(file, f"{part.name} holds {found.dtype}, which are neither numbers nor words")
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        raise _fault(file, f"{part.name} holds what is no finite number")
    return np.unique(found, return_inverse=True)[1].reshape(found.shape)


def _text(file: _File, data: bytes) -> _Found:
    """The characters of a text, each the number of its place among those that occur, in order (n,) i32."""
    letters = np.frombuffer(_decoded(file, data).encode("utf-32-le"), np.uint32)
    known, tokens = np.unique(letters, return_inverse=True)
    if len(known) > VOCABULARY_LIMIT:
        raise _fault(file, f"it has {len(known)} different characters; at most {VOCABULARY_LIMIT} are read")
    name = file.parts[0].name
    return _Found({name: tokens.astype(np.int32)}, {name: tuple(map(chr, known.tolist()))})


def _shaped(file: _File, part: Part, found: Array) -> Array:
    """Numbers as the array that is wanted of them."""
    if found.dtype.kind not in "fiub":
        raise _fault(file, f"{part.name} holds {found.dtype}, which are no numbers")
    if not found.ndim:
        raise _fault(file, f"{part.name} is one number, where one for each example is wanted")
    try:
        shape = found.shape[1:] if part.shape is None else part.shape
        found = found.reshape((found.shape[0], *shape))
    except ValueError as error:
        raise _fault(
            file, f"{part.name}: an example of {found.shape[1:]} is not of shape {part.shape}"
        ) from error
    with np.errstate(over="ignore", invalid="ignore"):
        numbers = (found.astype(np.float64) - part.offset) * part.scale
        narrow = numbers.astype(np.float32)
    if not np.isfinite(narrow).all():
        raise _fault(file, f"{part.name} holds what is no finite number of 32 bits")
    if part.dtype == "f32":
        return narrow
    if not (numbers == np.round(numbers)).all() or (np.abs(numbers) >= 2**31).any():
        raise _fault(file, f"{part.name} holds what is no whole number of 32 bits")
    return numbers.astype(np.int32)


def _decoded(file: _File, data: bytes) -> str:
    if len(data) > DATASET_LIMIT_BYTES:
        raise _too_large(file)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _fault(file, f"it is not text in UTF-8, at byte {error.start}") from error


def _too_large(file: _File) -> ScellisError:
    return ScellisError(
        "SCL-DATA-SIZE", f"{file.name} has more than {DATASET_LIMIT_BYTES} bytes, or unpacks to more."
    )


def _fault(file: _File, why: str) -> ScellisError:
    return ScellisError(
        "SCL-DATA-FORM", f"{file.name} of {file.text.id}: {why}.", "Mend the file or the dataset's text."
    )


_HEADERS: Mapping[tuple[int, int], Callable[..., Any]] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_READERS: Mapping[str, Callable[[_File, bytes], _Found]] = {"csv": _csv, "npz": _npz, "text": _text}
