"""Reductions by subgroups, of four threads on SwiftShader and of eight on lavapipe, and as Tint has them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.device.native import open_native
from scellis.graph import functions as xp
from scellis.kernels import folds
from scellis.kernels.plan import ArrayPlan, plan_graph
from support.arrays import exact, numbers, traced
from support.subgroup_cases import CASES
from support.tint import said_of
from support.vulkan import ADAPTER, LAVAPIPE, SWIFTSHADER, lavapipe_manifest

DRIVERS = [SWIFTSHADER, *([LAVAPIPE] if lavapipe_manifest() else [])]
LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}


@pytest.fixture(params=DRIVERS)
async def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[GpuDevice]:
    """A device whose subgroups are used whatever its class."""
    monkeypatch.setenv(ADAPTER, request.param)
    monkeypatch.setattr(folds, "LEAST_SIZE", {"gpu": 4, "software": 4})
    opened = await open_native()
    yield opened
    await opened.close()


def _by_subgroups(plan: ArrayPlan) -> int:
    """How many kernels of a plan join by subgroups."""
    return sum("enable subgroups;" in step.kernel.wgsl for step in plan.steps)


@pytest.mark.parametrize("adapter", ["gpu", "software"])  # of many subgroups, and of one or two
@pytest.mark.parametrize("name", CASES)
async def test_what_the_oracle_gives(device: GpuDevice, name: str, adapter: str) -> None:
    device.fingerprint["class"] = adapter
    function, arrays = CASES[name]
    graph = traced(function, *arrays)
    compiled = await device.compile(graph, "fast")
    assert _by_subgroups(compiled.plan)
    found = await compiled.compute(arrays)
    again = await compiled.compute(arrays)
    compiled.close()
    for result, second, expected in zip(found, again, exact(graph, arrays), strict=True):
        assert result is not None
        assert second is not None
        assert result.tobytes() == second.tobytes()
        wide = np.asarray(expected, np.float64)
        largest = np.abs(wide[np.isfinite(wide)]).max(initial=0.0)
        bound = 2e-3 if name == "f16" else 2e-5
        np.testing.assert_allclose(result.astype(np.float64), wide, bound, bound + 1e-5 * largest)


def test_tint_compiles_every_kernel() -> None:
    graphs = [traced(function, *arrays) for function, arrays in CASES.values()]
    plans = [plan_graph(graph, LIMITS, "fast", adapter="gpu", features=folds.FEATURES) for graph in graphs]
    kernels = sorted(
        {step.kernel.wgsl for plan in plans for step in plan.steps if "subgroups;" in step.kernel.wgsl}
    )
    assert len(kernels) > 10
    assert [fault for fault in said_of(kernels) if fault] == []
    # It looks whether all threads of a workgroup come to where they are joined.
    assert "uniform" in str(said_of([kernels[0].replace("subgroups == 1u", "member == 1u")]))


def test_they_are_used_where_that_was_measured_to_be_faster() -> None:
    graph = traced(xp.softmax, numbers((3, 512)))

    def used(tier: str, adapter: str, *features: str) -> bool:
        return bool(_by_subgroups(plan_graph(graph, LIMITS, tier, adapter=adapter, features=features)))

    assert used("fast", "gpu", *folds.FEATURES)
    assert used("fast", "gpu", *folds.FEATURES, "subgroups from 32")
    assert not used("fast", "gpu", *folds.FEATURES, "subgroups from 8")
    assert not used("fast", "gpu", "subgroups")
    assert not used("fast", "gpu", "subgroup_id")
    assert not used("fast", "software", *folds.FEATURES)
    assert not used("prod", "gpu", *folds.FEATURES)
    assert not used("debug", "gpu", *folds.FEATURES)


async def test_they_can_be_left_out_for_a_trial(device: GpuDevice) -> None:
    graph = traced(xp.softmax, numbers((3, 512)))
    counts = []
    for _ in range(2):
        compiled = await device.compile(graph, "fast")
        counts.append(_by_subgroups(compiled.plan))
        compiled.close()
        device.features = [name for name in device.features if name not in folds.FEATURES]
    assert counts == [1, 0]
