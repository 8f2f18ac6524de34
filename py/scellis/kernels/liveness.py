"""What the buffers of a plan hold while it runs: the arrays alive at each step, by the plan's own steps."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from scellis.kernels.plan import ArrayPlan


@attrs.frozen
class Fullest:
    """The step at which arrays that are alive take most. `held`: the array in each buffer that has one."""

    step: int
    bytes: int
    """of the buffers that hold something then; all others wait for another step"""
    held: Mapping[int, int]


def fullest(plan: ArrayPlan) -> Fullest:
    """The fullest step of a plan.

    A buffer holds an array from the step that stores it to the last that reads it; inputs and outputs before
    and after. What is written over an input is in its buffer from then on.
    """
    steps = len(plan.steps)
    last = {node: number for number, step in enumerate(plan.steps) for node in step.kernel.reads}
    # Inputs stay: a graph may be computed again from what is there.
    last |= dict.fromkeys((*plan.graph.inputs, *plan.graph.outputs), steps)
    held = dict(zip(plan.inputs, plan.graph.inputs, strict=True))
    best = Fullest(0, sum(plan.sizes[buffer] for buffer in held), dict(held))
    for number, step in enumerate(plan.steps):
        border = len(step.kernel.reads)
        held |= zip(step.buffers[border:], step.kernel.roots, strict=True)
        size = sum(plan.sizes[buffer] for buffer in held)
        if size > best.bytes:
            best = Fullest(number, size, dict(held))
        for buffer in step.buffers:
            node = held.get(buffer)
            if node is not None and last.get(node, number) <= number:
                del held[buffer]
    return best
