"""Convolution in one and two dimensions: its type and the reference that computes it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import attrs
import numpy as np

from scellis.errors import ScellisError
from scellis.graph.elementwise import listed
from scellis.graph.movement import int_of, shape_of
from scellis.graph.op import Array, Op, Params, integer, integers
from scellis.graph.reductions import wide_type
from scellis.graph.types import FLOATS, ArrayType, Shape


@attrs.frozen
class Geometry:
    """Where the windows of a convolution stand, in elements of each spatial axis.

    Between two elements of the input lie `spread` − 1 zeros, around it `before` and `after` zeros. Between
    two elements of a window lie `dilation` − 1 elements, between two windows `stride` − 1. Input and output
    channels are cut into `groups` that do not mix.
    """

    stride: Shape
    before: Shape
    after: Shape
    dilation: Shape
    spread: Shape
    groups: int

    @classmethod
    def of(cls, params: Params) -> Geometry:
        """That of a node."""
        names = ("stride", "before", "after", "dilation", "spread")
        stride, before, after, dilation, spread = (shape_of(params, name) for name in names)
        return cls(stride, before, after, dilation, spread, int_of(params, "groups"))

    def padded(self, lengths: Shape) -> Shape:
        """The input's lengths with all zeros."""
        rows = zip(lengths, self.spread, self.before, self.after, strict=True)
        return tuple((n - 1) * apart + 1 + a + b if n else a + b for n, apart, a, b in rows)

    def windows(self, lengths: Shape, window: Shape) -> Shape:
        """How many windows fit."""
        rows = zip(self.padded(lengths), window, self.dilation, self.stride, strict=True)
        return tuple((n - (k - 1) * apart - 1) // step + 1 for n, k, apart, step in rows)


def _convolution(types: Sequence[ArrayType], params: Params) -> ArrayType:
    x, weight = types
    geometry = Geometry.of(params)
    axes = x.rank - 2
    lists = attrs.astuple(geometry)[:-1]
    if axes not in (1, 2) or weight.rank != x.rank or any(len(part) != axes for part in lists):
        raise ScellisError(
            "SCL-GRAPH-SHAPE",
            f"convolution takes (batch, channels, length…) and (outputs, channels, window…), "
            f"not {listed(types)}.",
        )
    if x.dtype != weight.dtype or x.dtype not in FLOATS:
        raise ScellisError(
            "SCL-GRAPH-DTYPE", f"convolution takes two arrays of one float type, not {listed(types)}."
        )
    sound = min((*geometry.stride, *geometry.dilation, *geometry.spread, geometry.groups)) >= 1
    if not sound or min((*geometry.before, *geometry.after)) < 0 or min(weight.shape[2:]) < 1:
        raise ScellisError("SCL-GRAPH-SHAPE", "The steps of a convolution are from 1 on, its padding from 0.")
    groups, (outputs, channels) = geometry.groups, weight.shape[:2]
    if x.shape[1] != channels * groups or outputs % groups:
        raise ScellisError(
            "SCL-GRAPH-SHAPE",
            f"In {groups} groups, {listed(types)} do not fit: the input has {x.shape[1]} channels, "
            f"the weights are for {channels} a group and {outputs} outputs.",
        )
    counts = geometry.windows(x.shape[2:], weight.shape[2:])
    if min(counts) < 1:
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"A window of {weight.shape[2:]} is larger than {x} with its padding."
        )
    return ArrayType((x.shape[0], outputs, *counts), x.dtype)


def _convolved(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    x, weight = (array.astype(wide_type(array), copy=False) for array in arrays)
    geometry = Geometry.of(params)
    batch, channels, *lengths = x.shape
    outputs, _, *window = weight.shape
    padded = np.zeros((batch, channels, *geometry.padded(tuple(lengths))), x.dtype)
    inside = tuple(
        slice(a, a + (n - 1) * apart + 1 if n else a, apart)
        for a, n, apart in zip(geometry.before, lengths, geometry.spread, strict=True)
    )
    padded[(slice(None), slice(None), *inside)] = x
    reach = tuple((k - 1) * apart + 1 for k, apart in zip(window, geometry.dilation, strict=True))
    axes = tuple(range(2, x.ndim))
    seen = np.lib.stride_tricks.sliding_window_view(padded, reach, axis=axes)
    steps = tuple(slice(None, None, step) for step in (1, 1, *geometry.stride, *geometry.dilation))
    seen = seen[steps]  # (batch, channels, windows…, window…)
    counts, groups = type_.shape[2:], geometry.groups
    places, taps = math.prod(counts), channels // groups * math.prod(window)
    columns = seen.reshape(batch, groups, channels // groups, places, math.prod(window))
    columns = columns.transpose(0, 1, 2, 4, 3).reshape(batch, groups, taps, places)
    found = np.matmul(weight.reshape(groups, outputs // groups, taps), columns)
    return np.asarray(found, arrays[0].dtype).reshape(type_.shape)


CONVOLUTION_OPS: Mapping[str, Op] = {
    "convolution": Op(
        2,
        _convolution,
        _convolved,
        dict.fromkeys(("stride", "before", "after", "dilation", "spread"), integers) | {"groups": integer},
    ),
}
