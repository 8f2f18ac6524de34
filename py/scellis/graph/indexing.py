"""Operations that look elements up by number: embedding, gathering, scattering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scellis.errors import ScellisError
from scellis.graph.elementwise import listed
from scellis.graph.movement import int_of
from scellis.graph.op import Array, Op, Params, integer
from scellis.graph.reductions import wide_type
from scellis.graph.types import I32, INTEGERS, NUMBERS, ArrayType, normal_axis


def _checked(name: str, types: Sequence[ArrayType], params: Params) -> int:
    array, indices = types
    if indices.rank != 1 or indices.dtype not in INTEGERS:
        raise ScellisError("SCL-GRAPH-SHAPE", f"{name} takes one axis of integers as indices, not {indices}.")
    return normal_axis(int_of(params, "axis"), array.rank)


def _take(types: Sequence[ArrayType], params: Params) -> ArrayType:
    axis = _checked("take", types, params)
    shape = list(types[0].shape)
    if shape[axis] == 0 and types[1].size:
        raise ScellisError("SCL-GRAPH-SHAPE", f"There is nothing to take from {types[0]} along axis {axis}.")
    shape[axis] = types[1].shape[0]
    return ArrayType(tuple(shape), types[0].dtype)


def _scatter_add(types: Sequence[ArrayType], params: Params) -> ArrayType:
    axis = _checked("scatter_add", types, params)
    updates, indices = types
    if updates.shape[axis] != indices.shape[0] or updates.dtype not in NUMBERS:
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"scatter_add takes an index for each update, not {listed(types)}."
        )
    shape = list(updates.shape)
    shape[axis] = int_of(params, "length")
    return ArrayType(tuple(shape), updates.dtype)


def _scatter_in_order(types: Sequence[ArrayType], params: Params) -> ArrayType:
    found = _scatter_add(types[:2], params)
    axis, order = normal_axis(int_of(params, "axis"), found.rank), types[2]
    start, stop = int_of(params, "start"), int_of(params, "stop")
    if order != ArrayType(types[1].shape, I32) or not 0 <= start <= stop <= found.shape[axis]:
        raise ScellisError(
            "SCL-GRAPH-SHAPE",
            f"scatter_add_in_order has no rows {start} to {stop} of {found} by an order of {order}.",
        )
    return ArrayType((*found.shape[:axis], stop - start, *found.shape[axis + 1 :]), found.dtype)


def clamped(indices: Array, length: int) -> Array:
    """Indices below 0 or past the end stand for the nearest element there is, on every device."""
    return np.clip(indices.astype(np.int64), 0, max(length - 1, 0))


def _taken(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    array, indices = arrays
    axis = int_of(params, "axis")
    return np.asarray(np.take(array, clamped(indices, array.shape[axis]), axis=axis))


def _scattered(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    updates, indices = arrays
    axis = normal_axis(int_of(params, "axis"), updates.ndim)
    total = np.zeros(type_.shape, wide_type(updates))
    if type_.shape[axis]:
        rows = np.moveaxis(total, axis, 0)  # a view: what is added there is added to `total`
        np.add.at(rows, clamped(indices, type_.shape[axis]), np.moveaxis(updates, axis, 0))
    return total.astype(updates.dtype)


def _scattered_in_order(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    updates, indices, _ = arrays
    axis = normal_axis(int_of(params, "axis"), updates.ndim)
    shape = (*type_.shape[:axis], int_of(params, "length"), *type_.shape[axis + 1 :])
    whole = _scattered([updates, indices], params, ArrayType(shape, type_.dtype))
    return np.take(whole, range(int_of(params, "start"), int_of(params, "stop")), axis)


INDEXING_OPS: Mapping[str, Op] = {
    "take": Op(2, _take, _taken, {"axis": integer}),
    "scatter_add": Op(2, _scatter_add, _scattered, {"axis": integer, "length": integer}),
    "scatter_add_in_order": Op(
        3,
        _scatter_in_order,
        _scattered_in_order,
        {"axis": integer, "length": integer, "start": integer, "stop": integer},
    ),
}
"""`scatter_add_in_order(updates, indices, order)` is `scatter_add` of indices in range, given the order that
sorts them, equal ones in place: the rows from `start` to before `stop`."""
