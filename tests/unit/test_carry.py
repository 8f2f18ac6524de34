"""What is carried from one computation to the next: plans played in NumPy, against the oracle."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scellis.device.oracle import OracleDevice
from scellis.graph.op import Array
from scellis.graph.ops import OPS
from scellis.kernels.plan import ArrayPlan, plan_graph
from support.carry_programs import CarryProgram, carry_programs

LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}


class Played:
    """The buffers of a plan. A kernel reads all that it reads before it writes; copies go in their order."""

    def __init__(self, plan: ArrayPlan) -> None:
        self._plan = plan
        self.buffers: dict[int, Array] = {}

    def step(self) -> list[Array]:
        """The outputs, before what is carried is copied."""
        plan = self._plan
        for kernel, numbers in ((step.kernel, step.buffers) for step in plan.steps):
            bound = dict(zip((*kernel.reads, *kernel.roots), numbers, strict=True))
            held = {node: self.buffers[bound[node]] for node in kernel.reads}
            over = {bound[root] for root in kernel.roots}
            for node, number in zip(plan.graph.inputs, plan.inputs, strict=True):
                if number in over:
                    held[node] = self.buffers[number]
            found = [self._value(root, held) for root in kernel.roots]
            self.buffers |= zip((bound[root] for root in kernel.roots), found, strict=True)
        outputs = [self.buffers[number] for number in plan.outputs]
        for source, target in plan.copies:
            assert source != target  # WebGPU copies no buffer onto itself
            self.buffers[target] = self.buffers[source]
        return outputs

    def _value(self, node: int, held: dict[int, Array]) -> Array:
        graph = self._plan.graph
        if node not in held:
            args = [self._value(argument, held) for argument in graph.nodes[node].args]
            found = graph.nodes[node]
            held[node] = OPS[found.op].evaluate(args, found.params, graph.types[node])
        return held[node]


async def _check(program: CarryProgram, elements: int) -> None:
    """Three computations in a row, each array whole or in parts of so many elements."""
    graph, arrays = program.graph, program.arrays
    plan = plan_graph(graph, LIMITS | {"maxStorageBufferBindingSize": 4 * elements}, carry=program.carry)
    oracle = await OracleDevice().compile(graph, "prod", program.carry)
    played = Played(plan)
    places = [(number, box) for number, parted in enumerate(plan.split.inputs) for box in parted.boxes]
    for (number, box), buffer in zip(places, plan.inputs, strict=True):
        played.buffers[buffer] = arrays[number][tuple(slice(*ends) for ends in box)]
    given_: list[Array | None] = [*arrays]
    for _ in range(3):
        expected = await oracle.compute(given_)
        given_ = [None] * len(arrays)
        outputs = iter(played.step())
        for parted, whole in zip(plan.split.outputs, expected, strict=True):
            for box in parted.boxes:
                part = next(outputs)
                if whole is not None:
                    np.testing.assert_array_equal(part, whole[tuple(slice(*ends) for ends in box)])
        for (number, box), buffer in zip(places, plan.inputs, strict=True):
            held = (await oracle.read(number))[tuple(slice(*ends) for ends in box)]
            np.testing.assert_array_equal(played.buffers[buffer], held)


@given(carry_programs([(3, 4)]), st.sampled_from([2**20, 5]))
async def test_whatever_is_carried_arrives(program: CarryProgram, elements: int) -> None:
    await _check(program, elements)
