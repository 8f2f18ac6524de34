"""From a graph to what a device is told: kernels in order, and the buffers that they share.

A buffer is used again once nothing reads what it holds, so that a long graph takes about as much memory as is
alive at a time.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from scellis.graph.expand import expand
from scellis.graph.fold import fold
from scellis.graph.graph import Graph
from scellis.graph.prune import prune
from scellis.graph.split import Split
from scellis.kernels.arrays import lower_group
from scellis.kernels.assembly import ArrayKernel
from scellis.kernels.carry import check_carry, written_over
from scellis.kernels.fit import ELEMENT_BYTES, array_bytes, fit

LEAST_BINDINGS = 8
"""Arrays that every device of WebGPU binds in a kernel."""


@attrs.frozen
class Step:
    """One dispatch: a kernel and the buffers it binds, in order."""

    kernel: ArrayKernel
    buffers: tuple[int, ...]


@attrs.frozen
class ArrayPlan:
    """A lowered graph. Buffers are numbered, `sizes` in bytes; `inputs` and `outputs` say which hold them.

    The graph is that of `split`: an array that is too large for a buffer is several inputs or outputs there.
    """

    graph: Graph
    steps: tuple[Step, ...]
    sizes: tuple[int, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    copies: tuple[tuple[int, int], ...]
    """from buffer to buffer, at the end: what is carried and could not be written in its place"""
    split: Split

    @property
    def bytes(self) -> int:
        """Of all buffers together."""
        return sum(self.sizes)


def plan_graph(
    graph: Graph,
    limits: Mapping[str, int],
    tier: str = "prod",
    carry: Mapping[int, int] | None = None,
    adapter: str = "software",
) -> ArrayPlan:
    """Lower a graph for a device of these limits and class. `carry`: outputs that become inputs then.

    Arrays that the device cannot bind are cut into parts. Raises `SCL-KERNEL-BUFFER` for an operation that
    cannot be, by its name.
    """
    carry = carry or {}
    check_carry(graph, carry)
    bindings = int(limits["maxStorageBuffersPerShaderStage"])
    if tier == "debug":  # the same kernels on every device
        adapter, bindings = "software", LEAST_BINDINGS
    split, groups = fit(expand(prune(fold(graph))), bindings, array_bytes(limits, tier), carry)
    graph, carry = split.graph, split.carried(carry)
    groups = written_over(graph, groups, carry)
    over = {root: given for group in groups for root, given in group.over}
    kernels = [lower_group(graph, group, tier, adapter) for group in groups]
    last_use = {node: step for step, kernel in enumerate(kernels) for node in kernel.reads}
    for output in graph.outputs:
        last_use[output] = len(kernels)
    buffers = _Buffers()
    held = {node: buffers.take(_bytes(graph, node)) for node in graph.inputs}
    empty = [node for node, found in enumerate(graph.types) if not found.size and node not in held]
    held |= dict.fromkeys(empty, buffers.take(0)) if empty else {}
    steps: list[Step] = []
    for number, kernel in enumerate(kernels):
        for root in kernel.roots:
            held[root] = held[over[root]] if root in over else buffers.take(_bytes(graph, root))
        bound = (*kernel.reads, *kernel.roots)
        steps.append(Step(kernel, tuple(held[node] for node in bound)))
        for node in {*bound} - over.keys():
            # Inputs stay: a graph may be computed again from what is there.
            if last_use.get(node, number) <= number and node not in graph.inputs and node not in empty:
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
        split,
    )


def _bytes(graph: Graph, node: int) -> int:
    return max(graph.types[node].size, 1) * ELEMENT_BYTES


class _Buffers:
    """Buffers that are taken and given back: the one that fits best, else a new one."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self._free: list[int] = []

    def take(self, size: int) -> int:
        fitting = [buffer for buffer in self._free if self.sizes[buffer] >= size]
        if fitting:
            best = min(fitting, key=lambda buffer: (self.sizes[buffer], buffer))
            # One that is far too large is left for what needs it.
            if self.sizes[best] <= 2 * size:
                self._free.remove(best)
                return best
        self.sizes.append(max(size, ELEMENT_BYTES))
        return len(self.sizes) - 1

    def give_back(self, buffer: int) -> None:
        self._free.append(buffer)
