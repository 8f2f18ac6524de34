"""Writes operations that no kernel computes as a whole in terms of those that one does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scellis.graph import convolve
from scellis.graph.graph import GRAPH_LIMIT, Graph
from scellis.graph.op import Params
from scellis.graph.trace import Builder, Value

EXPANSIONS: Mapping[str, Callable[[Sequence[Value], Params], Value]] = {"convolution": convolve.expanded}


def expand(graph: Graph) -> Graph:
    """The graph with each operation that has an expansion written out."""
    if not any(node.op in EXPANSIONS for node in graph.nodes):
        return graph
    builder = Builder(GRAPH_LIMIT)
    made: list[Value] = []
    for node in graph.nodes:
        args = [made[argument] for argument in node.args]
        written = EXPANSIONS.get(node.op)
        made.append(written(args, node.params) if written else builder.apply(node.op, *args, **node.params))
    return builder.graph(*(made[output] for output in graph.outputs))
