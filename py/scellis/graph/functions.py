"""Functions on the values of a graph, by the names of the Python Array API."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec

from scellis.errors import ScellisError
from scellis.graph.elementary import acos as acos
from scellis.graph.elementary import acosh as acosh
from scellis.graph.elementary import asin as asin
from scellis.graph.elementary import asinh as asinh
from scellis.graph.elementary import atan as atan
from scellis.graph.elementary import atan2 as atan2
from scellis.graph.elementary import atanh as atanh
from scellis.graph.elementary import cos as cos
from scellis.graph.elementary import cosh as cosh
from scellis.graph.elementary import digamma as digamma
from scellis.graph.elementary import erf as erf
from scellis.graph.elementary import erfc as erfc
from scellis.graph.elementary import erfinv as erfinv
from scellis.graph.elementary import exp as exp
from scellis.graph.elementary import exp2 as exp2
from scellis.graph.elementary import expm1 as expm1
from scellis.graph.elementary import hypot as hypot
from scellis.graph.elementary import lgamma as lgamma
from scellis.graph.elementary import log as log
from scellis.graph.elementary import log1p as log1p
from scellis.graph.elementary import log2 as log2
from scellis.graph.elementary import log10 as log10
from scellis.graph.elementary import sin as sin
from scellis.graph.elementary import sinh as sinh
from scellis.graph.elementary import sqrt as sqrt
from scellis.graph.elementary import tan as tan
from scellis.graph.elementary import tanh as tanh
from scellis.graph.elementary import trigamma as trigamma
from scellis.graph.manipulation import broadcast_arrays as broadcast_arrays
from scellis.graph.manipulation import concat as concat
from scellis.graph.manipulation import diff as diff
from scellis.graph.manipulation import expand_dims as expand_dims
from scellis.graph.manipulation import flip as flip
from scellis.graph.manipulation import matrix_transpose as matrix_transpose
from scellis.graph.manipulation import moveaxis as moveaxis
from scellis.graph.manipulation import pad as pad
from scellis.graph.manipulation import permute_dims as permute_dims
from scellis.graph.manipulation import repeat as repeat
from scellis.graph.manipulation import roll as roll
from scellis.graph.manipulation import squeeze as squeeze
from scellis.graph.manipulation import stack as stack
from scellis.graph.manipulation import take as take
from scellis.graph.manipulation import tile as tile
from scellis.graph.manipulation import unstack as unstack
from scellis.graph.trace import Operand, Value, elementwise, unified
from scellis.graph.trace import matmul as matmul
from scellis.graph.trace import pow as pow  # noqa: A004 - the standard's name
from scellis.graph.trace import reshape as reshape
from scellis.graph.types import (
    BOOL,
    F16,
    F32,
    FLOATS,
    INTEGERS,
    U32,
    Shape,
    broadcast,
    normal_axes,
    normal_axis,
)

P = ParamSpec("P")

# ---- elementwise ----


def sign(x: Value) -> Value:
    """−1, 0 or 1."""
    return (x != 0).astype(U32) if x.dtype == U32 else elementwise("sign", x)


def floor(x: Value) -> Value:
    """The largest integer that is not greater; integers as they are."""
    return x if x.dtype in INTEGERS else elementwise("floor", x)


def ceil(x: Value) -> Value:
    """The smallest integer that is not less; integers as they are."""
    return x if x.dtype in INTEGERS else elementwise("ceil", x)


def trunc(x: Value) -> Value:
    """The nearest integer towards zero; integers as they are."""
    return x if x.dtype in INTEGERS else elementwise("trunc", x)


def round(x: Value) -> Value:  # noqa: A001 - the standard's name
    """The nearest integer, the even one of two; integers as they are."""
    return x if x.dtype in INTEGERS else elementwise("round", x)


def minimum(x: Operand, y: Operand) -> Value:
    """The lesser of two elements; NaN where either is."""
    return elementwise("minimum", x, y)


def maximum(x: Operand, y: Operand) -> Value:
    """The greater of two elements; NaN where either is."""
    return elementwise("maximum", x, y)


def clip(x: Value, min: Operand | None = None, max: Operand | None = None) -> Value:  # noqa: A002
    """The nearest element between `min` and `max`; None is no bound."""
    above = x if min is None else maximum(x, min)
    return above if max is None else minimum(above, max)


def square(x: Value) -> Value:
    """x · x."""
    return x * x


def floor_divide(x: Operand, y: Operand) -> Value:
    """The quotient rounded down; 0 for an integer divided by 0."""
    return elementwise("floor_divide", x, y)


def remainder(x: Operand, y: Operand) -> Value:
    """What is left, with the sign of `y`; 0 for an integer divided by 0."""
    return elementwise("remainder", x, y)


def isnan(x: Value) -> Value:
    """Whether an element is NaN."""
    return _of_an_integer(x, False) if x.dtype in INTEGERS else elementwise("isnan", x)


def isinf(x: Value) -> Value:
    """Whether an element is infinite."""
    return _of_an_integer(x, False) if x.dtype in INTEGERS else elementwise("isinf", x)


def isfinite(x: Value) -> Value:
    """Whether an element is neither infinite nor NaN."""
    return _of_an_integer(x, True) if x.dtype in INTEGERS else elementwise("isfinite", x)


def _of_an_integer(x: Value, value: bool) -> Value:
    return x.builder.constant(value, BOOL).broadcast_to(x.shape)


def where(condition: Value, x: Operand, y: Operand) -> Value:
    """`x` where the condition holds, `y` elsewhere."""
    if not isinstance(x, Value) and not isinstance(y, Value):
        raise ScellisError(
            "SCL-GRAPH-DTYPE", "where of two numbers has no type.", "Make one of them a value."
        )
    first, second = unified([x, y])
    shape = broadcast(condition.shape, first.shape)
    chosen = (value.broadcast_to(shape) for value in (condition, first, second))
    return condition.builder.apply("where", *chosen)


# ---- creation ----


def zeros_like(x: Value, *, dtype: str | None = None) -> Value:
    """Zeros, or falsehoods, of the shape and type of `x`, or of another type."""
    return full_like(x, False if (dtype or x.dtype) == BOOL else 0, dtype=dtype)


def ones_like(x: Value, *, dtype: str | None = None) -> Value:
    """Ones of the shape and type of `x`, or of another type."""
    return full_like(x, (dtype or x.dtype) == BOOL or 1, dtype=dtype)


def full_like(x: Value, value: float | bool, *, dtype: str | None = None) -> Value:
    """One number in the shape and type of `x`, or in another type."""
    return x.builder.constant(value, dtype or x.dtype).broadcast_to(x.shape)


def iota(like: Value, shape: Shape, axis: int, dtype: str = "i32") -> Value:
    """Each element's number along `axis`, in the graph of `like`."""
    return like.builder.apply("iota", shape=shape, axis=normal_axis(axis, len(shape)), dtype=dtype)


