"""f16 on a GPU against NumPy's float16: emulated on SwiftShader, and as a type of its own on lavapipe."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.device.native import open_native
from scellis.device.oracle import OracleDevice
from scellis.graph import Value, compute
from scellis.graph import functions as xp
from scellis.graph.mixed import apply_precision
from support import mixed
from support.arrays import Array, halved, numbers, traced
from support.half_cases import CASES, PRODUCTS
from support.sweeps import bit_patterns
from support.vulkan import ADAPTER, LAVAPIPE, SWIFTSHADER, lavapipe_manifest

DRIVERS = [SWIFTSHADER, *([LAVAPIPE] if lavapipe_manifest() else [])]


@pytest.fixture(params=DRIVERS)
async def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[GpuDevice]:
    """A device that emulates f16, then one that has it."""
    monkeypatch.setenv(ADAPTER, request.param)
    opened = await open_native()
    assert ("shader-f16" in opened.gpu.info()["features"]) == (request.param == LAVAPIPE)
    yield opened
    await opened.close()


async def _computed(device: GpuDevice, function: Callable[..., Any], arrays: list[Array]) -> list[Any]:
    compiled = await device.compile(traced(function, *arrays), "prod")
    found = await compiled.compute(arrays)
    compiled.close()
    return found


@pytest.mark.parametrize("name", CASES)
async def test_what_numpy_gives_in_f16(device: GpuDevice, name: str) -> None:
    function, arrays = CASES[name]
    arrays = halved(arrays)
    for found, expected in zip(
        await _computed(device, function, arrays),
        compute(traced(function, *arrays), arrays, wide=False),
        strict=True,
    ):
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        wide = expected.astype(np.float64)
        largest = np.abs(wide[np.isfinite(wide)]).max(initial=0.0)
        # A rounding of the other way, of a result or of the terms that made it.
        np.testing.assert_allclose(found.astype(np.float64), wide, 2.0**-10, 2.0**-11 * largest)


async def test_a_conversion_is_numpys_to_the_last_bit(device: GpuDevice) -> None:
    whole = bit_patterns(0.0, 1e5, 200_000)
    edges = np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float32)
    middles = edges.view(np.uint32) + np.array([[0xFFF], [0x1000], [0x1001]], np.uint32)
    x = np.concatenate([whole, -whole, edges, middles.view(np.float32).ravel()])
    (found,) = await _computed(device, lambda x: [x.astype("f16")], [x])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(found, x.astype(np.float16))
    assert np.signbit(found).tolist()[: 2 * whole.size] == np.signbit(x).tolist()[: 2 * whole.size]


async def test_sums_and_products_are_numpys_to_the_last_bit(device: GpuDevice) -> None:
    words = np.random.default_rng(3).integers(0, 2**16, (2, 100_003), np.uint16)
    x, y = words.view(np.float16)
    found = await _computed(device, lambda x, y: [x + y, x - y, x * y, -x, (x * 0.1 + y) * y], [x, y])
    with np.errstate(all="ignore"):
        tenth = np.float16(0.1)
        for one, other in zip(found, [x + y, x - y, x * y, -x, (x * tenth + y) * y], strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("kernel", ["registers", "tiles"])
@pytest.mark.parametrize("name", PRODUCTS)
async def test_a_product_adds_in_f32(
    device: GpuDevice, monkeypatch: pytest.MonkeyPatch, name: str, kernel: str
) -> None:
    device.fingerprint["class"] = "software" if kernel == "registers" else "gpu"
    function, arrays = PRODUCTS[name]
    arrays = halved(arrays)
    graph = traced(function, *arrays)
    compiled = await device.compile(graph, "prod")
    assert [f"matmul_{kernel}.wgsl"] == [step.kernel.template for step in compiled.plan.steps]
    (found,) = await compiled.compute(arrays)
    compiled.close()
    (expected,) = compute(graph, arrays)
    assert found is not None
    error = np.abs(found - expected).max()
    # In f16 the product is rounded once, and once what follows it.
    assert error <= (1e-5 if found.dtype == np.float32 else 2.0**-10) * np.abs(expected).max()


async def test_arrays_of_an_odd_length_are_carried(device: GpuDevice) -> None:
    def step(x: Value, y: Value) -> list[Value]:
        return [x + y, xp.flip(y), xp.sum(x * y)]

    arrays = halved([numbers((3, 7)), numbers((3, 7), 2)])
    compiled = await device.compile(traced(step, *arrays), "prod", {0: 0, 1: 1})
    oracle = await OracleDevice().compile(traced(step, *arrays), "prod", {0: 0, 1: 1})
    for inputs in (arrays, [None, None], [None, None]):
        found, expected = await compiled.compute(inputs), await oracle.compute(inputs)
        np.testing.assert_allclose(found[2], expected[2], rtol=5e-3, atol=5e-3)
    np.testing.assert_allclose(await compiled.read(0), await oracle.read(0), rtol=5e-3, atol=5e-3)
    assert (await compiled.read(0)).dtype == np.float16
    compiled.close()


async def test_what_is_emulated_is_said(device: GpuDevice) -> None:
    native = "shader-f16" in device.gpu.info()["features"]
    graph = traced(lambda x: xp.exp(x) * 2.0, *halved([numbers((5, 5))]))
    for tier in ("debug", "prod", "fast"):
        compiled = await device.compile(graph, tier)
        assert compiled.plan.halves == (native and tier != "debug")
        assert len(compiled.plan.notices) == (not compiled.plan.halves)
        assert "enable f16;" in compiled.plan.steps[0].kernel.wgsl or not compiled.plan.halves
        assert compiled.plan.sizes == ((52, 52) if compiled.plan.halves else (100, 100))
        compiled.close()
    compiled = await device.compile(traced(xp.exp, numbers((5, 5))), "prod")
    assert compiled.plan.notices == ()
    compiled.close()


@pytest.mark.parametrize("scale", [65536.0, 2.0**24])
async def test_a_mixed_step_trains_and_leaves_out_what_overflows(device: GpuDevice, scale: float) -> None:
    size = (64, 20, 32, 4)
    x, y, *state = mixed.start(*size, scale=scale)
    graph = apply_precision(mixed.step(*size), "mixed_f16")
    compiled = await device.compile(graph, "prod", mixed.CARRY)
    losses, scales = [], []
    given: list[Array | None] = [x, y, *state]
    for _ in range(200):
        loss, *_ = await compiled.compute(given)
        losses.append(float(np.asarray(loss)))
        scales.append(float(await compiled.read(len(given) - 2)))
        given = [None] * len(given)
    weights = await compiled.read(2)
    compiled.close()
    exact = list(state)
    for loss in losses:
        expected, *exact = compute(mixed.step(*size), [x, y, *exact])
        if scale == 65536.0:
            assert abs(loss - expected) < 0.02 * expected + 0.002
    left_out = [old > new for old, new in pairwise([scale, *scales])]
    assert any(left_out) == (scale > 65536.0)
    # Such a step leaves the weights as they are, so that the next loss is this one again.
    assert [old == new for old, new in pairwise(losses)] == left_out[:-1]
    assert scales[-1] == scales[50]
    assert losses[-1] < 0.2 * losses[0]
    assert weights.dtype == np.float32
    assert np.isfinite(weights).all()
