"""Leaves out what no output hangs on."""

from __future__ import annotations

from scellis.graph.graph import Graph, Node


def prune(graph: Graph) -> Graph:
    """The graph without nodes that no output needs. Inputs stay, in order: they are given by their place."""
    needed = set(graph.outputs)
    for index in range(len(graph.nodes) - 1, -1, -1):
        if index in needed:
            needed.update(graph.nodes[index].args)
    kept = [index for index, node in enumerate(graph.nodes) if index in needed or node.op == "input"]
    place = {old: new for new, old in enumerate(kept)}
    nodes = tuple(
        Node(node.op, tuple(place[argument] for argument in node.args), node.params)
        for node in (graph.nodes[index] for index in kept)
    )
    return Graph(nodes, tuple(place[output] for output in graph.outputs))
