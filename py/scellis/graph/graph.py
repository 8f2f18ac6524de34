"""The op graph: an immutable list of nodes in topological order, named by its canonical bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import attrs

from scellis.content import address, canonical_json
from scellis.errors import ScellisError
from scellis.graph.draws import DRAWS
from scellis.graph.op import Op, Param, Params
from scellis.graph.ops import OPS
from scellis.graph.places import at
from scellis.graph.types import ArrayType

GRAPH_LIMIT = 2**20
"""The most nodes of any graph."""
PLACE_LIMIT = 200
"""The longest place of a node that is read, in characters."""
MINUS_ZERO = "-0"
"""−0 in JSON: its canonical form has one zero (RFC 8785, 3.2.2.3), and a program two."""


@attrs.frozen
class Node:
    """One operation. `args` are indices of earlier nodes; `params` are what `OPS[op].params` lists."""

    op: str
    args: tuple[int, ...] = ()
    params: Params = attrs.field(factory=dict)


def _outputs(value: int | Iterable[int]) -> tuple[int, ...]:
    return (value,) if isinstance(value, int) else tuple(value)


@attrs.frozen(slots=False)
class Graph:
    """Arrays computed from inputs and draws: f32 and narrower on a GPU, f64 on the oracle.

    Raises `SCL-GRAPH-*` when made from nodes that form none. A single output may be given as its number.
    """

    nodes: tuple[Node, ...]
    outputs: tuple[int, ...] = attrs.field(converter=_outputs)
    places: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False, kw_only=True)
    """where each node comes from, empty where that is not known; no part of the graph itself"""
    types: tuple[ArrayType, ...] = attrs.field(init=False, eq=False, repr=False)
    """of each node, inferred"""

    def __attrs_post_init__(self) -> None:
        if not 1 <= len(self.nodes) <= GRAPH_LIMIT:
            raise ScellisError(
                "SCL-GRAPH-SIZE", f"A graph has 1 to {GRAPH_LIMIT} nodes; this one has {len(self.nodes)}."
            )
        object.__setattr__(self, "places", self.places or ("",) * len(self.nodes))
        types: list[ArrayType] = []
        for index, node in enumerate(self.nodes):
            types.append(_checked(index, node, types))
        object.__setattr__(self, "types", tuple(types))
        self._check_outputs()

    @classmethod
    def of_checked(
        cls,
        nodes: Iterable[Node],
        outputs: Iterable[int],
        places: Iterable[str],
        types: Iterable[ArrayType],
    ) -> Graph:
        """A graph of nodes that were checked, and their types inferred, as they were made: not done again."""
        graph = object.__new__(cls)
        parts = {"nodes": nodes, "outputs": outputs, "places": places, "types": types}
        for name, part in parts.items():
            object.__setattr__(graph, name, tuple(part))
        graph._check_outputs()
        return graph

    def _check_outputs(self) -> None:
        if not self.outputs:
            raise ScellisError("SCL-GRAPH-OUTPUT", "A graph has one output or more.")
        for place, output in enumerate(self.outputs):
            if not 0 <= output < len(self.nodes):
                raise ScellisError(
                    "SCL-GRAPH-OUTPUT",
                    f"Output {place} is no node of the graph, whose numbers end at {len(self.nodes) - 1}.",
                )

    @property
    def output(self) -> int:
        """The one output. Raises `SCL-GRAPH-OUTPUT` where there are several."""
        if len(self.outputs) != 1:
            raise ScellisError("SCL-GRAPH-OUTPUT", f"The graph has {len(self.outputs)} outputs, not one.")
        return self.outputs[0]

    def named(self, node: int) -> str:
        """A node for people: `matmul of (3, 4) f32 (model.py, line 12)`."""
        return f"{self.nodes[node].op} of {self.types[node]}{at(self.places[node])}"

    @cached_property
    def inputs(self) -> tuple[int, ...]:
        """The nodes whose values are given, in order."""
        return tuple(index for index, node in enumerate(self.nodes) if node.op == "input")

    @cached_property
    def draws(self) -> dict[int, int]:
        """The first random word of each draw: node index → word, in node order."""
        offsets: dict[int, int] = {}
        word = 0
        for index, node in enumerate(self.nodes):
            if node.op in DRAWS:
                offsets[index] = word
                word += DRAWS[node.op].words
        return offsets

    @cached_property
    def words(self) -> int:
        """Random words taken by one evaluation."""
        return sum(DRAWS[node.op].words for node in self.nodes if node.op in DRAWS)

    def to_json(self) -> dict[str, Any]:
        """The JSON form: `{"nodes": [[op, args, params], …], "outputs": [i, …]}`; −0 is the text `"-0"`."""
        return {"nodes": [_node_to_json(node) for node in self.nodes], "outputs": list(self.outputs)}

    @classmethod
    def from_json(cls, value: Any) -> Graph:
        """Read what `to_json` wrote, or what a stranger says it is. Raises `SCL-GRAPH-*`."""
        return cls(*_parts_from_json(value))

    def listing(self) -> dict[str, Any]:
        """The JSON form with the places beside it: `{"graph": …, "places": ["model.py, line 3", …]}`."""
        return {"graph": self.to_json(), "places": list(self.places)}

    @classmethod
    def from_listing(cls, value: Any) -> Graph:
        """Read what `listing` wrote, or what a stranger says it is. Raises `SCL-GRAPH-*`."""
        if not isinstance(value, dict) or set(value) != {"graph", "places"}:
            raise ScellisError("SCL-GRAPH-FORM", "A listing has a graph and places.")
        (nodes, outputs), places = _parts_from_json(value["graph"]), value["places"]
        sound = isinstance(places, list) and len(places) == len(nodes)
        if not sound or not all(isinstance(place, str) and len(place) <= PLACE_LIMIT for place in places):
            raise ScellisError(
                "SCL-GRAPH-FORM", f"A listing has a place of at most {PLACE_LIMIT} characters for each node."
            )
        return cls(nodes, outputs, places=tuple(places))

    @cached_property
    def address(self) -> str:
        """The content address of the graph."""
        return address(canonical_json(self.to_json()))


def _no_graph(why: str) -> ScellisError:
    return ScellisError("SCL-GRAPH-FORM", f"This is not an op graph: {why}.")


def _checked(index: int, node: Node, types: list[ArrayType]) -> ArrayType:
    """The type of a node whose arguments have `types`."""
    operation = _operation(index, node.op)
    if len(node.args) != operation.arity:
        raise ScellisError(
            "SCL-GRAPH-ARITY",
            f"Node {index}, {node.op}, takes {operation.arity} arguments, not {len(node.args)}.",
        )
    if not all(0 <= argument < index for argument in node.args):
        raise ScellisError(
            "SCL-GRAPH-ORDER",
            f"Node {index}, {node.op}, refers to a node that is not before it: a graph has no cycles.",
        )
    try:
        params = operation.read(node.op, node.params)
        return operation.infer([types[argument] for argument in node.args], params)
    except ScellisError as error:
        raise error.located(f"Node {index}, {node.op}") from error


def _operation(index: int, op: str) -> Op:
    if op not in OPS:
        raise ScellisError(
            "SCL-GRAPH-OP", f"Node {index}: there is no operation {op[:40]!r} in this engine.", op=op[:40]
        )
    return OPS[op]


def _parts_from_json(value: Any) -> tuple[tuple[Node, ...], tuple[int, ...]]:
    """The nodes, each with the parameters of its operation, and the numbers of outputs."""
    if not isinstance(value, dict) or set(value) != {"nodes", "outputs"}:
        raise _no_graph("it is {nodes, outputs}")
    rows, outputs = value["nodes"], value["outputs"]
    for name, given in (("nodes", rows), ("outputs", outputs)):
        if not isinstance(given, list) or len(given) > GRAPH_LIMIT:
            raise _no_graph(f"{name} are a list of at most {GRAPH_LIMIT}")
    if not all(type(output) is int for output in outputs):
        raise _no_graph("outputs are numbers of nodes")
    return tuple(_node_from_json(index, row) for index, row in enumerate(rows)), tuple(outputs)


def _node_to_json(node: Node) -> list[Any]:
    return [node.op, list(node.args), {name: _param_to_json(value) for name, value in node.params.items()}]


def _param_to_json(value: Param) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return MINUS_ZERO if value == 0 and math.copysign(1, value) < 0 else value


def _node_from_json(index: int, row: Any) -> Node:
    if not isinstance(row, list) or len(row) != 3:
        raise _no_graph(f"node {index} is [op, args, params]")
    op, args, params = row
    if not isinstance(op, str) or not isinstance(args, list) or not isinstance(params, dict):
        raise _no_graph(f"node {index} is a name, a list of arguments and parameters by name")
    operation = _operation(index, op)
    if not all(type(argument) is int for argument in args):
        raise _no_graph(f"the arguments of node {index}, {op}, are numbers of nodes")
    given = {name: -0.0 if value == MINUS_ZERO else value for name, value in params.items()}
    try:
        return Node(op, tuple(args), operation.read(op, given))
    except ScellisError as error:
        raise error.located(f"Node {index}, {op}") from error
