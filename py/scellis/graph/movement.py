"""Operations that change no element: where each stands, and of what type it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scellis.errors import ScellisError
from scellis.graph.elementwise import listed
from scellis.graph.op import Array, Op, Params, dtype, integer, integers
from scellis.graph.types import FLOATS, ArrayType, Shape, broadcast, normal_axis


def _refuse(why: str) -> ScellisError:
    return ScellisError("SCL-GRAPH-SHAPE", why)


def shape_of(params: Params, name: str = "shape") -> Shape:
    """A parameter that is a shape or another list of integers."""
    value = params[name]
    assert isinstance(value, tuple)
    return value


def float_of(params: Params, name: str) -> float:
    """A parameter that is a number."""
    value = params[name]
    assert isinstance(value, float)
    return value


def int_of(params: Params, name: str) -> int:
    """A parameter that is an integer."""
    value = params[name]
    assert isinstance(value, int)
    return value


def _broadcast_to(types: Sequence[ArrayType], params: Params) -> ArrayType:
    shape = shape_of(params)
    if broadcast(types[0].shape, shape) != shape:
        raise _refuse(f"{types[0]} does not broadcast to {shape}.")
    return ArrayType(shape, types[0].dtype)


def _reshape(types: Sequence[ArrayType], params: Params) -> ArrayType:
    found = ArrayType(shape_of(params), types[0].dtype)
    if found.size != types[0].size:
        raise _refuse(f"{types[0]} has {types[0].size} elements; the shape {found.shape} has {found.size}.")
    return found


def _permute_dims(types: Sequence[ArrayType], params: Params) -> ArrayType:
    axes = shape_of(params, "axes")
    if sorted(axes) != list(range(types[0].rank)):
        raise _refuse(f"{axes} is no order of the {types[0].rank} axes of {types[0]}.")
    return ArrayType(tuple(types[0].shape[axis] for axis in axes), types[0].dtype)


def _slice(types: Sequence[ArrayType], params: Params) -> ArrayType:
    start, stop, step = (shape_of(params, name) for name in ("start", "stop", "step"))
    shape = types[0].shape
    rows = list(zip(start, stop, step, shape, strict=False))
    if not (len(start) == len(stop) == len(step) == len(shape)) or not all(
        0 <= a <= b <= length and s >= 1 for a, b, s, length in rows
    ):
        raise _refuse(f"{types[0]} has no part from {start} to {stop} in steps of {step}.")
    return ArrayType(tuple(-((a - b) // s) for a, b, s, _ in rows), types[0].dtype)


def _pad(types: Sequence[ArrayType], params: Params) -> ArrayType:
    before, after, interior = (shape_of(params, name) for name in ("before", "after", "interior"))
    fits = len(before) == len(after) == len(interior) == types[0].rank
    if not fits or min((*before, *after, *interior), default=0) < 0:
        raise _refuse(f"{types[0]} cannot be padded by {before} before, {after} after, {interior} between.")
    lengths = zip(types[0].shape, before, after, interior, strict=True)
    return ArrayType(tuple(n + a + b + max(n - 1, 0) * i for n, a, b, i in lengths), types[0].dtype)


def _windows(types: Sequence[ArrayType], params: Params) -> ArrayType:
    (given,) = types
    axis = normal_axis(int_of(params, "axis"), given.rank)
    length, step, dilation = (int_of(params, name) for name in ("length", "step", "dilation"))
    reach = (length - 1) * dilation + 1
    if min(length, step, dilation) < 1 or reach > given.shape[axis]:
        raise _refuse(f"{given} has no windows of {length} elements along axis {axis}.")
    count = (given.shape[axis] - reach) // step + 1
    return ArrayType((*given.shape[:axis], count, *given.shape[axis + 1 :], length), given.dtype)


def _seen(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    axis, length, step, dilation = (int_of(params, name) for name in ("axis", "length", "step", "dilation"))
    axis = normal_axis(axis, arrays[0].ndim)
    every = np.lib.stride_tricks.sliding_window_view(arrays[0], (length - 1) * dilation + 1, axis)
    return every[(slice(None),) * axis + (slice(None, None, step), ..., slice(None, None, dilation))]


def _flip(types: Sequence[ArrayType], params: Params) -> ArrayType:
    for axis in shape_of(params, "axes"):
        normal_axis(axis, types[0].rank)
    return types[0]


def _concat(types: Sequence[ArrayType], params: Params) -> ArrayType:
    first, second = types
    axis = normal_axis(int_of(params, "axis"), first.rank)
    rest = [(*t.shape[:axis], *t.shape[axis + 1 :]) for t in types]
    if first.rank != second.rank or rest[0] != rest[1] or first.dtype != second.dtype:
        raise _refuse(f"{listed(types)} do not fit together along axis {axis}.")
    shape = list(first.shape)
    shape[axis] += second.shape[axis]
    return ArrayType(tuple(shape), first.dtype)


def _take_slice(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    parts = zip(*(shape_of(params, name) for name in ("start", "stop", "step")), strict=True)
    return arrays[0][tuple(slice(*part) for part in parts)]


def _padded(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    result = np.zeros(type_.shape, arrays[0].dtype)
    rows = zip(arrays[0].shape, shape_of(params, "before"), shape_of(params, "interior"), strict=True)
    result[tuple(slice(a, a + max((n - 1) * (i + 1) + 1, 0) if n else a, i + 1) for n, a, i in rows)] = (
        arrays[0]
    )
    return result


def _cast(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    (array,) = arrays
    wanted = NUMPY_TYPES[type_.dtype]
    if array.dtype.kind == "f" and type_.dtype not in FLOATS and type_.dtype != "bool":
        # Towards zero, and what does not fit to the nearest that does, as WGSL converts; NaN to 0.
        bounds = np.iinfo(wanted)
        array = np.clip(np.nan_to_num(np.trunc(array.astype(np.float64)), nan=0.0), bounds.min, bounds.max)
    return array.astype(wanted)


NUMPY_TYPES = {"bool": np.bool_, "i32": np.int32, "u32": np.uint32, "f16": np.float16, "f32": np.float32}
"""What NumPy calls our types."""

MOVEMENT_OPS: Mapping[str, Op] = {
    "broadcast_to": Op(
        1,
        _broadcast_to,
        lambda arrays, params, type_: np.broadcast_to(arrays[0], type_.shape),
        {"shape": integers},
    ),
    "reshape": Op(
        1, _reshape, lambda arrays, params, type_: arrays[0].reshape(type_.shape), {"shape": integers}
    ),
    "permute_dims": Op(
        1,
        _permute_dims,
        lambda arrays, params, type_: arrays[0].transpose(shape_of(params, "axes")),
        {"axes": integers},
    ),
    "slice": Op(1, _slice, _take_slice, {"start": integers, "stop": integers, "step": integers}),
    "pad": Op(1, _pad, _padded, {"before": integers, "after": integers, "interior": integers}),
    "windows": Op(
        1, _windows, _seen, {"axis": integer, "length": integer, "step": integer, "dilation": integer}
    ),
    "flip": Op(
        1,
        _flip,
        lambda arrays, params, type_: np.flip(arrays[0], shape_of(params, "axes")),
        {"axes": integers},
    ),
    "concat": Op(
        2,
        _concat,
        lambda arrays, params, type_: np.concatenate(arrays, int_of(params, "axis")),
        {"axis": integer},
    ),
    "astype": Op(
        1,
        lambda types, params: ArrayType(types[0].shape, str(params["dtype"])),
        _cast,
        {"dtype": dtype},
    ),
}
