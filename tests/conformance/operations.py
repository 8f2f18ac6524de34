"""What the operations of the corpus are: here on values of a graph, and in NumPy where it has the same.

A name is the Array API's wherever that has the function; else SciPy's or PyTorch's; else that of an operation
of the op set, whose parameters it then takes.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scellis.graph import OPS, Value, arithmetic, nn, sorting
from scellis.graph import functions as xp
from scellis.graph.elementwise import ELEMENTWISE_OPS
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.trace import elementwise

Function = Callable[..., Any]
Array = NDArray[Any]

_OURS: Mapping[str, Function] = {
    "astype": lambda x, dtype: x.astype(dtype),
    "broadcast_to": lambda x, shape: x.broadcast_to(tuple(shape)),
    "concat": lambda *values, axis=0: xp.concat(values, axis),
    "stack": lambda *values, axis=0: xp.stack(values, axis),
    "__getitem__": lambda x, key: x[_key(key)],
    "integer_power": lambda x, exponent: x**exponent,
    "eye": lambda like, n_rows, n_cols=None, k=0: xp.eye(like, n_rows, n_cols, k=k, dtype=like.dtype),
    "linspace": lambda like, start, stop, num: xp.linspace(like, start, stop, num),
    "full_like": lambda x, fill_value: xp.full_like(x, fill_value),
    "zeros_like": xp.zeros_like,
    "ones_like": xp.ones_like,
    "top_k": lambda x, k, axis=-1, largest=True: list(sorting.top_k(x, k, axis=axis, largest=largest)),
    "batch_norm": lambda x, weight, bias: nn.batch_norm(x, weight, bias)[0],
}  # fmt: skip

CREATED = ()
"""Operations without inputs: none, since a graph hangs on its inputs; creation takes one for its type."""


def is_known(name: str) -> bool:
    """Whether there is an operation of that name."""
    return name in _OURS or name in OPS or _named(name) is not None


def _named(name: str) -> Function | None:
    if name.startswith("_"):
        return None
    return next(
        (getattr(module, name) for module in (xp, arithmetic, sorting, nn) if hasattr(module, name)), None
    )


def ours(name: str, params: Mapping[str, Any]) -> Function:
    """The operation on values of a graph."""
    if name in _OURS:
        return lambda *x: _OURS[name](*x, **params)
    found = _named(name)
    if found is not None:
        given = {key: tuple(value) if isinstance(value, list) else value for key, value in params.items()}
        return lambda *x: found(*x, **given)
    if name in ELEMENTWISE_OPS:
        return lambda *x: elementwise(name, *x)
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in params.items()}
    return lambda *x: x[0].builder.apply(name, *x, **given)


def numpys(name: str, params: Mapping[str, Any]) -> Function | None:
    """The operation on NumPy's arrays, None where NumPy has none that is the same."""
    found = _NUMPY.get(name)
    if found is None and name in ARRAY_API:
        found = getattr(np, name)
    if found is None:
        return None
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in params.items()}
    return lambda *x: found(*x, **given)


def _key(key: list[Any]) -> tuple[Any, ...]:
    """An index as the corpus writes it: "1:4:2", whole numbers, null for a new axis, "..."."""
    return tuple(_item(item) for item in key)


def _item(item: Any) -> Any:
    if item == "...":
        return ...
    if isinstance(item, str):
        return slice(*(int(part) if part else None for part in item.split(":")))
    return item


def _typed(reduction: Function) -> Function:
    """A reduction whose result has the type of its elements: no wider integers are the default."""
    return lambda x, axis=None, keepdims=False: np.asarray(
        reduction(x, axis=axis, keepdims=keepdims, dtype=x.dtype if x.dtype.kind in "iu" else None)
    )


def _order(x: Array, axis: int = -1, descending: bool = False) -> Array:
    """Stable whichever way: equal elements keep their order, and NaN comes last."""
    wide = x if x.dtype.kind == "f" else x.astype(np.int64)
    return np.argsort(-wide if descending else wide, axis=axis, stable=True)


def _quotient(x: Array, y: Array) -> Array:
    """NumPy's; as in the standard infinite for an infinite dividend, not NaN. 0 for an integer by 0."""
    if x.dtype.kind == "f":
        return np.where(np.isfinite(x) & (y != 0), np.floor_divide(x, y), np.floor(x / y))
    return np.where(y == 0, 0, np.floor_divide(x, np.where(y == 0, 1, y))).astype(x.dtype)


def _remainder(x: Array, y: Array) -> Array:
    if x.dtype.kind == "f":
        return np.remainder(x, y)
    return np.where(y == 0, 0, np.remainder(x, np.where(y == 0, 1, y))).astype(x.dtype)


def _converted(x: Array, dtype: str) -> Array:
    """An integer that cannot hold a float is open in the standard: here the nearest, and 0 for NaN."""
    kind = NUMPY_TYPES[dtype]
    if x.dtype.kind == "f" and np.dtype(kind).kind in "iu":
        x = np.clip(np.nan_to_num(np.trunc(x), nan=0.0), np.iinfo(kind).min, np.iinfo(kind).max)
    return x.astype(np.float64 if np.dtype(kind).kind == "f" else kind)


def _each(function: Callable[[float], float]) -> Function:
    """A function of Python's math on every element: infinite at its poles."""

    def safe(x: float) -> float:
        try:
            return function(x)
        except (ValueError, OverflowError):
            return math.nan if math.isnan(x) else math.inf

    return lambda x: np.asarray(np.vectorize(safe, otypes=[float])(x), float) if x.size else x


