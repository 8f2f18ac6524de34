"""From a graph to what a device is told: kernels in order, and the buffers that they share.

A buffer is used again once nothing reads what it holds, so that a long graph takes about as much memory as is
alive at a time.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence

import attrs

from scellis.errors import ScellisError
from scellis.graph.expand import expand
from scellis.graph.fold import fold
from scellis.graph.fuse import fuse
from scellis.graph.graph import Graph
from scellis.graph.prune import prune
from scellis.graph.trap import asked_of
from scellis.kernels.arrays import lower_group
from scellis.kernels.assembly import ArrayKernel
from scellis.kernels.attention import is_kernel
from scellis.kernels.carry import check_carry, written_over
from scellis.kernels.merge import merge

LEAST_BINDINGS = 8
"""Arrays that every device of WebGPU binds in a kernel."""
ELEMENT_BYTES = 4
"""Of every type in a buffer."""


@attrs.frozen
class Step:
    """One dispatch: a kernel and the buffers it binds, in order."""

    kernel: ArrayKernel
    buffers: tuple[int, ...]


@attrs.frozen
class ArrayPlan:
    """A lowered graph. Buffers are numbered, `sizes` in bytes; `inputs` and `outputs` say which hold them."""

    graph: Graph
    steps: tuple[Step, ...]
    sizes: tuple[int, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    copies: tuple[tuple[int, int], ...]
    """from buffer to buffer, at the end: what is carried and could not be written in its place"""

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


def plan_graph(
    graph: Graph,
    limits: Mapping[str, int],
    tier: str = "prod",
    carry: Mapping[int, int] | None = None,
    adapter: str = "software",
    flags: int = 0,
) -> ArrayPlan:
    """Lower a graph for a device of these limits and class. `carry`: outputs that become inputs then.

    `flags`: so many outputs at the end are those of a trap (`graph.trap`). What they tell of is then stored,
    nothing is merged, and no input is written over: what is checked is what is used, and can be gone back to.
    Raises `SCL-KERNEL-BUFFER` for an array that the device cannot bind, naming operation and line.
    """
    carry = carry or {}
    check_carry(graph, carry)
    bindings = int(limits["maxStorageBuffersPerShaderStage"])
    if tier == "debug":  # the same kernels on every device
        adapter, bindings = "software", LEAST_BINDINGS
    graph = expand(prune(fold(graph)), lambda graph, index: is_kernel(graph, index, adapter))
    # What has no elements has nothing to compute, and nothing that reads it an element of it.
    groups = [
        group for group in fuse(graph, bindings, asked_of(graph, flags)) if graph.types[group.roots[0]].size
    ]
    if not flags:
        groups = written_over(graph, merge(graph, groups, bindings), carry)
    over = {root: given for group in groups for root, given in group.over}
    roots = [root for group in groups for root in group.roots]
    bindable = limits["maxStorageBufferBindingSize"]
    _check_sizes(graph, roots, min(bindable, limits.get("maxBufferSize", bindable)))
    kernels = [lower_group(graph, group, tier, adapter) for group in groups]
    last_use = {node: step for step, kernel in enumerate(kernels) for node in kernel.reads}
    for output in graph.outputs:
        last_use[output] = len(kernels)
    buffers = _Buffers()
    held = {node: buffers.take(_bytes(graph, node)) for node in graph.inputs}
    inputs = set(held)
    empty = {node for node, found in enumerate(graph.types) if not found.size} - inputs
    held |= dict.fromkeys(empty, buffers.take(0)) if empty else {}
    steps: list[Step] = []
    for number, kernel in enumerate(kernels):
        for root in kernel.roots:
            held[root] = held[over[root]] if root in over else buffers.take(_bytes(graph, root))
        bound = (*kernel.reads, *kernel.roots)
        steps.append(Step(kernel, tuple(held[node] for node in bound)))
        for node in {*bound} - over.keys():
            # Inputs stay: a graph may be computed again from what is there.
            if last_use.get(node, number) <= number and node not in inputs and node not in empty:
                buffers.give_back(held[node])
    return ArrayPlan(
        graph,
        tuple(steps),
        tuple(buffers.sizes),
        tuple(held[node] for node in graph.inputs),
        tuple(held[node] for node in graph.outputs),
        tuple(
            (held[graph.outputs[output]], held[graph.inputs[given]])
            for output, given in carry.items()
            if over.get(graph.outputs[output]) != graph.inputs[given]
        ),
    )


def _bytes(graph: Graph, node: int) -> int:
    return max(graph.types[node].size, 1) * ELEMENT_BYTES


def _check_sizes(graph: Graph, roots: Sequence[int], limit: int) -> None:
    for node in (*graph.inputs, *roots):
        if _bytes(graph, node) > limit:
            raise ScellisError(
                "SCL-KERNEL-BUFFER",
                f"Node {node}, {graph.named(node)}, takes {_bytes(graph, node)} bytes; this device binds at "
                f"most {limit}.",
                "Compute it in parts.",
            )


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
