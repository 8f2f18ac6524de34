"""Lowers a matrix product, with what follows it, to the kernel that suits size and adapter."""

from __future__ import annotations

import math

from scellis.graph.fuse import Group, widens
from scellis.graph.graph import Graph
from scellis.graph.movement import shape_of
from scellis.kernels.assembly import ArrayKernel, assembled, names, store
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import rounded
from scellis.kernels.registers import block_of, statements

TILE = 128
"""Rows and columns of the result that a workgroup of matmul_tiles.wgsl computes."""
FEW_TILES = 64
"""Below so many tiles most of a graphics processor would have nothing to do."""


def lower_matmul(graph: Graph, group: Group, tier: str, adapter: str) -> ArrayKernel:
    """The kernel of a group whose core is a matrix product."""
    (core,) = group.cores
    node = graph.nodes[core]
    a, b = (graph.types[argument].shape for argument in node.args)
    batch, (m, k), n = math.prod(a[:-2]), a[-2:], b[-1]
    a_at = _factor(graph, group, "a_at", node.args[0], ("row", "k"))
    b_at = _factor(graph, group, "b_at", node.args[1], ("k", "column"))
    finish = _finish(graph, group, core, m, n)
    sizes = {"M": m, "K": k, "N": n}
    if adapter != "gpu":
        block = block_of(graph, group, m, k, n)
        used = [text for text, fours in ((a_at, block.left), (b_at, block.right)) if fours is None]
        return assembled(
            graph,
            group,
            tier,
            "matmul_registers.wgsl",
            (-(-n // (8 * block.columns)), -(-m // (8 * block.rows)), batch),
            {**sizes, "ROWS": block.rows, "COLUMNS": block.columns, "STEP": block.step},
            {"ACCESS": "\n".join([*used, finish]), **statements(graph, group, block)},
            block.quads,
        )
    access = [a_at, b_at, finish]
    for name, argument in zip("AB", node.args, strict=True):
        access.append(f"const {name}_TURNED = {str(_is_turned(graph, argument)).lower()};")
    template, grid = "matmul_shared.wgsl", (-(-n // 32), -(-m // 32), batch)
    large = (-(-n // TILE), -(-m // TILE), batch)
    if math.prod(large) >= FEW_TILES:
        template, grid = "matmul_tiles.wgsl", large
    return assembled(graph, group, tier, template, grid, sizes, {"ACCESS": "\n".join(access)})


def _factor(graph: Graph, group: Group, name: str, node: int, axes: tuple[str, str]) -> str:
    """A function that reads an element of a factor; past the edge it reads whatever WebGPU gives."""
    reading = Elements(graph, names(group))
    outer = reading.coordinates(graph.types[node].shape[:-2], Place("batch", None))
    value = reading.value(node, Place(None, (*outer, *axes)))
    body = _indented([*reading.lines, f"return {value};"])
    return f"fn {name}(batch: u32, {axes[0]}: u32, {axes[1]}: u32) -> f32 {{\n{body}\n}}"


def _finish(graph: Graph, group: Group, core: int, m: int, n: int) -> str:
    """A function that takes an element of the product, computes what follows, and stores that."""
    finishing = Elements(graph, names(group))
    finishing.lines.append(f"let at = (batch * {m}u + row) * {n}u + column;")
    finishing.bind(core, "at", rounded("total", graph.types[core].dtype))
    store(graph, group, group.roots, finishing, Place("at", None))
    body = _indented(finishing.lines)
    return f"fn finish(batch: u32, row: u32, column: u32, total: f32) {{\n{body}\n}}"


def _is_turned(graph: Graph, node: int) -> bool:
    """Whether neighbours along the second last axis, not the last, are neighbours in memory."""
    turned = False
    while graph.nodes[node].op == "permute_dims" or widens(graph, node):
        if not widens(graph, node):
            axes = shape_of(graph.nodes[node].params, "axes")
            turned ^= axes[-2:] == (len(axes) - 1, len(axes) - 2)
        node = graph.nodes[node].args[0]
    return turned


def _indented(lines: list[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)
