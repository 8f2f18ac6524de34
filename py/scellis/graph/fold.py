"""Computes ahead what is the same number in every element, whatever the inputs are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scellis.graph.elementwise import ELEMENTWISE_OPS
from scellis.graph.graph import Graph, Node
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.op import Array
from scellis.graph.ops import OPS
from scellis.graph.rewrite import rewrite
from scellis.graph.trace import Builder, Value
from scellis.graph.types import ArrayType

_KEEPING = ("broadcast_to", "reshape", "permute_dims", "slice", "flip", "windows", "concat")
"""Operations that give back one number where all that they are given is that number."""
_COMPUTED = (*ELEMENTWISE_OPS, "astype")


def fold(graph: Graph) -> Graph:
    """The graph with one constant for what is made of constants alone, in the precision of its type.

    What is not finite stays as it is: no constant holds it.
    """
    known = _uniform(graph)
    if not any(graph.nodes[index].op in _COMPUTED for index in known):
        return graph

    def written(builder: Builder, index: int, args: Sequence[Value]) -> Value | None:
        if index not in known or graph.nodes[index].op not in _COMPUTED:
            return None
        type_ = graph.types[index]
        return builder.constant(known[index].item(), type_.dtype).broadcast_to(type_.shape)

    return rewrite(graph, written)


def _uniform(graph: Graph) -> dict[int, Array]:
    """The nodes that hold one number in all elements, with it, shape ()."""
    found: dict[int, Array] = {}
    with np.errstate(all="ignore"):
        for index, (node, type_) in enumerate(zip(graph.nodes, graph.types, strict=True)):
            value = _value(node, type_, [found.get(argument) for argument in node.args])
            if value is not None and np.isfinite(value):
                found[index] = value
    return found


def _value(node: Node, type_: ArrayType, given: list[Array | None]) -> Array | None:
    """The number of a node, None where there is not just one."""
    args = [value for value in given if value is not None]
    if node.op == "constant":
        return np.asarray(node.params["value"], NUMPY_TYPES[type_.dtype])
    if not given or len(args) < len(given):
        return None
    if node.op in _KEEPING:
        return args[0] if all(value.tobytes() == args[0].tobytes() for value in args) else None
    if node.op in _COMPUTED:
        return np.asarray(OPS[node.op].evaluate(args, node.params, ArrayType((), type_.dtype)))
    return None