def eye(like: Value, rows: int, columns: int | None = None, *, k: int = 0, dtype: str = F32) -> Value:
    """1 on the diagonal, k places to the right, 0 elsewhere, in the graph of `like`."""
    shape = (rows, rows if columns is None else columns)
    return (iota(like, shape, 1) - iota(like, shape, 0) == k).astype(dtype)


def linspace(like: Value, start: float, stop: float, num: int) -> Value:
    """`num` numbers from `start` to `stop`, both included, at equal distances; f32."""
    step = (stop - start) / (num - 1) if num > 1 else 0.0
    return iota(like, (num,), 0, F32) * step + start


def tril(x: Value, *, k: int = 0) -> Value:
    """The last two axes up to the diagonal, k places to the right of it, and 0 beyond."""
    return _beside_diagonal(x, k, below=True)


def triu(x: Value, *, k: int = 0) -> Value:
    """The last two axes from the diagonal on, k places to the right of it, and 0 before."""
    return _beside_diagonal(x, k, below=False)


def _beside_diagonal(x: Value, k: int, *, below: bool) -> Value:
    if x.ndim < 2:
        raise ScellisError("SCL-GRAPH-SHAPE", f"A triangle is of two axes or more, not of {x.type}.")
    distance = iota(x, x.shape[-2:], 1) - iota(x, x.shape[-2:], 0)
    kept = (distance <= k if below else distance >= k).broadcast_to(x.shape)
    return where(kept, x, False if x.dtype == BOOL else 0)


