"""Random arrays on a GPU against the oracle: decided with the same bits, as near as functions of f32 are."""

from __future__ import annotations

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.graph import compute
from support.arrays import Array, traced
from support.random_cases import EXACT, NEAR, both


def _narrow(arrays: list[Array]) -> list[Array]:
    return [array.astype(np.float32) if array.dtype == np.float64 else array for array in arrays]


@pytest.mark.parametrize("name", EXACT)
async def test_integers_and_truths_are_the_same_bits(device: GpuDevice, name: str) -> None:
    function, arrays = both(*EXACT[name])
    graph = traced(function, *arrays)
    compiled = await device.compile(graph, "prod")
    found = await compiled.compute(arrays)
    compiled.close()
    for one, other in zip(found, compute(graph, _narrow(arrays)), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", NEAR)
async def test_floats_are_as_near_as_their_functions(device: GpuDevice, name: str) -> None:
    draw, parameters, bound = NEAR[name]
    function, arrays = both(draw, parameters)
    graph = traced(function, *arrays)
    compiled = await device.compile(graph, "prod")
    found = await compiled.compute(arrays)
    compiled.close()
    for one, exact in zip(found, compute(graph, _narrow(arrays)), strict=True):
        finite = np.isfinite(one)
        error = np.abs(one[finite] - exact[finite]) / np.maximum(np.abs(exact[finite]), 1.0)
        print(f"{name}: worst error {error.max(initial=0.0):.2e}")
        np.testing.assert_allclose(one, exact, bound, bound)
