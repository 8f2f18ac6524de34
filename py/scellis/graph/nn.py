"""What models are made of, beyond the Array API: by the names of PyTorch's functional interface.

Arrays of images are (batch, channels, height, width), of sequences (batch, channels, length). All raise
`SCL-GRAPH-SHAPE` and `SCL-GRAPH-DTYPE` for values that do not fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from scellis.errors import ScellisError
from scellis.graph import functions
from scellis.graph.convolution import Geometry
from scellis.graph.convolve import convolve, turned
from scellis.graph.functions import gelu as gelu
from scellis.graph.functions import in_f32
from scellis.graph.functions import relu as relu
from scellis.graph.functions import sigmoid as sigmoid
from scellis.graph.parts import padded, windows
from scellis.graph.random import Generator
from scellis.graph.trace import Value
from scellis.graph.types import BOOL, F16, F32, FLOATS, LOWEST, Shape

Sizes = int | Sequence[int]


def _sizes(given: Sizes, count: int, what: str) -> Shape:
    """One size for each spatial axis."""
    sizes = (given,) * count if isinstance(given, int) else tuple(given)
    if len(sizes) != count:
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"{what} has {len(sizes)} sizes; there are {count} spatial axes."
        )
    return sizes


# ---- convolution ----


def conv1d(
    x: Value, weight: Value, bias: Value | None = None, *,
    stride: Sizes = 1, padding: Sizes = 0, dilation: Sizes = 1, groups: int = 1,
) -> Value:  # fmt: skip
    """(batch, channels, length) by (outputs, channels / groups, window), plus a bias (outputs,).

    Cross-correlation, as everywhere in the field; zeros are put around the input.
    """
    return _conv(x, weight, bias, 1, stride, padding, dilation, groups)


def conv2d(
    x: Value, weight: Value, bias: Value | None = None, *,
    stride: Sizes = 1, padding: Sizes = 0, dilation: Sizes = 1, groups: int = 1,
) -> Value:  # fmt: skip
    """(batch, channels, height, width) by (outputs, channels / groups, height, width), plus (outputs,)."""
    return _conv(x, weight, bias, 2, stride, padding, dilation, groups)


def _conv(
    x: Value,
    weight: Value,
    bias: Value | None,
    n: int,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    groups: int,
) -> Value:
    _check_rank(x, n + 2)
    around = _sizes(padding, n, "padding")
    geometry = Geometry(
        _sizes(stride, n, "stride"), around, around, _sizes(dilation, n, "dilation"), (1,) * n, groups
    )
    return _biased(convolve(x, weight, geometry), bias)


def conv_transpose1d(
    x: Value, weight: Value, bias: Value | None = None, *,
    stride: Sizes = 1, padding: Sizes = 0, output_padding: Sizes = 0, dilation: Sizes = 1, groups: int = 1,
) -> Value:  # fmt: skip
    """The transpose of `conv1d`: (batch, channels, length) by (channels, outputs / groups, window)."""
    return _conv_transpose(x, weight, bias, 1, stride, padding, output_padding, dilation, groups)


def conv_transpose2d(
    x: Value, weight: Value, bias: Value | None = None, *,
    stride: Sizes = 1, padding: Sizes = 0, output_padding: Sizes = 0, dilation: Sizes = 1, groups: int = 1,
) -> Value:  # fmt: skip
    """The transpose of `conv2d`: its input's lengths from its output's, (n − 1) · stride + … ."""
    return _conv_transpose(x, weight, bias, 2, stride, padding, output_padding, dilation, groups)


def _conv_transpose(
    x: Value, weight: Value, bias: Value | None, n: int,
    stride: Sizes, padding: Sizes, output_padding: Sizes, dilation: Sizes, groups: int,
) -> Value:  # fmt: skip
    _check_rank(x, n + 2)
    _check_rank(weight, n + 2)
    step, around, more, apart = (
        _sizes(given, n, what)
        for given, what in (
            (stride, "stride"), (padding, "padding"),
            (output_padding, "output_padding"), (dilation, "dilation"),
        )
    )  # fmt: skip
    channels, window = weight.shape[0], weight.shape[2:]
    if groups < 1 or channels % groups:
        raise ScellisError("SCL-GRAPH-SHAPE", f"{channels} channels are not {groups} equal groups.")
    before = tuple((k - 1) * d - p for k, d, p in zip(window, apart, around, strict=True))
    if min(before) < 0:
        raise ScellisError("SCL-GRAPH-SHAPE", f"A padding of {around} leaves nothing of windows of {window}.")
    after = tuple(b + m for b, m in zip(before, more, strict=True))
    return _biased(
        convolve(x, turned(weight, groups), Geometry((1,) * n, before, after, apart, step, groups)), bias
    )


def _biased(x: Value, bias: Value | None) -> Value:
    return x if bias is None else x + functions.reshape(bias, (-1, *(1,) * (x.ndim - 2)))


def _check_rank(x: Value, rank: int) -> None:
    if x.ndim != rank:
        raise ScellisError("SCL-GRAPH-SHAPE", f"An array of {rank} axes is expected, not {x.type}.")


# ---- pooling ----


def _pooled(
    x: Value, n: int, kernel_size: Sizes, stride: Sizes | None, padding: Sizes, dilation: Sizes,
    reduce: Callable[..., Value], around: float,
) -> Value:  # fmt: skip
    _check_rank(x, n + 2)
    size = _sizes(kernel_size, n, "kernel_size")
    step = size if stride is None else _sizes(stride, n, "stride")
    sides, apart = _sizes(padding, n, "padding"), _sizes(dilation, n, "dilation")
    if any(2 * side > k for side, k in zip(sides, size, strict=True)):
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"A padding of {sides} is more than half of the windows, {size}."
        )
    seen = x
    if any(sides):
        inside = functions.zeros_like(x) == 0
        for axis, side in enumerate(sides):
            seen, inside = (padded(part, 2 + axis, side, side) for part in (seen, inside))
        seen = functions.where(inside, seen, around) if around else seen
    for axis in range(n):
        seen = windows(seen, 2 + axis, size[axis], step[axis], apart[axis])
    return reduce(seen, tuple(range(2 + n, 2 + 2 * n)))


def max_pool1d(
    x: Value, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0, dilation: Sizes = 1
) -> Value:
    """The greatest of each window of (batch, channels, length); what lies around the array never is."""
    return _pooled(x, 1, kernel_size, stride, padding, dilation, functions.max, LOWEST.get(x.dtype, 0))


def max_pool2d(
    x: Value, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0, dilation: Sizes = 1
) -> Value:
    """The greatest of each window of (batch, channels, height, width)."""
    return _pooled(x, 2, kernel_size, stride, padding, dilation, functions.max, LOWEST.get(x.dtype, 0))


def avg_pool1d(x: Value, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> Value:
    """The mean of each window of (batch, channels, length), zeros around it counted."""
    return _pooled(x, 1, kernel_size, stride, padding, 1, functions.mean, 0.0)


def avg_pool2d(x: Value, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> Value:
    """The mean of each window of (batch, channels, height, width), zeros around it counted."""
    return _pooled(x, 2, kernel_size, stride, padding, 1, functions.mean, 0.0)


# ---- activations ----


@in_f32
def silu(x: Value) -> Value:
    """x · sigmoid x. Source: S. Elfwing, E. Uchibe, K. Doya, 2018."""
    return x * sigmoid(x)


def leaky_relu(x: Value, negative_slope: float = 0.01) -> Value:
    """x above 0, `negative_slope` · x below."""
    return functions.where(x > 0.0, x, x * negative_slope)


@in_f32
def elu(x: Value, alpha: float = 1.0) -> Value:
    """x above 0, alpha · (exp x − 1) below."""
    return functions.where(x > 0.0, x, functions.expm1(functions.minimum(x, 0.0)) * alpha)


# ---- normalisation ----


def _normal(x: Value, axes: Sequence[int], eps: float) -> Value:
    apart = x - functions.mean(x, axes, keepdims=True)
    return apart / functions.sqrt(functions.mean(functions.square(apart), axes, keepdims=True) + eps)


@in_f32
def layer_norm(
    x: Value, weight: Value | None = None, bias: Value | None = None, *, axes: int = 1, eps: float = 1e-5
) -> Value:
    """Zero mean and unit variance over the last `axes` axes, then · weight + bias of their shape.

    Source: J. L. Ba, J. R. Kiros, G. E. Hinton, "Layer Normalization", 2016.
    """
    return _scaled(_normal(x, tuple(range(x.ndim - axes, x.ndim)), eps), weight, bias)


@in_f32
def rms_norm(x: Value, weight: Value | None = None, *, eps: float = 1e-6) -> Value:
    """Unit mean square over the last axis, then · weight. Source: B. Zhang, R. Sennrich, 2019."""
    return _scaled(
        x / functions.sqrt(functions.mean(functions.square(x), -1, keepdims=True) + eps), weight, None
    )


@in_f32
def group_norm(
    x: Value, groups: int, weight: Value | None = None, bias: Value | None = None, *, eps: float = 1e-5
) -> Value:
    """Zero mean and unit variance of each group of channels, (batch, channels, …); weight, bias (channels,).

    Source: Y. Wu, K. He, "Group Normalization", 2018.
    """
    batch, channels, *rest = x.shape
    if groups < 1 or channels % groups:
        raise ScellisError("SCL-GRAPH-SHAPE", f"{channels} channels are not {groups} equal groups.")
    grouped = functions.reshape(x, (batch, groups, channels // groups * math.prod(rest)))
    return _scaled(functions.reshape(_normal(grouped, (2,), eps), x.shape), *_by_channel(x, weight, bias))


def batch_norm(
    x: Value, weight: Value | None = None, bias: Value | None = None, *, eps: float = 1e-5,
    statistics: tuple[Value, Value] | None = None,
) -> tuple[Value, Value, Value]:  # fmt: skip
    """Zero mean and unit variance of each channel of (batch, channels, …), and mean and variance (channels,).

    `statistics`: the mean and variance to take instead of the batch's own, as in evaluation. The variance is
    the mean square distance, n elements over n. Of f16 both are f32. Source: S. Ioffe, C. Szegedy, 2015.
    """
    if x.dtype == F16:
        normal, mean, variance = batch_norm(x.astype(F32), weight, bias, eps=eps, statistics=statistics)
        return normal.astype(F16), mean, variance
    axes = (0, *range(2, x.ndim))
    mean, variance = statistics or (functions.mean(x, axes), functions.var(x, axes))
    middle, spread = _by_channel(x, mean, variance)
    assert middle is not None
    assert spread is not None
    normal = (x - middle) / functions.sqrt(spread + eps)
    return _scaled(normal, *_by_channel(x, weight, bias)), mean, variance


def _by_channel(x: Value, *values: Value | None) -> list[Value | None]:
    """(channels,) beside (batch, channels, …)."""
    return [
        None if value is None else functions.reshape(value, (-1, *(1,) * (x.ndim - 2))) for value in values
    ]


def _scaled(x: Value, weight: Value | None, bias: Value | None) -> Value:
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


# ---- sequences ----


def embedding(indices: Value, weight: Value) -> Value:
    """Rows of `weight` (words, features) by their numbers: (…, features)."""
    return functions.take(weight, indices, 0)


def scaled_dot_product_attention(
    query: Value, key: Value, value: Value, mask: Value | None = None, *,
    is_causal: bool = False, scale: float | None = None,
) -> Value:  # fmt: skip
    """softmax(query · keyᵀ · scale) · value.

    `query` (batch, heads, S, d), `key` and `value` (batch, groups, T, d): heads are a multiple of groups, and
    share them in order. `mask` broadcasts to (batch, heads, S, T): where a bool is false nothing is taken, a
    float is added. `is_causal`: element s takes from the first s + 1 elements only. `scale`: 1 / √d. A row
    that takes from nothing is 0. Where there would be many scores no device stores them, but for the
    derivative by a float mask.
    Source: A. Vaswani et al., "Attention Is All You Need", 2017; groups: J. Ainslie et al., "GQA", 2023.
    """
    for given in (query, key, value):
        _check_rank(given, 4)
    batch, heads, length, width = query.shape
    groups, others = key.shape[1], key.shape[2]
    if heads % groups or value.shape[:3] != key.shape[:3] or key.shape[3] != width:
        raise ScellisError(
            "SCL-GRAPH-SHAPE",
            f"{query.type}, {key.type} and {value.type} do not fit as query, key and value.",
        )
    seen = query.builder.constant(True, BOOL) if mask is None else mask
    return query.builder.apply(
        "attention",
        *(query, key, value),
        seen.broadcast_to((batch, heads, length, others)),
        scale=float(width**-0.5 if scale is None else scale),
        causal=is_causal,
    )


def rotary_embedding(x: Value, *, base: float = 10000.0, start: Value | None = None) -> Value:
    """Pairs of features turned by angles that grow with the place: (…, length, features), features even.

    Feature i is paired with i + features / 2; their angle at place p is p · base^(−2i / features). `start` ()
    i32 is the place of the first element. Source: J. Su et al., "RoFormer", 2021.
    """
    length, features = x.shape[-2:]
    if features % 2 or x.dtype not in FLOATS:
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"A rotary embedding takes an even number of features, not {x.type}."
        )
    half = features // 2
    place = functions.iota(x, (length, half), 0)
    place = place if start is None else place + start
    turn = functions.exp(functions.iota(x, (length, half), 1, F32) * (-math.log(base) / half))
    angle = place.astype(F32) * turn
    cos, sin = (function(angle).astype(x.dtype) for function in (functions.cos, functions.sin))
    first, second = x[..., :half], x[..., half:]
    return functions.concat([first * cos - second * sin, second * cos + first * sin], -1)


def dropout(x: Value, rate: float, generator: Generator) -> Value:
    """Each element 0 with a chance of `rate`, else divided by 1 − rate.

    Source: N. Srivastava et al., "Dropout", 2014. Raises `SCL-GRAPH-PARAMETER` for a rate outside [0, 1).
    """
    if not 0.0 <= rate < 1.0:
        raise ScellisError(
            "SCL-GRAPH-PARAMETER", f"{rate} is no rate of dropout: that is from 0 to before 1."
        )
    kept = generator.bernoulli(1.0 - rate, x.shape)
    return functions.where(kept, x * (1.0 / (1.0 - rate)), 0.0)
