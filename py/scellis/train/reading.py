"""Files of data, read to datasets: tables (CSV), archives of arrays (NPZ), text."""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence

import attrs
import numpy as np

from scellis.content import address
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.sml.dataset import DatasetText, Part
from scellis.train.data import DATASET_LIMIT_BYTES, Dataset

GZIP_WINDOW = 16 + zlib.MAX_WBITS
MEMBERS_LIMIT = 1000
VOCABULARY_LIMIT = 65_536


def read_dataset(text: DatasetText, files: Mapping[str, bytes]) -> Dataset:
    """The dataset that an SML text says is in files, by their names.

    Raises `SCL-DATA-HASH` for other files, `SCL-DATA-FORM` with the row or array of what is wrong,
    `SCL-DATA-SIZE` for one that unpacks to too much.
    """
    arrays: dict[str, Array] = {}
    for name, wanted in text.files.items():
        if (found := address(files[name])) != wanted:
            raise ScellisError(
                "SCL-DATA-HASH",
                f"{name} is {found}, and {text.id} is made of {wanted}.",
                "Take the file that the dataset was written for, or give it a new version with this address.",
            )
        file = _File(text, name, [part for part in text.parts if part.file == name])
        data = _unpacked(file, files[name]) if name.endswith(".gz") else files[name]
        arrays |= _READERS[text.format](file, data)
    return Dataset(text.name, text.version, {part.name: arrays[part.name] for part in text.parts})


@attrs.frozen
class _File:
    """One file of a dataset, and the arrays that it holds."""

    text: DatasetText
    name: str
    parts: Sequence[Part]


def _unpacked(file: _File, data: bytes) -> bytes:
    unpacker = zlib.decompressobj(GZIP_WINDOW)
    try:
        found = unpacker.decompress(data, DATASET_LIMIT_BYTES)
    except zlib.error as error:
        raise _fault(file, f"it is no gzip file: {error}") from error
    if unpacker.unconsumed_tail:
        raise ScellisError("SCL-DATA-SIZE", f"{file.name} unpacks to more than {DATASET_LIMIT_BYTES} bytes.")
    if not unpacker.eof:
        raise _fault(file, "it ends in the middle")
    return found


def _csv(file: _File, data: bytes) -> dict[str, Array]:
    rows = list(csv.reader(io.StringIO(_decoded(file, data)), delimiter=file.text.delimiter))[
        file.text.skip :
    ]
    names = (
        {name.strip(): place for place, name in enumerate(rows.pop(0))} if file.text.header and rows else {}
    )
    rows = [row for row in rows if row]
    if not rows:
        raise _fault(file, "it has no rows")
    width = len(rows[0])
    for number, row in enumerate(rows):
        if len(row) != width:
            raise _fault(file, f"row {number + 1} has {len(row)} columns, where the first has {width}")
    return {
        part.name: _columns_of(file, part, rows, _places(file, part, names, width)) for part in file.parts
    }


def _places(file: _File, part: Part, names: dict[str, int], width: int) -> list[int]:
    found = []
    for column in part.columns:
        place = names.get(column) if isinstance(column, str) else column
        if place is None or not 0 <= place < width:
            known = ", ".join(list(names)[:40]) or f"0 to {width - 1}"
            raise _fault(file, f"there is no column {column!r} for {part.name}; there are {known}")
        found.append(place)
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
    ordered = sorted(words, key=float) if all(map(_is_number, words)) else sorted(words)
    numbers = {word: number for number, word in enumerate(ordered)}
    return _one_or_many(np.array([[numbers[cell] for cell in row] for row in cells], np.float64))


def _one_or_many(table: Array) -> Array:
    """Columns, or the only one as a row of numbers."""
    return table[:, 0] if table.shape[1] == 1 else table


def _npz(file: _File, data: bytes) -> dict[str, Array]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            rows = archive.infolist()
            if len(rows) > MEMBERS_LIMIT or sum(row.file_size for row in rows) > DATASET_LIMIT_BYTES:
                raise ScellisError(
                    "SCL-DATA-SIZE", f"{file.name} unpacks to more than {DATASET_LIMIT_BYTES} bytes."
                )
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            found = {}
            for part in file.parts:
                (name,) = part.columns
                if name not in arrays:
                    raise _fault(file, f"it has no array {name!r}; it has {', '.join(arrays)}")
                found[part.name] = _shaped(file, part, arrays[name])
            return found
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError) as error:
        raise _fault(file, f"it is no archive of arrays: {str(error)[:120]}") from error


def _text(file: _File, data: bytes) -> dict[str, Array]:
    """The characters of a text, each the number of its place among those that occur, in order (n,) i32."""
    letters = np.frombuffer(_decoded(file, data).encode("utf-32-le"), np.uint32)
    known, tokens = np.unique(letters, return_inverse=True)
    if len(known) > VOCABULARY_LIMIT:
        raise _fault(file, f"it has {len(known)} different characters; at most {VOCABULARY_LIMIT} are read")
    return {file.parts[0].name: tokens.astype(np.int32)}


def _shaped(file: _File, part: Part, found: Array) -> Array:
    """Numbers as the array that is wanted of them."""
    if found.dtype.kind not in "fiub":
        raise _fault(file, f"{part.name} holds {found.dtype}, which are no numbers")
    try:
        shape = found.shape[1:] if part.shape is None else part.shape
        found = found.reshape((found.shape[0], *shape))
    except ValueError as error:
        raise _fault(
            file, f"{part.name}: an example of {found.shape[1:]} is not of shape {part.shape}"
        ) from error
    numbers = (found.astype(np.float64) - part.offset) * part.scale
    if not np.isfinite(numbers).all():
        raise _fault(file, f"{part.name} holds what is no finite number")
    if part.dtype == "f32":
        return numbers.astype(np.float32)
    if not (numbers == np.round(numbers)).all() or (np.abs(numbers) >= 2**31).any():
        raise _fault(file, f"{part.name} holds what is no whole number of 32 bits")
    return numbers.astype(np.int32)


def _decoded(file: _File, data: bytes) -> str:
    if len(data) > DATASET_LIMIT_BYTES:
        raise ScellisError(
            "SCL-DATA-SIZE", f"{file.name} has {len(data)} bytes; at most {DATASET_LIMIT_BYTES} are read."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _fault(file, f"it is not text in UTF-8, at byte {error.start}") from error


def _fault(file: _File, why: str) -> ScellisError:
    return ScellisError(
        "SCL-DATA-FORM", f"{file.name} of {file.text.id}: {why}.", "Mend the file or the dataset's text."
    )


_READERS: Mapping[str, Callable[[_File, bytes], dict[str, Array]]] = {"csv": _csv, "npz": _npz, "text": _text}
