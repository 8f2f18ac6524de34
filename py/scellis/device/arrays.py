"""A graph of arrays on a GPU: compiled once, then computed in one submit and one crossing each time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from scellis.device import tape
from scellis.device.port import STORAGE_USAGE, Gpu
from scellis.errors import ScellisError
from scellis.graph.evaluate import check_inputs
from scellis.graph.graph import Graph
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.op import Array
from scellis.graph.trap import Trap, watch
from scellis.graph.types import F16
from scellis.kernels.expressions import STORED_TYPES
from scellis.kernels.plan import ELEMENT_BYTES, ArrayPlan, plan_graph

LOST_REMEDY = (
    "Open the device again, compile the graph, and give every input: what was carried was on the device. "
    "The same inputs give the same bits."
)
_STORED = {"u32": np.uint32, "i32": np.int32, "f32": np.float32}


async def compile_graph(
    gpu: Gpu,
    graph: Graph,
    tier: str,
    adapter: str,
    carry: Mapping[int, int] | None = None,
    trap: str = "",
    *,
    fused: bool = True,
) -> GpuGraph:
    """Lower and compile a graph for a class of adapter. Raises `SCL-KERNEL-*` and `SCL-GPU-*`."""
    carry, trapped = dict(carry or {}), watch(graph, trap)
    info = gpu.info()
    plan = plan_graph(
        trapped.graph,
        info["limits"],
        tier,
        carry,
        adapter,
        info["features"],
        flags=len(trapped.watched),
        fused=fused,
    )
    handles: list[int] = []
    try:
        pipelines: dict[str, int] = {}
        for step in plan.steps:
            if step.kernel.address not in pipelines:
                label = plan.graph.named(step.kernel.roots[0])
                pipelines[step.kernel.address] = await gpu.pipeline(step.kernel.wgsl, "main", {}, label)
                handles.append(pipelines[step.kernel.address])
        buffers = []
        for size, label in zip(plan.sizes, plan.labels, strict=True):
            buffers.append(await gpu.buffer(size, STORAGE_USAGE, label))
            handles.append(buffers[-1])
        commands: list[int] = []
        for step in plan.steps:
            bound = [buffers[number] for number in step.buffers]
            commands += tape.dispatch(pipelines[step.kernel.address], step.kernel.workgroups, bound)
        carrying: list[int] = []
        for source, target in plan.copies:
            carrying += tape.copy(
                buffers[source], buffers[target], min(plan.sizes[source], plan.sizes[target])
            )
        if not trap:
            commands += carrying
        position = 0
        for place, (node, number) in enumerate(zip(plan.graph.outputs, plan.outputs, strict=True)):
            size = plan.size_bytes(node)
            if size and place not in carry:
                commands += tape.collect(buffers[number], size, position)
                position += size
        if not position and plan.sizes:  # the answer says that the work is done
            commands += tape.collect(buffers[0], ELEMENT_BYTES, 0)
        recorded = await gpu.tape(commands, max(position, ELEMENT_BYTES), 1, "outputs")
        handles.append(recorded)
        later = None
        if (
            trap and carrying
        ):  # once nothing was found, so that a step in which something is leaves all as it was
            carrying += tape.collect(buffers[0], ELEMENT_BYTES, 0)
            later = await gpu.tape(carrying, ELEMENT_BYTES, 1, "carry")
            handles.append(later)
    except ScellisError:
        for handle in reversed(handles):
            gpu.free(handle)
        raise
    return GpuGraph(gpu, plan, carry, trapped, buffers, recorded, later, handles)


class GpuGraph:
    """A graph on a GPU. Made by `compile_graph`."""

    def __init__(
        self,
        gpu: Gpu,
        plan: ArrayPlan,
        carry: Mapping[int, int],
        trap: Trap,
        buffers: list[int],
        recorded: int,
        later: int | None,
        handles: list[int],
    ) -> None:
        self.plan = plan
        self._gpu = gpu
        self._carry = carry
        self._trap = trap
        self._buffers = buffers
        self._tape = recorded
        self._later = later
        self._handles = handles
        self._given = [False] * len(plan.inputs)

    async def compute(self, inputs: Sequence[Array | None]) -> list[Array | None]:
        """See `Compiled.compute`."""
        check_inputs(self.plan.graph, inputs, self._given)
        with _reported():
            return await self._computed(inputs)

    async def _computed(self, inputs: Sequence[Array | None]) -> list[Array | None]:
        graph = self.plan.graph
        for number, (node, array) in enumerate(zip(graph.inputs, inputs, strict=True)):
            if array is not None:
                kind = graph.types[node].dtype
                held = np.ascontiguousarray(array, NUMPY_TYPES[kind]).astype(self._stored_type(kind))
                if array.size:
                    data = held.tobytes().ljust(self.plan.size_bytes(node), b"\0")
                    self._gpu.write(self._buffers[self.plan.inputs[number]], 0, data)
                self._given[number] = True
        back = [place for place in range(len(graph.outputs)) if place not in self._carry]
        # A tape that collects nothing is played all the same, for what it leaves in place.
        data = await self._gpu.replay(self._tape, []) if self.plan.steps or back else b""
        found: list[Array | None] = [None] * len(graph.outputs)
        position = 0
        for place in back:
            node = graph.outputs[place]
            found[place] = self._array(node, data, position)
            position += self.plan.size_bytes(node)
        found = self._trap.checked(found)
        if self._later is not None:
            await self._gpu.replay(self._later, [])
        return found

    async def read(self, number: int) -> Array:
        """See `Compiled.read`."""
        node = self.plan.graph.inputs[number]
        size = self.plan.size_bytes(node)
        buffer = self._buffers[self.plan.inputs[number]]
        with _reported():
            return self._array(node, await self._gpu.read(buffer, 0, size) if size else b"", 0)

    def _array(self, node: int, data: bytes, position: int) -> Array:
        found = self.plan.graph.types[node]
        flat: Any = np.frombuffer(data, self._stored_type(found.dtype), found.size, position)
        return np.asarray(flat.reshape(found.shape), NUMPY_TYPES[found.dtype])

    def close(self) -> None:
        """Free what the graph holds on the device; closing twice is once."""
        for handle in reversed(self._handles):
            self._gpu.free(handle)
        self._handles = []

    def _stored_type(self, dtype: str) -> Any:
        if dtype == F16:
            return np.float16 if self.plan.halves else np.float32
        return _STORED[STORED_TYPES[dtype]]


@contextmanager
def _reported() -> Iterator[None]:
    """A lost device, with what to do: what was carried was on the device alone, unlike a shard."""
    try:
        yield
    except ScellisError as error:
        if error.code != "SCL-GPU-LOST":
            raise
        raise ScellisError(error.code, error.message, LOST_REMEDY, **error.arguments) from error
