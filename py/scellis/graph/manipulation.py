"""Functions that move elements, by the names of the Python Array API: what each is made of is a view."""

from __future__ import annotations

from collections.abc import Sequence

from scellis.errors import ScellisError
from scellis.graph.trace import Value, floats_as_one, reshape
from scellis.graph.types import broadcast, normal_axes, normal_axis

Axes = int | Sequence[int]


def permute_dims(x: Value, axes: Sequence[int]) -> Value:
    """The axes in another order."""
    order = tuple(normal_axis(axis, x.ndim) for axis in axes)
    return x if order == tuple(range(x.ndim)) else x.builder.apply("permute_dims", x, axes=order)


def moveaxis(x: Value, source: Axes, destination: Axes) -> Value:
    """Axes put elsewhere, the others in their order. Raises `SCL-GRAPH-SHAPE` for other places than axes."""
    taken, put = (
        [normal_axis(axis, x.ndim) for axis in ([given] if isinstance(given, int) else given)]
        for given in (source, destination)
    )
    if len({*taken}) != len(taken) or len({*put}) != len(put) or len(taken) != len(put):
        raise ScellisError("SCL-GRAPH-SHAPE", f"The axes {taken} cannot be put at {put}.")
    rest = iter([axis for axis in range(x.ndim) if axis not in taken])
    placed = dict(zip(put, taken, strict=True))
    return permute_dims(x, [placed[at] if at in placed else next(rest) for at in range(x.ndim)])


def matrix_transpose(x: Value) -> Value:
    """The last two axes exchanged."""
    return permute_dims(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def expand_dims(x: Value, axis: int = 0) -> Value:
    """A new axis of length 1."""
    at = normal_axis(axis, x.ndim + 1)
    return reshape(x, (*x.shape[:at], 1, *x.shape[at:]))


def squeeze(x: Value, axis: Axes) -> Value:
    """Without axes of length 1. Raises `SCL-GRAPH-SHAPE` for a longer one."""
    gone = normal_axes(axis, x.ndim)
    if any(x.shape[at] != 1 for at in gone):
        raise ScellisError("SCL-GRAPH-SHAPE", f"The axes {gone} of {x.type} are not all of length 1.")
    return reshape(x, tuple(length for at, length in enumerate(x.shape) if at not in gone))


def broadcast_arrays(*values: Value) -> list[Value]:
    """Arrays repeated to the shape that they take together."""
    shape = broadcast(*(value.shape for value in values))
    return [value.broadcast_to(shape) for value in values]


def flip(x: Value, axis: Axes | None = None) -> Value:
    """The order along axes turned round."""
    return x.builder.apply("flip", x, axes=normal_axes(axis, x.ndim))


def concat(values: Sequence[Value], axis: int | None = 0) -> Value:
    """Arrays one after the other along an axis; for None all elements of each, in order."""
    if axis is None:
        return concat([reshape(value, (value.size,)) for value in values])
    result, *rest = floats_as_one(*values)
    for value in rest:
        result = result.builder.apply("concat", result, value, axis=normal_axis(axis, result.ndim))
    return result


def stack(values: Sequence[Value], axis: int = 0) -> Value:
    """Arrays of one shape along a new axis."""
    return concat([expand_dims(value, axis) for value in values], axis)


def unstack(x: Value, axis: int = 0) -> tuple[Value, ...]:
    """The parts along an axis, which goes."""
    first = moveaxis(x, axis, 0)
    return tuple(first[place] for place in range(first.shape[0]))


def roll(x: Value, shift: Axes, axis: Axes | None = None) -> Value:
    """The elements moved on along axes; those beyond the end come in at the front.

    One `shift` is for every axis, several are for one each; None moves all elements as one row.
    """
    if axis is None:
        return reshape(roll(reshape(x, (x.size,)), shift, 0), x.shape)
    axes = [axis] if isinstance(axis, int) else list(axis)
    shifts = [shift] * len(axes) if isinstance(shift, int) else list(shift)
    if len(axes) != len(shifts):
        raise ScellisError("SCL-GRAPH-SHAPE", f"{len(shifts)} shifts are not for {len(axes)} axes.")
    for by, at in zip(shifts, axes, strict=True):
        x = _rolled(x, by, normal_axis(at, x.ndim))
    return x


def _rolled(x: Value, shift: int, axis: int) -> Value:
    last = moveaxis(x, axis, -1)
    by = shift % last.shape[-1] if last.shape[-1] else 0
    moved = concat([last[..., last.shape[-1] - by :], last[..., : last.shape[-1] - by]], -1) if by else last
    return moveaxis(moved, -1, axis)


def repeat(x: Value, repeats: int, axis: int | None = None) -> Value:
    """Each element along an axis so many times, one after the other; for None all elements, in order.

    Raises `SCL-GRAPH-SHAPE` for an array of repeats: the shape of the result would hang on what it holds.
    """
    if isinstance(repeats, Value):
        raise ScellisError(
            "SCL-GRAPH-SHAPE",
            "repeat by an array of counts has a shape that hangs on what the array holds.",
            "Give one number; take with indices of a fixed number repeats rows by what an array holds.",
        )
    if axis is None:
        return repeat(reshape(x, (x.size,)), repeats, 0)
    at = normal_axis(axis, x.ndim)
    several = expand_dims(x, at + 1).broadcast_to((*x.shape[: at + 1], repeats, *x.shape[at + 1 :]))
    return reshape(several, (*x.shape[:at], x.shape[at] * repeats, *x.shape[at + 1 :]))


def tile(x: Value, repetitions: Sequence[int]) -> Value:
    """The array side by side with itself, so many times along each axis."""
    counts = (1,) * (x.ndim - len(repetitions)) + tuple(repetitions)
    shape = (1,) * (len(counts) - x.ndim) + x.shape
    apart = [length for pair in zip((1,) * len(shape), shape, strict=True) for length in pair]
    wide = [length for pair in zip(counts, shape, strict=True) for length in pair]
    together = [count * length for count, length in zip(counts, shape, strict=True)]
    return reshape(reshape(x, apart).broadcast_to(tuple(wide)), together)


def diff(
    x: Value, *, axis: int = -1, n: int = 1, prepend: Value | None = None, append: Value | None = None
) -> Value:
    """The differences of neighbours along an axis, taken n times, with what is put before and after it."""
    if n < 0:
        raise ScellisError("SCL-GRAPH-PARAMETER", f"Differences are taken 0 times or more, not {n} times.")
    last = moveaxis(concat([part for part in (prepend, x, append) if part is not None], axis), axis, -1)
    for _ in range(n if n < last.shape[-1] else last.shape[-1]):
        last = last[..., 1:] - last[..., :-1]
    return moveaxis(last, -1, axis)


def pad(x: Value, before: Sequence[int], after: Sequence[int], interior: Sequence[int] = ()) -> Value:
    """Zeros before and after along each axis, and between each two elements; falsehoods of bool."""
    between = tuple(interior) or (0,) * x.ndim
    return x.builder.apply("pad", x, before=tuple(before), after=tuple(after), interior=between)


def take(x: Value, indices: Value, axis: int = 0) -> Value:
    """Elements along an axis by their numbers.

    `indices` of any shape take the place of the axis; one out of range stands for the nearest that is in it.
    """
    at = normal_axis(axis, x.ndim)
    taken = x.builder.apply("take", x, reshape(indices, (indices.size,)), axis=at)
    return reshape(taken, (*x.shape[:at], *indices.shape, *x.shape[at + 1 :]))
