"""A function of values, applied along a leading axis of its arguments without a loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from scellis.errors import ScellisError
from scellis.graph import functions
from scellis.graph.attention import ATTENTION_OPS
from scellis.graph.drawn import DRAWN_OPS, WEIGHT_OPS
from scellis.graph.elementwise import ELEMENTWISE_OPS
from scellis.graph.movement import int_of, shape_of
from scellis.graph.op import Params
from scellis.graph.trace import Value
from scellis.graph.types import ArrayType

Rule: TypeAlias = "Callable[[Mapped], Value]"


@attrs.frozen
class Mapped:
    """A node to be computed `count` times: its arguments, and which of them have the leading axis."""

    op: str
    args: Sequence[Value]
    leads: Sequence[bool]
    params: Params
    type: ArrayType
    count: int

    def lead(self, place: int) -> Value:
        """An argument with the leading axis: repeated where it has none."""
        value = self.args[place]
        return value if self.leads[place] else value.broadcast_to((self.count, *value.shape))

    @property
    def axis(self) -> int:
        """The parameter of that name, counted from the front of an argument without the leading axis."""
        return int_of(self.params, "axis") % (self.args[0].ndim - self.leads[0])

    def apply(self, *args: Value, **changed: Any) -> Value:
        """The same operation on other arguments."""
        return args[0].builder.apply(self.op, *args, **{**self.params, **changed})


def vmap(function: Callable[..., Any], in_axes: Sequence[int | None] | int = 0) -> Callable[..., Any]:
    """`function` along the leading axis of its arguments, its results stacked along a new leading axis.

    `in_axes`: 0, or None for an argument that all calls share. The function may use values from outside, take
    derivatives, and give back one value or several. Raises `SCL-GRAPH-SHAPE` where the leading axes differ.
    Source: R. Frostig, M. J. Johnson, C. Leary, "Compiling machine learning programs via high-level
    tracing", 2018.
    """

    def mapped(*values: Value) -> Any:
        axes = (in_axes,) * len(values) if isinstance(in_axes, int) else tuple(in_axes)
        counts = {value.shape[:1] for value, axis in zip(values, axes, strict=True) if axis is not None}
        if set(axes) - {0, None} or len(counts) != 1 or () in counts:
            shown = ", ".join(str(value.type) for value in values)
            raise ScellisError(
                "SCL-GRAPH-SHAPE",
                f"vmap over the axes {axes} of {shown} has no one length.",
                "Each axis is 0 or None, and the first lengths are equal.",
            )
        ((count,),) = counts
        builder = values[0].builder
        stands = [
            value if axis is None else builder.stand_in(ArrayType(value.shape[1:], value.dtype))
            for value, axis in zip(values, axes, strict=True)
        ]
        given = function(*stands)
        results = given if isinstance(given, (tuple, list)) else [given]
        known = {
            stand.index: value
            for stand, value, axis in zip(stands, values, axes, strict=True)
            if axis is not None
        }
        found = _replayed(results, known, count)
        return type(given)(found) if isinstance(given, (tuple, list)) else found[0]

    return mapped


def _replayed(results: Sequence[Value], known: dict[int, Value], count: int) -> list[Value]:
    """The results, for all of the leading axis, from what stands in for one element of it."""
    builder = results[0].builder
    needed = {result.index for result in results}
    nodes = builder.nodes[: max(needed) + 1]
    varying = set(known)
    for index, node in enumerate(nodes):
        if not varying.isdisjoint(node.args):
            varying.add(index)
    for index in range(len(nodes) - 1, -1, -1):
        if index in needed:
            needed.update(nodes[index].args)
    for index in sorted((varying & needed) - known.keys()):
        node = nodes[index]
        args = [known.get(argument, Value(builder, argument)) for argument in node.args]
        leads = [argument in known for argument in node.args]
        mapped = Mapped(node.op, args, leads, node.params, builder.types[index], count)
        with builder.at(builder.places[index]):
            known[index] = RULES[node.op](mapped)
    return [
        known[result.index] if result.index in known else result.broadcast_to((count, *result.shape))
        for result in results
    ]


# ---- rules ----


def _elementwise(m: Mapped) -> Value:
    return m.apply(*(m.lead(place) for place in range(len(m.args))))


def _broadcast_to(m: Mapped) -> Value:
    (x,) = m.args
    wide = (m.count, *(1,) * (m.type.rank - (x.ndim - 1)), *x.shape[1:])
    return functions.reshape(x, wide).broadcast_to((m.count, *m.type.shape))


def _permute_dims(m: Mapped) -> Value:
    return m.apply(m.args[0], axes=(0, *(axis + 1 for axis in shape_of(m.params, "axes"))))


def _axes(m: Mapped) -> Value:
    return m.apply(m.args[0], axes=tuple(axis + 1 for axis in shape_of(m.params, "axes")))


def _axis(m: Mapped) -> Value:
    return m.apply(*(m.lead(place) for place in range(len(m.args))), axis=m.axis + 1)


def _slice(m: Mapped) -> Value:
    start, stop, step = (shape_of(m.params, name) for name in ("start", "stop", "step"))
    return m.apply(m.args[0], start=(0, *start), stop=(m.count, *stop), step=(1, *step))


def _pad(m: Mapped) -> Value:
    names = ("before", "after", "interior")
    return m.apply(m.args[0], **{name: (0, *shape_of(m.params, name)) for name in names})


def _places(m: Mapped, length: int) -> Value:
    """Each call's indices into its own part of `count` parts of `length` elements that lie end to end."""
    indices = m.lead(1)
    first = functions.iota(indices, indices.shape, 0, indices.dtype) * length
    within = functions.clip(indices, 0, max(length - 1, 0))
    return functions.reshape(within + first, (indices.size,))


