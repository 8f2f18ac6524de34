"""Cuts arrays that are larger than a device binds into parts, each an array of its own.

What is stored and too large is cut; what hangs on it is cut where it is, so that parts are computed from
parts and a chain over them needs no more memory than before. The graph that comes of it is like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import attrs

from scellis.graph.cuts import Box, Cut, boxes, divided, lengths, longest, refined, uncut, whole_box
from scellis.graph.graph import GRAPH_LIMIT, Graph, Node
from scellis.graph.part import Part
from scellis.graph.pieces import Pieces, zeros
from scellis.graph.split_cuts import CUTS
from scellis.graph.split_rules import RULES
from scellis.graph.trace import Builder, Value
from scellis.graph.types import ArrayType


@attrs.frozen
class Parted:
    """An input or output as its user sees it, and the boxes of it that the graph has in its place."""

    type: ArrayType
    boxes: tuple[Box, ...]

    @classmethod
    def whole(cls, type_: ArrayType) -> Parted:
        """One that is not cut."""
        return cls(type_, (whole_box(type_.shape),))


@attrs.frozen
class Split:
    """`graph` computes what `whole` does, in parts: those of each input and output stand in its place.

    `cuts` says of each node of the whole where it is cut; `origin` of each node of the parts which one of the
    whole it was made for.
    """

    whole: Graph
    graph: Graph
    inputs: tuple[Parted, ...]
    outputs: tuple[Parted, ...]
    cuts: tuple[Cut, ...]
    origin: tuple[int, ...]

    @classmethod
    def none(cls, graph: Graph) -> Split:
        """The graph as it is."""
        return cls(
            graph,
            graph,
            tuple(Parted.whole(graph.types[node]) for node in graph.inputs),
            tuple(Parted.whole(graph.types[node]) for node in graph.outputs),
            tuple(uncut(type_.shape) for type_ in graph.types),
            tuple(range(len(graph.nodes))),
        )

    def carried(self, carry: Mapping[int, int]) -> dict[int, int]:
        """Which outputs of the parts become which inputs, for `carry` of the arrays."""
        found: dict[int, int] = {}
        for output, given in carry.items():
            first, start = (
                sum(len(parted.boxes) for parted in side[:place])
                for side, place in ((self.outputs, output), (self.inputs, given))
            )
            found |= {first + n: start + n for n in range(len(self.inputs[given].boxes))}
        return found


def split(graph: Graph, elements: int, large: Set[int], carry: Mapping[int, int]) -> Split:
    """The graph with the nodes `large`, and what hangs on them, in parts of at most so many elements.

    An output that is carried is cut as the input that it becomes.
    """
    return _Splitting(graph, elements, large).split(carry)


def apart(found: Split, carry: Mapping[int, int]) -> Split:
    """With a node of its own for each input that becomes another one: it is copied before either is written.

    An output may turn out to be an input as late as here: `stop_gradient` is written out, a part is moved.
    """
    graph = found.graph
    nodes, outputs, sources = list(graph.nodes), list(graph.outputs), list[int]()
    for place, given in found.carried(carry).items():
        node = outputs[place]
        if graph.nodes[node].op == "input" and node != graph.inputs[given]:
            if node not in sources:
                nodes.append(Node("reshape", (node,), {"shape": graph.types[node].shape}))
                sources.append(node)
            outputs[place] = len(graph.nodes) + sources.index(node)
    if not sources:
        return found
    places = (*graph.places, *(graph.places[node] for node in sources))
    origin = (*found.origin, *(found.origin[node] for node in sources))
    return attrs.evolve(found, graph=Graph(tuple(nodes), tuple(outputs), places=places), origin=origin)


class _Splitting:
    def __init__(self, graph: Graph, elements: int, large: Set[int]) -> None:
        self._graph = graph
        self._elements = elements
        self._large = large
        # The longest part along an axis of each length: what goes together is cut alike.
        self._longest: dict[int, int] = {}
        for index in large:
            for bounds in refined(uncut(graph.types[index].shape), elements):
                if len(bounds) > 2:
                    length = self._longest.get(bounds[-1], bounds[-1])
                    self._longest[bounds[-1]] = min(length, longest(bounds))
        self._builder = Builder(GRAPH_LIMIT)
        self._held: list[Pieces] = []
        self._origin: list[int] = []

    def split(self, carry: Mapping[int, int]) -> Split:
        graph = self._graph
        for index in range(len(graph.nodes)):
            with self._builder.at(graph.places[index]):
                self._held.append(self._pieces(index))
            self._made_for(index)
        inputs = [self._held[node].cut for node in graph.inputs]
        cuts = [
            inputs[carry[place]]
            if place in carry
            else self._held[node].cut
            if graph.types[node].size > self._elements
            else uncut(graph.types[node].shape)
            for place, node in enumerate(graph.outputs)
        ]
        outputs: list[Value] = []
        for node, cut in zip(graph.outputs, cuts, strict=True):
            with self._builder.at(graph.places[node]):
                outputs += [self._held[node].at(box) for box in boxes(cut)]
            self._made_for(node)
        return Split(
            graph,
            self._builder.graph(*outputs),
            _parted(graph, graph.inputs, inputs),
            _parted(graph, graph.outputs, cuts),
            tuple(held.cut for held in self._held),
            tuple(self._origin),
        )

    def _made_for(self, index: int) -> None:
        self._origin += [index] * (len(self._builder.nodes) - len(self._origin))

    def _pieces(self, index: int) -> Pieces:
        graph, builder = self._graph, self._builder
        node, type_ = graph.nodes[index], graph.types[index]
        args = tuple(self._held[argument] for argument in node.args)
        cut = uncut(type_.shape)
        if node.op == "input":
            if index in self._large:
                cut = self._refined(cut)
            parts = tuple(builder.input(lengths(box), type_.dtype) for box in boxes(cut))
            return Pieces(builder, type_, cut, parts)
        if not type_.size:
            return Pieces(builder, type_, cut, (zeros(builder, type_),))
        is_cut = index in self._large or any(len(held.values) > 1 for held in args)
        if not is_cut or node.op not in RULES:
            whole = [held.at(whole_box(held.type.shape)) for held in args]
            return Pieces(builder, type_, cut, (builder.apply(node.op, *whole, **node.params),))
        cut = self._refined(CUTS[node.op](node, type_, args))
        made = Pieces(builder, type_, cut, ())
        for box in boxes(cut):
            value = RULES[node.op](Part(node, type_, args, box, made))
            made = attrs.evolve(made, values=(*made.values, value))
        return made

    def _refined(self, cut: Cut) -> Cut:
        """The cut with more bounds where its parts are too large."""
        return tuple(
            divided(before, min(longest(bounds), self._longest.get(bounds[-1], bounds[-1])))
            if bounds != before
            else before
            for before, bounds in zip(cut, refined(cut, self._elements), strict=True)
        )


def _parted(graph: Graph, nodes: Sequence[int], cuts: Sequence[Cut]) -> tuple[Parted, ...]:
    return tuple(Parted(graph.types[node], tuple(boxes(cut))) for node, cut in zip(nodes, cuts, strict=True))
