"""Tracing: a Python function over our operations becomes an op graph.

    def deviation(length, drift):
        return length + drift

    graph = trace(deviation, length=normal(623, 25), drift=uniform(-1, 1))

The function runs once, on `Value`s that record what is done to them. Equal expressions become one node;
draws never do, since each is a random number of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeAlias

import attrs

from scellis.errors import ScellisError
from scellis.graph.graph import NODE_LIMIT, Graph, Node

Operand: TypeAlias = "Value | int | float"


class Builder:
    """Nodes under construction."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._known: dict[tuple[object, ...], int] = {}

    def draw(self, distribution: Draw) -> Value:
        """A new random input."""
        return self._append(Node(distribution.op, (), distribution.parameters))

    def constant(self, value: float) -> Value:
        """A number."""
        known = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not known or not abs(value) <= sys.float_info.max:
            raise ScellisError(
                "SCL-GRAPH-TRACE",
                f"A {type(value).__name__} cannot stand in a program: it takes finite numbers.",
            )
        number = float(value)
        return self._shared(Node("constant", (), {"value": number}), ("constant", number.hex()))

    def apply(self, op: str, *operands: Operand) -> Value:
        """An elementwise operation on values of this builder and numbers."""
        values = [operand if isinstance(operand, Value) else self.constant(operand) for operand in operands]
        if any(value.builder is not self for value in values):
            raise ScellisError("SCL-GRAPH-TRACE", "Values of two different programs cannot be combined.")
        args = tuple(value.index for value in values)
        return self._shared(Node(op, args), (op, args))

    def graph(self, output: Value) -> Graph:
        """The finished graph."""
        return Graph(tuple(self._nodes), output.index)

    def _append(self, node: Node) -> Value:
        if len(self._nodes) >= NODE_LIMIT:
            raise ScellisError("SCL-GRAPH-SIZE", f"A program has at most {NODE_LIMIT} operations.")
        self._nodes.append(node)
        return Value(self, len(self._nodes) - 1)

    def _shared(self, node: Node, key: tuple[object, ...]) -> Value:
        if key not in self._known:
            self._known[key] = self._append(node).index
        return Value(self, self._known[key])


@attrs.frozen(eq=False)
class Value:
    """A scalar of the program being traced. What it holds is unknown, so a program cannot branch on it."""

    builder: Builder
    index: int

    def __add__(self, other: Operand) -> Value:
        return self.builder.apply("add", self, other)

    def __radd__(self, other: Operand) -> Value:
        return self.builder.apply("add", other, self)

    def __sub__(self, other: Operand) -> Value:
        return self.builder.apply("subtract", self, other)

    def __rsub__(self, other: Operand) -> Value:
        return self.builder.apply("subtract", other, self)

    def __mul__(self, other: Operand) -> Value:
        return self.builder.apply("multiply", self, other)

    def __rmul__(self, other: Operand) -> Value:
        return self.builder.apply("multiply", other, self)

    def __truediv__(self, other: Operand) -> Value:
        return self.builder.apply("divide", self, other)

    def __rtruediv__(self, other: Operand) -> Value:
        return self.builder.apply("divide", other, self)

    def __neg__(self) -> Value:
        return self.builder.apply("negative", self)

    def __abs__(self) -> Value:
        return self.builder.apply("abs", self)

    def __pos__(self) -> Value:
        return self

    def __bool__(self) -> bool:
        raise ScellisError("SCL-GRAPH-TRACE", "A random value has no truth while a program is traced.")

    def __eq__(self, other: object) -> bool:
        raise ScellisError("SCL-GRAPH-TRACE", "A random value is not compared while a program is traced.")

    __hash__ = None  # type: ignore[assignment]  # what has no equality has no hash

    __array_ufunc__ = None  # so that NumPy numbers defer to the operators above


@attrs.frozen
class Draw:
    """A distribution with its parameters, the input of a program."""

    op: str
    parameters: dict[str, float]


def uniform(low: float, high: float) -> Draw:
    """The rectangular distribution on [low, high)."""
    return Draw("draw_uniform", {"low": low, "high": high})


def normal(loc: float, scale: float) -> Draw:
    """The normal distribution with mean `loc` and standard deviation `scale`."""
    return Draw("draw_normal", {"loc": loc, "scale": scale})


def student_t(df: float, loc: float, scale: float) -> Draw:
    """Student's t with `df` degrees of freedom, shifted by `loc` and scaled by `scale`."""
    return Draw("draw_t", {"df": df, "loc": loc, "scale": scale})


def arcsine(low: float, high: float) -> Draw:
    """The arcsine (U-shaped) distribution on [low, high]."""
    return Draw("draw_arcsine", {"low": low, "high": high})


def ctrap(low: float, high: float, d: float) -> Draw:
    """The curvilinear trapezoid: a rectangle on [low, high] whose limits are known to within ±d."""
    return Draw("draw_ctrap", {"low": low, "high": high, "d": d})


def exp(value: Value) -> Value:
    """e to the power of `value`."""
    return value.builder.apply("exp", value)


def expm1(value: Value) -> Value:
    """exp(value) − 1 without cancellation near 0."""
    return value.builder.apply("expm1", value)


def log(value: Value) -> Value:
    """The natural logarithm."""
    return value.builder.apply("log", value)


def sqrt(value: Value) -> Value:
    """The square root."""
    return value.builder.apply("sqrt", value)


def sin(value: Value) -> Value:
    """The sine of an angle in radians."""
    return value.builder.apply("sin", value)


def cos(value: Value) -> Value:
    """The cosine of an angle in radians."""
    return value.builder.apply("cos", value)


def tanh(value: Value) -> Value:
    """The hyperbolic tangent."""
    return value.builder.apply("tanh", value)


def minimum(first: Value, second: Operand) -> Value:
    """The lesser of two values."""
    return first.builder.apply("minimum", first, second)


def maximum(first: Value, second: Operand) -> Value:
    """The greater of two values."""
    return first.builder.apply("maximum", first, second)


def trace(function: Callable[..., Value], /, **inputs: Draw) -> Graph:
    """The op graph of `function` on these inputs.

    The inputs take their random words in the order in which they are given. Raises `SCL-GRAPH-TRACE` when the
    function gives back no value of the program.
    """
    builder = Builder()
    result = function(**{name: builder.draw(draw) for name, draw in inputs.items()})
    if not isinstance(result, Value) or result.builder is not builder:
        raise ScellisError("SCL-GRAPH-TRACE", "The traced function must return a value made from its inputs.")
    return builder.graph(result)
