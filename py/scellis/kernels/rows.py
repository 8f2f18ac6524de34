"""Lowers reductions along rows, and what goes with them, to one kernel: softmax, norms, losses.

A kernel goes through its row once for each reduction and once for what it stores. What lies between is
computed again each time it is needed: that costs less than to store it.
"""

from __future__ import annotations

import math
import re

import attrs

from scellis.graph.fuse import REDUCTIONS, Group
from scellis.graph.graph import Graph
from scellis.graph.movement import int_of, shape_of
from scellis.kernels.accumulators import accumulator
from scellis.kernels.assembly import WORKGROUP, ArrayKernel, assembled, folded, names, store
from scellis.kernels.elements import Elements, Place
from scellis.kernels.expressions import rounded
from scellis.kernels.templates import read_wgsl

WIDE = 256
"""Threads that share a row."""
SERIAL_LENGTH = 64
"""Elements of a row that one thread goes through alone, rather than a workgroup."""
STAGE_LIMIT = 8
"""The most reductions of a kernel: each takes shared memory."""


@attrs.frozen
class Rows:
    """`rows` of `length` elements."""

    rows: int
    length: int


def rows_of_core(graph: Graph, core: int) -> Rows | None:
    """The rows that a reduction goes along, None for one that does not go along the last axes."""
    node = graph.nodes[core]
    if node.op not in REDUCTIONS:
        return None
    shape = graph.types[node.args[0]].shape
    axes = shape_of(node.params, "axes") if "axes" in node.params else (int_of(node.params, "axis"),)
    if axes != tuple(range(len(shape) - len(axes), len(shape))):
        return None
    length = math.prod(shape[len(shape) - len(axes) :])
    return Rows(graph.types[core].size, length) if length else None


def rows_of(graph: Graph, group: Group) -> Rows | None:
    """The rows that all of a group's reductions go along."""
    found = {rows_of_core(graph, core) for core in group.cores}
    if len(found) != 1 or len(group.cores) > STAGE_LIMIT:
        return None
    (rows,) = found
    if rows is None or any(
        graph.types[root].size not in (rows.rows, rows.rows * rows.length) for root in group.roots
    ):
        return None
    return rows


def lower_rows(graph: Graph, group: Group, rows: Rows, tier: str) -> ArrayKernel:
    """The kernel of a group that goes along rows. Raises `Unbound` where one row needs another's."""
    serial = rows.length <= SERIAL_LENGTH and rows.rows > 1
    threads = WORKGROUP if serial else WIDE
    accumulators: list[str] = []
    stages: list[str] = []
    for number, core in enumerate(group.cores):
        node = graph.nodes[core]
        dtype = graph.types[node.args[0]].dtype
        accumulators.append(accumulator(node.op, dtype, str(number)))
        if not serial:
            accumulators.append(_numbered(read_wgsl("fold.wgsl"), number))
        elements = _elements(graph, group, number)
        value = elements.value(node.args[0], _place(elements, graph, node.args[0], rows))
        element = f"Accumulator{number}({value}, r)" if node.op.startswith("arg") else value
        elements.lines.append(f"gathered{number} = combine{number}(gathered{number}, {element});")
        gathered = f"gathered{number}"
        stages += [
            f"var {gathered} = identity{number}();",
            _loop(elements.lines, 1 if serial else threads),
            f"let whole{number} = {gathered if serial else f'fold{number}(thread, {gathered})'};",
        ]
    stages += _stores(graph, group, rows, 1 if serial else threads)
    return assembled(
        graph,
        group,
        tier,
        "rows_serial.wgsl" if serial else "rows.wgsl",
        folded(-(-rows.rows // threads) if serial else rows.rows),
        {"ROWS": rows.rows, "LENGTH": rows.length, "WORKGROUP": threads},
        {"ACCUMULATORS": "\n".join(accumulators), "STAGES": "\n".join(stages)},
    )


def _stores(graph: Graph, group: Group, rows: Rows, step: int) -> list[str]:
    """What is stored once a row, and what for each element."""
    stages: list[str] = []
    once = [root for root in group.roots if graph.types[root].size == rows.rows]
    each = [root for root in group.roots if root not in once]
    if once:
        elements = _elements(graph, group, len(group.cores), "o")
        for root in once:
            store(graph, group, [root], elements, _row_place(elements, graph, root))
        body = "\n".join(f"  {line}" for line in elements.lines)
        stages.append(f"if (thread == 0u) {{\n{body}\n}}")
    if each:
        elements = _elements(graph, group, len(group.cores))
        for root in each:
            store(graph, group, [root], elements, _place(elements, graph, root, rows))
        stages.append(_loop(elements.lines, step))
    return stages


def _elements(graph: Graph, group: Group, stage: int, prefix: str = "v") -> Elements:
    """Elements of a row, for which the reductions before `stage` are known."""
    elements = Elements(graph, names(group), prefix)
    for number, core in enumerate(group.cores[:stage]):
        searched = graph.nodes[core].op.startswith("arg")
        value = f"i32(whole{number}.place)" if searched else f"whole{number}"
        for place in ("row", "0u") if graph.types[core].size == 1 else ("row",):
            elements.bind(core, place, rounded(value, graph.types[core].dtype))
    return elements


def _place(elements: Elements, graph: Graph, node: int, rows: Rows) -> Place:
    """The place of element `r` of row `row` in an array of as many elements as there are."""
    shape = graph.types[node].shape
    split = next((at for at in range(len(shape) + 1) if math.prod(shape[:at]) == rows.rows
                  and math.prod(shape[at:]) == rows.length), None)  # fmt: skip
    if split is None:
        return Place("i", None)
    outer = elements.coordinates(shape[:split], Place("row", None))
    inner = elements.coordinates(shape[split:], Place("r", None))
    return Place("i", (*outer, *inner))


def _row_place(elements: Elements, graph: Graph, node: int) -> Place:
    return Place("row", elements.coordinates(graph.types[node].shape, Place("row", None)))


def _loop(lines: list[str], step: int) -> str:
    body = "\n".join(f"  {line}" for line in ["let i = row * LENGTH + r;", *lines])
    return f"for (var r = thread; r < LENGTH; r += {step}u) {{\n{body}\n}}"


def _numbered(text: str, number: int) -> str:
    """A shared function of one reduction among several."""
    return re.sub(r"\b(Accumulator|tree|fold|combine)\b", rf"\g<1>{number}", text)
