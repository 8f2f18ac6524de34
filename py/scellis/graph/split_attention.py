"""Attention in parts: of batches, heads and rows each for itself, of the columns of a row by their sums.

What is seen of some columns is weighed by their share of the whole sum, whose logarithm each part has.
Source: M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", 2018.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from scellis.graph import functions
from scellis.graph.cuts import Bounds, Box, Cut, clipped, joint, lengths
from scellis.graph.graph import Node
from scellis.graph.part import Part, PartRule
from scellis.graph.pieces import Pieces, combined, joined, total, zeros
from scellis.graph.trace import Value
from scellis.graph.types import F16, F32, ArrayType

Range = tuple[int, int]
Seen = tuple[Range, bool]
"""Columns of some rows, or rows of some columns, and whether the first of both see each other alone."""

_OF_ROWS = ("attention", "attention_logsumexp", "attention_by_query")
_OF_VALUES = ("attention", "attention_by_value")
"""Operations whose results have the features of the values."""


class _Axes:
    """Where the arguments of an operation are cut: of the scores batches, heads, groups, rows, columns."""

    def __init__(self, node: Node, args: Sequence[Pieces]) -> None:
        summed = len(args) == 3
        query, key, mask = args[0], args[1], args[2 if summed else 3]
        by_rows, by_columns = [query, *args[4:]], [key] if summed else [key, args[2]]
        self.causal = bool(node.params["causal"])
        self.each = query.type.shape[1] // key.type.shape[1]
        """heads of a group"""
        self.batch = _joined(args, 0)
        groups, of_heads = _joined(by_columns, 1), _joined([*by_rows, mask], 1)
        self.heads = clipped((*of_heads, *(place * self.each for place in groups)), of_heads[-1])
        around = (side for place in of_heads for side in (place // self.each, -(-place // self.each)))
        self.groups = clipped((*groups, *around), groups[-1])
        """a part with several groups is cut at none of their heads"""
        self.rows = _joined([*by_rows, mask], 2)
        self.columns = joint(_joined(by_columns, 2), mask.cut[3])

    def columns_of(self, rows: Range) -> Iterator[Seen]:
        """Those that some rows see: all before the first row, and those that begin with it."""
        start = rows[0] if self.causal else 0
        for columns in itertools.pairwise(joint(self.columns, (start,))):
            if not self.causal or columns[0] <= start:
                yield columns, self.causal and columns[0] == start

    def rows_of(self, columns: Range) -> Iterator[Seen]:
        """Those that see some columns."""
        start = columns[0] if self.causal else 0
        for rows in itertools.pairwise(joint(self.rows, (start,))):
            if rows[0] >= start:
                yield rows, self.causal and rows[0] == start


def _joined(args: Sequence[Pieces], axis: int) -> Bounds:
    return joint(*(held.cut[axis] for held in args))


def attention_cut(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    """A part is of one part of each argument; under a causal mask rows are cut where columns are."""
    axes = _Axes(node, args)
    features = args[2].cut[3] if node.op in _OF_VALUES else (0, type_.shape[-1])
    own, other = (axes.rows, axes.columns) if node.op in _OF_ROWS else (axes.columns, axes.rows)
    along = joint(own, other) if axes.causal else own
    cut = (axes.batch, axes.heads if node.op in _OF_ROWS else axes.groups, along, features)
    return cut[: type_.rank]


def _of_rows(part: Part) -> Value:
    """Head by head of a group that is cut, else groups whole."""
    axes = _Axes(part.node, part.args)
    first, last = part.box[1]
    inner = (-(-first // axes.each) * axes.each, last // axes.each * axes.each)
    heads = [part.box[1]] if inner[0] > inner[1] else _within(part.box[1], inner)
    of = {"attention": _weighed, "attention_logsumexp": _summed, "attention_by_query": _added}[part.node.op]
    return joined([of(part, axes, each) for each in heads], 1)


def _within(box: Range, places: Sequence[int]) -> list[Range]:
    start, stop = box
    return list(itertools.pairwise((start, *sorted({at for at in places if start < at < stop}), stop)))


def _seen(part: Part, axes: _Axes, heads: Range) -> Iterator[tuple[Box, bool]]:
    """The scores of a part of rows: batches, heads, rows and columns; and whether they are causal."""
    for columns, causal in axes.columns_of(part.box[2]):
        yield (part.box[0], heads, part.box[2], columns), causal


def _applied(part: Part, axes: _Axes, op: str, scores: Box, causal: bool) -> Value:
    """An operation of attention on some of the scores."""
    batch, heads, rows, columns = scores
    groups = (heads[0] // axes.each, -(-heads[1] // axes.each))
    query, key, *rest, mask = part.args[: 3 if len(part.args) == 3 else 4]
    found = [_rows(query, batch, heads, rows), _rows(key, batch, groups, columns)]
    features = (part.box[-1],) if part.node.op in _OF_VALUES else ()
    if op != "attention_logsumexp":
        found += [_rows(value, batch, groups, columns, *features) for value in rest]
    found.append(mask.at(scores))
    if len(part.args) == 7:
        g, *numbers = part.args[4:]
        found.append(_rows(g, batch, heads, rows, *features))
        found += [held.at((batch, heads, rows)) for held in numbers]
    return part.made.builder.apply(op, *found, scale=part.params["scale"], causal=causal)


def _rows(held: Pieces, batch: Range, heads: Range, rows: Range, *features: Range) -> Value:
    """Features of some rows: all of them, or those asked for."""
    return held.at((batch, heads, rows, *(features or ((0, held.type.shape[3]),))))


def _parts(part: Part, axes: _Axes, heads: Range) -> tuple[list[Value], Value]:
    """Of each of the parts of the columns the logarithm of its sum, and the greatest of these."""
    found = [_applied(part, axes, "attention_logsumexp", *seen) for seen in _seen(part, axes, heads)]
    return found, combined("maximum", found)


def _summed(part: Part, axes: _Axes, heads: Range) -> Value:
    found, top = _parts(part, axes, heads)
    if len(found) == 1:
        return found[0]
    return top + functions.log(total([functions.exp(each - top) for each in found]))


def _weighed(part: Part, axes: _Axes, heads: Range) -> Value:
    values = [_applied(part, axes, "attention", *seen) for seen in _seen(part, axes, heads)]
    if len(values) == 1:
        return values[0]
    sums, top = _parts(part, axes, heads)
    shares = [functions.exp(each - top) for each in sums]
    whole = total(shares)
    wide = [value.astype(F32) if value.dtype == F16 else value for value in values]
    weighed = [value * (share / whole)[..., None] for value, share in zip(wide, shares, strict=True)]
    return total(weighed).astype(part.type.dtype)


def _added(part: Part, axes: _Axes, heads: Range) -> Value:
    found = total([_applied(part, axes, part.node.op, *seen) for seen in _seen(part, axes, heads)])
    return found[..., slice(*part.box[-1])]


def _of_columns(part: Part) -> Value:
    """Over the rows that see them, and the heads of a group where that is cut."""
    axes = _Axes(part.node, part.args)
    batch, groups, columns, features = part.box
    heads = _within((groups[0] * axes.each, groups[1] * axes.each), axes.heads)
    found = [
        _applied(part, axes, part.node.op, (batch, each, rows, columns), causal)
        for each in heads
        for rows, causal in axes.rows_of(columns)
    ]
    if not found:  # under a causal mask no row is late enough
        return zeros(part.made.builder, ArrayType(lengths(part.box), part.type.dtype))
    return total(found) if part.node.op in _OF_VALUES else total(found)[..., slice(*features)]


ATTENTION_RULES: Mapping[str, PartRule] = {
    **dict.fromkeys(_OF_ROWS, _of_rows),
    **dict.fromkeys(("attention_by_key", "attention_by_value"), _of_columns),
}
