"""What goes wrong with graphs of arrays on a GPU is named by operation and line; a loss is made good."""

from __future__ import annotations

import asyncio
import re
import resource
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from scellis.device import plans
from scellis.device.gpu import GpuDevice
from scellis.device.native import NativeGpu, open_native
from scellis.errors import ScellisError
from scellis.graph import functions as xp
from scellis.kernels.plan import ArrayPlan, plan_graph
from support import mlp
from support.arrays import Array, numbers, traced

SIZE = (16, 20, 12, 4)


async def _steps(compiled: Any, given: list[Array | None], first: int, count: int) -> list[float]:
    """The losses of `count` steps of training, from number `first` on."""
    x, y = mlp.start(*SIZE)[:2]
    losses = []
    for t in range(first, first + count):
        loss, *_ = await compiled.compute([x, y, *mlp.corrections(t), *given])
        losses.append(float(loss))
        given = [None] * 12
    return losses


async def test_after_a_loss_a_run_goes_on_from_its_inputs_with_the_same_bits(device: GpuDevice) -> None:
    assert isinstance(device.gpu, NativeGpu)
    graph = mlp.step(*SIZE)
    compiled = await device.compile(graph, "prod", mlp.CARRY)
    losses = await _steps(compiled, list(mlp.start(*SIZE)[2:]), 1, 5)
    saved: list[Array | None] = [await compiled.read(4 + place) for place in range(12)]
    losses += await _steps(compiled, [None] * 12, 6, 5)
    weights = await compiled.read(4)

    running = asyncio.ensure_future(_steps(compiled, [None] * 12, 11, 1000))
    await asyncio.sleep(0)  # a step is on its way
    device.gpu.lose()
    with pytest.raises(ScellisError) as caught:
        await running
    assert caught.value.code == "SCL-GPU-LOST"
    assert "give every input" in caught.value.remedy
    for again in (compiled.read(4), device.compile(graph, "prod", mlp.CARRY)):
        with pytest.raises(ScellisError, match="SCL-GPU-LOST"):
            await again
    compiled.close()

    renewed = await open_native()
    compiled = await renewed.compile(graph, "prod", mlp.CARRY)
    assert await _steps(compiled, saved, 6, 5) == losses[5:]
    assert (await compiled.read(4)).tobytes() == weights.tobytes()
    await renewed.close()


def _taken_bytes() -> int:
    """Of addresses, by this process."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    return int(pages) * resource.getpagesize()


async def test_memory_that_is_not_there_is_named(device: GpuDevice) -> None:
    """Eight gigabytes in parts, of which the process may have four."""
    graph = traced(lambda x: x @ xp.matrix_transpose(x), numbers((45_000, 1)))
    before = device.gpu.stats()["handles"]
    allowed = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_taken_bytes() + 2**32, allowed[1]))
    try:
        with pytest.raises(ScellisError) as caught:
            await device.compile(graph, "prod")
    finally:
        resource.setrlimit(resource.RLIMIT_AS, allowed)
    assert caught.value.code == "SCL-GPU-OOM"
    assert re.search(r"matmul of \(\d+, 45000\) f32 \(test_array_faults\.py, line \d", caught.value.message)
    assert "a smaller batch" in caught.value.remedy
    assert device.gpu.stats()["handles"] == before + len(device.pipelines)


async def test_a_kernel_that_the_driver_refuses_is_named(
    device: GpuDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **named: Any) -> ArrayPlan:
        plan = plan_graph(*args, **named)
        first, *rest = plan.steps
        kernel = attrs.evolve(first.kernel, wgsl=first.kernel.wgsl.replace("fn main", "fn mine"))
        return attrs.evolve(plan, steps=(attrs.evolve(first, kernel=kernel), *rest))

    monkeypatch.setattr(plans, "plan_graph", broken)
    with pytest.raises(ScellisError) as caught:
        await device.compile(traced(lambda x: xp.exp(x) + 1.0, np.zeros(3)), "prod")
    assert caught.value.code == "SCL-GPU-SHADER"
    assert "add of (3) f32 (test_array_faults.py, line " in caught.value.message
    assert device.gpu.stats()["handles"] == 0
