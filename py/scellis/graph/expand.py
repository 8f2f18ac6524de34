"""Writes operations that no kernel computes as a whole in terms of those that one does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from scellis.graph import attend, convolve, scatter, whole
from scellis.graph.graph import Graph
from scellis.graph.op import Params
from scellis.graph.rewrite import rewrite
from scellis.graph.trace import Builder, Value
from scellis.graph.types import INTEGERS

Expansion: TypeAlias = Callable[[Sequence[Value], Params], Value]

EXPANSIONS: Mapping[str, Expansion] = {
    "convolution": convolve.expanded,
    "stop_gradient": lambda args, params: args[0],
    **attend.WRITTEN,
}
OF_INTEGERS: Mapping[str, Expansion] = {"matmul": whole.product, "pow": whole.power}
"""Of those whose result is one of integers: kernels compute them of floats alone."""


def expand(graph: Graph, stays: Callable[[Graph, int], bool] = lambda graph, index: False) -> Graph:
    """The graph with each operation that has an expansion written out, but for the nodes that stay."""
    # One may be written in terms of another.
    while any(_expansion(graph, index) and not stays(graph, index) for index in range(len(graph.nodes))):
        graph = rewrite(graph, partial(_written, graph, stays))
    return graph


def _written(
    graph: Graph, stays: Callable[[Graph, int], bool], builder: Builder, index: int, args: Sequence[Value]
) -> Value | None:
    expansion = _expansion(graph, index)
    return None if expansion is None or stays(graph, index) else expansion(args, graph.nodes[index].params)


def _expansion(graph: Graph, index: int) -> Expansion | None:
    op = graph.nodes[index].op
    if op in OF_INTEGERS and graph.types[index].dtype in INTEGERS:
        return OF_INTEGERS[op]
    if op == "scatter_add" and scatter.has_many(graph.types[index], graph.types[graph.nodes[index].args[1]]):
        return scatter.in_order
    return EXPANSIONS.get(op)
