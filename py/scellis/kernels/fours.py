"""Which arrays are read four neighbours at a time, and the statements that read them so."""

from __future__ import annotations

from scellis.graph.cuts import matched
from scellis.graph.fuse import Group, computed, read_by, widens
from scellis.graph.graph import Graph
from scellis.graph.movement import shape_of
from scellis.graph.types import F16
from scellis.kernels.assembly import names
from scellis.kernels.elements import LANES, Elements, Place


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
        array = None if axis is None else lies_along(graph, group, node, axis % graph.types[node].rank, 4)
        if array is None:
            single |= arrays_of(graph, group, node)
        else:
            found.add(array)
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


def lies_along(graph: Graph, group: Group, node: int, axis: int, step: int = 1) -> int | None:
    """The array in which neighbours along an axis of a node are neighbours, None where none is.

    With a `step`, as many of them from each multiple of it on.
    """
    while graph.types[node].shape[axis] % step == 0:
        made, shape = graph.nodes[node], graph.types[node].shape
        if node in group.reads:
            return node if axis == len(shape) - 1 else None
        given = graph.types[made.args[0]].shape if made.args else ()
        if made.op == "permute_dims":
            axis = shape_of(made.params, "axes")[axis]
        elif made.op == "broadcast_to":
            axis -= len(shape) - len(given)
            if axis < 0 or given[axis] != shape[axis + len(shape) - len(given)]:
                return None
        elif made.op == "slice":
            if shape_of(made.params, "start")[axis] % step or shape_of(made.params, "step")[axis] != 1:
                return None
        elif made.op == "reshape":
            moved = _reshaped(shape, given, axis)
            if moved is None:
                return None
            axis = moved
        elif not widens(graph, node):
            return None
        node = made.args[0]
    return None


def _reshaped(shape: tuple[int, ...], given: tuple[int, ...], axis: int) -> int | None:
    """The axis of `given` along which neighbours along the axis of `shape` lie; None where they are apart."""
    for old, new in matched(shape, given):
        if axis in range(old.start, old.stop):
            return new.stop - 1 if axis == old.stop - 1 and new.stop > new.start else None
    return None
