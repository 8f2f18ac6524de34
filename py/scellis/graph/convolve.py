"""Convolution of values: what computes it on a device, and its derivative."""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs

from scellis.graph import functions
from scellis.graph.convolution import Geometry
from scellis.graph.op import Params
from scellis.graph.parts import padded, part, spread, windows
from scellis.graph.trace import Value, matmul

WIDE = 32
"""Windows of one element of the batch from which on they make a product of their own."""
NARROW = 4
"""Outputs a group below which a product has too few rows for its tiles."""


def convolve(x: Value, weight: Value, geometry: Geometry) -> Value:
    """The convolution as one operation; see `nn.conv2d` for what it computes."""
    return x.builder.apply("convolution", x, weight, **attrs.asdict(geometry))


def expanded(args: Sequence[Value], params: Params) -> Value:
    """The same as products over windows, which no device ever stores."""
    x, weight = args
    geometry = Geometry.of(params)
    batch, groups = x.shape[0], geometry.groups
    outputs, channels, *window = weight.shape
    n, counts = len(window), geometry.windows(x.shape[2:], tuple(window))
    seen = _surrounded(x, geometry)
    for axis in range(n):
        seen = windows(seen, 2 + axis, window[axis], geometry.stride[axis], geometry.dilation[axis])
    each, places = outputs // groups, math.prod(counts)
    taps = channels * math.prod(window)
    if each < NARROW:
        seen = functions.reshape(seen, (batch, groups, 1, channels, *counts, *window))
        kernel = functions.reshape(weight, (1, groups, each, channels, *(1,) * n, *window))
        total = functions.vecdot(seen, kernel, axis=(3, *range(4 + n, 4 + 2 * n)))
        return functions.reshape(total, (batch, outputs, *counts))
    seen = functions.reshape(seen, (batch, groups, channels, *counts, *window))
    at, tap = tuple(range(3, 3 + n)), tuple(range(3 + n, 3 + 2 * n))
    kernel = functions.reshape(weight, (groups, each, taps))
    if places >= WIDE or batch == 1:
        columns = functions.reshape(
            functions.permute_dims(seen, (0, 1, 2, *tap, *at)), (batch, groups, taps, places)
        )
        return functions.reshape(matmul(kernel, columns), (batch, outputs, *counts))
    columns = functions.reshape(
        functions.permute_dims(seen, (1, 2, *tap, 0, *at)), (groups, taps, batch * places)
    )
    found = functions.reshape(matmul(kernel, columns), (outputs, batch, *counts))
    return functions.permute_dims(found, (1, 0, *range(2, 2 + n)))


def _surrounded(x: Value, geometry: Geometry) -> Value:
    """The input with all its zeros."""
    for axis in range(x.ndim - 2):
        x = spread(x, 2 + axis, geometry.spread[axis])
        x = padded(x, 2 + axis, geometry.before[axis], geometry.after[axis])
    return x


def cotangents(g: Value, out: Value, args: Sequence[Value], params: Params) -> Sequence[Value]:
    """∂/∂input and ∂/∂weights, each a convolution again.

    Source: V. Dumoulin, F. Visin, "A guide to convolution arithmetic for deep learning", 2016, 4.
    """
    geometry = Geometry.of(params)
    return _by_input(g, args, geometry), _by_weight(g, args, geometry)


def turned(weight: Value, groups: int) -> Value:
    """The weights of the transpose: the channels exchanged in each group, the windows turned round."""
    outputs, channels, *window = weight.shape
    axes = range(3, 3 + len(window))
    apart = functions.reshape(weight, (groups, outputs // groups, channels, *window))
    exchanged = functions.permute_dims(apart, (0, 2, 1, *axes))
    joined = functions.reshape(exchanged, (groups * channels, outputs // groups, *window))
    return functions.flip(joined, tuple(axis - 1 for axis in axes))


def _by_input(g: Value, args: Sequence[Value], geometry: Geometry) -> Value:
    """The windows' cotangents spread over the input, with the weights turned round."""
    x, weight = args
    window = weight.shape[2:]
    n = len(window)
    for axis in range(n):
        g = spread(g, 2 + axis, geometry.stride[axis])
        # What each element of the surrounded input is worth is then found by windows whose last tap stands at
        # `first`; of these, those of the zeros around are cut off.
        first = (window[axis] - 1) * geometry.dilation[axis]
        start = first - geometry.before[axis]
        length = (x.shape[2 + axis] - 1) * geometry.spread[axis] + 1
        missing = length + first - start - g.shape[2 + axis]
        g = padded(g, 2 + axis, max(start, 0), max(missing, 0))
        cut = max(-start, 0)
        g = part(g, 2 + axis, cut, cut + length + first)
    zeros, ones = (0,) * n, (1,) * n
    reading = Geometry(geometry.spread, zeros, zeros, geometry.dilation, ones, geometry.groups)
    return convolve(g, turned(weight, geometry.groups), reading)


def _by_weight(g: Value, args: Sequence[Value], geometry: Geometry) -> Value:
    """Input and cotangents convolved over the batch: each tap sees the input at the windows' places."""
    x, weight = args
    _, channels, *window = weight.shape
    groups, n, batch = geometry.groups, len(window), x.shape[0]
    seen = _surrounded(x, geometry)
    for axis in range(n):  # what no window reaches
        reach = (
            (g.shape[2 + axis] - 1) * geometry.stride[axis] + (window[axis] - 1) * geometry.dilation[axis] + 1
        )
        seen = part(seen, 2 + axis, 0, reach)
    rest = tuple(range(3, 3 + n))
    seen = functions.reshape(seen, (batch, groups, channels, *seen.shape[2:]))
    seen = functions.permute_dims(seen, (2, 1, 0, *rest))
    seen = functions.reshape(seen, (channels, groups * batch, *seen.shape[3:]))
    kernel = functions.permute_dims(g, (1, 0, *range(2, 2 + n)))
    zeros, ones = (0,) * n, (1,) * n
    found = convolve(seen, kernel, Geometry(geometry.dilation, zeros, zeros, geometry.stride, ones, groups))
    return functions.permute_dims(found, (1, 0, *range(2, 2 + n)))
