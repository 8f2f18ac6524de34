"""Lowers a matrix product, with what follows it, to the kernel that suits size and adapter."""

from __future__ import annotations

import math

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.graph.movement import shape_of
from scellis.kernels.assembly import ArrayKernel, assembled, names, store
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import rounded

TILE = 128
"""Rows and columns of the result that a workgroup of matmul_tiles.wgsl computes."""
MANY_ROWS, FEW_ROWS = 8, 4
"""Rows of the result that a thread of matmul_registers.wgsl computes."""
FEW_TILES = 64
"""Below so many tiles most of a graphics processor would have nothing to do."""


def lower_matmul(graph: Graph, group: Group, tier: str, adapter: str) -> ArrayKernel:
    """The kernel of a group whose core is a matrix product."""
    (core,) = group.cores
    node = graph.nodes[core]
    a, b = (graph.types[argument].shape for argument in node.args)
    batch, (m, k), n = math.prod(a[:-2]), a[-2:], b[-1]
    functions = [
        _factor(graph, group, "a_at", node.args[0], ("row", "k")),
        _factor(graph, group, "b_at", node.args[1], ("k", "column")),
        _finish(graph, group, core, m, n),
    ]
    for name, argument in zip("AB", node.args, strict=True):
        functions.append(f"const {name}_TURNED = {str(_is_turned(graph, argument)).lower()};")
    sizes = {"M": m, "K": k, "N": n}
    if adapter != "gpu":
        return _in_registers(graph, group, tier, (batch, m, n), sizes, functions)
    template, grid = "matmul_shared.wgsl", (-(-n // 32), -(-m // 32), batch)
    large = (-(-n // TILE), -(-m // TILE), batch)
    if math.prod(large) >= FEW_TILES:
        template, grid = "matmul_tiles.wgsl", large
    return assembled(graph, group, tier, template, grid, sizes, {"ACCESS": "\n".join(functions)})


def _in_registers(
    graph: Graph,
    group: Group,
    tier: str,
    shape: tuple[int, int, int],
    sizes: dict[str, int],
    functions: list[str],
) -> ArrayKernel:
    """The product by matmul_registers.wgsl, with the statements of each row written out."""
    batch, m, n = shape
    rows = MANY_ROWS if m > 4 * MANY_ROWS else FEW_ROWS
    b = graph.nodes[group.cores[0]].args[1]
    quads = frozenset(
        {b} if b in group.reads and n % 4 == 0 and not _is_read_besides(graph, group, b) else ()
    )
    four = [f"b_at(batch, k, column + {lane}u)" for lane in range(4)]
    value = f"vec4<f32>({', '.join(four)})"
    if quads:
        value = f"{names(group)[b]}[(batch * K + k) * (N / 4u) + column / 4u]"
        functions = [text for text in functions if not text.startswith("fn b_at")]
    functions.append(f"fn b_four(batch: u32, k: u32, column: u32) -> vec4<f32> {{\n  return {value};\n}}")
    return assembled(
        graph,
        group,
        tier,
        "matmul_registers.wgsl",
        (-(-n // 32), -(-m // (8 * rows)), batch),
        {**sizes, "ROWS": rows},
        {
            "ACCESS": "\n".join(functions),
            "TOTALS": "\n".join(f"var total{row} = vec4<f32>();" for row in range(rows)),
            "SUMS": "\n".join(f"total{row} += a_at(batch, row0 + {row}u, k) * right;" for row in range(rows)),
            "STORES": "\n".join(f"put(batch, row0 + {row}u, column0, total{row});" for row in range(rows)),
        },
        quads,
    )


def _is_read_besides(graph: Graph, group: Group, b: int) -> bool:
    """Whether a product's right factor is read as its left one, or by what follows, as well."""
    if any(given == b for _, given in group.over):
        return True
    left = graph.nodes[group.cores[0]].args[0]
    reading = Elements(graph, names(group))
    reading.value(left, Place("i", None))
    reading.bind(group.cores[0], "i", "total")
    for root in group.roots:
        reading.value(root, Place("i", None))
    return b in {node for node, _ in reading.read}


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
    while graph.nodes[node].op == "permute_dims":
        axes = shape_of(graph.nodes[node].params, "axes")
        if axes[-2:] == (len(axes) - 1, len(axes) - 2):
            turned = not turned
        node = graph.nodes[node].args[0]
    return turned


def _indented(lines: list[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)
