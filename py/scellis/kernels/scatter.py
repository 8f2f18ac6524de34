"""Lowers additions by index: all indices are looked through, or those that sorting has brought together."""

from __future__ import annotations

import math

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.graph.movement import int_of
from scellis.graph.types import I32
from scellis.kernels.accumulators import accumulator
from scellis.kernels.assembly import WORKGROUP, ArrayKernel, assembled, folded, names, store
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import rounded

SCATTERS = ("scatter_add", "scatter_add_in_order")
EACH = {"gpu": (1,), "software": (8, 4, 1)}
"""Elements of a thread that looks through all indices: the first of these that divides what lies behind."""


def lower_scatter(graph: Graph, group: Group, tier: str, adapter: str) -> ArrayKernel:
    """The kernel of a group whose core is one of `SCATTERS`."""
    (core,) = group.cores
    node = graph.nodes[core]
    updates, indices, *order = node.args
    shape, axis = graph.types[core].shape, int_of(node.params, "axis")
    # Neighbours behind the axis are where the same index says: a thread that has several looks at it once.
    behind = math.prod(shape[axis + 1 :])
    each = 1 if order else next(count for count in EACH[adapter] if behind % count == 0)
    setup = Elements(graph, names(group), prefix="s")
    target = setup.coordinates(shape, Place("i" if order else "first", None))[axis]
    finding = Elements(graph, names(group), prefix="n")
    if order:
        setup.lines.append(f"let target_index = {target} + {int_of(node.params, 'start')}u;")
        number = finding.value(order[0], Place("place", ("place",)))
        finding.lines.append(f"let r = u32({number});")
        finding.lines.append(f"let index = u32({finding.value(indices, Place('r', ('r',)))});")
    else:
        setup.lines.append(f"let target_index = {target};")
        index, last = finding.value(indices, Place("r", ("r",))), max(shape[axis] - 1, 0)
        signed = graph.types[indices].dtype == I32
        finding.lines.append(
            f"let index = {f'u32(clamp({index}, 0, {last}))' if signed else f'min({index}, {last}u)'};"
        )
    reading = Elements(graph, names(group))
    at = reading.coordinates(shape, Place("i", None))
    value = reading.value(updates, Place(None, (*at[:axis], "r", *at[axis + 1 :])))
    reading.lines.append(f"let element = {value};")
    finishing = Elements(graph, names(group), prefix="w")
    finishing.bind(core, "i", rounded("total", graph.types[core].dtype))
    store(graph, group, group.roots, finishing, Place("i", None))
    size = graph.types[core].size
    return assembled(
        graph,
        group,
        tier,
        f"{node.op}.wgsl",
        folded(-(-size // (WORKGROUP * each))),
        {"SIZE": size, "LENGTH": graph.types[indices].size, "EACH": each, "WORKGROUP": WORKGROUP},
        {
            "ACCUMULATOR": accumulator("sum", graph.types[core].dtype),
            "SETUP": "\n".join(setup.lines),
            "INDEX": "\n".join(finding.lines),
            "ELEMENT": "\n".join(reading.lines),
            "FINISH": "\n".join(finishing.lines),
        },
    )
