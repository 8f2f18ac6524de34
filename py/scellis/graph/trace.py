"""Tracing: a Python function over our operations becomes an op graph.

    def deviation(length, drift):
        return length + drift

    graph = trace(deviation, length=normal(623, 25), drift=uniform(-1, 1))

The function runs once, on `Value`s that record what is done to them. Equal expressions become one node;
draws never do, since each is a random number of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn, TypeAlias

import attrs
import numpy as np

from scellis.errors import ScellisError
from scellis.graph.graph import GRAPH_LIMIT, Graph, Node
from scellis.graph.op import Param
from scellis.graph.ops import OPS
from scellis.graph.places import here, located, within
from scellis.graph.program import NODE_LIMIT
from scellis.graph.prune import prune
from scellis.graph.types import BOOL, F32, FLOATS, INTEGERS, U32, ArrayType, Shape, broadcast, promote

Operand: TypeAlias = "Value | int | float | bool"

_TRACED: ContextVar[Builder] = ContextVar("_TRACED")
"""The program that is being traced: what an array that is made from nothing belongs to."""

PRODUCTS_LIMIT = 4
"""The highest power that two products make."""


class Builder:
    """Nodes under construction, at most `limit` of them."""

    def __init__(self, limit: int = GRAPH_LIMIT) -> None:
        self._limit = limit
        self._known: dict[tuple[object, ...], int] = {}
        self._stand_ins: set[int] = set()
        self._at: str | None = None
        self._part = ""
        self.nodes: list[Node] = []
        self.types: list[ArrayType] = []
        self.places: list[str] = []
        """where each comes from"""
        self.checkpoints: list[tuple[int, int]] = []
        """first node of each and the one after its last, in order; see `scellis.graph.checkpoint`"""

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """What is applied within comes from `place`, not from the line that is traced."""
        before, self._at = self._at, place
        try:
            yield
        finally:
            self._at = before

    @contextmanager
    def within(self, part: str) -> Iterator[None]:
        """What is traced within belongs to the part of that name of a model: places say so."""
        before, self._part = self._part, within(part)
        try:
            yield
        finally:
            self._part = before

    def checkpoint(self, start: int) -> None:
        """All nodes from `start` on, and the checkpoints among them, are one checkpoint."""
        self.checkpoints = [(first, last) for first, last in self.checkpoints if last <= start]
        if start < len(self.nodes):
            self.checkpoints.append((start, len(self.nodes)))

    def draw(self, distribution: Draw) -> Value:
        """A new random input."""
        return self.apply(distribution.op, **distribution.parameters)

    def input(self, shape: Shape, dtype: str = F32) -> Value:
        """A new array whose elements are given when the graph is computed."""
        return self.apply("input", shape=shape, dtype=dtype)

    def stand_in(self, type_: ArrayType) -> Value:
        """A value to trace with, in whose place others are put: no graph may hang on it."""
        value = self.input(type_.shape, type_.dtype)
        self._stand_ins.add(value.index)
        return value

    def constant(self, value: float | bool, dtype: str = F32) -> Value:
        """A number, without axes. Raises `SCL-GRAPH-TRACE` for anything else."""
        value = value.item() if isinstance(value, np.generic) else value
        if isinstance(value, bool) == (dtype == BOOL) and isinstance(value, (int, float)):
            try:
                value = float(value) if dtype in FLOATS else value
                return self.apply("constant", value=value, dtype=dtype)
            except (ScellisError, OverflowError):
                pass  # too large for it, or not finite
        raise ScellisError(
            "SCL-GRAPH-TRACE",
            f"A {type(value).__name__} cannot stand beside {dtype} in a program: it takes finite numbers.",
        )

    def apply(self, op: str, *args: Value, **params: Param) -> Value:
        """One operation, on values of this builder. Raises what `Op.infer` raises."""
        if any(value.builder is not self for value in args):
            raise ScellisError("SCL-GRAPH-TRACE", "Values of two different programs cannot be combined.")
        return self._once(Node(op, tuple(value.index for value in args), OPS[op].read(op, params)))

    def again(self, node: Node, args: Sequence[Value], type_: ArrayType) -> Value:
        """A node of another graph, on values of the types that its arguments have there: it keeps its own."""
        return self._once(Node(node.op, tuple(value.index for value in args), node.params), type_)

    def graph(self, *outputs: Value) -> Graph:
        """The finished graph."""
        numbers = (output.index for output in outputs)
        graph = Graph.of_checked(self.nodes, numbers, self.places, self.types)
        return prune(graph, self._stand_ins) if self._stand_ins else graph

    def _once(self, node: Node, type_: ArrayType | None = None) -> Value:
        """The value of a node, of a type that is inferred where it is not known; equal nodes are one."""
        operation = OPS[node.op]
        key = (node.op, node.args, *map(_exactly, node.params.values()))
        if operation.random or key not in self._known:
            found = type_ or operation.infer([self.types[index] for index in node.args], node.params)
            self._append(node, found)
            self._known[key] = len(self.nodes) - 1
        return Value(self, self._known[key])

    def _append(self, node: Node, found: ArrayType) -> None:
        if len(self.nodes) >= self._limit:
            raise ScellisError("SCL-GRAPH-SIZE", f"A program has at most {self._limit} operations.")
        self.nodes.append(node)
        self.types.append(found)
        self.places.append((here() if self._at is None else self._at) + self._part)


def _exactly(value: Param) -> object:
    """A key under which only equal bits of one type are equal."""
    return value.hex() if isinstance(value, float) else (type(value), value)


@attrs.frozen(eq=False)
class Value:
    """An array of the graph that is traced. What it holds is unknown, so a program cannot branch on it.

    Operators take values, whose types promote and whose shapes broadcast, and numbers, which take the type of
    the value beside them. Raises `SCL-GRAPH-SHAPE`, `SCL-GRAPH-DTYPE` and `SCL-GRAPH-TRACE`.
    """

    builder: Builder
    index: int

    @property
    def type(self) -> ArrayType:
        """Shape and element type."""
        return self.builder.types[self.index]

    @property
    def shape(self) -> Shape:
        """Lengths of the axes."""
        return self.type.shape

    @property
    def dtype(self) -> str:
        """Type of the elements."""
        return self.type.dtype

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self.type.rank

    @property
    def size(self) -> int:
        """Number of elements."""
        return self.type.size

    @property
    def T(self) -> Value:  # noqa: N802 - the standard's name
        """The transpose of a matrix. Raises `SCL-GRAPH-SHAPE` for another number of axes."""
        if self.ndim != 2:
            raise ScellisError("SCL-GRAPH-SHAPE", f"{self.type} is no matrix.", "Take mT, or permute_dims.")
        return self.mT

    @property
    def mT(self) -> Value:  # noqa: N802 - the standard's name
        """The last two axes exchanged."""
        last = self.ndim - 1
        return self.builder.apply("permute_dims", self, axes=(*range(self.ndim - 2), last, last - 1))

    def astype(self, dtype: str) -> Value:
        """The elements as `dtype`; a float becomes an integer towards zero, a bool 0 or 1."""
        return self if dtype == self.dtype else self.builder.apply("astype", self, dtype=dtype)

    def broadcast_to(self, shape: Shape) -> Value:
        """The array repeated along new axes and those of length 1."""
        return self if shape == self.shape else self.builder.apply("broadcast_to", self, shape=tuple(shape))

    def __add__(self, other: Operand) -> Value:
        return elementwise("add", self, other)

    def __radd__(self, other: Operand) -> Value:
        return elementwise("add", other, self)

    def __sub__(self, other: Operand) -> Value:
        return elementwise("subtract", self, other)

    def __rsub__(self, other: Operand) -> Value:
        return elementwise("subtract", other, self)

    def __mul__(self, other: Operand) -> Value:
        return elementwise("multiply", self, other)

    def __rmul__(self, other: Operand) -> Value:
        return elementwise("multiply", other, self)

    def __truediv__(self, other: Operand) -> Value:
        return elementwise("divide", self, other)

    def __rtruediv__(self, other: Operand) -> Value:
        return elementwise("divide", other, self)

    def __floordiv__(self, other: Operand) -> Value:
        return elementwise("floor_divide", self, other)

    def __rfloordiv__(self, other: Operand) -> Value:
        return elementwise("floor_divide", other, self)

    def __mod__(self, other: Operand) -> Value:
        return elementwise("remainder", self, other)

    def __rmod__(self, other: Operand) -> Value:
        return elementwise("remainder", other, self)

    def __pow__(self, other: Operand) -> Value:
        return pow(self, other)

    def __rpow__(self, other: Operand) -> Value:
        return pow(other, self)

    def __matmul__(self, other: Value) -> Value:
        return matmul(self, other)

    def __neg__(self) -> Value:
        return 0 - self if self.dtype == U32 else elementwise("negative", self)

    def __abs__(self) -> Value:
        return self if self.dtype == U32 else elementwise("abs", self)

    def __pos__(self) -> Value:
        return self

    def __lt__(self, other: Operand) -> Value:
        return elementwise("less", self, other)

    def __le__(self, other: Operand) -> Value:
        return elementwise("less_equal", self, other)

    def __gt__(self, other: Operand) -> Value:
        return elementwise("greater", self, other)

    def __ge__(self, other: Operand) -> Value:
        return elementwise("greater_equal", self, other)

    def __eq__(self, other: Operand) -> Value:  # type: ignore[override]  # as arrays do
        return elementwise("equal", self, other)

    def __ne__(self, other: Operand) -> Value:  # type: ignore[override]
        return elementwise("not_equal", self, other)

    def __invert__(self) -> Value:
        return elementwise("logical_not" if self.dtype == BOOL else "bitwise_invert", self)

    def __and__(self, other: Operand) -> Value:
        return elementwise("logical_and" if self.dtype == BOOL else "bitwise_and", self, other)

    def __or__(self, other: Operand) -> Value:
        return elementwise("logical_or" if self.dtype == BOOL else "bitwise_or", self, other)

    def __xor__(self, other: Operand) -> Value:
        return elementwise("logical_xor" if self.dtype == BOOL else "bitwise_xor", self, other)

    def __lshift__(self, other: Operand) -> Value:
        return elementwise("bitwise_left_shift", self, other)

    def __rshift__(self, other: Operand) -> Value:
        return elementwise("bitwise_right_shift", self, other)

    def __rand__(self, other: Operand) -> Value:
        return self & other

    def __ror__(self, other: Operand) -> Value:
        return self | other

    def __rxor__(self, other: Operand) -> Value:
        return self ^ other

    def __rlshift__(self, other: Operand) -> Value:
        return elementwise("bitwise_left_shift", other, self)

    def __rrshift__(self, other: Operand) -> Value:
        return elementwise("bitwise_right_shift", other, self)

    def __getitem__(self, key: Any) -> Value:
        """Parts by integers, slices, None for a new axis, and an ellipsis. Raises `SCL-GRAPH-SHAPE`."""
        return _indexed(self, key if isinstance(key, tuple) else (key,))

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise ScellisError(
            "SCL-GRAPH-TRACE",
            "An array of a program is never written into: it stands for a value.",
            "Make another of it with where, concat or pad.",
        )

    def __bool__(self) -> bool:
        raise ScellisError(
            "SCL-GRAPH-TRACE",
            "What an array holds is not known while a program is traced: it has no truth.",
            "Choose between values with where.",
        )

    def __array_namespace__(self, *, api_version: str | None = None) -> ModuleType:
        """The functions of the Python Array API standard, for libraries that ask an array for them."""
        return import_module("scellis.graph.array_api")  # which is made of functions of values

    __hash__ = None  # type: ignore[assignment]  # what is compared elementwise has no hash

    __array_ufunc__ = None  # so that NumPy numbers defer to the operators above


def builder_of_trace() -> Builder:
    """That of the program that is being traced. Raises `SCL-GRAPH-TRACE` where none is."""
    builder = _TRACED.get(None)
    if builder is None:
        raise ScellisError(
            "SCL-GRAPH-TRACE",
            "An array of a program is made here, and no program is being traced.",
            "Make it within the function that trace is given.",
        )
    return builder


@contextmanager
def at_place(place: str) -> Iterator[None]:
    """What is applied within to the program that is being traced, if one is, comes from `place`."""
    builder = _TRACED.get(None)
    if builder is None:
        yield
    else:
        with builder.at(place):
            yield


def elementwise(op: str, *operands: Operand) -> Value:
    """An elementwise operation on operands that are brought to one type and shape."""
    values = unified(operands)
    return values[0].builder.apply(op, *values)


def pow(x: Operand, y: Operand) -> Value:  # noqa: A001 - the standard's name
    """X to the power y, as C99 has it (F.9.4.4): NaN for a negative x unless y is a whole number.

    Shapes broadcast. A number y from 1 to 4, or −1, is products. Of integers all powers are, which wrap
    round; those below 0 are 0.
    """
    if isinstance(x, Value) and x.dtype in INTEGERS and type(y) is int and y >= 0:
        return _whole_power(x, y)
    if isinstance(x, Value) and not isinstance(y, (Value, bool)):
        if y in range(1, PRODUCTS_LIMIT + 1):
            square = x * x if y > 1 else x
            return square * square if y == 4 else square * x if y == 3 else square
        if y == -1 and x.dtype in FLOATS:
            return 1.0 / x
    return elementwise("pow", x, y)


def _whole_power(x: Value, y: int) -> Value:
    """X to the power y by squaring."""
    found = None if y else x.builder.constant(1, x.dtype).broadcast_to(x.shape)
    while y:
        if y & 1:
            found = x if found is None else found * x
        y >>= 1
        x = x * x if y else x
    assert found is not None
    return found


def reshape(x: Value, shape: Sequence[int]) -> Value:
    """The same elements in row-major order; one length may be −1 and is what remains."""
    if -1 in shape:
        known = math.prod(length for length in shape if length != -1)
        shape = [x.size // known if known and length == -1 else length for length in shape]
    return x if tuple(shape) == x.shape else x.builder.apply("reshape", x, shape=tuple(shape))


def matmul(a: Value, b: Value) -> Value:
    """The matrix product over the last two axes. Those before broadcast; a vector counts as a matrix.

    (…, m, k) and (…, k, n) give (…, m, n). Raises `SCL-GRAPH-SHAPE`, `SCL-GRAPH-DTYPE`.
    """
    if a.dtype != b.dtype and {a.dtype, b.dtype} == set(FLOATS):
        return matmul(*floats_as_one(a, b))
    if a.ndim == 1:
        product = matmul(reshape(a, (1, *a.shape)), b)
        return reshape(product, (*b.shape[:-2], *b.shape[-1:]) if b.ndim > 1 else ())
    if b.ndim == 1:
        return reshape(matmul(a, reshape(b, (*b.shape, 1))), a.shape[:-1])
    if b.ndim == 2 and a.ndim > 2:  # one matrix for all: one tall product
        tall = a.builder.apply("matmul", reshape(a, (math.prod(a.shape[:-1]), a.shape[-1])), b)
        return reshape(tall, (*a.shape[:-1], b.shape[-1]))
    batch = broadcast(a.shape[:-2], b.shape[:-2])
    return a.builder.apply(
        "matmul", a.broadcast_to((*batch, *a.shape[-2:])), b.broadcast_to((*batch, *b.shape[-2:]))
    )


def floats_as_one(*values: Value) -> list[Value]:
    """Values of which some are f16 and some f32, all as f32; others as they are."""
    wide = {value.dtype for value in values} == set(FLOATS)
    return [value.astype(F32) if wide else value for value in values]


def _indexed(x: Value, key: tuple[Any, ...]) -> Value:
    """x[key], as a part and a reshaping."""
    named = sum(1 for item in key if item is not None and item is not Ellipsis)
    if named > x.ndim or sum(item is Ellipsis for item in key) > 1:
        raise ScellisError("SCL-GRAPH-SHAPE", f"{x.type} has not so many axes to index.")
    rest = (slice(None),) * (x.ndim - named)
    at = next((place for place, item in enumerate(key) if item is Ellipsis), None)
    full = (*key, *rest) if at is None else (*key[:at], *rest, *key[at + 1 :])
    parts: list[tuple[int, int, int]] = []
    shape: list[int] = []
    for item in full:
        if item is None:
            shape.append(1)
            continue
        length = x.shape[len(parts)]
        if isinstance(item, slice) and (item.step or 1) > 0:
            start, stop, step = item.indices(length)
            parts.append((start, max(start, stop), step))
            shape.append(len(range(start, stop, step)))
        elif isinstance(item, int) and -length <= item < length:
            parts.append((item % length, item % length + 1, 1))
        else:
            raise ScellisError(
                "SCL-GRAPH-SHAPE",
                f"{item!r} is no index of an axis of length {length}.",
                "Take integers in range, slices that go forwards, None, an ellipsis; flip and take do more.",
            )
    starts, stops, steps = (tuple(column) for column in zip(*parts, strict=True)) if parts else ((), (), ())
    whole = all(part == (0, length, 1) for part, length in zip(parts, x.shape, strict=True))
    taken = x if whole else x.builder.apply("slice", x, start=starts, stop=stops, step=steps)
    return reshape(taken, shape)


def unified(operands: Iterable[Operand]) -> list[Value]:
    """The operands as values of one shape and element type.

    Raises `SCL-GRAPH-DTYPE`, `SCL-GRAPH-SHAPE`, and `SCL-GRAPH-TRACE` for what is no operand.
    """
    given = list(operands)
    known = [operand for operand in given if isinstance(operand, Value)]
    if not known:
        raise ScellisError("SCL-GRAPH-TRACE", "An operation takes at least one value of the program.")
    builder = known[0].builder
    dtype = promote(*(value.dtype for value in known))
    values = [
        operand.astype(dtype) if isinstance(operand, Value) else builder.constant(operand, dtype)
        for operand in given
    ]
    shape = broadcast(*(value.shape for value in values))
    return [value.broadcast_to(shape) for value in values]


@attrs.frozen
class Draw:
    """A distribution with its parameters, the input of a program."""

    op: str
    parameters: dict[str, float]


def trace(function: Callable[..., Any], /, **inputs: Draw | ArrayType) -> Graph:
    """The op graph of `function` on these inputs; it gives back one value, or several in a tuple or list.

    The inputs take their random words in the order in which they are given. Raises `SCL-GRAPH-TRACE` when the
    function gives back no value of the program. What one of our functions raises names that function, what it
    was given and the line; `SCL-GRAPH-ARGUMENT` is for arguments that it cannot take at all.
    """
    sampled = all(isinstance(given, Draw) for given in inputs.values())
    builder = Builder(NODE_LIMIT if sampled else GRAPH_LIMIT)
    arguments: dict[str, Value] = {}
    for name, given in inputs.items():
        with builder.at(f"{name} of {here()}"):
            arguments[name] = (
                builder.draw(given) if isinstance(given, Draw) else builder.input(given.shape, given.dtype)
            )
    token = _TRACED.set(builder)
    try:
        result = function(**arguments)
    except (ScellisError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        told = located(error)
        if told is None:
            raise
        raise told from error
    finally:
        _TRACED.reset(token)
    outputs = result if isinstance(result, (tuple, list)) else (result,)
    if not outputs or not all(isinstance(value, Value) and value.builder is builder for value in outputs):
        raise ScellisError(
            "SCL-GRAPH-TRACE", "The traced function must return a value made from its inputs, or several."
        )
    return builder.graph(*outputs)
