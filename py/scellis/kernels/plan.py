"""From a graph to what a device is told: kernels in order, and the buffers that they share.

A buffer is used again once nothing reads what it holds, so that a long graph takes about as much memory as is
alive at a time.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Container, Mapping, Sequence
from functools import cached_property

import attrs

from scellis.content import address, canonical_json
from scellis.graph.expand import expand
from scellis.graph.fold import fold
from scellis.graph.fuse import Group, fuse
from scellis.graph.graph import Graph
from scellis.graph.prune import prune
from scellis.graph.split import Split
from scellis.graph.trap import asked_of
from scellis.graph.types import F16
from scellis.kernels.arrays import lower_group
from scellis.kernels.assembly import ArrayKernel, with_head
from scellis.kernels.attention import is_kernel
from scellis.kernels.carry import check_carry, written_over
from scellis.kernels.fit import ELEMENT_BYTES, HALVES, array_bytes, fit, size_bytes
from scellis.kernels.folds import has_subgroups
from scellis.kernels.matrices import has_matrices
from scellis.kernels.merge import merge
from scellis.kernels.split_k import split_k

LEAST_BINDINGS = 8
"""Arrays that every device of WebGPU binds in a kernel."""


@attrs.frozen
class Step:
    """One dispatch: a kernel and the buffers it binds, in order."""

    kernel: ArrayKernel
    buffers: tuple[int, ...]


@attrs.frozen(slots=False)
class ArrayPlan:
    """A lowered graph. Buffers are numbered, `sizes` in bytes; `inputs` and `outputs` say which hold them.

    The graph is that of `split`: an array that is too large for a buffer is several inputs or outputs there.
    """

    split: Split
    steps: tuple[Step, ...]
    sizes: tuple[int, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    copies: tuple[tuple[int, int], ...]
    """from buffer to buffer, at the end: what is carried and could not be written in its place"""
    halves: bool
    """f16 is stored as such; else it is emulated, in f32"""
    notices: tuple[str, ...]
    """what the device does in another way than was asked for"""

    @property
    def graph(self) -> Graph:
        """What the steps compute, in parts where arrays are cut."""
        return self.split.graph

    @property
    def bytes(self) -> int:
        """Of all buffers together."""
        return sum(self.sizes)

    @property
    def labels(self) -> list[str]:
        """What each buffer holds first, for errors."""
        found = ["nothing"] * len(self.sizes)
        steps = ((step.buffers, (*step.kernel.reads, *step.kernel.roots)) for step in reversed(self.steps))
        for buffers, nodes in (*steps, (self.inputs, self.graph.inputs)):
            for buffer, node in zip(buffers, nodes, strict=True):
                found[buffer] = self.graph.named(node)
        return found

    def size_bytes(self, node: int) -> int:
        """Of a node's array, a multiple of `ELEMENT_BYTES`."""
        return size_bytes(self.graph.types[node], self.halves)

    @cached_property
    def address(self) -> str:
        """The content address of what a device is told: two plans of one address are the same dispatches."""
        steps = [[step.kernel.address, step.kernel.workgroups, step.buffers] for step in self.steps]
        told = {"steps": steps, "sizes": self.sizes, "inputs": self.inputs, "outputs": self.outputs}
        return address(canonical_json({**told, "copies": self.copies, "halves": self.halves}))


