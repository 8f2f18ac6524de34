"""Cuts a graph until each array that is stored fits what the device binds: fuse, look, cut, and again.

What is only computed on the way to something else may be as large as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

from scellis.errors import ScellisError
from scellis.graph.fuse import Group
from scellis.graph.graph import Graph
from scellis.graph.split import Split, apart, split
from scellis.graph.split_cuts import exceeds_grid
from scellis.graph.types import F16, ArrayType

ELEMENT_BYTES = 4
"""Of every type in a buffer but f16, and what all sizes are multiples of (WebGPU)."""
HALF_BYTES = 2
"""Of f16 on a device that has it."""
HALVES = "shader-f16"
"""The feature of a device that has f16."""
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


def size_bytes(type_: ArrayType, halves: bool) -> int:
    """Of an array in a buffer, a multiple of `ELEMENT_BYTES`."""
    each = HALF_BYTES if halves and type_.dtype == F16 else ELEMENT_BYTES
    return -(-type_.size * each // ELEMENT_BYTES) * ELEMENT_BYTES


def fit(
    graph: Graph,
    grouped: Callable[[Graph], list[Group]],
    limit: int,
    halves: bool,
    carry: Mapping[int, int],
) -> tuple[Split, list[Group]]:
    """The graph in parts of at most `limit` bytes where it has larger arrays, and its kernels by `grouped`.

    Raises `SCL-KERNEL-BUFFER` for an operation that has larger arrays and cannot be cut.
    """
    found, cut = Split.none(graph), set[int]()
    while True:
        found = apart(found, carry)
        groups = grouped(found.graph)
        large = {found.origin[node] for node in _too_large(found.graph, groups, limit, halves)}
        if not large:
            return found, groups
        if large <= cut:
            raise _refused(found, large, limit, halves)
        cut |= large
        found = split(graph, limit // ELEMENT_BYTES, cut, carry)


def _too_large(graph: Graph, groups: Sequence[Group], limit: int, halves: bool) -> Set[int]:
    """The nodes that are stored as more than so many bytes, and products of too many workgroups."""
    stored = {*graph.inputs, *(root for group in groups for root in group.roots)}
    cores = {core for group in groups for core in group.cores if graph.nodes[core].op == "matmul"}
    return {node for node in stored if size_bytes(graph.types[node], halves) > limit} | {
        node for node in cores if exceeds_grid(graph.types[node].shape)
    }


def _refused(found: Split, large: Set[int], limit: int, halves: bool) -> ScellisError:
    node = min(large)
    parts = (found.graph.types[part] for part, of in enumerate(found.origin) if of == node)
    return ScellisError(
        "SCL-KERNEL-BUFFER",
        f"Node {node}, {found.whole.named(node)}, takes an array of "
        f"{max(size_bytes(part, halves) for part in parts)} bytes, which it cannot take in parts; "
        f"this device binds at most {limit}.",
        "Compute it in parts in the program, or on a device that binds more.",
    )
