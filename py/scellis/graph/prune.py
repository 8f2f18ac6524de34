"""Leaves out what no output hangs on."""

from __future__ import annotations

from collections.abc import Set

from scellis.errors import ScellisError
from scellis.graph.graph import Graph, Node


def prune(graph: Graph, stand_ins: Set[int] = frozenset()) -> Graph:
    """The graph without nodes that no output needs. Inputs stay, in order: they are given by their place.

    Raises `SCL-GRAPH-TRACE` where an output needs one of `stand_ins`, inputs that are never given.
    """
    needed = set(graph.outputs)
    for index in range(len(graph.nodes) - 1, -1, -1):
        if index in needed:
            needed.update(graph.nodes[index].args)
    for index in sorted(needed & stand_ins):
        raise ScellisError(
            "SCL-GRAPH-TRACE", f"{graph.places[index]}: a value from within vmap was used outside of it."
        )
    given = set(graph.inputs) - stand_ins
    kept = sorted(needed | given)
    if len(kept) == len(graph.nodes):
        return graph
    place = {old: new for new, old in enumerate(kept)}
    nodes = (
        Node(node.op, tuple(place[argument] for argument in node.args), node.params)
        for node in (graph.nodes[index] for index in kept)
    )
    return Graph.of_checked(
        nodes,
        (place[output] for output in graph.outputs),
        (graph.places[index] for index in kept),
        (graph.types[index] for index in kept),
    )
