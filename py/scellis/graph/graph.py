"""The op graph: an immutable list of nodes in topological order, named by its canonical bytes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import attrs

from scellis.content import address, canonical_json
from scellis.errors import ScellisError
from scellis.graph.draws import DRAWS, check_parameters
from scellis.graph.ops import ELEMENTWISE

NODE_LIMIT = 4096
"""The most nodes a graph may have: what one fused kernel can sensibly hold."""
WORD_LIMIT = 512
"""The most random words that one evaluation may take: hundreds of inputs, and a pilot of seconds."""


def _parameters(value: Mapping[str, float]) -> dict[str, float]:
    return {name: float(number) for name, number in value.items()}


@attrs.frozen
class Node:
    """One operation. `args` are indices of earlier nodes; `params` its numeric parameters."""

    op: str
    args: tuple[int, ...] = ()
    params: Mapping[str, float] = attrs.field(factory=dict, converter=_parameters)


@attrs.frozen(slots=False)
class Graph:
    """A program of one scalar output, f32 on a GPU and f64 on the oracle.

    Raises `SCL-GRAPH-*` when made from nodes that do not form one.
    """

    nodes: tuple[Node, ...]
    output: int

    def __attrs_post_init__(self) -> None:
        if not 1 <= len(self.nodes) <= NODE_LIMIT:
            raise ScellisError(
                "SCL-GRAPH-SIZE", f"A graph has 1 to {NODE_LIMIT} nodes; this one has {len(self.nodes)}."
            )
        for index, node in enumerate(self.nodes):
            self._check(index, node)
        if self.words > WORD_LIMIT:
            raise ScellisError(
                "SCL-GRAPH-SIZE",
                f"A program takes at most {WORD_LIMIT} random words a draw; this one takes {self.words}.",
            )
        if not 0 <= self.output < len(self.nodes):
            raise ScellisError("SCL-GRAPH-OUTPUT", "The output is no node of the graph.")
        if not self.draws:
            raise ScellisError(
                "SCL-GRAPH-CONSTANT", "The program draws nothing: there is no uncertainty to sample."
            )

    def _check(self, index: int, node: Node) -> None:
        if node.op in DRAWS:
            arity = 0
            check_parameters(node.op, node.params)
        elif node.op == "constant":
            arity = 0
            if set(node.params) != {"value"} or not math.isfinite(node.params["value"]):
                raise ScellisError("SCL-GRAPH-PARAMETER", f"Node {index}: a constant is one finite value.")
        elif node.op in ELEMENTWISE:
            arity = ELEMENTWISE[node.op].arity
            if node.params:
                raise ScellisError("SCL-GRAPH-PARAMETER", f"Node {index}: {node.op} takes no parameters.")
        else:
            raise ScellisError(
                "SCL-GRAPH-OP",
                f"Node {index}: there is no operation {node.op[:40]!r} in this engine.",
                op=node.op[:40],
            )
        if len(node.args) != arity:
            raise ScellisError("SCL-GRAPH-ARITY", f"Node {index}: {node.op} takes {arity} arguments.")
        if not all(0 <= argument < index for argument in node.args):
            raise ScellisError(
                "SCL-GRAPH-ORDER", f"Node {index}: {node.op} refers to a node that is not before it."
            )

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
        """The JSON form: `{"nodes": [[op, args, params], …], "output": i}`."""
        return {
            "nodes": [[node.op, list(node.args), dict(node.params)] for node in self.nodes],
            "output": self.output,
        }

    @classmethod
    def from_json(cls, value: Any) -> Graph:
        """Read what `to_json` wrote, or what a stranger says it is. Raises `SCL-GRAPH-*`."""
        try:
            rows = value["nodes"]
            if set(value) != {"nodes", "output"} or not isinstance(rows, list) or len(rows) > NODE_LIMIT:
                raise ValueError("nodes")
            nodes = tuple(_node_from_json(row) for row in rows)
            output = value["output"]
            if type(output) is not int:
                raise ValueError("output")
        except (TypeError, ValueError, KeyError, OverflowError) as error:
            raise ScellisError("SCL-GRAPH-FORM", f"This is not an op graph ({error}).") from error
        return cls(nodes, output)

    @cached_property
    def address(self) -> str:
        """The content address of the graph."""
        return address(canonical_json(self.to_json()))


def _node_from_json(row: Any) -> Node:
    op, args, parameters = row
    if not isinstance(op, str) or not isinstance(args, list) or not isinstance(parameters, dict):
        raise ValueError("a node is [op, args, params]")
    if not all(type(argument) is int for argument in args):
        raise ValueError("arguments are node numbers")
    if not all(type(number) in (int, float) for number in parameters.values()):
        raise ValueError("parameters are numbers")
    return Node(op, tuple(args), parameters)
