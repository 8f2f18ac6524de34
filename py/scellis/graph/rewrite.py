"""Copies a graph with other nodes in the place of some."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scellis.graph.graph import GRAPH_LIMIT, Graph
from scellis.graph.trace import Builder, Value


def rewrite(graph: Graph, written: Callable[[Builder, int, Sequence[Value]], Value | None]) -> Graph:
    """The graph with `written(builder, index, arguments)` for each node, which None leaves as it is.

    What is written has the node's type, and comes from where the node came from.
    """
    builder = Builder(GRAPH_LIMIT)
    made: list[Value] = []
    for index, node in enumerate(graph.nodes):
        args = [made[argument] for argument in node.args]
        with builder.at(graph.places[index]):
            other = written(builder, index, args)
            found = builder.again(node, args, graph.types[index]) if other is None else other
        assert found.type == graph.types[index], f"{graph.named(index)} was rewritten as {found.type}"
        made.append(found)
    return builder.graph(*(made[output] for output in graph.outputs))
