"""Lowers products of f16 to the matrix units of a graphics processor, where its device has them."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.graph.types import F16
from scellis.kernels.assembly import ArrayKernel, assembled, names
from scellis.kernels.elements import Elements, Place
from scellis.kernels.fours import placed, read_in_fours
from scellis.kernels.views import view_of

FEATURES = ("shader-f16", "subgroups", "chromium-experimental-subgroup-matrix")
CONFIGURATION = ("subgroups of 32", "matrices f16 16x16x16 f32")
"""What an adapter says besides: matrices have a type, rows, columns and terms, and a type of their sums."""
SHARED_BYTES = 24 * 2**10
TILE = 128
LEAST = (64, 64, 32)
"""Rows, columns and terms of a product below which most of a tile would be computed for nothing."""
FRAGMENTS = range(4)


def has_matrices(features: Container[str], limits: Mapping[str, int]) -> bool:
    """Whether a device has what the kernel needs."""
    shared = limits.get("maxComputeWorkgroupStorageSize", 0)
    return all(name in features for name in (*FEATURES, *CONFIGURATION)) and shared >= SHARED_BYTES


def lower_to_matrices(graph: Graph, group: Group, tier: str, finish: str) -> ArrayKernel | None:
    """The kernel of a group whose core is such a product, None for others. `finish` stores an element."""
    args = graph.nodes[group.cores[0]].args
    a, b = (graph.types[argument].shape for argument in args)
    batch, (m, k), n = math.prod(a[:-2]), a[-2:], b[-1]
    if any(size < least for size, least in zip((m, n, k), LEAST, strict=True)):
        return None
    views = [view for node in args if (view := view_of(graph, group, node)) is not None]
    if len(views) < 2 or any(graph.types[view.array].dtype != F16 for view in views):
        return None
    turned = [view.steps[-1] != 1 for view in views]
    along = [-2 if way else -1 for way in turned]
    eights = read_in_fours(graph, group, list(zip(args, along, strict=True)), each=8)
    if not eights.issuperset(view.array for view in views):
        return None
    access = [
        *(f"const {name}_TURNED = {str(way).lower()};" for name, way in zip("AB", turned, strict=True)),
        _eight(graph, group, "a_eight", args[0], ("row", "k"), along[0]),
        _eight(graph, group, "b_eight", args[1], ("k", "column"), along[1]),
        finish,
    ]
    pairs = [(i, j) for i in FRAGMENTS for j in FRAGMENTS]
    puts = {
        "ACCESS": access,
        "SUMS": [f"var c{i}_{j}: Sums;" for i, j in pairs],
        "TERMS": [
            *(f"let a{i} = left(inner_row + {16 * i}u, k);" for i in FRAGMENTS),
            *(f"let b{j} = right(k, inner_column + {16 * j}u);" for j in FRAGMENTS),
            *(f"c{i}_{j} = subgroupMatrixMultiplyAccumulate(a{i}, b{j}, c{i}_{j});" for i, j in pairs),
        ],
        "STORES": [
            line
            for i, j in pairs
            for line in (
                "workgroupBarrier();",
                f"subgroupMatrixStore<row_major>(&passed, subgroup * 256u, c{i}_{j}, 16u);",
                "workgroupBarrier();",
                f"give(batch, row0 + inner_row + {16 * i}u, column0 + inner_column + {16 * j}u, thread);",
            )
        ],
    }
    return assembled(
        graph,
        group,
        tier,
        "matmul_matrices.wgsl",
        (-(-n // TILE), -(-m // TILE), batch),
        {"M": m, "K": k, "N": n},
        {name: "\n".join(lines) for name, lines in puts.items()},
        eights=eights,
    )


def _eight(graph: Graph, group: Group, name: str, node: int, axes: tuple[str, str], along: int) -> str:
    """A function that reads eight elements of a factor along an axis, as words, 0 past the end of k."""
    outer = Elements(graph, names(group), "o")
    batch = outer.coordinates(graph.types[node].shape[:-2], Place("batch", None))
    lines, array, number = placed(graph, group, node, (*batch, *axes))
    value = f"{names(group)[array]}[{number} / 8u]"
    body = "\n".join(f"  {line}" for line in [*outer.lines, *lines])
    head = f"fn {name}(batch: u32, {axes[0]}: u32, {axes[1]}: u32) -> vec4<u32>"
    return f"{head} {{\n{body}\n  return select(vec4<u32>(), {value}, k < K);\n}}"
