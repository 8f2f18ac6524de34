"""An array of a graph that is held as parts, each a value of its own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import attrs

from scellis.graph.cuts import Box, Cut, lengths
from scellis.graph.trace import Builder, Value
from scellis.graph.types import BOOL, F16, F32, ArrayType


@attrs.frozen(eq=False)
class Pieces:
    """`values` are the parts of an array of `type` under a cut, in row-major order; a whole one has one.

    While an array is made it may have fewer parts than its cut has: those that come first.
    """

    builder: Builder
    type: ArrayType
    cut: Cut
    values: tuple[Value, ...]

    def at(self, box: Box, steps: Sequence[int] = ()) -> Value:
        """The elements in a box, each `steps` along an axis: taken from the parts and put together."""
        if 0 in lengths(box):
            return zeros(self.builder, ArrayType(lengths(box), self.type.dtype))
        steps = steps or (1,) * len(box)
        taken = [
            _taken(list(itertools.pairwise(bounds)), start, stop, step)
            for bounds, (start, stop), step in zip(self.cut, box, steps, strict=True)
        ]
        counts = [len(bounds) - 1 for bounds in self.cut]

        def gathered(number: int, slices: tuple[slice, ...]) -> Value:
            axis = len(slices)
            if axis == len(taken):
                return self.values[number][slices]
            return joined(
                [gathered(number * counts[axis] + place, (*slices, part)) for place, part in taken[axis]],
                axis,
            )

        return gathered(0, ())


def zeros(builder: Builder, type_: ArrayType) -> Value:
    """Zeros, or falsehoods, of a type."""
    return builder.constant(False if type_.dtype == BOOL else 0, type_.dtype).broadcast_to(type_.shape)


def _taken(ranges: Sequence[tuple[int, int]], start: int, stop: int, step: int) -> list[tuple[int, slice]]:
    """Which parts along an axis hold elements start, start + step, … before stop, and where in each."""
    found = []
    for place, (first, last) in enumerate(ranges):
        begin = start + -(-max(first - start, 0) // step) * step
        end = min(last, stop)
        if begin < end:
            found.append((place, slice(begin - first, end - first, step)))
    return found


def joined(values: Sequence[Value], axis: int) -> Value:
    """Values one after the other along an axis, by halves: no kernel then reads what many others have."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    first, second = joined(values[:half], axis), joined(values[half:], axis)
    return first.builder.apply("concat", first, second, axis=axis)


def combined(op: str, values: Sequence[Value]) -> Value:
    """Values of one type taken together by an operation, by halves in order: one fixed tree."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    first, second = combined(op, values[:half]), combined(op, values[half:])
    return first.builder.apply(op, first, second)


def total(values: Sequence[Value]) -> Value:
    """The sum of values of one type; of f16 it is kept in f32, as a kernel keeps it."""
    if len(values) > 1 and values[0].dtype == F16:
        return combined("add", [value.astype(F32) for value in values]).astype(F16)
    return combined("add", values)
