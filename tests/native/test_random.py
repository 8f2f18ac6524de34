"""Random arrays on a GPU against the oracle: decided with the same bits, as near as functions of f32 are."""

from __future__ import annotations

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.graph import compute
from scellis.graph import functions as xp
from support.arrays import Array, traced
from support.random_cases import EXACT, INDEX, KEY, NEAR, both, drawing


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


@pytest.mark.parametrize("tier", ["debug", "fast"])
async def test_every_tier_decides_alike(device: GpuDevice, tier: str) -> None:
    inputs = [KEY, INDEX, np.array([0.5, 3.0, 40.0, 1e5], np.float32)]
    graph = traced(
        drawing(lambda g, a: [g.poisson(a), g.gamma(a), g.categorical(xp.log(a), shape=(50,))]), *inputs
    )
    compiled = await device.compile(graph, tier)
    counts, values, categories = await compiled.compute(inputs)
    compiled.close()
    expected = compute(graph, inputs)
    np.testing.assert_array_equal(counts, expected[0])
    np.testing.assert_allclose(values, expected[1], 1e-2)
    assert np.mean(categories == expected[2]) > 0.9  # of logits that the tier has its own logarithm of
