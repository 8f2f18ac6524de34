"""Lowers one step of sorting: the merging of runs."""

from __future__ import annotations

from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.graph.movement import int_of
from scellis.graph.ordering import WAYS
from scellis.graph.types import FLOATS
from scellis.kernels.assembly import WORKGROUP, ArrayKernel, assembled, folded, names, store
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import WGSL_TYPES


def lower_merge(graph: Graph, group: Group, tier: str) -> ArrayKernel:
    """The kernel of a group whose core is `merge_order`."""
    (core,) = group.cores
    node, size = graph.nodes[core], graph.types[core].size
    keys, order = node.args
    finishing = Elements(graph, names(group), prefix="w")
    finishing.bind(core, "at", "number")
    store(graph, group, group.roots, finishing, Place("at", None))
    access = [
        _reader(graph, group, "key_at", keys),
        _reader(graph, group, "order_at", order),
        _precedes(graph.types[keys].dtype, bool(node.params["descending"])),
    ]
    length = graph.types[core].shape[-1]
    run = int_of(node.params, "run")
    return assembled(
        graph,
        group,
        tier,
        "merge_order.wgsl",
        folded(-(-size // WORKGROUP)),
        {"SIZE": size, "LENGTH": length, "RUN": run, "WAYS": WAYS, "WORKGROUP": WORKGROUP},
        {"ACCESS": "\n".join(access), "FINISH": "\n".join(finishing.lines)},
    )


def _reader(graph: Graph, group: Group, name: str, node: int) -> str:
    """A function that reads an element of a row."""
    type_ = graph.types[node]
    reading = Elements(graph, names(group))
    outer = reading.coordinates(type_.shape[:-1], Place("row", None))
    value = reading.value(node, Place(None, (*outer, "place")))
    body = "\n".join(f"  {line}" for line in [*reading.lines, f"return {value};"])
    return f"fn {name}(row: u32, place: u32) -> {WGSL_TYPES[type_.dtype]} {{\n{body}\n}}"


def _precedes(dtype: str, descending: bool) -> str:
    """Whether one key is to come before another: NaN comes last either way."""
    kind, ahead = WGSL_TYPES[dtype], "a > b" if descending else "a < b"
    found = f"!is_nan(a) && (is_nan(b) || {ahead})" if dtype in FLOATS else ahead
    return f"fn precedes(a: {kind}, b: {kind}) -> bool {{ return {found}; }}"
