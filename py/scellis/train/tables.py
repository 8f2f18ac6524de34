"""Tables: files of rows, their cells divided by a character (CSV)."""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from scellis.graph.op import Array
from scellis.sml.dataset import Part
from scellis.train.files import DataFile, Found, Reading, decoded, shaped

PIECE_ROWS = 2000

Rows = Sequence[Sequence[str]]


def read_table(file: DataFile, data: bytes) -> Reading:
    """The columns of a table as arrays. Raises `SCL-DATA-FORM` with the row of what is wrong."""
    lines = io.StringIO(decoded(file, data), newline="")
    try:
        return (yield from _read(file, csv.reader(lines, delimiter=file.text.delimiter, strict=True)))
    except csv.Error as error:
        raise file.fault(f"it is no table: {error}") from error


def _read(file: DataFile, reader: Iterator[list[str]]) -> Generator[None, None, Found]:
    rows: Iterator[list[str]] = itertools.islice(reader, file.text.skip, None)
    header = [name.strip() for name in next(rows, [])] if file.text.header else None
    rows = (row for row in rows if row)
    first = next(rows, None)
    if first is None:
        raise file.fault("it has no rows")
    width = len(first)
    if header is not None and len(header) != width:
        raise file.fault(f"its header names {len(header)} columns, where the first row has {width}")
    columns = [_Columns(file, part, _places(file, part, width, header or [])) for part in file.parts]
    before, rows = 0, itertools.chain([first], rows)
    while piece := list(itertools.islice(rows, PIECE_ROWS)):
        for number, row in enumerate(piece, before + 1):
            if len(row) != width:
                raise file.fault(f"row {number} has {len(row)} columns, where the first has {width}")
        for column in columns:
            column.add(piece, before)
        before += len(piece)
        yield
    return Found({column.part.name: column.array() for column in columns})


def _places(file: DataFile, part: Part, width: int, header: Sequence[str]) -> list[int]:
    """Where the columns of an array stand in a row."""
    columns: dict[str | int, list[int]] = {place: [place] for place in range(width)}
    for place, name in enumerate(header):
        columns.setdefault(name, []).append(place)
    found = []
    for column in part.columns:
        places = columns.get(column, [])
        if len(places) != 1:
            known = ", ".join(header)[:400] or f"0 to {width - 1}"
            count = "several columns" if places else "no column"
            raise file.fault(f"there is {count} {column!r} for {part.name}; there are {known}")
        found += places
    return found


class _Columns:
    """The columns of one array, piece by piece: numbers, or classes by the words that stand for them."""

    def __init__(self, file: DataFile, part: Part, places: Sequence[int]) -> None:
        self._file = file
        self.part = part
        self._places = places
        self._pieces: list[Array] = []
        self._words: dict[str, int] = {}

    def add(self, rows: Rows, before: int) -> None:
        """Take rows, `before` of which there were others."""
        cells = [[row[place].strip() for place in self._places] for row in rows]
        if self.part.classes:
            words = self._words
            self._pieces.append(
                np.array([[words.setdefault(cell, len(words)) for cell in row] for row in cells])
            )
            return
        try:
            numbers = np.array(cells, np.float64)
        except ValueError:
            numbers = np.array([[_number(cell) for cell in row] for row in cells], np.float64)
        odd = np.argwhere(~np.isfinite(numbers))
        if len(odd):
            row, place = map(int, odd[0])
            cell, what = cells[row][place], "finite number"
            if not _is_number(cell):
                what = "number"
            raise self._file.fault(
                f"row {before + row + 1}, column {self._places[place]}: {cell[:40]!r} is no {what}"
            )
        self._pieces.append(numbers)

    def array(self) -> Array:
        """All rows; of one column a row of numbers."""
        table = np.concatenate(self._pieces)
        if self.part.classes:
            table = _numbered(self._words)[table]
        return shaped(self._file, self.part, table[:, 0] if table.shape[1] == 1 else table)


def _numbered(words: Mapping[str, int]) -> Array:
    """The class of each word: in the order of numbers where all are, else of the alphabet."""
    numeric = all(math.isfinite(_number(word)) for word in words)
    values: list[Any] = [float(word) if numeric else word for word in words]
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    return np.array([places[value] for value in values], np.int32)


def _number(cell: str) -> float:
    return float(cell) if _is_number(cell) else math.nan


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
