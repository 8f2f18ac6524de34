"""The derivative of each operation, backwards: what a change of the result is worth to each argument.

A rule takes the cotangent `g` of the result, the result and the arguments, all values of one graph, and
gives a cotangent for each argument, None for one that the result does not vary with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from scellis.graph import attend, convolve, functions
from scellis.graph.elementwise import ELEMENTWISE
from scellis.graph.movement import int_of, shape_of
from scellis.graph.op import Params
from scellis.graph.parts import overlap_add, part
from scellis.graph.trace import Value
from scellis.graph.types import FLOATS, Shape

Cotangents: TypeAlias = Sequence[Value | None]
Rule: TypeAlias = Callable[[Value, Value, Sequence[Value], Params], Cotangents]


def times(g: Value, partial: Value | float | None) -> Value | None:
    """`g` · `partial`, without a product for what needs none."""
    if partial is None:
        return None
    if isinstance(partial, Value):
        return g * partial
    return g if partial == 1.0 else -g if partial == -1.0 else g * partial


def _elementwise(op: str) -> Rule:
    partials = ELEMENTWISE[op].partials

    def rule(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
        assert partials is not None
        return [times(g, partial) for partial in partials(functions, args, out)]

    return rule


def _where(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    return None, functions.where(args[0], g, 0.0), functions.where(args[0], 0.0, g)


def _broadcast_to(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    (x,) = args
    new = out.ndim - x.ndim
    stretched = [new + at for at, length in enumerate(x.shape) if length != out.shape[new + at]]
    return (functions.reshape(functions.sum(g, (*range(new), *stretched)), x.shape),)


def _permute_dims(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    axes = shape_of(params, "axes")
    return (functions.permute_dims(g, [axes.index(axis) for axis in range(len(axes))]),)


def _slice(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    start, step = shape_of(params, "start"), shape_of(params, "step")
    rows = zip(args[0].shape, start, step, g.shape, strict=True)
    after = [whole - first - (max(n - 1, 0) * width + min(n, 1)) for whole, first, width, n in rows]
    return (functions.pad(g, start, after, [width - 1 for width in step]),)


def _windows(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    axis, step, dilation = (int_of(params, name) for name in ("axis", "step", "dilation"))
    return (overlap_add(g, axis % args[0].ndim, args[0].shape[axis], step, dilation),)


def _pad(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    before, interior = shape_of(params, "before"), shape_of(params, "interior")
    rows = zip(before, interior, args[0].shape, strict=True)
    return (g[tuple(slice(first, first + n * (apart + 1), apart + 1) for first, apart, n in rows)],)


def _flip(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    return (functions.flip(g, shape_of(params, "axes")),)


def _concat(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    axis, border = int_of(params, "axis"), args[0].shape[int_of(params, "axis")]
    return part(g, axis, 0, border), part(g, axis, border, g.shape[axis])


def _astype(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    return (g.astype(args[0].dtype) if args[0].dtype in FLOATS else None,)


def _kept(shape: Shape, axes: Sequence[int]) -> Shape:
    """`shape` with the reduced axes of length 1."""
    return tuple(1 if axis in axes else length for axis, length in enumerate(shape))


def _spread_over(g: Value, x: Value, params: Params) -> Value:
    """What was reduced, back over the axes that are gone."""
    return functions.reshape(g, _kept(x.shape, shape_of(params, "axes"))).broadcast_to(x.shape)


def _sum(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    return (_spread_over(g, args[0], params),)


def _extreme(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    """All elements that reach the extreme share alike."""
    (x,) = args
    reached = (x == _spread_over(out, x, params)).astype(x.dtype)
    share = g / functions.sum(reached, shape_of(params, "axes"))
    return (reached * _spread_over(share, x, params),)


def _prod(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    """The product of the others: with one zero it is that of the rest at the zero, with two it is 0."""
    (x,) = args
    axes = shape_of(params, "axes")
    zero = x == 0.0
    zeros = _spread_over(functions.sum(zero.astype(x.dtype), axes), x, params)
    rest = _spread_over(functions.prod(functions.where(zero, 1.0, x), axes), x, params)
    others = functions.where(
        zero,
        functions.where(zeros == 1.0, rest, 0.0),
        functions.where(zeros == 0.0, rest / functions.where(zero, 1.0, x), 0.0),
    )
    return (_spread_over(g, x, params) * others,)


def _cumulative_sum(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    axis = int_of(params, "axis")
    return (functions.flip(functions.cumulative_sum(functions.flip(g, axis), axis), axis),)


def _matmul(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    a, b = args
    transposed = functions.matrix_transpose
    return g.builder.apply("matmul", g, transposed(b)), g.builder.apply("matmul", transposed(a), g)


def _take(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    axis = int_of(params, "axis")
    return g.builder.apply("scatter_add", g, args[1], axis=axis, length=args[0].shape[axis]), None


def _scatter_add(g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    return g.builder.apply("take", g, args[1], axis=int_of(params, "axis")), None


GRADIENTS: Mapping[str, Rule] = {
    **{op: _elementwise(op) for op, operation in ELEMENTWISE.items() if operation.partials is not None},
    "where": _where,
    "broadcast_to": _broadcast_to,
    "reshape": lambda g, out, args, params: (functions.reshape(g, args[0].shape),),
    "permute_dims": _permute_dims,
    "slice": _slice,
    "pad": _pad,
    "windows": _windows,
    "flip": _flip,
    "concat": _concat,
    "astype": _astype,
    "sum": _sum,
    "max": _extreme,
    "min": _extreme,
    "prod": _prod,
    "cumulative_sum": _cumulative_sum,
    "matmul": _matmul,
    "convolution": convolve.cotangents,
    "attention": attend.cotangents,
    "barrier": lambda g, out, args, params: (g, None),
    "take": _take,
    "scatter_add": _scatter_add,
}
"""By operation. What is missing gives integers or truths, which have no derivative, or is trigamma."""
