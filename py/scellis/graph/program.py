"""A program that is sampled: a graph of one number, made from draws by what f32 computes within a bound."""

from __future__ import annotations

from scellis.errors import ScellisError
from scellis.graph.draws import DRAWS
from scellis.graph.elementwise import ELEMENTWISE
from scellis.graph.graph import Graph, Node
from scellis.graph.types import F32

NODE_LIMIT = 4096
"""The most nodes a program may have: what one fused kernel can sensibly hold."""
WORD_LIMIT = 512
"""The most random words that one evaluation may take: hundreds of inputs, and a pilot of seconds."""


def check_program(graph: Graph) -> Graph:
    """The graph, if it is a program. Raises `SCL-GRAPH-*` for any other."""
    if len(graph.nodes) > NODE_LIMIT:
        raise ScellisError(
            "SCL-GRAPH-SIZE",
            f"A program has at most {NODE_LIMIT} operations; this one has {len(graph.nodes)}.",
        )
    if graph.words > WORD_LIMIT:
        raise ScellisError(
            "SCL-GRAPH-SIZE",
            f"A program takes at most {WORD_LIMIT} random words a draw; this one takes {graph.words}.",
        )
    for index, node in enumerate(graph.nodes):
        if node.op in DRAWS or (node.op == "constant" and graph.types[index].dtype == F32):
            continue
        if node.op not in ELEMENTWISE or ELEMENTWISE[node.op].rounding is None:
            raise ScellisError(
                "SCL-GRAPH-OP",
                f"Node {index}: {node.op} cannot stand in a program that is sampled.",
                op=node.op,
            )
    if len(graph.outputs) != 1:
        raise ScellisError("SCL-GRAPH-OUTPUT", "A program has one output.")
    if not graph.draws:
        raise ScellisError(
            "SCL-GRAPH-CONSTANT", "The program draws nothing: there is no uncertainty to sample."
        )
    return graph


def parameters_of(node: Node) -> dict[str, float]:
    """The parameters of a draw."""
    return {name: float(value) for name, value in node.params.items() if isinstance(value, (int, float))}


def constant_of(graph: Graph, index: int) -> float:
    """What a constant of a program holds."""
    value = graph.nodes[index].params["value"]
    assert isinstance(value, (int, float))
    return float(value)
