"""Order along an axis: sort, argsort, top_k, searchsorted.

In a short row an element's rank is the number of those that come before it, counted by comparing all with
all, none of which is stored. A long row is merged from runs (`graph.ordering`): n log n comparisons.
"""

from __future__ import annotations

import math

from scellis.errors import ScellisError
from scellis.graph import functions
from scellis.graph.ordering import WAYS
from scellis.graph.trace import Value
from scellis.graph.types import FLOATS, I32
from scellis.graph.vmap import vmap

SHORT = 512
"""The longest row in which all elements are compared with all."""


def argsort(x: Value, *, axis: int = -1, descending: bool = False) -> Value:
    """The numbers of the elements in order along an axis, i32. Equal ones keep theirs; NaN comes last."""
    last = functions.moveaxis(x, axis, -1)
    return functions.moveaxis(_order(last, last.shape[-1], descending), -1, axis)


def sort(x: Value, *, axis: int = -1, descending: bool = False) -> Value:
    """The elements in order along an axis; NaN comes last."""
    return take_along_axis(x, argsort(x, axis=axis, descending=descending), axis=axis)


def top_k(x: Value, k: int, *, axis: int = -1, largest: bool = True) -> tuple[Value, Value]:
    """The first `k` elements in order along an axis, and their numbers, i32.

    Raises `SCL-GRAPH-SHAPE` where there are not so many.
    """
    last = functions.moveaxis(x, axis, -1)
    if not 0 <= k <= last.shape[-1]:
        raise ScellisError("SCL-GRAPH-SHAPE", f"There are no first {k} of {last.shape[-1]} elements.")
    indices = functions.moveaxis(_order(last, k, largest), -1, axis)
    return take_along_axis(x, indices, axis=axis), indices


def searchsorted(x: Value, values: Value, *, side: str = "left") -> Value:
    """Where each value goes in a sorted axis `x` (n,) so that it stays sorted, i32: before or after equals.

    Raises `SCL-GRAPH-PARAMETER` for a side that is neither "left" nor "right".
    """
    if side not in ("left", "right"):
        raise ScellisError("SCL-GRAPH-PARAMETER", f"{side[:20]!r} is no side: that is left or right.")
    wide = functions.expand_dims(values, -1)
    before = x < wide if side == "left" else x <= wide
    return functions.sum(before.astype(I32), -1)


def take_along_axis(x: Value, indices: Value, *, axis: int = -1) -> Value:
    """Elements along an axis, by numbers of their own for each row: `indices` has the other axes of `x`.

    One out of range stands for the nearest that is in it. Raises `SCL-GRAPH-SHAPE`.
    """
    given, places = functions.moveaxis(x, axis, -1), functions.moveaxis(indices, axis, -1)
    if given.shape[:-1] != places.shape[:-1]:
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"{x.type} has no elements along axis {axis} at {indices.type}."
        )
    rows = math.prod(given.shape[:-1])
    taken = vmap(functions.take)(*(functions.reshape(v, (rows, v.shape[-1])) for v in (given, places)))
    return functions.moveaxis(functions.reshape(taken, places.shape), -1, axis)


def merged_order(x: Value, *, descending: bool = False) -> Value:
    """The numbers of the elements in order along the last axis, by merging: runs of 1, 32, 1024, …."""
    order, run = functions.iota(x, x.shape, -1), 1
    while run < x.shape[-1]:
        order = x.builder.apply("merge_order", x, order, run=run, descending=descending)
        run *= WAYS
    return order


def _order(x: Value, count: int, descending: bool) -> Value:
    """The numbers of the first `count` elements in order along the last axis."""
    length = x.shape[-1]
    if length > SHORT:
        return merged_order(x, descending=descending)[..., :count]
    one, other = functions.expand_dims(x, -1), functions.expand_dims(x, -2)
    before, same = (other > one if descending else other < one), other == one
    if x.dtype in FLOATS:
        one_none, other_none = functions.isnan(one), functions.isnan(other)
        before, same = before | (one_none & ~other_none), same | (one_none & other_none)
    shape = (*x.shape, length)
    earlier = functions.iota(x, shape, -1) < functions.iota(x, shape, -2)
    rank = functions.sum((before | (same & earlier)).astype(I32), -1)
    place = functions.iota(x, (count, length), 0)
    number = functions.iota(x, (count, length), 1)
    return functions.sum(functions.where(functions.expand_dims(rank, -2) == place, number, 0), -1)
