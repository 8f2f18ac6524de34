"""SML of a dataset: which file it is made of, by its hash, and which arrays that file holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from scellis.content import address, canonical_json
from scellis.content.address import ADDRESS
from scellis.sml.document import Section, load
from scellis.sml.job_text import VERSION, VERSION_LIMIT

_ID = re.compile(r"([a-z][a-z0-9_]{0,63})@([1-9][0-9]{0,5})")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_URL = re.compile(r"https://[!-~]{1,2000}")
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")

FIELDS = (
    "sml", "dataset", "about", "source", "licence", "files", "from", "format", "delimiter", "header", "skip",
    "arrays",
)  # fmt: skip
FORMATS = ("csv", "npz", "images", "text")
DELIMITERS = (",", ";", " ", "\t")
_NUMBERS = ("shape", "dtype", "scale", "offset", "classes")
NO_PARQUET = "Parquet is not read: no reader of it that is kept up runs in a tab."
CONVERTED = (
    'Convert it to CSV, where pyarrow is installed with: python -c "import pyarrow.csv as c, '
    "pyarrow.parquet as p; c.write_csv(p.read_table('data.parquet'), 'data.csv')\""
)
PIXELS, FOLDERS = "pixels", "folders"
"""What an array of images is made of: their pixels, or the folders that they lie in."""
_PART_FIELDS = {
    "csv": ("file", "columns", *_NUMBERS),
    "npz": ("file", "array", *_NUMBERS),
    "images": ("file", "of", "dtype", "scale", "offset"),
    "text": ("file",),
}
FILES_LIMIT = 100
ARRAYS_LIMIT = 1000
COLUMNS_LIMIT = 100_000
TYPES = ("f32", "i32")


@attrs.frozen
class Part:
    """One array of a dataset: columns of a table, or an array of an archive, as a type and shape.

    `columns` are names, or numbers from 0, of a table's columns; the name of an archive's array; of images
    `pixels` or `folders`; of a text none. `shape` is that of one example, as the file has it where None.
    `scale` and `offset`: the elements are (x − offset) · scale. `classes`: each value that occurs is one,
    numbered in order.
    """

    name: str
    file: str
    columns: tuple[str | int, ...]
    shape: tuple[int, ...] | None
    dtype: str
    scale: float
    offset: float
    classes: bool


@attrs.frozen
class DatasetText:
    """What an SML text says of a dataset. `files` are the addresses of its files by their names.

    `origins`: URLs, https://…, from which some of them can be fetched where they are not at hand.
    """

    name: str
    version: int
    about: str
    source: str
    licence: str
    files: Mapping[str, str]
    origins: Mapping[str, str]
    format: str
    delimiter: str
    header: bool
    skip: int
    parts: tuple[Part, ...]

    @property
    def id(self) -> str:
        """Name and version, `digits@1`."""
        return f"{self.name}@{self.version}"

    @property
    def address(self) -> str:
        """The content address of what is read: which files, and how; not what is told of it besides."""
        told = {
            "scellis_dataset": 1,
            "files": dict(self.files),
            "format": self.format,
            "delimiter": self.delimiter,
            "header": self.header,
            "skip": self.skip,
            "arrays": {part.name: _plain(attrs.asdict(part)) for part in self.parts},
        }
        return address(canonical_json(told))


def _plain(part: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in part.items()}


def parse_dataset(text: str) -> DatasetText:
    """Read a dataset's SML. Raises `SCL-SML-TEXT`, naming the line and the field."""
    top = load(text)
    if top.integer("sml", 0, VERSION_LIMIT) != VERSION:
        raise top.refuse("sml", f"this engine reads SML version {VERSION}.")
    top.only(FIELDS)
    id_ = _ID.fullmatch(top.text("dataset"))
    if id_ is None:
        raise top.refuse("dataset", "a name and a version are expected, digits@1.")
    if top.text("format") == "parquet":
        raise top.refuse("format", NO_PARQUET, CONVERTED)
    format_ = top.one_of("format", FORMATS)
    files = _files(top.section("files"))
    parts = _parts(top.section("arrays"), format_, tuple(files))
    for name in files:
        if all(part.file != name for part in parts):
            raise top.section("files").refuse(name, "no array is read from it.")
    return DatasetText(
        name=id_[1],
        version=int(id_[2]),
        about=top.text("about") if top.has("about") else "",
        source=top.text("source") if top.has("source") else "",
        licence=top.text("licence") if top.has("licence") else "",
        files=files,
        origins=_origins(top.section("from"), tuple(files)) if top.has("from") else {},
        format=format_,
        delimiter=top.one_of("delimiter", DELIMITERS) if top.has("delimiter") else ",",
        header=top.truth("header") if top.has("header") else False,
        skip=top.integer("skip", 0, 1000) if top.has("skip") else 0,
        parts=parts,
    )


