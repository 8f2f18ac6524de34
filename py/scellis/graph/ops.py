"""The closed set of operations: what a graph may be made of, here and from a stranger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np

from scellis.errors import ScellisError
from scellis.graph.attention import ATTENTION_OPS
from scellis.graph.barrier import BARRIER_OPS
from scellis.graph.convolution import CONVOLUTION_OPS
from scellis.graph.drawn import DRAWN_OPS, WEIGHT_OPS
from scellis.graph.draws import DRAWS, check_parameters
from scellis.graph.elementwise import ELEMENTWISE_OPS
from scellis.graph.indexing import INDEXING_OPS
from scellis.graph.movement import MOVEMENT_OPS, NUMPY_TYPES, int_of, shape_of
from scellis.graph.op import Array, Op, Params, dtype, integer, integers, number, scalar
from scellis.graph.ordering import ORDERING_OPS
from scellis.graph.precision import F16_INFINITE
from scellis.graph.reductions import REDUCTION_OPS
from scellis.graph.types import BOOL, F16, F32, FLOATS, ArrayType, normal_axis
from scellis.graph.words import WORDS_OPS


def _input(types: Sequence[ArrayType], params: Params) -> ArrayType:
    return ArrayType(shape_of(params), str(params["dtype"]))


def _constant(types: Sequence[ArrayType], params: Params) -> ArrayType:
    value, wanted = params["value"], str(params["dtype"])
    fits = (type(value) is bool) == (wanted == BOOL) and (wanted in FLOATS or type(value) is not float)
    if wanted in NUMPY_TYPES and NUMPY_TYPES[wanted](0).dtype.kind in "iu" and fits:
        bounds = np.iinfo(NUMPY_TYPES[wanted])
        fits = bounds.min <= value <= bounds.max  # type: ignore[operator]
    if wanted == F16 and fits:
        fits = abs(float(value)) < F16_INFINITE  # type: ignore[arg-type]
    if not fits:
        raise ScellisError("SCL-GRAPH-PARAMETER", f"constant: {value} is no {wanted}.")
    return ArrayType((), wanted)


def _iota(types: Sequence[ArrayType], params: Params) -> ArrayType:
    found = ArrayType(shape_of(params), str(params["dtype"]))
    normal_axis(int_of(params, "axis"), found.rank)
    if found.dtype == BOOL:
        raise ScellisError("SCL-GRAPH-DTYPE", "iota counts in numbers, not in bool.")
    return found


def _counted(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    axis = int_of(params, "axis")
    lengths = [1] * type_.rank
    lengths[axis] = type_.shape[axis]
    counted: Array = np.arange(type_.shape[axis], dtype=NUMPY_TYPES[type_.dtype]).reshape(lengths)
    return np.broadcast_to(counted, type_.shape)


def _given(arrays: Sequence[Array], params: Params, type_: ArrayType) -> NoReturn:
    raise AssertionError("what an input or a draw holds is given, not computed")


def _drawn(name: str) -> Op:
    def infer(types: Sequence[ArrayType], params: Params) -> ArrayType:
        check_parameters(name, params)  # type: ignore[arg-type]  # each is read by `number`
        return ArrayType((), F32)

    return Op(0, infer, _given, dict.fromkeys(DRAWS[name].parameters, number), random=True)


OPS: Mapping[str, Op] = {
    "input": Op(0, _input, _given, {"shape": integers, "dtype": dtype}, random=True),
    "constant": Op(
        0,
        _constant,
        lambda arrays, params, type_: np.asarray(params["value"], NUMPY_TYPES[type_.dtype]),
        {"value": scalar, "dtype": dtype},
    ),
    "iota": Op(0, _iota, _counted, {"shape": integers, "axis": integer, "dtype": dtype}),
    **{name: _drawn(name) for name in DRAWS},
    **ELEMENTWISE_OPS,
    **MOVEMENT_OPS,
    **REDUCTION_OPS,
    **INDEXING_OPS,
    **ORDERING_OPS,
    **CONVOLUTION_OPS,
    **ATTENTION_OPS,
    **WORDS_OPS,
    **DRAWN_OPS,
    **WEIGHT_OPS,
    **BARRIER_OPS,
}
"""By name. What a device computes of them is in `kernels`; a test holds the two equal."""
