"""The conformance corpus on a GPU of this machine, by family; f16 on a driver that has it too."""

from __future__ import annotations

import pytest

from conformance.cases import load
from conformance.run import TIERS, run
from conformance.training import trained
from scellis.device.gpu import GpuDevice
from scellis.device.native import open_native
from support.vulkan import ADAPTER, LAVAPIPE, lavapipe_manifest

CASES = load()
FAMILIES = list(dict.fromkeys(case.family for case in CASES))


@pytest.mark.parametrize("family", FAMILIES)
async def test_every_case_is_within_its_class(device: GpuDevice, family: str) -> None:
    found = await run(device, [case for case in CASES if case.family == family], TIERS)
    assert [complaint for result in found for complaint in result.complaints] == []
    assert [result.case.name for result in found if result.other_bits] == []


if lavapipe_manifest() is not None:

    async def test_f16_as_a_type_of_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(ADAPTER, LAVAPIPE)
        device = await open_native()
        assert "shader-f16" in device.fingerprint["features"]
        found = await run(device, [case for case in CASES if case.dtype == "f16"], ("prod",))
        await device.close()
        assert [complaint for result in found for complaint in result.complaints] == []


async def test_debug_trains_to_the_same_bits(device: GpuDevice) -> None:
    first = await trained(device, 20, "debug")
    assert await trained(device, 20, "debug") == first
    assert (await trained(device, 20, "fast"))["bits"] != first["bits"]
