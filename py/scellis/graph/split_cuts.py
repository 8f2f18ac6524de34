"""Where the result of an operation is cut, by how its arguments are: so that each part is of few parts.

Along an axis that an operation keeps, a cut goes on; along one that it takes together, the result is whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from scellis.graph.attention import ATTENTION_OPS
from scellis.graph.cuts import Cut, clipped, divided, joint, matched, refined, uncut
from scellis.graph.drawn import DRAWN_OPS, WEIGHT_OPS
from scellis.graph.elementwise import ELEMENTWISE_OPS
from scellis.graph.graph import Node
from scellis.graph.movement import int_of, shape_of
from scellis.graph.pieces import Pieces
from scellis.graph.split_attention import attention_cut
from scellis.graph.types import ArrayType, Shape

GROUPS_LIMIT = 65_535
"""Matrices of one product: a workgroup or more for each, along one dimension of the grid (WebGPU's limit)."""
ROWS_LIMIT = 32 * GROUPS_LIMIT
"""Rows or columns of one: a workgroup computes 32 or more."""

CutRule: TypeAlias = Callable[[Node, ArrayType, Sequence[Pieces]], Cut]


def _as_most(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    """Like the argument that is in most parts."""
    return max(args, key=lambda held: len(held.values)).cut


def _source(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    return uncut(type_.shape)


def _broadcast_to(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    new = type_.rank - args[0].type.rank
    stretched = [
        bounds if bounds[-1] == length else (0, length)
        for bounds, length in zip(args[0].cut, type_.shape[new:], strict=True)
    ]
    return (*uncut(type_.shape[:new]), *stretched)


def _permute_dims(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    return tuple(args[0].cut[axis] for axis in shape_of(node.params, "axes"))


def _slice(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    rows = zip(
        args[0].cut, shape_of(node.params, "start"), shape_of(node.params, "step"), type_.shape, strict=True
    )
    return tuple(
        clipped((-((first - place) // step) for place in bounds), length)
        for bounds, first, step, length in rows
    )


def _pad(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    rows = zip(
        args[0].cut, shape_of(node.params, "before"), shape_of(node.params, "interior"), type_.shape,
        strict=True,
    )  # fmt: skip
    return tuple(
        clipped((before + place * (interior + 1) for place in bounds[1:-1]), length)
        for bounds, before, interior, length in rows
    )


def _flip(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    turned = {axis % type_.rank for axis in shape_of(node.params, "axes")}
    return tuple(
        clipped((bounds[-1] - place for place in bounds), bounds[-1]) if axis in turned else bounds
        for axis, bounds in enumerate(args[0].cut)
    )


def _windows(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    axis, step, length = (int_of(node.params, name) for name in ("axis", "step", "length"))
    axis %= args[0].type.rank
    counted = clipped((-(-place // step) for place in args[0].cut[axis]), type_.shape[axis])
    return (*args[0].cut[:axis], counted, *args[0].cut[axis + 1 :], (0, length))


def _concat(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    first, second = args
    axis = int_of(node.params, "axis") % type_.rank
    border = first.type.shape[axis]
    cut = list(_as_most(node, type_, args))
    cut[axis] = clipped(
        (*first.cut[axis], *(border + place for place in second.cut[axis])), type_.shape[axis]
    )
    return tuple(cut)


def _reshape(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    """Of each group of axes that belong together the first may be cut, where rows end at a cut before."""
    given, new = args[0].type.shape, type_.shape
    found = list(uncut(new))
    for old_axes, new_axes in matched(given, new):
        old, wide = _widest(given, old_axes), _widest(new, new_axes)
        if old is None or wide is None:
            continue
        inner = math.prod(given[old + 1 : old_axes.stop])
        row = math.prod(new[wide + 1 : new_axes.stop])
        places = (place * inner for place in args[0].cut[old])
        found[wide] = clipped((place // row for place in places if place % row == 0), new[wide])
    return tuple(found)


def _widest(shape: Shape, axes: range) -> int | None:
    """The first of these axes that has more than one element."""
    return next((axis for axis in axes if shape[axis] > 1), None)


def _reduced(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    gone = shape_of(node.params, "axes") if "axes" in node.params else (int_of(node.params, "axis"),)
    rank = args[0].type.rank
    return tuple(bounds for axis, bounds in enumerate(args[0].cut) if axis not in {at % rank for at in gone})


def _matmul(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    a, b = args
    batch = tuple(joint(*pair) for pair in zip(a.cut[:-2], b.cut[:-2], strict=True))
    return (
        *refined(batch, GROUPS_LIMIT), divided(a.cut[-2], ROWS_LIMIT), divided(b.cut[-1], ROWS_LIMIT),
    )  # fmt: skip


def exceeds_grid(shape: Shape) -> bool:
    """Whether a product of this shape needs more workgroups than a device has in one dimension."""
    *batch, rows, columns = shape
    return math.prod(batch) > GROUPS_LIMIT or max(rows, columns) > ROWS_LIMIT


def _take(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    array, indices = args
    axis = int_of(node.params, "axis") % type_.rank
    return (*array.cut[:axis], indices.cut[0], *array.cut[axis + 1 :])


def _scatter_add(node: Node, type_: ArrayType, args: Sequence[Pieces]) -> Cut:
    axis = int_of(node.params, "axis") % type_.rank
    return (*args[0].cut[:axis], (0, type_.shape[axis]), *args[0].cut[axis + 1 :])


CUTS: Mapping[str, CutRule] = {
    **dict.fromkeys((*ELEMENTWISE_OPS, *DRAWN_OPS, *WEIGHT_OPS, "astype", "cumulative_sum"), _as_most),
    **dict.fromkeys(("iota", "random_words"), _source),
    **dict.fromkeys(("sum", "prod", "max", "min", "any", "all", "argmax", "argmin"), _reduced),
    "broadcast_to": _broadcast_to,
    "permute_dims": _permute_dims,
    "slice": _slice,
    "pad": _pad,
    "flip": _flip,
    "windows": _windows,
    "concat": _concat,
    "reshape": _reshape,
    "matmul": _matmul,
    "take": _take,
    "barrier": lambda node, type_, args: args[0].cut,
    "scatter_add": _scatter_add,
    "scatter_add_in_order": _scatter_add,
    "merge_order": lambda node, type_, args: (*args[0].cut[:-1], (0, type_.shape[-1])),
    **dict.fromkeys(ATTENTION_OPS, attention_cut),
}