def _power(x: Array, y: Array) -> Array:
    """NumPy's; 0 for an integer to a power below 0."""
    return np.power(x, y) if x.dtype.kind == "f" else np.power(x, np.maximum(y, 0)) * (y >= 0)


def _variance(x: Array, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """NaN where the correction leaves no elements, where NumPy warns."""
    count = np.sum(np.ones_like(x), axis=axis, keepdims=keepdims)
    apart = np.square(x - np.mean(x, axis, keepdims=True))
    left = np.where(count > correction, count - correction, np.nan)
    return np.asarray(np.sum(apart, axis, keepdims=keepdims) / left)


def _padded(x: Array, before: Any, after: Any, interior: Any = ()) -> Array:
    """Zeros before, after and between."""
    between = interior or (0,) * x.ndim
    apart = [max((n - 1) * (i + 1) + 1, 0) if n else 0 for n, i in zip(x.shape, between, strict=True)]
    spread = np.zeros(apart, x.dtype)
    spread[tuple(slice(None, None, i + 1) for i in between)] = x
    return np.pad(spread, list(zip(before, after, strict=True)))


_NUMPY: Mapping[str, Function] = {
    "floor_divide": _quotient,
    "remainder": _remainder,
    "astype": _converted,
    "clip": np.clip,
    "concat": lambda *arrays, axis=0: np.concatenate(arrays, axis),
    "stack": lambda *arrays, axis=0: np.stack(arrays, axis),
    "__getitem__": lambda x, key: x[_key(list(key))],
    "integer_power": lambda x, exponent: np.power(x, x.dtype.type(exponent)),
    "pow": _power,
    "sum": _typed(np.sum),
    "prod": _typed(np.prod),
    "mean": lambda x, axis=None: np.sum(x, axis) / np.float64(x.size / np.sum(x, axis).size),
    "var": _variance,
    "std": lambda x, **given: np.sqrt(_variance(x, **given)),
    "cumulative_sum": lambda x, axis, include_initial=False: np.cumulative_sum(
        x, axis=axis, dtype=x.dtype, include_initial=include_initial
    ),
    "cumulative_prod": lambda x, axis, include_initial=False: np.cumulative_prod(
        x, axis=axis, dtype=x.dtype, include_initial=include_initial
    ),
    "argsort": _order,
    "sort": lambda x, axis=-1, descending=False: np.take_along_axis(x, _order(x, axis, descending), axis),
    "take": lambda x, indices, axis=0: np.take(x, np.clip(indices, 0, x.shape[axis] - 1), axis),
    "take_along_axis": lambda x, indices, axis=-1: np.take_along_axis(
        x, np.clip(indices, 0, x.shape[axis] - 1), axis
    ),
    "one_hot": lambda x, length: (x[..., None] == np.arange(length)) * 1.0,
    "eye": lambda like, n_rows, n_cols=None, k=0: np.eye(n_rows, n_cols, k),
    "linspace": lambda like, start, stop, num: np.linspace(start, stop, num),
    "pad": _padded,
    "moveaxis": np.moveaxis,
    "relu": lambda x: np.maximum(x, 0),
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "lgamma": _each(math.lgamma),
    "logsumexp": lambda x, axis, keepdims=False: np.logaddexp.reduce(x, axis, keepdims=keepdims),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "outer": np.outer,
    "tile": lambda x, repetitions: np.tile(x, repetitions),
    "searchsorted": lambda x, values, side: np.searchsorted(x, values, side=side),
}  # fmt: skip

ARRAY_API = frozenset((
    "abs", "acos", "acosh", "add", "all", "any", "argmax", "argmin", "asin", "asinh", "atan", "atan2",
    "atanh", "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift",
    "bitwise_xor", "broadcast_to", "ceil", "copysign", "cos", "cosh", "count_nonzero", "diff", "divide",
    "equal", "exp", "exp2", "expand_dims", "expm1", "flip", "floor", "full_like", "greater",
    "greater_equal", "hypot", "isfinite", "isinf", "isnan", "less", "less_equal", "log", "log10", "log1p",
    "log2", "logaddexp", "logical_and", "logical_not", "logical_or", "logical_xor", "matmul",
    "matrix_transpose", "max", "maximum", "min", "minimum", "multiply", "negative", "not_equal",
    "ones_like", "permute_dims", "positive", "reciprocal", "repeat", "reshape", "roll", "round", "sign",
    "signbit", "sin", "sinh", "sqrt", "square", "squeeze", "subtract", "tan", "tanh", "tensordot", "tril",
    "triu", "trunc", "unstack", "vecdot", "where", "zeros_like",
))  # fmt: skip
"""Names that mean in NumPy 2 what they mean here."""


def listed(result: Any) -> list[Any]:
    """The results of an operation, one or several."""
    return list(result) if isinstance(result, (list, tuple)) else [result]


def weighed(values: Sequence[Value]) -> Value:
    """Σ y (y / 2 + e mod 7 − 3) over the elements of some results, e being the number of each."""
    parts = []
    for y in values:
        number = xp.reshape(xp.iota(y, (y.size,), 0), y.shape)
        parts.append(xp.sum(y * (y * 0.5 + (number % 7 - 3).astype(y.dtype))))
    return reduce(operator.add, parts)