def _take(m: Mapped) -> Value:
    if not m.leads[1]:
        return m.apply(*m.args, axis=m.axis + 1)
    return _end_to_end(m, m.args[0].shape[m.axis + m.leads[0]])


def _scatter_add(m: Mapped) -> Value:
    if not m.leads[1]:
        return m.apply(*m.args, axis=m.axis + 1)
    length = int_of(m.params, "length")
    return _end_to_end(m, length, length=m.count * length)


def _scatter_in_order(m: Mapped) -> Value:
    """By the indices alone: their orders, one a call, are not that of all of them."""
    params = {name: m.params[name] for name in ("axis", "length")}
    axis, length = m.axis, int_of(m.params, "length")
    shape = (*m.type.shape[:axis], length, *m.type.shape[axis + 1 :])
    args, leads = (m.lead(0), m.args[1]), (True, m.leads[1])
    plain = Mapped("scatter_add", args, leads, params, ArrayType(shape, m.type.dtype), m.count)
    rows = slice(int_of(m.params, "start"), int_of(m.params, "stop"))
    return _scatter_add(plain)[(slice(None),) * (axis + 1) + (rows,)]


def _end_to_end(m: Mapped, each: int, **changed: int) -> Value:
    """An operation by index where each call has its own: on parts of `each` elements that lie end to end."""
    x = functions.moveaxis(m.lead(0), m.axis + 1, 1)
    joined = functions.reshape(x, (m.count * x.shape[1], *x.shape[2:]))
    found = m.apply(joined, _places(m, each), axis=0, **changed)
    apart = functions.reshape(found, (m.count, m.type.shape[m.axis], *x.shape[2:]))
    return functions.moveaxis(apart, 1, m.axis + 1)


def _convolution(m: Mapped) -> Value:
    """One batch for all where the weights are shared, else a group of channels for each."""
    x, weight = m.lead(0), m.args[1]
    if not m.leads[1]:
        found = m.apply(functions.reshape(x, (x.shape[0] * x.shape[1], *x.shape[2:])), weight)
        return functions.reshape(found, (m.count, *m.type.shape))
    batch, channels, *lengths = x.shape[1:]
    side_by_side = functions.reshape(functions.moveaxis(x, 0, 1), (batch, m.count * channels, *lengths))
    kernels = functions.reshape(weight, (m.count * weight.shape[1], *weight.shape[2:]))
    found = m.apply(side_by_side, kernels, groups=m.count * int_of(m.params, "groups"))
    apart = functions.reshape(found, (batch, m.count, *m.type.shape[1:]))
    return functions.moveaxis(apart, 1, 0)


def _attention(m: Mapped) -> Value:
    """One batch for all."""
    given = [m.lead(place) for place in range(len(m.args))]
    joined = [functions.reshape(x, (x.shape[0] * x.shape[1], *x.shape[2:])) for x in given]
    return functions.reshape(m.apply(*joined), (m.count, *m.type.shape))


def _barrier(m: Mapped) -> Value:
    """After the first of all calls: they are computed together."""
    return m.apply(m.lead(0), m.args[1][0] if m.leads[1] else m.args[1])


def _random_words(m: Mapped) -> Value:
    """A stream for each call."""
    key, index = m.lead(0), m.lead(1)
    return functions.stack([m.apply(key[call], index[call]) for call in range(m.count)])


RULES: Mapping[str, Rule] = {
    **dict.fromkeys((*ELEMENTWISE_OPS, "astype", *DRAWN_OPS, *WEIGHT_OPS), _elementwise),
    **dict.fromkeys(("sum", "prod", "max", "min", "any", "all", "flip"), _axes),
    **dict.fromkeys(("argmax", "argmin", "cumulative_sum", "windows", "concat"), _axis),
    "broadcast_to": _broadcast_to,
    "reshape": lambda m: functions.reshape(m.args[0], (m.count, *m.type.shape)),
    "permute_dims": _permute_dims,
    "slice": _slice,
    "pad": _pad,
    "matmul": lambda m: functions.matmul(*m.args),
    "take": _take,
    "scatter_add": _scatter_add,
    "scatter_add_in_order": _scatter_in_order,
    "merge_order": _elementwise,
    "convolution": _convolution,
    **dict.fromkeys(ATTENTION_OPS, _attention),
    "random_words": _random_words,
    "barrier": _barrier,
}
"""By operation: how it is computed for all of a leading axis at once."""
