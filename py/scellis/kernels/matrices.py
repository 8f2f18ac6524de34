"""Lowers products of f16 to the matrix units of a graphics processor, where its device has them."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import partial

from scellis.graph.types import F16
from scellis.kernels.assembly import ArrayKernel, assembled, names
from scellis.kernels.factors import Factors
from scellis.kernels.fours import placed

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


def lower_to_matrices(factors: Factors, tier: str, finish: str) -> ArrayKernel | None:
    """The kernel of such a product, None for others. `finish` stores an element."""
    sizes = (factors.m, factors.n, factors.k)
    if any(size < least for size, least in zip(sizes, LEAST, strict=True)):
        return None
    arrays = {view.array if view else None for view in factors.views}
    eights = factors.read_together(8)
    if not eights.issuperset(arrays) or any(factors.graph.types[array].dtype != F16 for array in eights):
        return None
    access = [
        *factors.turnings(),
        factors.reader(0, "a_eight", "vec4<u32>", partial(_eight, factors)),
        factors.reader(1, "b_eight", "vec4<u32>", partial(_eight, factors)),
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
        factors.graph,
        factors.group,
        tier,
        "matmul_matrices.wgsl",
        (-(-factors.n // TILE), -(-factors.m // TILE), factors.batch),
        factors.sizes,
        {name: "\n".join(lines) for name, lines in puts.items()},
        eights=eights,
    )


def _eight(factors: Factors, node: int, at: tuple[str, ...]) -> tuple[list[str], str]:
    """Statements, and eight elements of a factor as words, 0 past the end of k."""
    lines, array, number = placed(factors.graph, factors.group, node, at)
    return lines, f"select(vec4<u32>(), {names(factors.group)[array]}[{number} / 8u], k < K)"
