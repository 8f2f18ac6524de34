"""What fusion gains: the time of a plan with each operation apart against the fused one, in one run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from conformance.cases import Case
from conformance.run import Device, graph_of, prepare
from conformance.tolerance import Array
from scellis.graph import Graph
from support import mlp

REPEATS = 15
"""Pairs of times; between two of them a busy machine weighs on both."""
STEP = (128, 784, 256, 10)
"""Batch, inputs, hidden units and classes of the training step."""


@attrs.frozen
class Program:
    """A graph whose results stay on the device, so that no copy is timed."""

    name: str
    graph: Graph
    inputs: Sequence[Array]
    carry: dict[int, int]


def programs(cases: Sequence[Case]) -> list[Program]:
    """The timed cases, and a whole training step."""
    x, y, *state = mlp.start(*STEP)
    step = Program(
        f"training step, perceptron {STEP[1]}-{STEP[2]}-{STEP[3]}, batch {STEP[0]}, Adam",
        mlp.step(*STEP),
        [x, y, *mlp.corrections(1), *state],
        mlp.CARRY,
    )
    return [*(_program(case) for case in cases if case.timed), step]


def _program(case: Case) -> Program:
    prepared = prepare(case)
    outputs = [prepared.graph.types[node] for node in prepared.graph.outputs]
    held = [np.zeros(found.shape, np.float32) for found in outputs]
    given = len(prepared.inputs)
    return Program(
        case.name,
        graph_of(case, outputs),
        [*prepared.inputs, *held],
        {place: given + place for place in range(len(outputs))},
    )


async def compare(device: Device, program: Program, repeats: int = REPEATS) -> dict[str, Any]:
    """Milliseconds of the fused plan, the ratios as quartiles, and the dispatches of both."""
    plans = [
        await device.compile(program.graph, "prod", program.carry, fused=fused) for fused in (True, False)
    ]
    times: list[list[float]] = [[], []]
    try:
        for plan in plans:
            await plan.compute(program.inputs)
            await plan.compute([None] * len(program.inputs))
        for repeat in range(repeats):
            for which in (0, 1) if repeat % 2 else (1, 0):
                start = time.perf_counter()
                await plans[which].compute([None] * len(program.inputs))
                times[which].append(time.perf_counter() - start)
    finally:
        for plan in plans:
            plan.close()
    fused, apart = np.array(times)
    return {
        "fused_ms": float(np.median(fused) * 1e3),
        "ratio": [float(part) for part in np.quantile(apart / fused, (0.25, 0.5, 0.75))],
        "dispatches": [len(plan.plan.steps) for plan in plans],
    }
