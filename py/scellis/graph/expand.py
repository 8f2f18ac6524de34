"""Writes operations that no kernel computes as a whole in terms of those that one does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scellis.graph import convolve
from scellis.graph.graph import Graph
from scellis.graph.op import Params
from scellis.graph.rewrite import rewrite
from scellis.graph.trace import Builder, Value

EXPANSIONS: Mapping[str, Callable[[Sequence[Value], Params], Value]] = {"convolution": convolve.expanded}


def expand(graph: Graph) -> Graph:
    """The graph with each operation that has an expansion written out."""
    if not any(node.op in EXPANSIONS for node in graph.nodes):
        return graph

    def written(builder: Builder, index: int, args: Sequence[Value]) -> Value | None:
        node = graph.nodes[index]
        return EXPANSIONS[node.op](args, node.params) if node.op in EXPANSIONS else None

    return rewrite(graph, written)
