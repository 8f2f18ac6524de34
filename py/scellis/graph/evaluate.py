"""The reference evaluation of a graph in f64: what every device is held to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from scellis.graph.draws import DRAWS
from scellis.graph.graph import Graph
from scellis.graph.ops import ELEMENTWISE, F64

VALUES_LIMIT = 2**22
"""Numbers that are held at a time: 32 MB in f64."""


def chunks(graph: Graph, draws: int, most: int) -> Iterator[tuple[int, int]]:
    """First draw and size of the parts, of at most `most` draws, in which a program is to be evaluated."""
    size = min(most, max(VALUES_LIMIT // (len(graph.nodes) + graph.words), 1))
    for start in range(0, draws, size):
        yield start, min(size, draws - start)


def evaluate_nodes(graph: Graph, uniforms: Sequence[F64]) -> list[F64]:
    """Every node's values, `(n,) f64` each, from `graph.words` arrays of uniforms `(n,) f64`.

    Division by zero, overflow and the like give infinities and NaN, as on a GPU; the caller counts them.
    """
    size = uniforms[0].shape[0]
    values: list[F64] = []
    with np.errstate(all="ignore"):
        for index, node in enumerate(graph.nodes):
            if node.op in DRAWS:
                distribution = DRAWS[node.op]
                word = graph.draws[index]
                values.append(distribution.sample(node.params, uniforms[word : word + distribution.words]))
            elif node.op == "constant":
                values.append(np.full(size, node.params["value"]))
            else:
                values.append(ELEMENTWISE[node.op].evaluate(*(values[argument] for argument in node.args)))
    return values


def evaluate(graph: Graph, uniforms: Sequence[F64]) -> F64:
    """The output's values, `(n,) f64`."""
    return evaluate_nodes(graph, uniforms)[graph.output]
