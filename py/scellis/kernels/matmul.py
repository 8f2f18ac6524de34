"""Lowers a matrix product, with what follows it, to the kernel that suits size and adapter."""

from __future__ import annotations

import math
from functools import partial

import attrs

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.kernels.assembly import ArrayKernel, assembled, names, store
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import rounded
from scellis.kernels.factors import Factors
from scellis.kernels.fours import four
from scellis.kernels.matrices import lower_to_matrices
from scellis.kernels.registers import lower_in_registers
from scellis.kernels.templates import read_wgsl


@attrs.frozen
class Tile:
    """What a workgroup of matmul_tiles.wgsl computes of the result, and what a thread of it."""

    tile_rows: int
    tile_columns: int
    rows: int
    columns: int

    def grid(self, m: int, n: int, batch: int) -> tuple[int, int, int]:
        """The workgroups of a product."""
        return -(-n // self.tile_columns), -(-m // self.tile_rows), batch


TILES = (Tile(64, 128, 8, 4), Tile(32, 64, 4, 4))
"""From the largest on, which reads least."""
FEW_TILES = 64
"""Below so many tiles most of a graphics processor would have nothing to do."""


def lower_matmul(graph: Graph, group: Group, tier: str, adapter: str, *, matrices: bool) -> ArrayKernel:
    """The kernel of a group whose core is a matrix product. `matrices`: the device has units for f16."""
    if adapter != "gpu":
        return lower_in_registers(graph, group, tier)
    factors = Factors.of(graph, group)
    finish = _finish(graph, group, factors)
    if matrices and (kernel := lower_to_matrices(factors, tier, finish)) is not None:
        return kernel
    quads, (left, right) = factors.read_together(4), factors.along
    access = [
        factors.reader(0, "a_four", "vec4<f32>", partial(_four, factors, quads, left)),
        factors.reader(1, "b_four", "vec4<f32>", partial(_four, factors, quads, right)),
        finish,
    ]
    tile = tile_of(factors.m, factors.n, factors.batch)
    grid = tile.grid(factors.m, factors.n, factors.batch)
    put = {
        "ACCESS": "\n".join(access),
        "FACTORS": _factor("a", "TILE_ROWS", "a_four(batch, line, k)", along_k=left == -1)
        + _factor("b", "TILE_COLUMNS", "b_four(batch, k, line)", along_k=right == -2),
    }
    constants = {**factors.sizes, **{name.upper(): size for name, size in attrs.asdict(tile).items()}}
    return assembled(graph, group, tier, "matmul_tiles.wgsl", grid, constants, put, quads)


def tile_of(m: int, n: int, batch: int) -> Tile:
    """The tile for a result of `batch` times `m` by `n`."""
    enough = (tile for tile in TILES if math.prod(tile.grid(m, n, batch)) >= FEW_TILES)
    return next(enough, TILES[-1])


def _factor(name: str, lines: str, read: str, *, along_k: bool) -> str:
    """A factor's tile in shared memory and what fetches it."""
    text = read_wgsl("matmul_along.wgsl" if along_k else "matmul_across.wgsl")
    return text.replace("FACTOR", name).replace("LINES", lines).replace("FETCHED", read)


def _four(
    factors: Factors, quads: frozenset[int], along: int, node: int, at: tuple[str, ...]
) -> tuple[list[str], str]:
    """Statements, and four elements of a factor along an axis, 0 past the end of k."""
    lines, value = four(factors.graph, factors.group, quads, node, at, along)
    inside = "vec4<u32>(k, k + 1u, k + 2u, k + 3u) < vec4<u32>(K)" if at[along] == "k" else "k < K"
    return lines, f"select(vec4<f32>(), {value}, {inside})"


def _finish(graph: Graph, group: Group, factors: Factors) -> str:
    """A function that takes an element of the product, computes what follows, and stores that."""
    (core,) = group.cores
    finishing = Elements(graph, names(group))
    finishing.lines.append(f"let at = (batch * {factors.m}u + row) * {factors.n}u + column;")
    finishing.bind(core, "at", rounded("total", graph.types[core].dtype))
    store(graph, group, group.roots, finishing, Place("at", None))
    body = "\n".join(f"  {line}" for line in finishing.lines)
    return f"fn finish(batch: u32, row: u32, column: u32, total: f32) {{\n{body}\n}}"