def one_hot(indices: Value, length: int, dtype: str = F32) -> Value:
    """1 at each index along a new last axis, 0 elsewhere; all 0 for an index out of range."""
    shape = (*indices.shape, length)
    place = iota(indices, shape, -1, indices.dtype)
    return (place == expand_dims(indices, -1).broadcast_to(shape)).astype(dtype)


# ---- reductions ----


def _reduce(op: str, x: Value, axis: int | Sequence[int] | None, keepdims: bool) -> Value:
    axes = normal_axes(axis, x.ndim)
    reduced = x.builder.apply(op, x, axes=axes)
    kept = tuple(1 if at in axes else length for at, length in enumerate(x.shape))
    return reshape(reduced, kept) if keepdims else reduced


def sum(  # noqa: A001
    x: Value, axis: int | Sequence[int] | None = None, *, keepdims: bool = False, dtype: str | None = None
) -> Value:
    """The sum along axes, all of them for None; of the elements as `dtype`, where that is given."""
    return _reduce("sum", x.astype(dtype or x.dtype), axis, keepdims)


def prod(
    x: Value, axis: int | Sequence[int] | None = None, *, keepdims: bool = False, dtype: str | None = None
) -> Value:
    """The product along axes; of the elements as `dtype`, where that is given."""
    return _reduce("prod", x.astype(dtype or x.dtype), axis, keepdims)


