"""Lowers a matrix product, with what follows it, to the kernel that suits size and adapter."""

from __future__ import annotations

import math

import attrs

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.kernels.assembly import ArrayKernel, assembled, names, store
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import rounded
from scellis.kernels.fours import four, read_in_fours
from scellis.kernels.matrices import lower_to_matrices
from scellis.kernels.registers import lower_in_registers
from scellis.kernels.views import view_of


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
    (core,) = group.cores
    args = graph.nodes[core].args
    a, b = (graph.types[argument].shape for argument in args)
    batch, (m, k), n = math.prod(a[:-2]), a[-2:], b[-1]
    finish = _finish(graph, group, core, m, n)
    if matrices and (kernel := lower_to_matrices(graph, group, tier, finish)) is not None:
        return kernel
    sizes = {"M": m, "K": k, "N": n}
    turned = [_is_turned(graph, group, argument) for argument in args]
    along = [-2 if way else -1 for way in turned]
    quads = read_in_fours(graph, group, list(zip(args, along, strict=True)))
    access = [
        *(f"const {name}_TURNED = {str(way).lower()};" for name, way in zip("AB", turned, strict=True)),
        _four(graph, group, quads, "a_four", args[0], ("row", "k"), along[0]),
        _four(graph, group, quads, "b_four", args[1], ("k", "column"), along[1]),
        finish,
    ]
    tile = tile_of(m, n, batch)
    put = {"ACCESS": "\n".join(access)}
    constants = {**sizes, **{name.upper(): size for name, size in attrs.asdict(tile).items()}}
    return assembled(graph, group, tier, "matmul_tiles.wgsl", tile.grid(m, n, batch), constants, put, quads)


def tile_of(m: int, n: int, batch: int) -> Tile:
    """The tile for a result of `batch` times `m` by `n`."""
    enough = (tile for tile in TILES if math.prod(tile.grid(m, n, batch)) >= FEW_TILES)
    return next(enough, TILES[-1])


def _four(
    graph: Graph,
    group: Group,
    quads: frozenset[int],
    name: str,
    node: int,
    axes: tuple[str, str],
    along: int,
) -> str:
    """A function that reads four elements of a factor along an axis, 0 past the end of k."""
    outer = Elements(graph, names(group), "o")
    batch = outer.coordinates(graph.types[node].shape[:-2], Place("batch", None))
    lines, value = four(graph, group, quads, node, (*batch, *axes), along)
    inside = "vec4<u32>(k, k + 1u, k + 2u, k + 3u) < vec4<u32>(K)" if axes[along] == "k" else "k < K"
    body = _indented([*outer.lines, *lines, f"return select(vec4<f32>(), {value}, {inside});"])
    return f"fn {name}(batch: u32, {axes[0]}: u32, {axes[1]}: u32) -> vec4<f32> {{\n{body}\n}}"


def _finish(graph: Graph, group: Group, core: int, m: int, n: int) -> str:
    """A function that takes an element of the product, computes what follows, and stores that."""
    finishing = Elements(graph, names(group))
    finishing.lines.append(f"let at = (batch * {m}u + row) * {n}u + column;")
    finishing.bind(core, "at", rounded("total", graph.types[core].dtype))
    store(graph, group, group.roots, finishing, Place("at", None))
    body = _indented(finishing.lines)
    return f"fn finish(batch: u32, row: u32, column: u32, total: f32) {{\n{body}\n}}"


def _is_turned(graph: Graph, group: Group, node: int) -> bool:
    """Whether neighbours along the second last axis, not the last, are neighbours in memory."""
    view = view_of(graph, group, node)
    return view is not None and view.steps[-1] != 1 and view.steps[-2] == 1


def _indented(lines: list[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)
