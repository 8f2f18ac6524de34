"""A graph of arrays on a GPU: compiled once, then computed in one submit and one crossing each time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import attrs
import numpy as np

from scellis.device import tape
from scellis.device.pipelines import Pipelines
from scellis.device.port import STORAGE_USAGE, Gpu, together
from scellis.errors import ScellisError
from scellis.graph.cuts import Box
from scellis.graph.evaluate import check_inputs
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.op import Array
from scellis.graph.split import Parted
from scellis.graph.trap import Trap
from scellis.graph.types import F16
from scellis.kernels.expressions import STORED_TYPES
from scellis.kernels.fit import ELEMENT_BYTES, buffer_bytes
from scellis.kernels.plan import ArrayPlan

LOST_REMEDY = (
    "Open the device again, compile the graph, and give every input: what was carried was on the device. "
    "The same inputs give the same bits."
)
_STORED = {"u32": np.uint32, "i32": np.int32, "f32": np.float32}


@attrs.frozen
class PlannedGraph:
    """A graph that is lowered for a device, on which nothing of it is made yet.

    `limits` are those that the plan was made for.
    """

    gpu: Gpu
    pipelines: Pipelines
    plan: ArrayPlan
    carry: Mapping[int, int]
    trap: Trap
    limits: Mapping[str, int]

    @property
    def bytes(self) -> int:
        """See `Planned.bytes`."""
        positions, size = _answer(self.plan, self.plan.split.carried(self.carry), self.limits)
        waits = _waits(self.plan, self.carry, self.trap, positions)
        return self.plan.bytes + max(size, ELEMENT_BYTES) + (ELEMENT_BYTES if waits else 0)

    async def compile(self) -> GpuGraph:
        """Make what the plan needs, and record it. Raises `SCL-GPU-*`."""
        return await _compiled(self.gpu, self.pipelines, self.plan, self.carry, self.trap, self.limits)


def _answer(
    plan: ArrayPlan, carried: Mapping[int, int], limits: Mapping[str, int]
) -> tuple[dict[int, int], int]:
    """Where in the answer outputs lie that are given back and find room in it, and its size in bytes."""
    positions: dict[int, int] = {}
    size, most = 0, buffer_bytes(limits)
    for place, node in enumerate(plan.graph.outputs):
        if place not in carried and size + plan.size_bytes(node) <= most:
            positions[place] = size
            size += plan.size_bytes(node)
    return positions, size


def _waits(plan: ArrayPlan, carry: Mapping[int, int], trap: Trap, positions: Mapping[int, int]) -> bool:
    """Whether copies of what is carried are a tape of their own.

    They wait for outputs that are read after the answer, and for what a trap finds: a step that springs it
    leaves all as it was.
    """
    carried = plan.split.carried(carry)
    return bool(plan.copies) and (bool(trap.kind) or len(positions) + len(carried) < len(plan.outputs))


async def _compiled(
    gpu: Gpu,
    pipelines: Pipelines,
    plan: ArrayPlan,
    carry: Mapping[int, int],
    trap: Trap,
    limits: Mapping[str, int],
) -> GpuGraph:
    carried = plan.split.carried(carry)
    kernels = {step.kernel.address: step.kernel for step in plan.steps}
    with ExitStack() as held:
        made = await pipelines.take(
            {address: (kernel.wgsl, plan.graph.named(kernel.roots[0])) for address, kernel in kernels.items()}
        )
        held.callback(pipelines.give_back, made)
        buffers = await together(
            gpu,
            (
                gpu.buffer(size, STORAGE_USAGE, label)
                for size, label in zip(plan.sizes, plan.labels, strict=True)
            ),
        )
        for buffer in buffers:
            held.callback(gpu.free, buffer)
        commands: list[int] = []
        for step in plan.steps:
            bound = [buffers[number] for number in step.buffers]
            commands += tape.dispatch(made[step.kernel.address], step.kernel.workgroups, bound)
        positions, position = _answer(plan, carried, limits)
        for place, start in positions.items():
            size = plan.size_bytes(plan.graph.outputs[place])
            if size:
                commands += tape.collect(buffers[plan.outputs[place]], size, start)
        # An output may be an input over which another is copied: it is taken before.
        copies = [
            word
            for source, target in plan.copies
            for word in tape.copy(
                buffers[source], buffers[target], min(plan.sizes[source], plan.sizes[target])
            )
        ]
        done = tape.collect(buffers[0], ELEMENT_BYTES, 0) if buffers else []  # an answer says so
        apart = _waits(plan, carry, trap, positions)
        parts = [commands, copies] if apart else [commands + copies]
        tapes = await together(
            gpu,
            (
                gpu.tape(part if size else part + done, max(size, ELEMENT_BYTES), 1, "graph")
                for part, size in zip(parts, (position, 0), strict=False)
            ),
        )
        for recorded in tapes:
            held.callback(gpu.free, recorded)
        return GpuGraph(gpu, plan, carry, trap, buffers, tapes, positions, held.pop_all())


class GpuGraph:
    """A graph on a GPU. Made by `PlannedGraph.compile`.

    `positions` says where in the answer of the first tape outputs lie; those that it has no room for are
    read after it, and what is carried is then copied by a second tape.
    """

    def __init__(
        self,
        gpu: Gpu,
        plan: ArrayPlan,
        carry: Mapping[int, int],
        trap: Trap,
        buffers: list[int],
        tapes: list[int],
        positions: Mapping[int, int],
        held: ExitStack,
    ) -> None:
        self.plan = plan
        self._gpu = gpu
        self._carry = carry
        self._trap = trap
        self._buffers = buffers
        self._tapes = tapes
        self._positions = positions
        self._held = held
        self._given = [False] * len(plan.split.inputs)
        self._inputs = _numbered(plan.split.inputs)
        self._outputs = _numbered(plan.split.outputs)

    async def compute(self, inputs: Sequence[Array | None]) -> list[Array | None]:
        """See `Compiled.compute`."""
        check_inputs(self._trap.graph, inputs, self._given)
        with _reported():
            return await self._computed(inputs)

    async def _computed(self, inputs: Sequence[Array | None]) -> list[Array | None]:
        for number, (parted, array) in enumerate(zip(self.plan.split.inputs, inputs, strict=True)):
            if array is not None:
                kind = parted.type.dtype
                for place, box in self._inputs[number]:
                    part: Array = np.ascontiguousarray(array[_slices(box)], NUMPY_TYPES[kind])
                    if part.size:
                        size = self.plan.size_bytes(self.plan.graph.inputs[place])
                        data = part.astype(self._stored_type(kind), copy=False).tobytes().ljust(size, b"\0")
                        self._gpu.write(self._buffers[self.plan.inputs[place]], 0, data)
                self._given[number] = True
        back = [place for place in range(len(self._outputs)) if place not in self._carry]
        # A tape that collects nothing is played all the same, for what it leaves in place.
        data = await self._gpu.replay(self._tapes[0], []) if self.plan.steps or back else b""
        found: list[Array | None] = [None] * len(self._outputs)
        for number in back:
            parts = []
            for place, _ in self._outputs[number]:
                node, position = self.plan.graph.outputs[place], self._positions.get(place)
                parts.append(
                    await self._holds(node, self.plan.outputs[place])
                    if position is None
                    else self._array(node, data, position)
                )
            found[number] = _put_together(self.plan.split.outputs[number], parts)
        found = self._trap.checked(found)
        for later in self._tapes[1:]:
            await self._gpu.replay(later, [])
        return found

    async def read(self, number: int) -> Array:
        """See `Compiled.read`."""
        with _reported():
            parts = [
                await self._holds(self.plan.graph.inputs[place], self.plan.inputs[place])
                for place, _ in self._inputs[number]
            ]
        return _put_together(self.plan.split.inputs[number], parts)

    async def _holds(self, node: int, buffer: int) -> Array:
        """What a buffer holds of a node."""
        size = self.plan.size_bytes(node)
        return self._array(node, await self._gpu.read(self._buffers[buffer], 0, size) if size else b"", 0)

    def _array(self, node: int, data: bytes, position: int) -> Array:
        found = self.plan.graph.types[node]
        flat: Any = np.frombuffer(data, self._stored_type(found.dtype), found.size, position)
        return np.asarray(flat.reshape(found.shape), NUMPY_TYPES[found.dtype])

    def close(self) -> None:
        """Free what the graph holds on the device; closing twice is once."""
        self._held.close()

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


def _numbered(arrays: Sequence[Parted]) -> list[list[tuple[int, Box]]]:
    """The boxes of each array with their places among all parts."""
    places = itertools.count()
    return [[(next(places), box) for box in parted.boxes] for parted in arrays]


def _slices(box: Box) -> tuple[slice, ...]:
    return tuple(itertools.starmap(slice, box))


def _put_together(parted: Parted, parts: Sequence[Array]) -> Array:
    """The array of which these are the parts."""
    if len(parts) == 1:
        return parts[0]
    whole = np.empty(parted.type.shape, parts[0].dtype)
    for box, part in zip(parted.boxes, parts, strict=True):
        whole[_slices(box)] = part
    return whole
