"""One element of an array as WGSL: a fused chain, from the elements of stored arrays that it reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scellis.errors import ScellisError
from scellis.graph.cuts import matched
from scellis.graph.drawn import DRAWN_OPS, WEIGHT_OPS
from scellis.graph.elementwise import ELEMENTWISE_OPS
from scellis.graph.fuse import VIEWS
from scellis.graph.graph import Graph
from scellis.graph.movement import NUMPY_TYPES, int_of, shape_of
from scellis.graph.types import BOOL, F16, FLOATS, I32, Shape
from scellis.kernels.emit import literal
from scellis.kernels.expressions import ROUNDED, WGSL_TYPES, converted, expression, loaded, rounded

LANES = "xyzw"
"""The elements of a vector of four."""


class Place(NamedTuple):
    """Where an element stands: its number in row-major order, its coordinates, or both: WGSL of type u32."""

    number: str | None
    coordinates: tuple[str, ...] | None


class Unbound(Exception):  # noqa: N818 - no fault: a question that has the answer no
    """An element hangs on a reduction or product that the kernel does not have at that place."""


class Elements:
    """Writes WGSL statements that compute elements of nodes. `names` says how each stored array is bound."""

    def __init__(self, graph: Graph, names: Mapping[int, str], prefix: str = "v") -> None:
        self.lines: list[str] = []
        self._prefix = prefix
        self._graph = graph
        self._names = names
        self._known: dict[tuple[int, Place], str] = {}
        self._names_of: dict[str, str] = {}
        self._made: set[str] = set()
        self.quads: frozenset[int] = frozenset()  # stored arrays that are read four elements at a time
        self.lane = ""
        self.read: set[tuple[int, str]] = set()  # stored arrays, and the numbers of the elements taken
        self._numbers: dict[tuple[tuple[int, str], ...], str] = {}  # of places, by their coordinates

    def bind(self, node: int, number: str, value: str) -> None:
        """`value` is element `number` of a node: what a kernel has computed by other means."""
        self._known[node, Place(number, None)] = value

    def known(self, number: str) -> dict[int, str]:
        """The nodes of which element `number` has been computed or read, and its names."""
        return {node: name for (node, place), name in self._known.items() if place.number == number}

    def value(self, node: int, place: Place) -> str:
        """The name of a value of `node` at `place`."""
        place = self._complete(self._graph.types[node].shape, place)
        key = (node, place)
        bare = (node, Place(place.number, None))
        found = self._known.get(key) or self._known.get(bare)
        if found is None:
            text = self._text(node, place)
            if node not in self._names and self._graph.nodes[node].op in ROUNDED:
                text = rounded(text, self._graph.types[node].dtype)
            found = self._known[key] = self._let(text)
        return found

    def numbered(self, shape: Shape, place: Place) -> str:
        """The number of the element at a place of an array of this shape."""
        place = self._complete(shape, place)
        if place.number is not None:
            return place.number
        assert place.coordinates is not None
        terms = []
        step = 1
        for length, coordinate in zip(reversed(shape), reversed(place.coordinates), strict=True):
            if length > 1 and coordinate != "0u":
                terms.append(coordinate if step == 1 else f"{coordinate} * {step}u")
            step *= length
        return self._let(" + ".join(reversed(terms))) if terms else "0u"

    def coordinates(self, shape: Shape, place: Place) -> tuple[str, ...]:
        """The coordinates of the element at a place."""
        if place.coordinates is not None:
            return place.coordinates
        assert place.number is not None
        wide = [axis for axis, length in enumerate(shape) if length > 1]
        found = ["0u"] * len(shape)
        rest = place.number
        for axis in reversed(wide):
            if axis == wide[0]:
                found[axis] = rest
            else:
                found[axis] = self._let(f"{rest} % {shape[axis]}u")
                rest = self._let(f"{rest} / {shape[axis]}u")
        self._numbers[tuple((shape[axis], found[axis]) for axis in wide)] = place.number
        return tuple(found)

    def _complete(self, shape: Shape, place: Place) -> Place:
        """The place with its number, where that is known without computing it."""
        if place.number is not None or place.coordinates is None:
            return place
        wide = tuple((n, c) for n, c in zip(shape, place.coordinates, strict=True) if n > 1)
        number = "0u" if not wide else wide[0][1] if len(wide) == 1 else self._numbers.get(wide)
        return Place(number, place.coordinates)

    def _let(self, text: str) -> str:
        """A name for the value of an expression; equal expressions have one, and a name is its own."""
        if text in self._made:
            return text
        if text not in self._names_of:
            self._names_of[text] = f"{self._prefix}{len(self.lines)}"
            self._made.add(self._names_of[text])
            self.lines.append(f"let {self._names_of[text]} = {text};")
        return self._names_of[text]

    def _text(self, index: int, place: Place) -> str:
        graph = self._graph
        node, found = graph.nodes[index], graph.types[index]
        if index in self._names:
            number = self.numbered(found.shape, place)
            self.read.add((index, number))
            if index in self.quads:
                return loaded(f"quad_{self._names[index]}.{self.lane}", found.dtype)
            return loaded(f"{self._names[index]}[{number}]", found.dtype)
        if node.op == "constant":
            try:
                return constant(node.params["value"], found.dtype)
            except ScellisError as error:
                raise error.located(graph.named(index)) from error
        if node.op == "iota":
            at = self.coordinates(found.shape, place)[int_of(node.params, "axis")]
            return at if found.dtype == "u32" else f"{WGSL_TYPES[found.dtype]}({at})"
        if node.op == "barrier":  # the second argument is read, so that the first waits for it
            value, after = self.value(node.args[0], place), self.value(node.args[1], Place("0u", ()))
            return f"select({value}, {value}, {after} == {after})"
        if node.op == "random_words":
            return self._word(index, place)
        if node.op in DRAWN_OPS:
            low, high, stream, draw, *rest = (self.value(argument, place) for argument in node.args)
            block, family = (f"{int_of(node.params, name)}u" for name in ("block", "family"))
            listed = ", ".join((f"vec2<u32>({low}, {high})", draw, block, stream, family, *rest))
            return f"{node.op}({listed})"
        if node.op in WEIGHT_OPS:
            x, top = (self.value(argument, place) for argument in node.args)
            return f"{node.op}({x}, {top}, {int_of(node.params, 'bits')}u)"
        if node.op in ELEMENTWISE_OPS:
            args = [self.value(argument, place) for argument in node.args]
            return expression(node.op, graph.types[node.args[-1]].dtype, args)
        if node.op == "astype":
            return converted(self.value(node.args[0], place), graph.types[node.args[0]].dtype, found.dtype)
        return self._moved(index, place)

    def _word(self, index: int, place: Place) -> str:
        """A word of a random block, of which an element may take several."""
        node, shape = self._graph.nodes[index], self._graph.types[index].shape
        low, high = (self.value(node.args[0], Place(at, (at,))) for at in ("0u", "1u"))
        stream = self.value(node.args[1], Place("0u", ()))
        block, family, lane = (int_of(node.params, name) for name in ("block", "family", "lane"))
        draw = self.numbered(shape, place)
        drawn = f"random_block(vec2<u32>({low}, {high}), {draw}, {block}u, {stream}, {family}u)"
        return f"{self._let(drawn)}.{LANES[lane]}"

    def _moved(self, index: int, place: Place) -> str:
        """An operation that only finds elements at other places."""
        graph = self._graph
        node, params = graph.nodes[index], graph.nodes[index].params
        if node.op not in VIEWS and node.op != "take":
            raise Unbound(node.op)
        shape, given = graph.types[index].shape, graph.types[node.args[0]].shape
        if node.op == "reshape":
            return self.value(node.args[0], self._reshaped(shape, given, place))
        at = self.coordinates(shape, place)
        if node.op == "broadcast_to":
            tail = at[len(shape) - len(given) :]
            kept = tuple("0u" if n == 1 else c for n, c in zip(given, tail, strict=True))
            return self.value(node.args[0], Place(None, kept))
        if node.op == "permute_dims":
            axes = shape_of(params, "axes")
            return self.value(node.args[0], Place(None, tuple(at[axes.index(a)] for a in range(len(axes)))))
        if node.op == "slice":
            parts = zip(at, shape_of(params, "start"), shape_of(params, "step"), strict=True)
            return self.value(node.args[0], Place(None, tuple(self._stepped(*part) for part in parts)))
        if node.op == "flip":
            turned = shape_of(params, "axes")
            places = [
                self._let(f"{n - 1}u - {c}") if a in turned else c
                for a, (n, c) in enumerate(zip(shape, at, strict=True))
            ]
            return self.value(node.args[0], Place(None, tuple(places)))
        if node.op == "windows":
            axis = int_of(params, "axis") % len(given)
            tap = self._stepped(at[-1], 0, int_of(params, "dilation"))
            first = self._stepped(at[axis], 0, int_of(params, "step"))
            found = tap if first == "0u" else first if tap == "0u" else self._let(f"{first} + {tap}")
            return self.value(node.args[0], Place(None, (*at[:axis], found, *at[axis + 1 : -1])))
        if node.op == "pad":
            return self._padded(index, at)
        if node.op == "concat":
            axis = int_of(params, "axis")
            border = given[axis]
            second = (*at[:axis], self._let(f"{at[axis]} - {border}u"), *at[axis + 1 :])
            values = [
                self.value(argument, Place(None, c))
                for argument, c in zip(node.args, (at, second), strict=True)
            ]
            return f"select({values[1]}, {values[0]}, {at[axis]} < {border}u)"
        return self._taken(index, at)

    def _stepped(self, at: str, start: int, step: int) -> str:
        if at == "0u" and start == 0:
            return at
        scaled = at if step == 1 else f"{at} * {step}u"
        return self._let(f"{scaled} + {start}u") if start else scaled if step == 1 else self._let(scaled)

    def _reshaped(self, shape: Shape, given: Shape, place: Place) -> Place:
        """The same element: by its number, or by its coordinates along axes that are split or joined."""
        if place.coordinates is None or 0 in shape:
            return Place(self.numbered(shape, place), None)
        found: list[str] = []
        for old, new in matched(shape, given):
            coordinates = place.coordinates[old.start : old.stop]
            lengths, wanted = shape[old.start : old.stop], given[new.start : new.stop]
            number = self.numbered(lengths, Place(None, coordinates))
            found += [number] if len(wanted) == 1 else self.coordinates(wanted, Place(number, None))
        return Place(place.number, tuple(found))

    def _padded(self, index: int, at: tuple[str, ...]) -> str:
        """Zero outside; there the place wraps round, and what is read at it, if anything, is not taken."""
        node, result = self._graph.nodes[index], self._graph.types[index]
        given = self._graph.types[node.args[0]].shape
        before, interior = (shape_of(node.params, name) for name in ("before", "interior"))
        inner: list[str] = []
        inside: list[str] = []
        for whole, n, first, apart, c in zip(result.shape, given, before, interior, at, strict=True):
            found = self._let(f"{c} - {first}u") if first else c
            if apart and n > 1:
                inside.append(f"{found} % {apart + 1}u == 0u")
                found = self._let(f"{found} / {apart + 1}u")
            if whole != n + apart * max(n - 1, 0):
                inside.append(f"{found} < {n}u")
            inner.append(found)
        zero = constant(False if result.dtype == BOOL else 0, result.dtype)
        value = self.value(node.args[0], Place(None, tuple(inner)))
        return f"select({zero}, {value}, {' && '.join(inside)})" if inside else value

    def _taken(self, index: int, at: tuple[str, ...]) -> str:
        node = self._graph.nodes[index]
        array, indices = node.args
        axis = int_of(node.params, "axis")
        value = self.value(indices, Place(at[axis], (at[axis],)))
        last = self._graph.types[array].shape[axis] - 1
        signed = self._graph.types[indices].dtype == I32
        found = self._let(f"u32(clamp({value}, 0, {last}))" if signed else f"min({value}, {last}u)")
        return self.value(array, Place(None, (*at[:axis], found, *at[axis + 1 :])))


def constant(value: object, dtype: str) -> str:
    """A constant as WGSL."""
    if dtype == BOOL:
        return "true" if value else "false"
    assert isinstance(value, (int, float))
    if dtype in FLOATS:
        return literal(float(NUMPY_TYPES[dtype](value)) if dtype == F16 else float(value))
    return f"i32({int(value)})" if dtype == I32 else f"{int(value)}u"
