"""Mixed precision: products read f16 and add up in f32; everything else stays f32.

    graph = apply_precision(trace(step, …), "mixed_f16")

What a product reads is rounded to f16 once, where it is stored; what it gives is f32. Norms, softmax, losses,
reductions and the update of parameters are computed in f32, from parameters in f32. The pass goes over a
whole step, gradients included; small ones want a `loss_scale.LossScaler` besides. Source: P. Micikevicius et
al., "Mixed precision training", 2018.
"""

from __future__ import annotations

from collections.abc import Sequence

from scellis.errors import ScellisError
from scellis.graph.fuse import VIEWS
from scellis.graph.graph import Graph
from scellis.graph.prune import prune
from scellis.graph.rewrite import rewrite
from scellis.graph.trace import Builder, Value
from scellis.graph.types import F16, F32

PRECISIONS = ("f32", "mixed_f16")
"""`f32` leaves a graph as it is."""

PRODUCTS = {
    **dict.fromkeys(("matmul", "convolution", "attention_logsumexp"), (0, 1)),
    "attention": (0, 1, 2),
    **dict.fromkeys(("attention_by_query", "attention_by_key", "attention_by_value"), (0, 1, 2, 4)),
}
"""Operations that read f16, and which of their arguments."""


def apply_precision(graph: Graph, precision: str) -> Graph:
    """The graph in a precision; its inputs and outputs keep their types. Raises `SCL-GRAPH-PRECISION`."""
    if precision not in PRECISIONS:
        raise ScellisError(
            "SCL-GRAPH-PRECISION",
            f"There is no precision {precision[:20]!r}.",
            f"Known: {', '.join(PRECISIONS)}.",
        )
    return graph if precision == "f32" else _mixed(graph)


def _mixed(graph: Graph) -> Graph:
    factors = _factors(graph)

    def written(builder: Builder, index: int, args: Sequence[Value]) -> Value:
        node = graph.nodes[index]
        if node.op in PRODUCTS:
            read = PRODUCTS[node.op]
            args = [_half(x).astype(x.dtype) if place in read else x for place, x in enumerate(args)]
        found = builder.apply(node.op, *args, **node.params)
        # What else reads a factor reads the same half, so that one array is stored and not two.
        return _half(found).astype(F32) if index in factors else found

    return prune(rewrite(graph, written))


def _factors(graph: Graph) -> set[int]:
    """The f32 arrays that products read, but those that are given or given back, which keep their digits."""
    found: set[int] = set()
    pending = [node.args[place] for node in graph.nodes for place in PRODUCTS.get(node.op, ())]
    while pending:
        index = pending.pop()
        if graph.nodes[index].op in VIEWS:
            pending += graph.nodes[index].args
        elif graph.types[index].dtype == F32 and graph.nodes[index].op != "input":
            found.add(index)
    return found - set(graph.outputs)


def _half(value: Value) -> Value:
    """An array as f16: rounded before it is moved, so that what is stored is what is rounded."""
    builder, node = value.builder, value.builder.nodes[value.index]
    given = [Value(builder, argument) for argument in node.args]
    if node.op == "astype" and given[0].dtype == F16:
        return given[0]
    if node.op in VIEWS:
        return builder.apply(node.op, *map(_half, given), **node.params)
    return value.astype(F16)
