"""Derivatives of a graph, as nodes of the same graph: backwards, forwards, and by composition again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from scellis.errors import ScellisError
from scellis.graph import functions
from scellis.graph.attend import WRITTEN
from scellis.graph.checkpoint import Recomputed
from scellis.graph.elementwise import ELEMENTWISE
from scellis.graph.gradients import GRADIENTS, Cotangents, Rule, times
from scellis.graph.movement import shape_of
from scellis.graph.op import Params
from scellis.graph.places import at, derived
from scellis.graph.trace import Value
from scellis.graph.types import FLOATS


def _depends(values: Sequence[Value]) -> set[int]:
    """The nodes that vary with any of these, by way of floats."""
    builder = values[0].builder
    found = {value.index for value in values}
    for index in range(min(found), len(builder.nodes)):
        if builder.types[index].dtype in FLOATS and not found.isdisjoint(builder.nodes[index].args):
            found.add(index)
    return found


def vjp(outputs: Sequence[Value], cotangents: Sequence[Value], inputs: Sequence[Value]) -> list[Value]:
    """Σ cotangent · ∂output/∂input for each input, in its shape: the product of vector and Jacobian.

    Costs a few times the outputs. Raises `SCL-GRAPH-DTYPE` for an input that is no float, `SCL-GRAPH-SHAPE`
    for a cotangent of another type than its output, `SCL-GRAPH-DERIVATIVE` for an operation whose derivative
    we do not have. Source: reverse accumulation, A. Griewank, A. Walther, "Evaluating Derivatives", 2nd ed.
    (2008), 3.2.
    """
    builder = inputs[0].builder
    _check_floats(inputs)
    for output, cotangent in zip(outputs, cotangents, strict=True):
        _check_same("cotangent", output, cotangent)
    varying = _depends(inputs)
    gathered: dict[int, Value] = {}
    again = Recomputed(builder)

    def gather(index: int, cotangent: Value) -> None:
        gathered[index] = gathered[index] + cotangent if index in gathered else cotangent

    for output, cotangent in zip(outputs, cotangents, strict=True):
        gather(output.index, cotangent)
    first = min(value.index for value in inputs)
    for index in range(max(gathered), first, -1):
        node = builder.nodes[index]
        if index not in gathered or index not in varying or not node.args:
            continue
        with builder.at(derived(builder.places[index])):
            out, *args = (again.value(at, index, gathered[index]) for at in (index, *node.args))
            given = _rule(out)(gathered[index], out, args, node.params)
            for argument, part in zip(node.args, given, strict=True):
                if part is not None and argument in varying:
                    gather(argument, part)
    return [_or_zeros(gathered, value) for value in inputs]


def _rule(of: Value) -> Rule:
    op = of.builder.nodes[of.index].op
    if op in GRADIENTS:
        return GRADIENTS[op]
    if op in WRITTEN:
        return partial(_as_written, op)
    raise _no_derivative(of)


def _as_written(op: str, g: Value, out: Value, args: Sequence[Value], params: Params) -> Cotangents:
    """The derivative of what an operation is written in."""
    copies = _copies(args)
    floats = [copy for copy in copies if copy.dtype in FLOATS]
    found = iter(vjp([WRITTEN[op](copies, params)], [g], floats))
    return [next(found) if copy.dtype in FLOATS else None for copy in copies]


def _copies(args: Sequence[Value]) -> list[Value]:
    """Values of their own: no argument then varies with another."""
    return [value.builder.apply("reshape", value, shape=value.shape) for value in args]


def _no_derivative(of: Value) -> ScellisError:
    op, place = of.builder.nodes[of.index].op, of.builder.places[of.index]
    if op == "random_gamma":
        return ScellisError(
            "SCL-GRAPH-DERIVATIVE",
            f"A gamma, beta or chi-square draw{at(place)} has no derivative by its shape: it is drawn by "
            "rejection.",
            "Differentiate by the scale, or pass the shape as a constant.",
        )
    return ScellisError(
        "SCL-GRAPH-DERIVATIVE", f"We have no derivative of {op}{at(place)}.", "Do without this one."
    )


def _or_zeros(found: Mapping[int, Value], like: Value) -> Value:
    return found[like.index] if like.index in found else functions.zeros_like(like)


def _check_floats(values: Sequence[Value]) -> None:
    for value in values:
        if value.dtype not in FLOATS:
            raise ScellisError("SCL-GRAPH-DTYPE", f"There is no derivative by {value.type}: it is no float.")


def _check_same(what: str, value: Value, other: Value) -> None:
    if value.type != other.type:
        raise ScellisError(
            "SCL-GRAPH-SHAPE", f"A {what} of {value.type} is of the same type, not {other.type}."
        )


def gradient(output: Value, inputs: Sequence[Value]) -> list[Value]:
    """∂output/∂input for each input. Raises `SCL-GRAPH-SHAPE` unless `output` is one number."""
    if output.shape != ():
        raise ScellisError(
            "SCL-GRAPH-SHAPE",
            f"A gradient is that of one number, not of {output.type}.",
            "Take a sum or a mean.",
        )
    return vjp([output], [functions.ones_like(output)], inputs)


_LINEAR = (
    "broadcast_to",
    "reshape",
    "permute_dims",
    "slice",
    "pad",
    "windows",
    "flip",
    "sum",
    "cumulative_sum",
    "astype",
)
"""Operations whose tangent is the same operation on the tangent."""


def jvp(outputs: Sequence[Value], inputs: Sequence[Value], tangents: Sequence[Value]) -> list[Value]:
    """Σ ∂output/∂input · tangent for each output, in its shape: the product of Jacobian and vector.

    Costs about what the outputs cost. Raises as `vjp` does. Source: forward accumulation, ibid., 3.1.
    """
    builder = inputs[0].builder
    _check_floats(inputs)
    moved: dict[int, Value] = {}
    for value, tangent in zip(inputs, tangents, strict=True):
        _check_same("tangent", value, tangent)
        moved[value.index] = tangent
    for index in range(min(moved) + 1, max(output.index for output in outputs) + 1):
        node = builder.nodes[index]
        if index in moved or builder.types[index].dtype not in FLOATS or moved.keys().isdisjoint(node.args):
            continue
        with builder.at(derived(builder.places[index])):
            found = _tangent(Value(builder, index), moved)
        if found is not None:
            moved[index] = found
    return [_or_zeros(moved, output) for output in outputs]


def _tangent(out: Value, moved: dict[int, Value]) -> Value | None:
    """The tangent of a node from those of its arguments."""
    builder = out.builder
    node = builder.nodes[out.index]
    args = [Value(builder, argument) for argument in node.args]
    given = [moved.get(argument) for argument in node.args]

    def filled(place: int) -> Value:
        tangent = given[place]
        return functions.zeros_like(args[place]) if tangent is None else tangent

    if node.op == "barrier":
        return given[0]
    if node.op in _LINEAR:
        return builder.apply(node.op, filled(0), **node.params)
    if node.op == "concat":
        return builder.apply(node.op, filled(0), filled(1), **node.params)
    if node.op in ("take", "scatter_add"):
        return builder.apply(node.op, filled(0), args[1], **node.params)
    if node.op == "where":
        return builder.apply(node.op, args[0], filled(1), filled(2))
    if node.op in ("matmul", "convolution"):
        a, b = args
        return _total(
            builder.apply(node.op, *factors, **node.params)
            for tangent, factors in ((given[0], (filled(0), b)), (given[1], (a, filled(1))))
            if tangent is not None
        )
    if node.op in WRITTEN:
        copies = _copies(args)
        floats = [place for place, copy in enumerate(copies) if copy.dtype in FLOATS]
        written = WRITTEN[node.op](copies, node.params)
        return jvp([written], [copies[place] for place in floats], [filled(place) for place in floats])[0]
    if node.op in ELEMENTWISE:
        partials = ELEMENTWISE[node.op].partials
        if partials is None:
            raise _no_derivative(out)
        products = zip(given, partials(functions, args, out), strict=True)
        return _total(times(tangent, partial) for tangent, partial in products if tangent is not None)
    # A reduction whose rule gives each element of its argument a weight.
    (weights,) = _rule(out)(functions.ones_like(out), out, args, node.params)
    assert weights is not None
    return functions.sum(weights * filled(0), shape_of(node.params, "axes"))


def _total(parts: Iterable[Value | None]) -> Value | None:
    """The sum of what there is."""
    known = [part for part in parts if part is not None]
    total = known[0] if known else None
    for part in known[1:]:
        total = total + part if total is not None else part
    return total