def max(x: Value, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Value:  # noqa: A001
    """The greatest along axes; NaN where one is."""
    return _reduce("max", x, axis, keepdims)


def min(x: Value, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Value:  # noqa: A001
    """The least along axes; NaN where one is."""
    return _reduce("min", x, axis, keepdims)


def any(x: Value, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Value:  # noqa: A001
    """Whether one is true, or no zero."""
    return _reduce("any", _truths(x), axis, keepdims)


def all(x: Value, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Value:  # noqa: A001
    """Whether none is false, or zero."""
    return _reduce("all", _truths(x), axis, keepdims)


def _truths(x: Value) -> Value:
    return x if x.dtype == BOOL else x != 0


def in_f32(function: Callable[P, Value]) -> Callable[P, Value]:
    """The function with its first argument, where that is f16, as f32, and its result rounded once.

    So that what is squared or summed within does not overflow, and keeps its digits.
    """

    @wraps(function)
    def wide(*args: P.args, **named: P.kwargs) -> Value:
        first, *rest = args
        if not isinstance(first, Value) or first.dtype != F16:
            return function(*args, **named)
        others = [value.dtype for value in (*rest, *named.values()) if isinstance(value, Value)]
        wanted = F32 if F32 in others else F16
        return function(first.astype(F32), *rest, **named).astype(wanted)  # type: ignore[arg-type]

    return wide


@in_f32
def mean(x: Value, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Value:
    """The arithmetic mean along axes; NaN of nothing."""
    total = sum(x, axis, keepdims=keepdims)
    return total / (x.size // total.size) if x.size else _nan_like(total)


def _nan_like(x: Value) -> Value:
    """NaN for each of what is no less than 0, by its bits: WGSL leaves open what 0 / 0 is."""
    return acos(x + 2.0)


@in_f32
def var(
    x: Value, axis: int | Sequence[int] | None = None, *, correction: float = 0.0, keepdims: bool = False
) -> Value:
    """The sum of square distances from the mean along axes, over their number less `correction`.

    That is 1 for Bessel's, which makes it the estimate of a sample's population. NaN if nothing is left.
    """
    apart = square(x - mean(x, axis, keepdims=True))
    if correction == 0.0:
        return mean(apart, axis, keepdims=keepdims)
    total = sum(apart, axis, keepdims=keepdims)
    left = (x.size // total.size if total.size else 0) - correction
    return total / left if left > 0 else _nan_like(total)


@in_f32
def std(
    x: Value, axis: int | Sequence[int] | None = None, *, correction: float = 0.0, keepdims: bool = False
) -> Value:
    """The square root of `var`."""
    return sqrt(var(x, axis, correction=correction, keepdims=keepdims))


def count_nonzero(x: Value, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Value:
    """How many elements are not 0, or true, i32."""
    return sum(_truths(x).astype("i32"), axis, keepdims=keepdims)


def argmax(x: Value, axis: int | None = None, *, keepdims: bool = False) -> Value:
    """The number of the first greatest element along an axis, for None of all in order, i32."""
    return _search("argmax", x, axis, keepdims)


def argmin(x: Value, axis: int | None = None, *, keepdims: bool = False) -> Value:
    """The number of the first least element along an axis, for None of all in order, i32."""
    return _search("argmin", x, axis, keepdims)


def _search(op: str, x: Value, axis: int | None, keepdims: bool) -> Value:
    if axis is None:
        found = x.builder.apply(op, reshape(x, (x.size,)), axis=0)
        return reshape(found, (1,) * x.ndim) if keepdims else found
    found = x.builder.apply(op, x, axis=normal_axis(axis, x.ndim))
    return expand_dims(found, normal_axis(axis, x.ndim)) if keepdims else found


def cumulative_sum(
    x: Value, axis: int | None = None, *, dtype: str | None = None, include_initial: bool = False
) -> Value:
    """The sums of the elements up to and with each; `include_initial`: with 0 before them.

    `axis` may be None where there is one.
    """
    at, given = _line(x, axis), x.astype(dtype or x.dtype)
    return _with_initial(x.builder.apply("cumulative_sum", given, axis=at), at, 0, include_initial)


def cumulative_prod(
    x: Value, axis: int | None = None, *, dtype: str | None = None, include_initial: bool = False
) -> Value:
    """The products of the elements up to and with each; `include_initial`: with 1 before them.

    In log₂ n steps, each of which doubles how many factors have met: W. D. Hillis, G. L. Steele, "Data
    parallel algorithms", 1986.
    """
    at = _line(x, axis)
    if (dtype or x.dtype) == F16:
        wide = cumulative_prod(x, axis, dtype=F32, include_initial=include_initial)
        return wide.astype(F16)
    last, met = moveaxis(x.astype(dtype or x.dtype), at, -1), 1
    while met < last.shape[-1]:
        last = concat([last[..., :met], last[..., met:] * last[..., :-met]], -1)
        met *= 2
    return _with_initial(moveaxis(last, -1, at), at, 1, include_initial)


def _line(x: Value, axis: int | None) -> int:
    """The axis along which something is gathered up, which need not be named where there is one."""
    if axis is None and x.ndim != 1:
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"Along which axis of {x.type} is to be said.", "Give `axis`, or reshape it."
        )
    return 0 if axis is None else normal_axis(axis, x.ndim)


def _with_initial(x: Value, axis: int, initial: int, wanted: bool) -> Value:
    if not wanted:
        return x
    shape = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    return concat([x.builder.constant(initial, x.dtype).broadcast_to(shape), x], axis)


# ---- linear algebra ----


def vecdot(x: Value, y: Value, *, axis: int | Sequence[int] = -1) -> Value:
    """The scalar products of vectors along an axis, or several, the others broadcast."""
    if x.dtype == y.dtype == F16:
        return vecdot(x.astype(F32), y.astype(F32), axis=axis).astype(F16)
    return sum(elementwise("multiply", x, y), axis)


def outer(x: Value, y: Value) -> Value:
    """Each element of (m,) by each of (n,): (m, n)."""
    return expand_dims(x, 1) * expand_dims(y, 0)


def tensordot(x: Value, y: Value, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Value:
    """The sum of products over pairs of axes: the last of `x` and the first of `y`, or those that are named.

    The other axes of `x` come before those of `y`. Raises `SCL-GRAPH-SHAPE` where the paired lengths differ.
    """
    if isinstance(axes, int):
        axes = (range(x.ndim - axes, x.ndim), range(axes))
    ours, theirs = (
        [normal_axis(at, value.ndim) for at in part] for value, part in zip((x, y), axes, strict=True)
    )
    if [x.shape[at] for at in ours] != [y.shape[at] for at in theirs]:
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"{x.type} and {y.type} have no common axes {ours} and {theirs}."
        )
    left, right = (
        [at for at in range(value.ndim) if at not in part] for value, part in ((x, ours), (y, theirs))
    )
    shape = (*(x.shape[at] for at in left), *(y.shape[at] for at in right))
    inner = math.prod(x.shape[at] for at in ours)
    a = reshape(permute_dims(x, (*left, *ours)), (math.prod(x.shape[at] for at in left), inner))
    b = reshape(permute_dims(y, (*theirs, *right)), (inner, math.prod(y.shape[at] for at in right)))
    return reshape(matmul(a, b), shape)


# ---- what models are made of ----


def relu(x: Value) -> Value:
    """max(x, 0); its derivative at 0 is 0."""
    return elementwise("relu", x)


@in_f32
def sigmoid(x: Value) -> Value:
    """1 / (1 + exp −x), by exp −|x|: nothing overflows, in the derivative neither."""
    positive = x >= 0.0
    power = exp(where(positive, -x, x))
    return where(positive, 1.0, power) / (1.0 + power)


@in_f32
def gelu(x: Value, *, approximate: str = "none") -> Value:
    """x Φ(x), Φ being the standard normal distribution, exactly: x / 2 · erfc(−x / √2).

    `approximate="tanh"` has x / 2 · (1 + tanh u), u = √(2 / π) (x + 0.044715 x³), computed as x · sigmoid 2u.
    Raises `SCL-GRAPH-PARAMETER` for another word.
    Source: D. Hendrycks, K. Gimpel, "Gaussian error linear units", 2016. By erfc and by sigmoid, so that the
    left tail keeps its digits: in f32 it is off by about x² units of 2^−24.
    """
    if approximate == "tanh":
        slope = 2.0 * math.sqrt(2.0 / math.pi)
        return x * sigmoid(x * (slope + (0.044715 * slope) * square(x)))
    if approximate != "none":
        raise ScellisError(
            "SCL-GRAPH-PARAMETER", f"{approximate!r:.20} is no way to compute gelu: that is none or tanh."
        )
    return 0.5 * x * erfc(x * -math.sqrt(0.5))


def logaddexp(x: Operand, y: Operand) -> Value:
    """log(exp x + exp y) without overflow."""
    return maximum(x, y) + log1p(exp(-abs(x - y)))  # type: ignore[operator]  # one of them is a value


@in_f32
def logsumexp(x: Value, axis: int, *, keepdims: bool = False) -> Value:
    """log Σ exp x along an axis, without overflow."""
    top = stop_gradient(max(x, axis, keepdims=True))
    result = log(sum(exp(x - top), axis, keepdims=True)) + top
    return result if keepdims else squeeze(result, axis)


def stop_gradient(x: Value) -> Value:
    """The same elements, with which nothing varies: derivatives take them as constants."""
    return elementwise("stop_gradient", x)


@in_f32
def softmax(x: Value, axis: int = -1) -> Value:
    """exp x / Σ exp x along an axis."""
    powers = exp(x - stop_gradient(max(x, axis, keepdims=True)))
    return powers / sum(powers, axis, keepdims=True)


@in_f32
def log_softmax(x: Value, axis: int = -1) -> Value:
    """The logarithm of softmax."""
    shifted = x - stop_gradient(max(x, axis, keepdims=True))
    return shifted - log(sum(exp(shifted), axis, keepdims=True))


@in_f32
def cross_entropy(logits: Value, labels: Value, *, label_smoothing: float = 0.0) -> Value:
    """The mean of −Σ target · log softmax over all rows.

    `logits` (…, classes), `labels` (…) integers. The target is 1 − s at the label, and s / classes is added
    everywhere. Source: Szegedy et al., "Rethinking the Inception Architecture", 2016, 7.
    """
    if labels.dtype not in INTEGERS or logits.dtype not in FLOATS or labels.shape != logits.shape[:-1]:
        raise ScellisError(
            "SCL-GRAPH-SHAPE",
            f"cross_entropy takes logits and a label a row, not {logits.type} and {labels.type}.",
        )
    classes = logits.shape[-1]
    target = one_hot(labels, classes, logits.dtype) * (1.0 - label_smoothing) + label_smoothing / classes
    return -mean(sum(target * log_softmax(logits), -1))
