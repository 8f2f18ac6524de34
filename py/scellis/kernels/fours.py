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


def read_in_fours(graph: Graph, group: Group, operands: list[tuple[int, int | None]]) -> frozenset[int]:
    """The arrays that all who read them take four neighbours of at a time.

    `operands` has the nodes that a kernel's cores read, each with the axis along which it is read in fours,
    None where it is read element by element.
    """
    found: set[int] = set()
    single = {given for _, given in group.over}
    for node, axis in operands:
        view = None if axis is None else view_of(graph, group, node)
        if view is not None and axis is not None and view.in_fours(axis):
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
    reading = Elements(graph, names(group))
    if quads & arrays_of(graph, group, node):
        reading.value(node, Place(None, coordinates))
        ((array, number),) = reading.read
        name = names(group)[array]
        # From the statement on that takes one element: four are taken in its place.
        first = next(at for at, line in enumerate(reading.lines) if f"{name}[" in line)
        text = f"{name}[{number} / 4u]"
        return reading.lines[:first], f"vec4<f32>({text})" if graph.types[array].dtype == F16 else text
    axis %= len(coordinates)
    lanes = []
    for lane in range(len(LANES)):
        at = (*coordinates[:axis], f"({coordinates[axis]} + {lane}u)", *coordinates[axis + 1 :])
        lanes.append(reading.value(node, Place(None, at)))
    return reading.lines, f"vec4<f32>({', '.join(lanes)})"
