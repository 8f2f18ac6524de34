"""Cuts a graph until each array that is stored fits what the device binds: fuse, look, cut, and again.

What is only computed on the way to something else may be as large as it likes.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from scellis.errors import ScellisError
from scellis.graph.fuse import Group, fuse
from scellis.graph.graph import Graph
from scellis.graph.split import Split, split
from scellis.graph.split_cuts import exceeds_grid
from scellis.kernels.merge import merge

ELEMENT_BYTES = 4
"""Of every type in a buffer."""
LEAST_BINDING_BYTES = 2**27
"""What every device of WebGPU binds as one array."""
MOST_BYTES = 2**31 - 4
"""The most of one buffer: larger sizes are none on a tape."""


def array_bytes(limits: Mapping[str, int], tier: str) -> int:
    """The largest array of a plan, in bytes. In the debug tier it is the same on every device."""
    least = LEAST_BINDING_BYTES if tier == "debug" else MOST_BYTES
    found = min(limits["maxStorageBufferBindingSize"], buffer_bytes(limits), least)
    return found // ELEMENT_BYTES * ELEMENT_BYTES


def buffer_bytes(limits: Mapping[str, int]) -> int:
    """The largest buffer of a device."""
    return min(limits.get("maxBufferSize", MOST_BYTES), MOST_BYTES)


def fit(graph: Graph, bindings: int, limit: int, carry: Mapping[int, int]) -> tuple[Split, list[Group]]:
    """The graph in parts of at most `limit` bytes where it has larger arrays, and its kernels.

    Raises `SCL-KERNEL-BUFFER` for an operation that has larger arrays and cannot be cut.
    """
    elements = limit // ELEMENT_BYTES
    found, cut = Split.none(graph), set[int]()
    while True:
        # What has no elements has nothing to compute, and nothing that reads it an element of it.
        groups = [
            group for group in fuse(found.graph, bindings, elements) if found.graph.types[group.roots[0]].size
        ]
        groups = merge(found.graph, groups, bindings)
        large = {found.origin[node] for node in _too_large(found.graph, groups, elements)}
        if not large:
            return found, groups
        if large <= cut:
            raise _refused(graph, found, large, limit)
        cut |= large
        found = split(graph, elements, cut, carry)


def _too_large(graph: Graph, groups: list[Group], elements: int) -> Set[int]:
    """The nodes that are stored as more than so many elements, and products of too many workgroups."""
    stored = {*graph.inputs, *(root for group in groups for root in group.roots)}
    cores = {core for group in groups for core in group.cores if graph.nodes[core].op == "matmul"}
    return {node for node in stored if graph.types[node].size > elements} | {
        node for node in cores if exceeds_grid(graph.types[node].shape)
    }


def _refused(graph: Graph, found: Split, large: Set[int], limit: int) -> ScellisError:
    node = min(large)
    most = max(found.graph.types[part].size for part, of in enumerate(found.origin) if of == node)
    return ScellisError(
        "SCL-KERNEL-BUFFER",
        f"Node {node}, {graph.nodes[node].op} of {graph.types[node]}, takes an array of "
        f"{most * ELEMENT_BYTES} bytes, which it cannot take in parts; this device binds at most {limit}.",
        "Compute it in parts in the program, or on a device that binds more.",
    )
