"""The trap for NaN on a GPU: flags are computed there and read with the outputs."""

from __future__ import annotations

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.errors import ScellisError
from scellis.graph import ArrayType, trace
from scellis.graph import functions as xp
from support import mlp
from support.arrays import Array, traced
from support.split_cases import low_limit
from support.trap_cases import TRAPPED, UNTRAPPED, TrapCase


@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("case", TRAPPED.values(), ids=TRAPPED)
async def test_where_it_arose_is_named(device: GpuDevice, case: TrapCase, parts: int) -> None:
    graph = traced(case.function, *case.arrays)
    if parts > 1:
        device.limits["maxStorageBufferBindingSize"] = 4 * low_limit(graph, parts)
    compiled = await device.compile(graph, "prod", trap=case.trap)
    assert (compiled.plan.split.whole != compiled.plan.split.graph) == (parts > 1)
    before = device.gpu.stats()
    with pytest.raises(ScellisError) as caught:
        await compiled.compute(case.arrays)
    assert device.gpu.stats()["submits"] - before["submits"] == 1
    compiled.close()
    assert caught.value.code == f"SCL-ARRAY-{case.trap.upper()}"
    assert caught.value.arguments["op"] == case.op
    assert str(caught.value.arguments["place"]).startswith(case.place)


@pytest.mark.parametrize("case", UNTRAPPED.values(), ids=UNTRAPPED)
async def test_what_is_no_fault_passes(device: GpuDevice, case: TrapCase) -> None:
    graph = traced(case.function, *case.arrays)
    plain = await device.compile(graph, "prod")
    compiled = await device.compile(graph, "prod", trap=case.trap)
    for found, expected in zip(
        await compiled.compute(case.arrays), await plain.compute(case.arrays), strict=True
    ):
        assert found is not None
        assert expected is not None
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    compiled.close()
    plain.close()


async def test_a_step_that_is_trapped_leaves_what_it_carries(device: GpuDevice) -> None:
    graph = trace(lambda x: [xp.log(x), xp.sum(x)], x=ArrayType((2,), "f32"))
    compiled = await device.compile(graph, "prod", {0: 0}, "nan")
    await compiled.compute([np.array([1.0, 4.0], np.float32)])
    await compiled.compute([None])
    held = await compiled.read(0)
    for _ in range(2):
        with pytest.raises(ScellisError, match="SCL-ARRAY-NAN"):
            await compiled.compute([None])
    assert (await compiled.read(0)).tobytes() == held.tobytes()
    before = device.gpu.stats()["handles"]
    compiled.close()
    assert device.gpu.stats()["handles"] < before


async def test_a_training_step_in_a_trap_learns_as_without_and_names_what_blows_up(
    device: GpuDevice,
) -> None:
    size = (16, 20, 12, 4)
    x, y, *state = mlp.start(*size)
    losses: list[list[float]] = []
    for trap in ("", "nonfinite"):
        compiled = await device.compile(mlp.step(*size), "prod", mlp.CARRY, trap)
        given: list[Array | None] = list(state)
        losses.append([])
        for t in range(1, 11):
            loss, *_ = await compiled.compute([x, y, *mlp.corrections(t), *given])
            assert loss is not None
            losses[-1].append(float(loss))
            given = [None] * 12
        if trap:
            first, second = mlp.corrections(11)
            with pytest.raises(ScellisError) as caught:
                await compiled.compute([x, y, first, -second, *given])
            assert caught.value.code == "SCL-ARRAY-NONFINITE"
            assert caught.value.arguments["op"] == "sqrt"
            assert str(caught.value.arguments["place"]).startswith("mlp.py, line ")
        compiled.close()
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)
    assert losses[0][-1] < losses[0][0]
