"""A rewritten graph has the types of the graph that it was made from."""

from __future__ import annotations

import attrs
import pytest

from scellis.graph import ArrayType, Node, trace
from scellis.graph.rewrite import rewrite

GRAPH = trace(lambda x: (x + 1.0) * 2.0, x=ArrayType((3,), "f32"))


def test_a_node_is_written_as_one_of_its_type() -> None:
    changed = rewrite(
        GRAPH, lambda builder, index, args: args[0] - 1.0 if GRAPH.nodes[index].op == "add" else None
    )
    assert [node.op for node in changed.nodes].count("subtract") == 1
    assert changed.types[changed.output] == GRAPH.types[GRAPH.output]
    with pytest.raises(AssertionError, match=r"add of \(3\) f32 .* was rewritten as \(1, 3\) f32"):
        rewrite(GRAPH, lambda builder, index, args: args[0][None] if GRAPH.nodes[index].op == "add" else None)


def test_a_graph_of_other_nodes_has_other_types() -> None:
    longer = Node("input", (), {"shape": (4,), "dtype": "f32"})
    with pytest.raises(Exception, match="SCL-GRAPH-SHAPE"):
        attrs.evolve(GRAPH, nodes=(longer, *GRAPH.nodes[1:]))
    alone = attrs.evolve(GRAPH, nodes=(longer,), outputs=0, places=())
    assert alone.types == (ArrayType((4,), "f32"),)
