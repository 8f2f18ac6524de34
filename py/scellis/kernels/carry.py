"""Arrays that go from one computation of a graph to the next, as parameters do: written over in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from scellis.errors import ScellisError
from scellis.graph.fuse import Group, computed, read_by
from scellis.graph.graph import Graph
from scellis.kernels.assembly import names
from scellis.kernels.elements import Elements, Place
from scellis.kernels.rows import read_by_rows, rows_of
from scellis.kernels.waits import Waits


def check_carry(graph: Graph, carry: Mapping[int, int]) -> None:
    """Raise `SCL-GRAPH-CARRY` unless each output named is of the type of the input that it becomes."""
    for output, given in carry.items():
        if not (0 <= output < len(graph.outputs) and 0 <= given < len(graph.inputs)):
            raise ScellisError(
                "SCL-GRAPH-CARRY", f"There is no output {output} or no input {given} to carry."
            )
        made, wanted = graph.types[graph.outputs[output]], graph.types[graph.inputs[given]]
        if made != wanted:
            raise ScellisError(
                "SCL-GRAPH-CARRY", f"Output {output}, {made}, cannot become input {given}, {wanted}."
            )
    if len(set(carry.values())) < len(carry):
        raise ScellisError("SCL-GRAPH-CARRY", "Two outputs cannot become the same input.")


def written_over(graph: Graph, groups: Sequence[Group], carry: Mapping[int, int]) -> list[Group]:
    """The groups, with what is carried written over its input wherever no element is lost by that.

    That holds for a kernel that reads of the input only the element that it writes, and is the last to read
    it: the thread that writes an element is then the one that has read it.
    """
    wanted = {graph.outputs[output]: graph.inputs[given] for output, given in carry.items()}
    groups = _readers_first(groups, wanted)
    last = {node: place for place, group in enumerate(groups) for node in group.reads}
    outputs = set(graph.outputs)
    result = []
    for place, group in enumerate(groups):
        over = [
            (root, wanted[root])
            for root in group.roots
            if root in wanted and last.get(wanted[root], -1) <= place and wanted[root] not in outputs
        ]
        taken = _taken(graph, group) if over else set()
        safe = tuple(
            (root, given) for root, given in over if all(at == "i" for node, at in taken if node == given)
        )
        result.append(attrs.evolve(group, over=safe))
    return result


def _readers_first(groups: Sequence[Group], wanted: Mapping[int, int]) -> list[Group]:
    """The groups in an order in which what is written over an input comes after those that read it.

    Where a reader waits for the writer itself, the order is left as it is.
    """
    home = {root: place for place, group in enumerate(groups) for root in group.roots}
    waits = Waits()
    readers: dict[int, list[int]] = {}
    for place, group in enumerate(groups):
        waits.append({home[node] for node in group.reads if node in home})
        for node in group.reads:
            readers.setdefault(node, []).append(place)
    for root, given in wanted.items():
        writer = home.get(root)
        others = [place for place in readers.get(given, []) if place != writer]
        if writer is not None and not any(waits.has(place, writer) for place in others):
            waits.add(writer, others)
    return [groups[place] for place in waits.order()]


def _taken(graph: Graph, group: Group) -> set[tuple[int, str]]:
    """The elements that a kernel reads, as (node, number); `i` is the one that it writes."""
    rows = rows_of(graph, group) if group.cores else None
    if rows is not None:
        return read_by_rows(graph, group, rows)
    elements = Elements(graph, names(group))
    for core in group.cores:
        elements.bind(core, "i", "total")
    for root in group.roots:
        elements.value(root, Place("i", None))
    under = computed(graph, group.cores, group.reads)
    return elements.read | {(node, "any") for node in read_by(graph, under, set(group.reads))}
