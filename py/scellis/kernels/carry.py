"""Arrays that go from one computation of a graph to the next, as parameters do: written over in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from scellis.errors import ScellisError
from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.kernels.assembly import names
from scellis.kernels.elements import Elements, Place
from scellis.kernels.rows import read_by_rows, rows_of


def check_carry(graph: Graph, carry: Mapping[int, int]) -> None:
    """Raise `SCL-GRAPH-CARRY` unless each output named is of the type of the input that it becomes."""
    for output, given in carry.items():
        if not (0 <= output < len(graph.outputs) and 0 <= given < len(graph.inputs)):
            raise ScellisError(
                "SCL-GRAPH-CARRY", f"There is no output {output} or no input {given} to carry."
            )
        made, wanted = graph.types[graph.outputs[output]], graph.types[graph.inputs[given]]
        if made != wanted or graph.outputs[output] in graph.inputs:
            raise ScellisError(
                "SCL-GRAPH-CARRY", f"Output {output}, {made}, cannot become input {given}, {wanted}."
            )
    nodes = [graph.outputs[output] for output in carry]
    if len(set(carry.values())) < len(carry) or len(set(nodes)) < len(nodes):
        raise ScellisError("SCL-GRAPH-CARRY", "An array is carried to one input, and an input has one array.")


def written_over(graph: Graph, groups: Sequence[Group], carry: Mapping[int, int]) -> list[Group]:
    """The groups, with what is carried written over its input wherever no element is lost by that.

    That holds for a kernel that goes by elements or rows, reads of the input only the element that it writes,
    and is the last to read it: the thread that writes an element is then the one that has read it.
    """
    wanted = {graph.outputs[output]: graph.inputs[given] for output, given in carry.items()}
    last = {node: place for place, group in enumerate(groups) for node in group.reads}
    result = []
    for place, group in enumerate(groups):
        over = [
            (root, wanted[root])
            for root in group.roots
            if root in wanted and last.get(wanted[root], -1) <= place and wanted[root] not in graph.outputs
        ]
        taken = _taken(graph, group) if over else None
        safe = tuple(
            (root, given)
            for root, given in over
            if taken is not None and all(at == "i" for node, at in taken if node == given)
        )
        result.append(attrs.evolve(group, over=safe))
    return result


def _taken(graph: Graph, group: Group) -> set[tuple[int, str]] | None:
    """The elements that a kernel reads, as (node, number); None for one that goes by neither."""
    if group.cores:
        rows = rows_of(graph, group)
        return None if rows is None else read_by_rows(graph, group, rows)
    elements = Elements(graph, names(group))
    for root in group.roots:
        elements.value(root, Place("i", None))
    return elements.read
