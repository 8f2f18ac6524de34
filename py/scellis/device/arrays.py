"""A graph of arrays on a GPU: compiled once, then computed in one submit and one crossing each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from scellis.device import tape
from scellis.device.port import STORAGE_USAGE, Gpu
from scellis.errors import ScellisError
from scellis.graph.graph import Graph
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.op import Array
from scellis.kernels.expressions import STORED_TYPES
from scellis.kernels.plan import ArrayPlan, plan_graph

_STORED = {"u32": np.uint32, "i32": np.int32, "f32": np.float32}


async def compile_graph(gpu: Gpu, graph: Graph, tier: str, limits: Mapping[str, int]) -> GpuGraph:
    """Lower and compile a graph. Raises `SCL-KERNEL-*` and `SCL-GPU-*`."""
    plan = plan_graph(graph, limits, tier)
    handles: list[int] = []
    try:
        pipelines: dict[str, int] = {}
        for step in plan.steps:
            if step.kernel.address not in pipelines:
                label = plan.graph.nodes[step.kernel.roots[0]].op
                pipelines[step.kernel.address] = await gpu.pipeline(step.kernel.wgsl, "main", {}, label)
                handles.append(pipelines[step.kernel.address])
        buffers = []
        for number, size in enumerate(plan.sizes):
            buffers.append(await gpu.buffer(size, STORAGE_USAGE, f"array {number}"))
            handles.append(buffers[-1])
        commands: list[int] = []
        for step in plan.steps:
            bound = [buffers[number] for number in step.buffers]
            commands += tape.dispatch(pipelines[step.kernel.address], step.kernel.workgroups, bound)
        position = 0
        for node, number in zip(plan.graph.outputs, plan.outputs, strict=True):
            size = plan.graph.types[node].size * 4
            if size:
                commands += tape.collect(buffers[number], size, position)
            position += size
        recorded = await gpu.tape(commands, max(position, 4), 1, "graph")
        handles.append(recorded)
    except ScellisError:
        for handle in reversed(handles):
            gpu.free(handle)
        raise
    return GpuGraph(gpu, plan, buffers, recorded, handles)


class GpuGraph:
    """A graph on a GPU. Made by `compile_graph`."""

    def __init__(
        self, gpu: Gpu, plan: ArrayPlan, buffers: list[int], recorded: int, handles: list[int]
    ) -> None:
        self.plan = plan
        self._gpu = gpu
        self._buffers = buffers
        self._tape = recorded
        self._handles = handles

    async def compute(self, inputs: Sequence[Array]) -> list[Array]:
        """The outputs, from the inputs in order; floats in f32, whatever their type.

        Raises `SCL-GRAPH-INPUT` for an input of another shape, and `SCL-GPU-LOST`.
        """
        graph = self.plan.graph
        if len(inputs) != len(graph.inputs):
            raise ScellisError(
                "SCL-GRAPH-INPUT", f"The graph takes {len(graph.inputs)} inputs; {len(inputs)} were given."
            )
        for number, (node, array) in enumerate(zip(graph.inputs, inputs, strict=True)):
            wanted = graph.types[node]
            if array.shape != wanted.shape:
                raise ScellisError(
                    "SCL-GRAPH-INPUT", f"Input {number} is to be {wanted}; {array.shape} was given."
                )
            if array.size:
                held = np.ascontiguousarray(array, NUMPY_TYPES[wanted.dtype]).astype(
                    _stored_type(wanted.dtype)
                )
                self._gpu.write(self._buffers[self.plan.inputs[number]], 0, held.tobytes())
        size = sum(graph.types[node].size for node in graph.outputs)
        return self._outputs(await self._gpu.replay(self._tape, []) if size else b"")

    def _outputs(self, data: bytes) -> list[Array]:
        graph = self.plan.graph
        found: list[Array] = []
        position = 0
        for node in graph.outputs:
            type_ = graph.types[node]
            flat: Any = np.frombuffer(data, _stored_type(type_.dtype), type_.size, position)
            found.append(flat.reshape(type_.shape).astype(NUMPY_TYPES[type_.dtype]))
            position += 4 * type_.size
        return found

    def close(self) -> None:
        """Free what the graph holds on the device; closing twice is once."""
        for handle in reversed(self._handles):
            self._gpu.free(handle)
        self._handles = []


def _stored_type(dtype: str) -> Any:
    return _STORED[STORED_TYPES[dtype]]
