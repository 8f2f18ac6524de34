"""Writes operations that no kernel computes as a whole in terms of those that one does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from scellis.graph import attend, convolve
from scellis.graph.graph import Graph
from scellis.graph.op import Params
from scellis.graph.rewrite import rewrite
from scellis.graph.trace import Builder, Value

EXPANSIONS: Mapping[str, Callable[[Sequence[Value], Params], Value]] = {
    "convolution": convolve.expanded,
    "stop_gradient": lambda args, params: args[0],
    **attend.WRITTEN,
}


def expand(graph: Graph, stays: Callable[[Graph, int], bool] = lambda graph, index: False) -> Graph:
    """The graph with each operation that has an expansion written out, but for the nodes that stay."""
    while any(
        node.op in EXPANSIONS and not stays(graph, index) for index, node in enumerate(graph.nodes)
    ):  # one may be written in terms of another
        graph = rewrite(graph, partial(_written, graph, stays))
    return graph


def _written(
    graph: Graph, stays: Callable[[Graph, int], bool], builder: Builder, index: int, args: Sequence[Value]
) -> Value | None:
    node = graph.nodes[index]
    if node.op not in EXPANSIONS or stays(graph, index):
        return None
    return EXPANSIONS[node.op](args, node.params)