def plan_graph(
    graph: Graph,
    limits: Mapping[str, int],
    tier: str = "prod",
    carry: Mapping[int, int] | None = None,
    adapter: str = "software",
    features: Container[str] = (),
    *,
    flags: int = 0,
    fused: bool = True,
) -> ArrayPlan:
    """Lower a graph for a device of these limits, class and features. `carry`: outputs that become inputs.

    Not `fused`, each operation that computes is a kernel of its own: what fusion is measured against.

    `flags`: so many outputs at the end are those of a trap (`graph.trap`). What they tell of is then stored,
    nothing is merged, and no input is written over: what is checked is what is used, and can be gone back to.

    Arrays that the device cannot bind are cut into parts. Raises `SCL-KERNEL-BUFFER` for an operation that
    cannot be, naming it and its line.
    """
    carry = carry or {}
    check_carry(graph, carry)
    bindings = int(limits["maxStorageBuffersPerShaderStage"])
    if tier == "debug":  # the same kernels on every device
        adapter, bindings, features = "software", LEAST_BINDINGS, ()
    halves, limit = HALVES in features, array_bytes(limits, tier)

    def grouped(graph: Graph) -> list[Group]:
        watched, elements = asked_of(graph, flags), limit // ELEMENT_BYTES
        found = fuse(graph, bindings, watched, elements=elements, apart=not fused)
        # What has no elements has nothing to compute, and nothing that reads it an element of it.
        groups = [group for group in found if graph.types[group.roots[0]].size]
        return merge(graph, groups, bindings) if fused and not flags else groups

    graph = expand(prune(fold(graph)), lambda graph, index: is_kernel(graph, index, adapter))
    if adapter == "gpu" and fused:
        graph = split_k(graph)
    split, groups = fit(graph, grouped, limit, halves, carry)
    graph, carry = split.graph, split.carried(carry)
    if not flags:
        groups = written_over(graph, groups, carry)
    over = {root: given for group in groups for root, given in group.over}
    roots = [root for group in groups for root in group.roots]
    matrices = adapter == "gpu" and has_matrices(features, limits)
    subgroups = tier == "fast" and has_subgroups(features, adapter)
    lowered = (
        lower_group(graph, group, tier, adapter, matrices=matrices, subgroups=subgroups) for group in groups
    )
    kernels = [with_head(kernel, halves) for kernel in lowered]
    last_use = {node: step for step, kernel in enumerate(kernels) for node in kernel.reads}
    for output in graph.outputs:
        last_use[output] = len(kernels)
    buffers = _Buffers()
    held = {node: buffers.take(size_bytes(graph.types[node], halves)) for node in graph.inputs}
    inputs = set(held)
    empty = {node for node, found in enumerate(graph.types) if not found.size} - inputs
    held |= dict.fromkeys(empty, buffers.take(0)) if empty else {}
    steps: list[Step] = []
    for number, kernel in enumerate(kernels):
        for root in kernel.roots:
            size = size_bytes(graph.types[root], halves)
            held[root] = held[over[root]] if root in over else buffers.take(size)
        bound = (*kernel.reads, *kernel.roots)
        steps.append(Step(kernel, tuple(held[node] for node in bound)))
        for node in {*bound} - over.keys():
            # Inputs stay: a graph may be computed again from what is there.
            if last_use.get(node, number) <= number and node not in inputs and node not in empty:
                buffers.give_back(held[node])
    copies = (
        (held[graph.outputs[output]], held[graph.inputs[given]])
        for output, given in carry.items()
        if graph.outputs[output] not in empty
    )
    return ArrayPlan(
        split,
        tuple(steps),
        tuple(buffers.sizes),
        tuple(held[node] for node in graph.inputs),
        tuple(held[node] for node in graph.outputs),
        tuple((source, target) for source, target in copies if source != target),
        halves,
        _notices(graph, (*graph.inputs, *roots), tier, halves),
    )


def _notices(graph: Graph, stored: Sequence[int], tier: str, halves: bool) -> tuple[str, ...]:
    if halves or not any(graph.types[node].dtype == F16 for node in stored):
        return ()
    why = "debug has the same kernels on every device" if tier == "debug" else f"this adapter has no {HALVES}"
    return (f"f16 emulated: {why}; the values are the same, in {ELEMENT_BYTES} bytes each.",)


class _Buffers:
    """Buffers that are taken and given back: the one that fits best, else a new one."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self._free: list[tuple[int, int]] = []  # size and number, in order

    def take(self, size: int) -> int:
        at = bisect_left(self._free, (size, 0))
        # One that is far too large is left for what needs it.
        if at < len(self._free) and self._free[at][0] <= 2 * size:
            return self._free.pop(at)[1]
        self.sizes.append(max(size, ELEMENT_BYTES))
        return len(self.sizes) - 1

    def give_back(self, buffer: int) -> None:
        insort(self._free, (self.sizes[buffer], buffer))