def _files(section: Section) -> dict[str, str]:
    """The files' addresses by their names."""
    names = section.fields()
    if not 1 <= len(names) <= FILES_LIMIT:
        raise section.refuse(None, f"a dataset is made of 1 to {FILES_LIMIT} files.")
    for name in names:
        if not _FILE.fullmatch(name) or not ADDRESS.fullmatch(section.text(name)):
            raise section.refuse(name, "the name of a file and its address, sha256:…, are expected.")
    return {name: section.text(name) for name in names}


def _origins(section: Section, files: tuple[str, ...]) -> dict[str, str]:
    """Where files can be fetched. A text may be anyone's: it names no file of the reader's own."""
    section.only(files)
    for name in section.fields():
        if not _URL.fullmatch(section.text(name)):
            raise section.refuse(name, "a URL is expected, https://….")
    return {name: section.text(name) for name in section.fields()}


def _parts(section: Section, format_: str, files: tuple[str, ...]) -> tuple[Part, ...]:
    names = section.fields()
    if not 1 <= len(names) <= ARRAYS_LIMIT:
        raise section.refuse(None, f"a dataset has from 1 to {ARRAYS_LIMIT} arrays.")
    if format_ == "text" and len(names) != 1:
        raise section.refuse(None, "a text is one array, of its characters.")
    return tuple(_part(section, name, format_, files) for name in names)


def _part(section: Section, name: str, format_: str, files: tuple[str, ...]) -> Part:
    if not _NAME.fullmatch(name):
        raise section.refuse(name, "an array's name is a letter, then letters, digits and underscores.")
    row = section.section(name)
    row.only(_PART_FIELDS[format_])
    columns: tuple[str | int, ...] = ()
    if format_ == "csv":
        columns = _columns(row, row.plain("columns"))
    elif format_ == "npz":
        columns = (row.text("array"),)
    elif format_ == "images":
        columns = (row.one_of("of", (PIXELS, FOLDERS)),)
        if columns == (FOLDERS,):
            row.only(("file", "of"))
    shape = row.plain("shape") if row.has("shape") else []
    if not isinstance(shape, list) or not all(type(length) is int and 0 < length < 2**31 for length in shape):
        raise row.refuse("shape", "a list of lengths is expected.")
    classes = row.has("classes") and row.truth("classes")
    return Part(
        name=name,
        file=row.one_of("file", files) if row.has("file") else files[0],
        columns=columns,
        shape=tuple(int(length) for length in shape) if row.has("shape") else None,
        dtype=row.one_of("dtype", TYPES)
        if row.has("dtype")
        else "i32"
        if classes or format_ == "text" or columns == (FOLDERS,)
        else "f32",
        scale=row.number("scale") if row.has("scale") else 1.0,
        offset=row.number("offset") if row.has("offset") else 0.0,
        classes=classes,
    )


def _columns(row: Section, given: object) -> tuple[str | int, ...]:
    """Columns by names or numbers: one, a list, or a range `0..63`."""
    found: list[str | int] = []
    for item in given if isinstance(given, list) else [given]:
        span = re.fullmatch(r"([0-9]{1,6})\.\.([0-9]{1,6})", item) if isinstance(item, str) else None
        if span and int(span[1]) <= int(span[2]):
            found += range(int(span[1]), int(span[2]) + 1)
        elif not span and isinstance(item, (str, int)) and not isinstance(item, bool):
            found.append(item)
        else:
            raise row.refuse("columns", "names or numbers of columns are expected, or a range 0..63.")
        if len(found) > COLUMNS_LIMIT:
            raise row.refuse("columns", f"at most {COLUMNS_LIMIT} columns are read.")
    if not found:
        raise row.refuse("columns", "an array is made of one column at least.")
    return tuple(found)
