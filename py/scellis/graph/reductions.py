"""Operations along axes: reductions, cumulative sums, products of matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from scellis.errors import ScellisError
from scellis.graph.elementwise import listed
from scellis.graph.movement import int_of, shape_of
from scellis.graph.op import Array, Op, Params, integer, integers
from scellis.graph.types import BOOL, I32, NUMBERS, ArrayType, normal_axes, normal_axis


def _reduced(
    name: str, takes: tuple[str, ...], *, empty: bool = True
) -> Callable[[Sequence[ArrayType], Params], ArrayType]:
    """The type with `axes` gone. `empty`: there is a value for no elements."""

    def infer(types: Sequence[ArrayType], params: Params) -> ArrayType:
        (given,) = types
        axes = shape_of(params, "axes")
        if axes != normal_axes(axes, given.rank):
            raise ScellisError("SCL-GRAPH-SHAPE", f"The axes {axes} of {name} are not in order.")
        if given.dtype not in takes:
            raise ScellisError("SCL-GRAPH-DTYPE", f"{name} does not take {given.dtype}.")
        if not empty and any(given.shape[axis] == 0 for axis in axes):
            raise ScellisError("SCL-GRAPH-SHAPE", f"{name} of no elements has no value: {given}.")
        kept = tuple(length for axis, length in enumerate(given.shape) if axis not in axes)
        return ArrayType(kept, given.dtype)

    return infer


def _along(name: str, gives: str) -> Callable[[Sequence[ArrayType], Params], ArrayType]:
    """The type of a search along one axis, which goes."""

    def infer(types: Sequence[ArrayType], params: Params) -> ArrayType:
        (given,) = types
        axis = normal_axis(int_of(params, "axis"), given.rank)
        if given.dtype not in NUMBERS or given.shape[axis] == 0:
            raise ScellisError("SCL-GRAPH-SHAPE", f"{name} finds nothing in {given} along axis {axis}.")
        return ArrayType((*given.shape[:axis], *given.shape[axis + 1 :]), gives)

    return infer


def _cumulative(types: Sequence[ArrayType], params: Params) -> ArrayType:
    normal_axis(int_of(params, "axis"), types[0].rank)
    if types[0].dtype not in NUMBERS:
        raise ScellisError("SCL-GRAPH-DTYPE", f"cumulative_sum does not take {types[0].dtype}.")
    return types[0]


def _matmul(types: Sequence[ArrayType], params: Params) -> ArrayType:
    a, b = types
    fits = a.rank >= 2 and a.rank == b.rank and a.shape[:-2] == b.shape[:-2] and a.shape[-1] == b.shape[-2]
    if not fits:
        raise ScellisError("SCL-GRAPH-SHAPE", f"{listed(types)} have no matrix product.")
    if a.dtype != b.dtype or a.dtype not in NUMBERS:
        raise ScellisError(
            "SCL-GRAPH-DTYPE", f"matmul takes two arrays of numbers of one type, not {listed(types)}."
        )
    return ArrayType((*a.shape[:-1], b.shape[-1]), a.dtype)


def _reduction(reduce: Callable[..., Array]) -> Callable[[Sequence[Array], Params, ArrayType], Array]:
    def evaluate(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
        return np.asarray(reduce(arrays[0], axis=shape_of(params, "axes")), arrays[0].dtype)

    return evaluate


def wide_type(array: Array) -> np.dtype[Any]:
    """The type that sums and products of elements are kept in until the last: f32 for f16, as on a GPU."""
    return np.dtype(np.float32) if array.dtype == np.float16 else array.dtype


def _sum(array: Array, axis: tuple[int, ...]) -> Array:
    return np.asarray(np.sum(array, axis=axis, dtype=wide_type(array)))


def _prod(array: Array, axis: tuple[int, ...]) -> Array:
    return np.asarray(np.prod(array, axis=axis, dtype=wide_type(array)))


def _summed_up(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    (array,) = arrays
    return np.asarray(np.cumsum(array, int_of(params, "axis"), dtype=wide_type(array)), array.dtype)


def _matrix_product(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    a, b = (array.astype(wide_type(array), copy=False) for array in arrays)
    return np.asarray(np.matmul(a, b), arrays[0].dtype)


_AXES = {"axes": integers}
_AXIS = {"axis": integer}

REDUCTION_OPS: Mapping[str, Op] = {
    "sum": Op(1, _reduced("sum", NUMBERS), _reduction(_sum), _AXES),
    "prod": Op(1, _reduced("prod", NUMBERS), _reduction(_prod), _AXES),
    "max": Op(1, _reduced("max", NUMBERS, empty=False), _reduction(np.max), _AXES),
    "min": Op(1, _reduced("min", NUMBERS, empty=False), _reduction(np.min), _AXES),
    "any": Op(1, _reduced("any", (BOOL,)), _reduction(np.any), _AXES),
    "all": Op(1, _reduced("all", (BOOL,)), _reduction(np.all), _AXES),
    "argmax": Op(
        1,
        _along("argmax", I32),
        lambda arrays, params, type_: np.argmax(arrays[0], int_of(params, "axis")).astype(np.int32),
        _AXIS,
    ),
    "argmin": Op(
        1,
        _along("argmin", I32),
        lambda arrays, params, type_: np.argmin(arrays[0], int_of(params, "axis")).astype(np.int32),
        _AXIS,
    ),
    "cumulative_sum": Op(1, _cumulative, _summed_up, _AXIS),
    "matmul": Op(2, _matmul, _matrix_product),
}
