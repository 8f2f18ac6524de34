"""Where an array is cut into parts: at places along each axis, so that the parts are boxes in a grid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from scellis.graph.types import Shape

Bounds: TypeAlias = tuple[int, ...]
"""Where parts begin along one axis, from 0, and its length at the end."""
Cut: TypeAlias = tuple[Bounds, ...]
"""The bounds of each axis."""
Box: TypeAlias = tuple[tuple[int, int], ...]
"""The first element along each axis, and the one after the last."""

ALIGNED = 64
"""Parts of that many rows or more have a multiple of it: equal kernels, which read in fours."""


def uncut(shape: Shape) -> Cut:
    """The cut that leaves an array whole."""
    return whole_box(shape)


def whole_box(shape: Shape) -> Box:
    """All of an array."""
    return tuple((0, length) for length in shape)


def boxes(cut: Cut) -> list[Box]:
    """The parts, in row-major order."""
    return list(itertools.product(*(list(itertools.pairwise(bounds)) for bounds in cut)))


def lengths(box: Box) -> Shape:
    """The shape of a part."""
    return tuple(stop - start for start, stop in box)


def clipped(places: Iterable[int], length: int) -> Bounds:
    """The bounds of an axis that is cut at those of `places` that lie within it."""
    return (0, *sorted({place for place in places if 0 < place < length}), length)


def joint(*bounds: Bounds) -> Bounds:
    """The bounds of the first of several axes, cut where any of them is: they go together."""
    return clipped(itertools.chain(*bounds), bounds[0][-1])


def longest(bounds: Bounds) -> int:
    """Elements along an axis of the longest part."""
    return max(stop - start for start, stop in itertools.pairwise(bounds))


def along(box: Box, axis: int, start: int, stop: int) -> Box:
    """The box with another range along one axis."""
    return (*box[:axis], (start, stop), *box[axis + 1 :])


def divided(bounds: Bounds, most: int) -> Bounds:
    """The bounds with more between them, so that no part is longer than `most`."""
    places = [bounds[-1]]
    for start, stop in itertools.pairwise(bounds):
        parts = -(-(stop - start) // most)
        step = -(-(stop - start) // max(parts, 1))
        step = min(-(-step // ALIGNED) * ALIGNED, most - most % ALIGNED) if most >= ALIGNED else step
        places += range(start, stop, max(step, 1))
    return clipped(places, bounds[-1])


def refined(cut: Cut, elements: int) -> Cut:
    """The cut with more bounds, so that no part has more than so many elements.

    The first axis is cut, and where parts of one row are too large the next one too, so that parts of an
    array that was whole lie in one piece in memory.
    """
    found = list(cut)
    most = [longest(bounds) for bounds in cut]
    for axis, bounds in enumerate(cut):
        allowed = max(elements // max(math.prod(most[:axis]) * math.prod(most[axis + 1 :]), 1), 1)
        if most[axis] > allowed:
            found[axis] = divided(bounds, allowed)
            most[axis] = longest(found[axis])
    return tuple(found)


def matched(old: Shape, new: Shape) -> Iterator[tuple[range, range]]:
    """The axes of two shapes of one size, in the smallest groups that have as many elements in both."""
    i = j = 0
    while i < len(old) or j < len(new):
        ends, sizes = [i, j], [1, 1]
        while ends == [i, j] or sizes[0] != sizes[1]:
            side = 0 if ends[0] < len(old) and (sizes[0] <= sizes[1] or ends[1] == len(new)) else 1
            sizes[side] *= (old, new)[side][ends[side]]
            ends[side] += 1
        yield range(i, ends[0]), range(j, ends[1])
        i, j = ends


def flat_range(box: Box, shape: Shape) -> tuple[int, int]:
    """The numbers of the elements of a box that lies in one piece in memory, in row-major order."""
    start = 0
    for (first, _), length in zip(box, shape, strict=True):
        start = start * length + first
    return start, start + math.prod(lengths(box))


def flat_boxes(shape: Sequence[int], start: int, stop: int) -> list[Box]:
    """The boxes that hold the elements of these numbers, in order: a part of a row, whole rows, a part."""
    if start == stop:
        return []
    if not shape:
        return [()]
    rest = tuple(shape[1:])
    inner = math.prod(rest)
    (first, head), (last, tail) = divmod(start, inner), divmod(stop, inner)
    if first == last:
        return [((first, first + 1), *box) for box in flat_boxes(rest, head, tail)]
    found: list[Box] = []
    if head:
        found += [((first, first + 1), *box) for box in flat_boxes(rest, head, inner)]
        first += 1
    if first < last:
        found.append(((first, last), *whole_box(rest)))
    return found + [((last, last + 1), *box) for box in flat_boxes(rest, 0, tail)]
