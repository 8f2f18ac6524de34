"""Tests on a WebGPU device of this machine: wgpu-py on software Vulkan."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from scellis.device.gpu import GpuDevice
from scellis.device.native import open_native
from support.mapper import Mapper
from support.vulkan import use_software


@pytest.fixture(scope="session", autouse=True)
def software_vulkan() -> None:
    use_software()


@pytest.fixture
async def device() -> AsyncIterator[GpuDevice]:
    """A device of its own for each test; whatever the test does, it leaves no handle behind."""
    opened = await open_native()
    yield opened
    await opened.close()


@pytest.fixture
def mapper(device: GpuDevice) -> Mapper:
    """Runs test kernels on the device."""
    return Mapper(device.gpu)
