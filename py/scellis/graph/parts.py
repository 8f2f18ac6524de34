"""Parts of arrays along one axis: taken, spread apart, seen through windows, and put together again."""

from __future__ import annotations

from scellis.graph import functions
from scellis.graph.trace import Value


def part(x: Value, axis: int, start: int, stop: int) -> Value:
    """The elements from `start` to before `stop` along an axis."""
    return x[(slice(None),) * axis + (slice(start, stop),)]


def spread(x: Value, axis: int, step: int) -> Value:
    """The elements along an axis with `step` − 1 zeros between each two."""
    if step == 1 or x.shape[axis] < 2:
        return x
    zeros = [0] * x.ndim
    return functions.pad(x, zeros, zeros, [step - 1 if at == axis else 0 for at in range(x.ndim)])


def padded(x: Value, axis: int, before: int, after: int) -> Value:
    """Zeros before and after along one axis."""
    if before == after == 0:
        return x
    sides = ([width if at == axis else 0 for at in range(x.ndim)] for width in (before, after))
    return functions.pad(x, *sides)


def windows(x: Value, axis: int, length: int, step: int = 1, dilation: int = 1) -> Value:
    """All windows along an axis: where it was they are counted, and their elements are a new last axis.

    Two windows begin `step` elements from each other; two elements of one stand `dilation` from each other.
    """
    return x.builder.apply("windows", x, axis=axis, length=length, step=step, dilation=dilation)


def overlap_add(g: Value, axis: int, total: int, step: int, dilation: int) -> Value:
    """The sum of windows, each put where `windows` found it along an axis of length `total`."""
    count, length = g.shape[axis], g.shape[-1]
    reach = (count - 1) * step + 1
    found: Value | None = None
    for tap in range(length):
        apart = spread(g[..., tap], axis, step)
        placed = padded(apart, axis, tap * dilation, total - reach - tap * dilation)
        found = placed if found is None else found + placed
    assert found is not None
    return found
