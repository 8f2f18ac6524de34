"""Which arrays are read four neighbours at a time, and the statements that read them so."""

from __future__ import annotations

from scellis.graph.fuse import Group, computed, read_by
from scellis.graph.graph import Graph
from scellis.graph.types import F16
from scellis.kernels.assembly import names
from scellis.kernels.elements import LANES, Elements, Place
from scellis.kernels.views import view_of


def arrays_of(graph: Graph, group: Group, node: int) -> set[int]:
    """The stored arrays that a node of a group is made of."""
    stored = set(group.reads)
    return {node} if node in stored else read_by(graph, computed(graph, [node], stored), stored)


def read_in_fours(
    graph: Graph, group: Group, operands: list[tuple[int, int | None]], each: int = 4
) -> frozenset[int]:
    """The arrays that all who read them take four neighbours of at a time.

    `operands` has the nodes that a kernel's cores read, each with the axis along which it is read in fours,
    None where it is read element by element. `each`: so many are taken, rather than four.
    """
    found: set[int] = set()
    single = {given for _, given in group.over}
    for node, axis in operands:
        view = None if axis is None else view_of(graph, group, node)
        if view is not None and axis is not None and view.in_groups(axis, each):
            found.add(view.array)
        else:
            single |= arrays_of(graph, group, node)
    following = Elements(graph, names(group))
    for core in group.cores:
        following.bind(core, "i", "total")
    for root in group.roots:
        following.value(root, Place("i", None))
    return frozenset(found - single - {node for node, _ in following.read})


def four(
    graph: Graph, group: Group, quads: frozenset[int], node: int, coordinates: tuple[str, ...], axis: int
) -> tuple[list[str], str]:
    """Statements, and the WGSL of a vec4 of f32: a node's element at `coordinates` and three next to it.

    Along `axis` the coordinate is a multiple of four; past the axis' end is read whatever WebGPU gives.
    """
    if quads & arrays_of(graph, group, node):
        lines, array, number = placed(graph, group, node, coordinates)
        text = f"{names(group)[array]}[{number} / 4u]"
        return lines, f"vec4<f32>({text})" if graph.types[array].dtype == F16 else text
    reading = Elements(graph, names(group))
    axis %= len(coordinates)
    lanes = []
    for lane in range(len(LANES)):
        at = (*coordinates[:axis], f"({coordinates[axis]} + {lane}u)", *coordinates[axis + 1 :])
        lanes.append(reading.value(node, Place(None, at)))
    return reading.lines, f"vec4<f32>({', '.join(lanes)})"


def placed(graph: Graph, group: Group, node: int, coordinates: tuple[str, ...]) -> tuple[list[str], int, str]:
    """Statements, and the array and number of the element that a node has at `coordinates`."""
    reading = Elements(graph, names(group))
    reading.value(node, Place(None, coordinates))
    ((array, number),) = reading.read
    # Without the statement that takes the element, and what widens it.
    taken = next(at for at, line in enumerate(reading.lines) if f"{names(group)[array]}[" in line)
    return reading.lines[:taken], array, number
