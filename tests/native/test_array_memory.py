"""A thousand steps of training take no more memory than the first, on the device or beside it."""

from __future__ import annotations

import gc
import tracemalloc
from collections import Counter
from typing import Any

import pytest

from scellis.device.gpu import GpuDevice
from scellis.device.native import NativeGpu
from support import mlp
from support.arrays import Array

SIZE = (16, 20, 12, 4)
WARM, STEPS = 100, 1000
MADE = (
    "create_buffer",
    "create_bind_group",
    "create_bind_group_layout",
    "create_shader_module",
    "create_compute_pipeline",
)
SLACK_BYTES = 32 * 1024
"""What the interpreter may keep of a thousand steps: less than 33 bytes a step."""


async def test_a_thousand_steps_leave_memory_flat(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(device.gpu, NativeGpu)
    made: Counter[str] = Counter()

    def counted(name: str) -> Any:
        make = getattr(device.gpu._device, name)

        def counting(*args: Any, **named: Any) -> Any:
            made[name] += 1
            return make(*args, **named)

        return counting

    for name in MADE:
        monkeypatch.setattr(device.gpu._device, name, counted(name))
    compiled = await device.compile(mlp.step(*SIZE), "prod", mlp.CARRY)
    assert all(made[name] for name in MADE if name != "create_bind_group_layout")
    x, y, *given = mlp.start(*SIZE)

    async def steps(first: int, count: int, state: list[Array | None]) -> float:
        loss: Any = None
        for t in range(first, first + count):
            loss, *_ = await compiled.compute([x, y, *mlp.corrections(t), *state])
            state = [None] * len(state)
        return float(loss)

    first = await steps(1, WARM, list(given))
    made.clear()
    tracemalloc.start()
    try:
        await steps(WARM + 1, WARM, [None] * len(given))  # what tracing itself keeps
        gc.collect()
        handles, (held, _) = device.gpu.stats()["handles"], tracemalloc.get_traced_memory()
        last = await steps(2 * WARM + 1, STEPS, [None] * len(given))
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert made == {}
    assert device.gpu.stats()["handles"] == handles
    assert after - held < SLACK_BYTES
    assert last < first
    compiled.close()
    assert device.gpu.stats()["handles"] == len(device.pipelines)
