"""Lowers a group of fused nodes to one kernel that computes and stores its roots."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scellis.graph.attention import ATTENTION_OPS
from scellis.graph.drawn import DRAWN_OPS
from scellis.graph.fuse import Group, computed
from scellis.graph.graph import Graph
from scellis.graph.movement import int_of, shape_of
from scellis.graph.types import Shape
from scellis.kernels.accumulators import accumulator
from scellis.kernels.assembly import WORKGROUP, ArrayKernel, assembled, folded, names, store
from scellis.kernels.attention import lower_attention
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import rounded
from scellis.kernels.folds import builtins, fold_of
from scellis.kernels.matmul import lower_matmul
from scellis.kernels.ordering import lower_merge
from scellis.kernels.quads import by_quads, quad
from scellis.kernels.rows import WIDE, lower_rows, rows_of
from scellis.kernels.scatter import SCATTERS, lower_scatter

QUADS_WORKGROUP = 256
"""Threads of a workgroup that computes four elements each."""
QUADS_FROM = 4096
"""Elements from which on a thread computes four of them."""
SERIAL_LENGTH = 64
"""Elements that one thread reduces alone, rather than a workgroup."""


def lower_group(
    graph: Graph,
    group: Group,
    tier: str = "prod",
    adapter: str = "software",
    *,
    matrices: bool = False,
    subgroups: bool = False,
) -> ArrayKernel:
    """The kernel of a group, for a class of adapter.

    `matrices`: it has units that multiply those of f16. `subgroups`: its reductions end with them.
    """
    if not group.cores:
        return _map(graph, group, tier)
    rows = rows_of(graph, group)
    if rows is not None:
        return lower_rows(graph, group, rows, tier, adapter, subgroups=subgroups)
    op = graph.nodes[group.cores[0]].op
    if op in ATTENTION_OPS:
        return lower_attention(graph, group, tier)
    if op == "matmul":
        return lower_matmul(graph, group, tier, adapter, matrices=matrices)
    if op == "cumulative_sum":
        return _cumulative_sum(graph, group, tier)
    if op in SCATTERS:
        return lower_scatter(graph, group, tier, adapter)
    if op == "merge_order":
        return lower_merge(graph, group, tier)
    return _reduction(graph, group, tier, adapter, subgroups=subgroups)


def _stored(graph: Graph, group: Group, elements: Elements, number: str) -> str:
    """Statements that compute element `number` of each root and store it."""
    store(graph, group, group.roots, elements, Place(number, None))
    return "\n".join(elements.lines)


def _map(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    size = graph.types[group.roots[0]].size
    elements = Elements(graph, names(group))
    body = _stored(graph, group, elements, "i")
    nodes = computed(graph, group.roots, group.reads)
    long = any(graph.nodes[node].op in DRAWN_OPS for node in nodes)  # not to be written four times
    if size % 4 == 0 and size >= QUADS_FROM and not long:
        return _map_quads(graph, group, tier, by_quads(graph, elements.read, group.roots))
    return assembled(
        graph,
        group,
        tier,
        "map.wgsl",
        folded(-(-size // WORKGROUP)),
        {"SIZE": size, "WORKGROUP": WORKGROUP},
        {"ELEMENT": body},
    )


def _map_quads(graph: Graph, group: Group, tier: str, quads: frozenset[int]) -> ArrayKernel:
    count = graph.types[group.roots[0]].size // 4
    before, lines = quad(
        graph,
        group,
        quads,
        lambda: Elements(graph, names(group)),
        lambda elements: {root: elements.value(root, Place("i", None)) for root in group.roots},
    )
    return assembled(
        graph,
        group,
        tier,
        "map_quads.wgsl",
        folded(-(-count // QUADS_WORKGROUP)),
        {"QUADS": count, "WORKGROUP": QUADS_WORKGROUP},
        {"QUAD": "\n".join([*before, *lines])},
        quads,
    )


def _reduction(graph: Graph, group: Group, tier: str, adapter: str, *, subgroups: bool) -> ArrayKernel:
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
    threads = WORKGROUP if serial else WIDE[adapter]
    gathering = accumulator(node.op, given.dtype)
    puts = {"ELEMENT": "\n".join(reading.lines), "FINISH": _stored(graph, group, finishing, "i")}
    if not serial:
        fold = fold_of(node.op, given.dtype, subgroups=subgroups)
        gathering = f"{gathering}\n{fold.declared()}"
        puts |= {"TOTAL": f"let total = {fold.whole('sum')};", "SUBGROUPS": builtins([fold])}
    return assembled(
        graph,
        group,
        tier,
        "reduce_serial.wgsl" if serial else "reduce.wgsl",
        folded(-(-size // threads) if serial else size),
        {"SIZE": size, "LENGTH": length, "WORKGROUP": threads},
        {"ACCUMULATOR": gathering, **puts},
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
