"""Lowers a group of fused nodes to one kernel that computes and stores its roots."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.graph.movement import int_of, shape_of
from scellis.graph.types import I32, Shape
from scellis.kernels.accumulators import accumulator
from scellis.kernels.assembly import WORKGROUP, ArrayKernel, assembled, folded, names, store
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import rounded
from scellis.kernels.rows import lower_rows, rows_of

WIDE = 256
"""Threads that share one reduction."""
SERIAL_LENGTH = 64
"""Elements that one thread reduces alone, rather than a workgroup."""


def lower_group(graph: Graph, group: Group, tier: str = "prod") -> ArrayKernel:
    """The kernel of a group."""
    if not group.cores:
        return _map(graph, group, tier)
    rows = rows_of(graph, group)
    if rows is not None:
        return lower_rows(graph, group, rows, tier)
    lower = {"matmul": _matmul, "cumulative_sum": _cumulative_sum, "scatter_add": _scatter_add}
    return lower.get(graph.nodes[group.cores[0]].op, _reduction)(graph, group, tier)


def _stored(graph: Graph, group: Group, elements: Elements, number: str) -> str:
    """Statements that compute element `number` of each root and store it."""
    store(graph, group, group.roots, elements, Place(number, None))
    return "\n".join(elements.lines)


def _map(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    size = graph.types[group.roots[0]].size
    body = _stored(graph, group, Elements(graph, names(group)), "i")
    return assembled(
        graph,
        group,
        tier,
        "map.wgsl",
        folded(-(-size // WORKGROUP)),
        {"SIZE": size, "WORKGROUP": WORKGROUP},
        {"ELEMENT": body},
    )


def _reduction(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    (core,) = group.cores
    node = graph.nodes[core]
    given = graph.types[node.args[0]]
    axes = shape_of(node.params, "axes") if "axes" in node.params else (int_of(node.params, "axis"),)
    length = math.prod(given.shape[axis] for axis in axes)
    size = graph.types[core].size
    reading = Elements(graph, names(group))
    value = reading.value(node.args[0], _reduced_place(reading, given.shape, axes))
    searched = node.op.startswith("arg")
    reading.lines.append(f"let element = {f'Accumulator({value}, r)' if searched else value};")
    finishing = Elements(graph, names(group))
    finishing.bind(core, "i", rounded("i32(total.place)" if searched else "total", graph.types[core].dtype))
    # Where neighbours in the result are neighbours in memory, a thread for each reads best.
    serial = length <= SERIAL_LENGTH or (given.rank - 1 not in axes and size >= WORKGROUP)
    threads = WORKGROUP if serial else WIDE
    return assembled(
        graph,
        group,
        tier,
        "reduce_serial.wgsl" if serial else "reduce.wgsl",
        folded(-(-size // threads) if serial else size),
        {"SIZE": size, "LENGTH": length, "WORKGROUP": threads},
        {
            "ACCUMULATOR": accumulator(node.op, given.dtype),
            "ELEMENT": "\n".join(reading.lines),
            "FINISH": _stored(graph, group, finishing, "i"),
        },
    )


def _reduced_place(elements: Elements, shape: Shape, axes: Sequence[int]) -> Place:
    """The place of element `r` of those that are reduced to element `i`."""
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    outer = elements.coordinates(tuple(shape[axis] for axis in kept), Place("i", None))
    inner = elements.coordinates(tuple(shape[axis] for axis in axes), Place("r", None))
    by_axis = {**dict(zip(kept, outer, strict=True)), **dict(zip(axes, inner, strict=True))}
    return Place(None, tuple(by_axis[axis] for axis in range(len(shape))))


def _line_place(elements: Elements, shape: Shape, axis: int) -> Place:
    """The place of element `r` of line `i` along an axis."""
    rest = (*shape[:axis], *shape[axis + 1 :])
    outer = elements.coordinates(rest, Place("i", None))
    return Place(None, (*outer[:axis], "r", *outer[axis:]))


def _cumulative_sum(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    (core,) = group.cores
    node = graph.nodes[core]
    shape, axis = graph.types[core].shape, int_of(node.params, "axis")
    size = graph.types[core].size
    reading = Elements(graph, names(group))
    place = _line_place(reading, shape, axis)
    value = reading.value(node.args[0], place)
    number = reading.numbered(shape, place)
    reading.lines.append(f"let element = {value};")
    finishing = Elements(graph, names(group), prefix="w")
    finishing.bind(core, number, rounded("total", graph.types[core].dtype))
    lines = size // shape[axis] if size else 0
    return assembled(
        graph,
        group,
        tier,
        "cumulative_sum.wgsl",
        folded(-(-lines // WORKGROUP)),
        {"SIZE": lines, "LENGTH": shape[axis], "WORKGROUP": WORKGROUP},
        {
            "ACCUMULATOR": accumulator("sum", graph.types[core].dtype),
            "ELEMENT": "\n".join(reading.lines),
            "FINISH": _stored(graph, group, finishing, number),
        },
    )


def _scatter_add(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    (core,) = group.cores
    node = graph.nodes[core]
    updates, indices = node.args
    shape, axis = graph.types[core].shape, int_of(node.params, "axis")
    setup = Elements(graph, names(group), prefix="s")
    at = setup.coordinates(shape, Place("i", None))
    setup.lines.append(f"let target_index = {at[axis]};")
    finding = Elements(graph, names(group), prefix="n")
    index = finding.value(indices, Place("r", ("r",)))
    last = max(shape[axis] - 1, 0)
    signed = graph.types[indices].dtype == I32
    finding.lines.append(
        f"let index = {f'u32(clamp({index}, 0, {last}))' if signed else f'min({index}, {last}u)'};"
    )
    reading = Elements(graph, names(group))
    value = reading.value(updates, Place(None, (*at[:axis], "r", *at[axis + 1 :])))
    reading.lines.append(f"let element = {value};")
    finishing = Elements(graph, names(group), prefix="w")
    finishing.bind(core, "i", rounded("total", graph.types[core].dtype))
    size = graph.types[core].size
    return assembled(
        graph,
        group,
        tier,
        "scatter_add.wgsl",
        folded(-(-size // WORKGROUP)),
        {"SIZE": size, "LENGTH": graph.types[indices].size, "WORKGROUP": WORKGROUP},
        {
            "ACCUMULATOR": accumulator("sum", graph.types[core].dtype),
            "SETUP": "\n".join(setup.lines),
            "INDEX": "\n".join(finding.lines),
            "ELEMENT": "\n".join(reading.lines),
            "FINISH": _stored(graph, group, finishing, "i"),
        },
    )


def _matmul(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    (core,) = group.cores
    node = graph.nodes[core]
    a, b = (graph.types[argument].shape for argument in node.args)
    batch, (m, k), n = math.prod(a[:-2]), a[-2:], b[-1]
    functions = [
        _factor(graph, group, "a_at", node.args[0], ("row", "k"), (m, k)),
        _factor(graph, group, "b_at", node.args[1], ("k", "column"), (k, n)),
    ]
    finishing = Elements(graph, names(group))
    number = f"(batch * {m}u + row) * {n}u + column"
    finishing.lines.append(f"let at = {number};")
    finishing.bind(core, "at", rounded("total", graph.types[core].dtype))
    body = _stored(graph, group, finishing, "at")
    functions.append(f"fn finish(batch: u32, row: u32, column: u32, total: f32) {{\n{_indented(body)}\n}}")
    return assembled(
        graph,
        group,
        tier,
        "matmul_registers.wgsl",
        (-(-n // 32), -(-m // 32), batch),
        {"M": m, "K": k, "N": n},
        {"ACCESS": "\n".join(functions)},
    )


def _factor(
    graph: Graph, group: Group, name: str, node: int, axes: tuple[str, str], lengths: tuple[int, int]
) -> str:
    """A function that reads an element of a factor; past the edge it reads the last one there is."""
    reading = Elements(graph, names(group))
    shape = graph.types[node].shape
    outer = reading.coordinates(shape[:-2], Place("batch", None))
    inner = tuple(reading.clamped(axis, length) for axis, length in zip(axes, lengths, strict=True))
    value = reading.value(node, Place(None, (*outer, *inner)))
    body = _indented("\n".join([*reading.lines, f"return {value};"]))
    return f"fn {name}(batch: u32, {axes[0]}: u32, {axes[1]}: u32) -> f32 {{\n{body}\n}}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
