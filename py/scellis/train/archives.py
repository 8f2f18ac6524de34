"""Archives of arrays (NPZ), read without NumPy's own reader: that makes room for whatever a header says."""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from scellis.graph.op import Array
from scellis.sml.dataset import Part
from scellis.train.data import DATASET_LIMIT_BYTES
from scellis.train.files import DataFile, Found, Reading, shaped
from scellis.train.zips import FAULTS, check_packing

MEMBERS_LIMIT = 1000
HEAD_BYTES = 2**16
"""The longest head of an array is of 64 KiB."""


def read_arrays(file: DataFile, data: bytes) -> Reading:
    """The arrays of an archive. Raises `SCL-DATA-FORM`, `SCL-DATA-SIZE` before anything is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            rows = archive.infolist()
            if len(rows) > MEMBERS_LIMIT or sum(row.file_size for row in rows) > DATASET_LIMIT_BYTES:
                raise file.too_large()
            members = {row.filename.removesuffix(".npy"): row for row in rows}
            if len(members) != len(rows):
                raise file.fault("it holds two arrays of one name")
            found = {}
            for part in file.parts:
                found[part.name] = shaped(file, part, _member(file, part, archive, members))
                yield
            return Found(found)
    except FAULTS as error:
        raise file.fault(f"it is no archive of arrays: {str(error)[:120]}") from error


def _member(
    file: DataFile, part: Part, archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo]
) -> Array:
    """One array of an archive."""
    name = str(part.columns[0])
    if name not in members:
        raise file.fault(f"it has no array {name!r}; it has {', '.join(list(members)[:40])}")
    check_packing(file, name, members[name])
    data = archive.read(members[name])
    stream = io.BytesIO(data)
    shape, by_columns, dtype = _header(stream)
    if dtype.hasobject:
        raise file.fault(f"{name} holds objects of Python, which are not read")
    start, count = stream.tell(), math.prod(shape)
    if count * dtype.itemsize != len(data) - start:
        raise file.fault(f"{name} has {len(data) - start} bytes, which are no {shape} of {dtype}")
    found = np.frombuffer(data, dtype, count, start).reshape(shape, order="F" if by_columns else "C")
    return _numbered(file, part, found) if part.classes else found


def array_types(data: bytes) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
    """Shapes and element types of an archive's arrays, from their heads; of what is none, nothing."""
    found = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for row in archive.infolist()[:MEMBERS_LIMIT]:
                with archive.open(row) as member:
                    head = io.BytesIO(member.read(HEAD_BYTES))
                found[row.filename.removesuffix(".npy")] = _header(head)[::2]
    except FAULTS:
        return {}
    return found


def _header(stream: io.BytesIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, whether it is stored by columns, and type of an array of a .npy file."""
    version = np.lib.format.read_magic(stream)
    try:
        found: tuple[tuple[int, ...], bool, np.dtype[Any]] = _HEADERS[version](stream)
    except (KeyError, TypeError, SyntaxError, tokenize.TokenError, RecursionError, MemoryError) as error:
        raise ValueError("the header of an array is damaged") from error
    return found


def _numbered(file: DataFile, part: Part, found: Array) -> Array:
    """The number of each element's class: its place among those that occur, in order."""
    if found.dtype.kind not in "fiubSU":
        raise file.fault(f"{part.name} holds {found.dtype}, which are neither numbers nor words")
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        raise file.fault(f"{part.name} holds what is no finite number")
    return np.unique(found, return_inverse=True)[1].reshape(found.shape)


_HEADERS: Mapping[tuple[int, int], Callable[..., Any]] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
