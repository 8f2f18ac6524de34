"""Arrays made from nothing, by the names of the Python Array API: each belongs to the program that is traced.

All raise `SCL-GRAPH-TRACE` outside of a program. A type that is not named is that of the number: bool, i32 or
f32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from scellis.errors import ScellisError
from scellis.graph import functions
from scellis.graph.functions import reshape, stack
from scellis.graph.trace import Value, builder_of_trace
from scellis.graph.types import BOOL, F32, I32, INTEGERS, Shape

LISTED_LIMIT = 64
"""Numbers that a program may list: each is a node of its graph."""


def _type_of(value: float | bool) -> str:
    return BOOL if isinstance(value, bool) else I32 if isinstance(value, int) else F32


def full(shape: int | Sequence[int], fill_value: float | bool, *, dtype: str | None = None) -> Value:
    """One number everywhere."""
    number = builder_of_trace().constant(fill_value, dtype or _type_of(fill_value))
    return number.broadcast_to(_shape(shape))


def zeros(shape: int | Sequence[int], *, dtype: str | None = None) -> Value:
    """Zeros, or falsehoods."""
    return full(shape, False if dtype == BOOL else 0, dtype=dtype or F32)


def ones(shape: int | Sequence[int], *, dtype: str | None = None) -> Value:
    """Ones, or truths."""
    return full(shape, dtype == BOOL or 1, dtype=dtype or F32)


def _shape(shape: int | Sequence[int]) -> Shape:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _anything() -> Value:
    """A value of the program, for functions that ask for one."""
    return builder_of_trace().constant(0.0)


def arange(start: float, /, stop: float | None = None, step: float = 1, *, dtype: str | None = None) -> Value:
    """Numbers from `start`, or from 0 where one is given alone, to before `stop`."""
    first, last = (0, start) if stop is None else (start, stop)
    if not step:
        raise ScellisError("SCL-GRAPH-PARAMETER", "A step of 0 leads nowhere.")
    wanted = dtype or (F32 if any(isinstance(given, float) for given in (first, last, step)) else I32)
    count = max(math.ceil((last - first) / step), 0)
    return functions.iota(_anything(), (count,), 0, wanted) * step + first


def linspace(
    start: float, stop: float, /, num: int, *, dtype: str | None = None, endpoint: bool = True
) -> Value:
    """`num` numbers at equal distances from `start` to `stop`; without `endpoint` to one step before it."""
    last = stop if endpoint or not num else stop - (stop - start) / num
    return functions.linspace(_anything(), start, last, num).astype(dtype or F32)


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: str | None = None) -> Value:
    """1 on the diagonal, k places to the right, 0 elsewhere."""
    return functions.eye(_anything(), n_rows, n_cols, k=k, dtype=dtype or F32)


def asarray(obj: Any, /, *, dtype: str | None = None, copy: bool | None = None) -> Value:
    """A value as it is, a number, or lists of at most 64 numbers in all; values in a list are stacked.

    `copy` changes nothing: no array is written into. Raises `SCL-GRAPH-TRACE` for more, or for anything else.
    """
    if isinstance(obj, Value):
        return obj.astype(dtype or obj.dtype)
    if isinstance(obj, (list, tuple)) and any(isinstance(item, Value) for item in obj):
        return stack([asarray(item, dtype=dtype) for item in obj])
    array = np.asarray(obj)
    if array.dtype.kind not in "biuf" or array.size > LISTED_LIMIT:
        raise ScellisError(
            "SCL-GRAPH-TRACE",
            f"asarray writes {LISTED_LIMIT} numbers into a program, not {array.size} of {array.dtype}.",
            "Give the array to the program as an input.",
        )
    kind = dtype or {"b": BOOL, "f": F32}.get(array.dtype.kind, I32)
    if not array.size:
        return zeros(array.shape, dtype=kind)
    # At once where it may: a large number is of one type alone.
    whole = kind if array.dtype.kind in "iu" and kind in INTEGERS else None
    listed = stack([full((), number, dtype=whole).astype(kind) for number in array.ravel().tolist()])
    return reshape(listed, array.shape)


def meshgrid(*arrays: Value, indexing: str = "xy") -> list[Value]:
    """The coordinates of a grid: (n,), (m,), … as arrays of (m, n, …), or for "ij" of (n, m, …).

    Raises `SCL-GRAPH-PARAMETER` for another indexing, `SCL-GRAPH-SHAPE` for what is not of one axis.
    """
    if indexing not in ("xy", "ij"):
        raise ScellisError("SCL-GRAPH-PARAMETER", f"{indexing!r:.20} is no indexing: that is xy or ij.")
    if any(array.ndim != 1 for array in arrays):
        raise ScellisError("SCL-GRAPH-SHAPE", "A grid is made of arrays of one axis each.")
    places = list(range(len(arrays)))
    if indexing == "xy":
        places[:2] = places[:2][::-1]
    shape = [0] * len(arrays)
    for place, array in zip(places, arrays, strict=True):
        shape[place] = array.size
    return [
        reshape(array, [array.size if at == place else 1 for at in range(len(arrays))]).broadcast_to(
            tuple(shape)
        )
        for place, array in zip(places, arrays, strict=True)
    ]
