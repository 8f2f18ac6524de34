"""Split-K: a product of few rows and columns and many terms, as the sum of several of fewer terms.

One workgroup goes through all terms of a tile; with few tiles most of a graphics processor would have nothing
to do. Source: A. Kerr et al., "CUTLASS: Fast Linear Algebra in CUDA C++", NVIDIA, 2017.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from scellis.graph import functions
from scellis.graph.graph import Graph
from scellis.graph.rewrite import rewrite
from scellis.graph.trace import Builder, Value, matmul
from scellis.graph.types import F32
from scellis.kernels.matmul import FEW_TILES, tile_of

LEAST_TERMS = 256
"""Terms below which a part costs more, by its dispatch and its sum, than it saves."""


def split_k(graph: Graph) -> Graph:
    """The graph with such products written as sums."""
    if all(_parts(graph, index) == 1 for index in range(len(graph.nodes))):
        return graph
    return rewrite(graph, partial(_written, graph))


def _written(graph: Graph, builder: Builder, index: int, args: Sequence[Value]) -> Value | None:
    parts = _parts(graph, index)
    if parts == 1:
        return None
    a, b = args
    *batch, m, k = a.shape
    *_, n = b.shape
    each, outer = k // parts, len(batch)
    a = functions.reshape(a, (*batch, m, parts, each))
    a = functions.permute_dims(a, (*range(outer), outer + 1, outer, outer + 2))
    b = functions.reshape(b, (*batch, parts, each, n))
    return functions.sum(matmul(a, b), axis=outer)


def _parts(graph: Graph, index: int) -> int:
    """How many products a node is written as: a power of two, 1 for what stays."""
    node = graph.nodes[index]
    if node.op != "matmul" or graph.types[index].dtype != F32:  # of f16, each part would be rounded
        return 1
    *batch, m, k = graph.types[node.args[0]].shape
    n, outer, parts = graph.types[index].shape[-1], math.prod(batch), 1
    tiles = math.prod(tile_of(m, n, outer).grid(m, n, outer))
    # A part's terms are a multiple of four, so that they are read in fours.
    while parts * tiles < FEW_TILES and k % (8 * parts) == 0 and k // (2 * parts) >= LEAST_TERMS:
        parts *= 2
    return parts if tiles else 1
