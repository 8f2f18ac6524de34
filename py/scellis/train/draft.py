"""A dataset's text drafted from files alone: what they seem to be, for a person to look at and change."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from scellis.content import address
from scellis.errors import ScellisError
from scellis.sml.dataset import DELIMITERS
from scellis.train.archives import array_types
from scellis.train.folders import hidden, pack_folder
from scellis.train.zips import FAULTS, files_in

IMAGES = (".png", ".pgm", ".ppm", ".jpg", ".jpeg")
LOOKED_AT_BYTES = 2**18
"""Of a table so much is looked at; a draft may be wrong, and reading the whole then says so."""
LINES = 1000
NAME_LENGTH = 110
FEW = 20
"""Whole numbers of so few values are taken for classes."""


def gathered(files: Mapping[str, bytes]) -> tuple[str, bytes]:
    """The one file of data that these are, its name and bytes: they are one, or a folder of images, packed.

    `files` are by their paths, divided by /. Raises `SCL-DATA-DRAFT`.
    """
    shown = {path: data for path, data in files.items() if not hidden(path)}
    if len(shown) == 1 and not next(iter(shown)).lower().endswith(IMAGES):
        ((path, data),) = shown.items()
        return path.rpartition("/")[2], data
    odd = [path for path in shown if not path.lower().endswith(IMAGES)]
    if not shown or odd:
        raise ScellisError(
            "SCL-DATA-DRAFT",
            f"These {len(shown)} files are neither one file of data nor a folder of images"
            + (f": {odd[0][:120]} is no image." if odd else "."),
            "Give one file, or a folder of images, or a dataset's text (.sml) with its files.",
        )
    tops = {path.partition("/")[0] for path in shown}
    name = tops.pop() if len(tops) == 1 and all("/" in path for path in shown) else "images"
    return f"{name}.zip", pack_folder(shown)


def draft(name: str, version: int, file: str, data: bytes, origin: str = "") -> str:
    """The SML text of a dataset of one file. Raises `SCL-DATA-DRAFT` for what is no data by its name."""
    shown = re.sub(r"[^A-Za-z0-9._-]", "_", file)[-NAME_LENGTH:]
    shown = shown if shown[:1].isalnum() else f"data{shown}"
    kind = shown.lower().removesuffix(".gz")
    if kind.endswith(".zip"):
        rest = ["format: images", "arrays:", *_image_arrays(data)]
    elif kind.endswith(".npz"):
        rest = ["format: npz", "arrays:", *_npz_arrays(data)]
    elif kind.endswith((".csv", ".tsv", ".data")):
        rest = _table(_beginning(shown, data))
    elif kind.endswith((".txt", ".md", ".text")):
        rest = ["format: text", "arrays:", "  characters: {}"]
    elif kind.endswith((".parquet", ".pq")):
        rest = ["format: parquet", "arrays: {}"]  # refused as such, with the way out
    else:
        raise ScellisError(
            "SCL-DATA-DRAFT",
            f"{file[:120]} is not known as data by its name.",
            "Known: .csv, .tsv, .npz, .zip of images, .txt, and these with .gz.",
        )
    where = [f"from: {{ {json.dumps(shown)}: {json.dumps(origin)} }}"] if origin else []
    head = ["sml: 1", f"dataset: {name}@{version}", "files:", f"  {json.dumps(shown)}: {address(data)}"]
    return "\n".join([*head, *where, *rest]) + "\n"


def dataset_name(file: str) -> str:
    """A name for a dataset, of that of its file: lower-case letters, digits and underscores."""
    stem = file.partition(".")[0]
    found = re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_")[:60]
    return found if re.match(r"[a-z]", found) else f"data_{found}".rstrip("_")


def _image_arrays(data: bytes) -> list[str]:
    """Pixels from 0 to 1, and classes where there are folders."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            paths = [row.filename for row in files_in(archive)]
    except FAULTS:
        paths = []  # reading says what is wrong
    folders = {path.rpartition("/")[0] for path in paths}
    pixels = "  images: { of: pixels, scale: 0.00392156862745098 }"
    return [pixels, "  labels: { of: folders }"] if len(folders) > 1 and "" not in folders else [pixels]


def _npz_arrays(data: bytes) -> list[str]:
    found = []
    for name, (shape, dtype) in array_types(data).items():
        label = re.sub(r"[^A-Za-z0-9_]", "_", name)
        label = label if re.match(r"[A-Za-z]", label) else f"a{label}"
        more = {"U": ", classes: true", "S": ", classes: true", "i": ", dtype: i32", "u": ", dtype: i32"}
        if len(shape) == 1:
            more["f"] = ", shape: [1]"
        found.append(f"  {label[:64]}: {{ array: {json.dumps(name)}{more.get(dtype.kind, '')} }}")
    return found or ["  a: { array: a }"]


def _table(text: str) -> list[str]:
    """Columns of numbers as inputs, the last one as the target."""
    lines = [line for line in text.splitlines() if line.strip()][:LINES]
    read = {mark: _rows(lines, mark) for mark in DELIMITERS}
    even = [
        mark for mark, rows in read.items() if len(widths := set(map(len, rows))) == 1 and min(widths) > 1
    ]
    delimiter = even[0] if even else ","
    rows = read[delimiter]
    width = min(map(len, rows), default=1)
    header = bool(rows) and len(rows) > 1 and _names(rows[0], rows[1])
    body = rows[1:] if header else rows
    numeric = [place for place in range(width) if all(_is_number(row[place]) for row in body)]
    last = width - 1
    inputs = [place for place in numeric if place != last] or list(range(width))
    found = ["format: csv"]
    if delimiter != ",":
        found.append(f"delimiter: {json.dumps(delimiter)}")
    if header:
        found.append("header: true")
    alone = ", shape: [1]" if len(inputs) == 1 else ""
    found += ["arrays:", f"  inputs: {{ columns: {_span(inputs)}{alone} }}"]
    if last > 0:
        cells = {row[last] for row in body}
        few = len(cells) <= FEW and all(re.fullmatch(r"-?[0-9]+", cell) for cell in cells)
        classes = last not in numeric or few
        found.append(f"  target: {{ columns: {last}, {'classes: true' if classes else 'shape: [1]'} }}")
    return found


def _rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    try:
        return [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)]
    except csv.Error:
        return []  # reading says what is wrong


def _names(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether a row names columns: there it has a word, and a number below it."""
    return any(
        not _is_number(name) and _is_number(cell) for name, cell in zip(first, second, strict=False)
    ) and not any(map(_is_number, first))


def _span(places: Sequence[int]) -> str:
    if len(places) > 1 and places == list(range(places[0], places[-1] + 1)):
        return f"{places[0]}..{places[-1]}"
    return f"[{', '.join(map(str, places))}]"


def _beginning(file: str, data: bytes) -> str:
    """The first lines of a table; reading the whole says what is wrong with it."""
    found = data[:LOOKED_AT_BYTES]
    cut = len(data) > LOOKED_AT_BYTES
    if file.lower().endswith(".gz"):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacker:
                found = unpacker.read(LOOKED_AT_BYTES)
        except (zlib.error, OSError, EOFError):
            return ""
        cut = len(found) == LOOKED_AT_BYTES
    text = found.decode("utf-8-sig", "replace")
    return text.rpartition("\n")[0] if cut else text


def _is_number(cell: str) -> bool:
    try:
        return bool(np.isfinite(float(cell)))
    except ValueError:
        return False
