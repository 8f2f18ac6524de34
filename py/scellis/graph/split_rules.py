"""How a part of an operation's result is computed from parts of its arguments.

A part needs of each argument a box that lies within few parts of it. What is taken together along an axis
that is cut is taken together part by part, and then over the parts, in one fixed tree.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

from scellis.graph import functions
from scellis.graph.cuts import Box, along, flat_boxes, flat_range, joint, lengths, matched, whole_box
from scellis.graph.drawn import DRAWN_OPS, WEIGHT_OPS
from scellis.graph.elementwise import ELEMENTWISE_OPS
from scellis.graph.movement import int_of, shape_of
from scellis.graph.part import Part, PartRule
from scellis.graph.pieces import combined, joined, total, zeros
from scellis.graph.sorting import merged_order
from scellis.graph.split_attention import ATTENTION_RULES
from scellis.graph.trace import Value
from scellis.graph.types import F16, F32, FLOATS, I32, ArrayType


def _elementwise(part: Part) -> Value:
    return part.apply(*(held.at(part.box) for held in part.args))


def _source(part: Part) -> Value:
    """Made up where it is needed, so that the whole is never stored."""
    whole = part.apply(*(held.at(whole_box(held.type.shape)) for held in part.args))
    return whole[tuple(itertools.starmap(slice, part.box))]


def _broadcast_to(part: Part) -> Value:
    (held,) = part.args
    new = part.type.rank - held.type.rank
    inner = tuple(
        (0, 1) if length == 1 else side for length, side in zip(held.type.shape, part.box[new:], strict=True)
    )
    return held.at(inner).broadcast_to(lengths(part.box))


def _permute_dims(part: Part) -> Value:
    axes = shape_of(part.params, "axes")
    return part.apply(part.args[0].at(tuple(part.box[axes.index(axis)] for axis in range(len(axes)))))


def _slice(part: Part) -> Value:
    steps = shape_of(part.params, "step")
    rows = zip(part.box, shape_of(part.params, "start"), steps, strict=True)
    inner = tuple((first + a * step, first + (b - 1) * step + 1) for (a, b), first, step in rows)
    return part.args[0].at(inner, steps)


def _pad(part: Part) -> Value:
    """The elements that lie in the box, with the zeros that it has around and between them."""
    (held,) = part.args
    interior = shape_of(part.params, "interior")
    inner, sides = [], []
    rows = zip(part.box, held.type.shape, shape_of(part.params, "before"), interior, strict=True)
    for (a, b), length, before, between in rows:
        step = between + 1
        first = max(-(-(a - before) // step), 0)
        last = min((b - 1 - before) // step, length - 1)
        if last < first:
            return zeros(part.made.builder, ArrayType(lengths(part.box), part.type.dtype))
        inner.append((first, last + 1))
        sides.append((before + first * step - a, b - 1 - before - last * step))
    before_all, after_all = zip(*sides, strict=True)
    return functions.pad(held.at(tuple(inner)), before_all, after_all, interior)


def _flip(part: Part) -> Value:
    (held,) = part.args
    turned = {axis % held.type.rank for axis in shape_of(part.params, "axes")}
    return part.apply(
        held.at(
            tuple(
                (length - b, length - a) if axis in turned else (a, b)
                for axis, ((a, b), length) in enumerate(zip(part.box, held.type.shape, strict=True))
            )
        )
    )


def _windows(part: Part) -> Value:
    """Windows over the elements that they reach, or tap by tap where between them lie many others."""
    (held,) = part.args
    axis, builder = part.axis, part.made.builder
    step, dilation = int_of(part.params, "step"), int_of(part.params, "dilation")
    (first, last), (tap, end) = part.box[axis], part.box[-1]
    outer = part.box[:-1]

    def reached(tap: int, end: int) -> Box:
        return along(outer, axis, first * step + tap * dilation, (last - 1) * step + (end - 1) * dilation + 1)

    if math.prod(lengths(reached(tap, end))) <= math.prod(lengths(part.box)):
        return builder.apply(
            "windows", held.at(reached(tap, end)), axis=axis, length=end - tap, step=step, dilation=dilation
        )
    steps = tuple(step if at == axis else 1 for at in range(len(outer)))
    return joined([held.at(reached(at, at + 1), steps)[..., None] for at in range(tap, end)], len(outer))


def _concat(part: Part) -> Value:
    axis, border = part.axis, part.args[0].type.shape[part.axis]
    start, stop = part.box[axis]
    found = []
    if start < border:
        found.append(part.args[0].at(along(part.box, axis, start, min(stop, border))))
    if stop > border:
        found.append(part.args[1].at(along(part.box, axis, max(start, border) - border, stop - border)))
    return joined(found, axis)


def _reshape(part: Part) -> Value:
    """Group by group of the axes that belong together, in each of which a part lies in one piece."""
    (held,) = part.args
    groups = [
        flat_boxes(
            held.type.shape[old.start : old.stop],
            *flat_range(part.box[new.start : new.stop], part.type.shape[new.start : new.stop]),
        )
        for old, new in matched(held.type.shape, part.type.shape)
    ]

    def gathered(chosen: tuple[Box, ...]) -> Value:
        """The elements with one axis a group."""
        if len(chosen) < len(groups):
            return joined([gathered((*chosen, box)) for box in groups[len(chosen)]], len(chosen))
        taken = held.at(tuple(itertools.chain(*chosen)))
        return functions.reshape(taken, [math.prod(lengths(box)) for box in chosen])

    return functions.reshape(gathered(()), lengths(part.box))


_TOGETHER = {
    "sum": "add", "prod": "multiply", "max": "maximum", "min": "minimum",
    "any": "logical_or", "all": "logical_and",
}  # fmt: skip


def _reduced(part: Part) -> Value:
    (held,) = part.args
    axes, kept = shape_of(part.params, "axes"), iter(part.box)
    ranges = [
        list(itertools.pairwise(bounds)) if axis in axes else [next(kept)]
        for axis, bounds in enumerate(held.cut)
    ]
    given = [held.at(box) for box in itertools.product(*ranges)]
    if len(given) > 1 and part.type.dtype == F16 and part.node.op in ("sum", "prod"):
        wide = [part.apply(value.astype(F32)) for value in given]
        return combined(_TOGETHER[part.node.op], wide).astype(F16)
    return combined(_TOGETHER[part.node.op], [part.apply(value) for value in given])


def _searched(part: Part) -> Value:
    """The first of the extremes, or of what is no number, as within one part."""
    (held,) = part.args
    axis = part.axis
    extreme = part.node.op.removeprefix("arg")
    place: Value | None = None
    for start, stop in itertools.pairwise(held.cut[axis]):
        given = held.at((*part.box[:axis], (start, stop), *part.box[axis:]))
        found, reached = part.apply(given), given.builder.apply(extreme, given, axes=(axis,))
        if place is None:
            place, best = found, reached
            continue
        better = reached > best if extreme == "max" else reached < best
        if given.dtype in FLOATS:
            better = (better | functions.isnan(reached)) & ~functions.isnan(best)
        place, best = functions.where(better, found + start, place), functions.where(better, reached, best)
    assert place is not None
    return place


def _cumulative_sum(part: Part) -> Value:
    """The sum from the beginning of the part, and what the part before it ends with."""
    axis, box = part.axis, part.box
    found = part.apply(part.args[0].at(box))
    start = box[axis][0]
    if start == 0:
        return found
    before = part.made.at(along(box, axis, start - 1, start)).broadcast_to(found.shape)
    return total([before, found])


def _matmul(part: Part) -> Value:
    a, b = part.args
    *batch, rows, columns = part.box
    return total(
        [
            part.apply(a.at((*batch, rows, terms)), b.at((*batch, terms, columns)))
            for terms in itertools.pairwise(joint(a.cut[-1], b.cut[-2]))
        ]
    )


def _within(numbers: Value, length: int) -> Value:
    """Indices, with the nearest that there is for one out of range."""
    return functions.clip(numbers, 0, min(length - 1, 2**31 - 1) if numbers.dtype == I32 else length - 1)


def _over(condition: Value, axis: int, box: Box) -> Value:
    """One truth a row along an axis, for all elements of a box."""
    aligned = [1] * len(box)
    aligned[axis] = condition.size
    return functions.reshape(condition, aligned).broadcast_to(lengths(box))


def _take(part: Part) -> Value:
    """Of each part of the table the rows that lie in it."""
    array, indices = part.args
    axis, box = part.axis, part.box
    numbers = indices.at((box[axis],))
    ranges = list(itertools.pairwise(array.cut[axis]))
    if len(ranges) > 1:
        numbers = _within(numbers, array.type.shape[axis])
    found: Value | None = None
    for start, stop in ranges:
        taken = part.apply(array.at(along(box, axis, start, stop)), numbers - start if start else numbers)
        found = taken if found is None else functions.where(_over(numbers >= start, axis, box), taken, found)
    assert found is not None
    return found


def _scatter_add(part: Part) -> Value:
    """Of each part of the updates what is added to rows of this part."""
    updates, indices = part.args
    axis, box = part.axis, part.box
    (start, stop), length = box[axis], part.type.shape[axis]
    found = []
    for side in itertools.pairwise(joint(updates.cut[axis], indices.cut[0])):
        given, numbers = updates.at(along(box, axis, *side)), indices.at((side,))
        if (start, stop) != (0, length):
            numbers = _within(numbers, length)
            inside = (numbers >= start) & (numbers <= stop - 1)
            given = functions.where(_over(inside, axis, along(box, axis, *side)), given, 0)
            numbers = numbers - start
        found.append(given.builder.apply("scatter_add", given, numbers, axis=axis, length=stop - start))
    return total(found)


def _scatter_in_order(part: Part) -> Value:
    """The same, of parts of the updates in an order of their own."""
    updates, indices, order = part.args
    axis, params = part.axis, dict(part.params)
    first = int_of(params, "start")
    params["start"], params["stop"] = (first + end for end in part.box[axis])
    found = []
    for side in itertools.pairwise(joint(updates.cut[axis], indices.cut[0])):
        given, numbers = updates.at(along(part.box, axis, *side)), indices.at((side,))
        sorts = order.at((side,)) if side == (0, indices.type.size) else merged_order(numbers)
        found.append(given.builder.apply("scatter_add_in_order", given, numbers, sorts, **params))
    return total(found)


def _merge_order(part: Part) -> Value:
    """Rows whole: where an element goes hangs on all of them."""
    rows = (*part.box[:-1], (0, part.type.shape[-1]))
    return part.apply(*(held.at(rows) for held in part.args))[..., slice(*part.box[-1])]


RULES: Mapping[str, PartRule] = {
    **dict.fromkeys((*ELEMENTWISE_OPS, *DRAWN_OPS, *WEIGHT_OPS, "astype"), _elementwise),
    **dict.fromkeys(("iota", "random_words"), _source),
    **dict.fromkeys(_TOGETHER, _reduced),
    **dict.fromkeys(("argmax", "argmin"), _searched),
    "broadcast_to": _broadcast_to,
    "permute_dims": _permute_dims,
    "slice": _slice,
    "pad": _pad,
    "flip": _flip,
    "windows": _windows,
    "concat": _concat,
    "reshape": _reshape,
    "cumulative_sum": _cumulative_sum,
    "matmul": _matmul,
    "take": _take,
    "barrier": lambda part: part.apply(part.args[0].at(part.box), part.args[1].at(())),
    "scatter_add": _scatter_add,
    "scatter_add_in_order": _scatter_in_order,
    "merge_order": _merge_order,
    **ATTENTION_RULES,
}
"""By operation. What is missing is computed whole, and refused where it does not fit."""
