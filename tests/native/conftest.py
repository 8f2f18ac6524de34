"""Tests on a WebGPU device of this machine: wgpu-py on software Vulkan."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scellis.device import tape
from scellis.device.gpu import STORAGE_USAGE, GpuDevice
from scellis.device.native import NativeGpu, open_native
from scellis.kernels.templates import expand
from support.vulkan import use_swiftshader

KERNELS = Path(__file__).parents[1] / "support" / "kernels"


@pytest.fixture(scope="session", autouse=True)
def software_vulkan() -> None:
    use_swiftshader()


@pytest.fixture
async def device() -> AsyncIterator[GpuDevice]:
    """A device of its own for each test; whatever the test does, it leaves no handle behind."""
    opened = await open_native()
    yield opened
    await opened.close()


class Mapper:
    """Runs a kernel of tests/support/kernels over an array: one output word for each input word."""

    def __init__(self, gpu: NativeGpu) -> None:
        self._gpu = gpu

    async def __call__(
        self,
        kernel: str,
        inputs: NDArray[np.uint32] | NDArray[np.float32],
        outputs: int,
        *,
        includes: dict[str, str] | None = None,
        puts: dict[str, str] | None = None,
    ) -> NDArray[np.uint32]:
        """`outputs` u32 words; the kernel has 64 threads a workgroup and is dispatched for all of them."""
        files = {"halves": "halves_float.wgsl", "elementary": "elementary.wgsl", **(includes or {})}
        wgsl = expand((KERNELS / kernel).read_text(), includes=files, puts=puts or {})
        pipeline = await self._gpu.pipeline(wgsl, "main", {}, kernel)
        source = await self._gpu.buffer(inputs.nbytes, STORAGE_USAGE, "inputs")
        target = await self._gpu.buffer(outputs * 4, STORAGE_USAGE, "outputs")
        self._gpu.write(source, 0, inputs.tobytes())
        groups = -(-outputs // 64)
        commands = [
            *tape.clear(target, outputs * 4),
            *tape.dispatch(pipeline, (min(groups, 65535), -(-groups // 65535), 1), [source, target]),
            *tape.collect(target, outputs * 4, 0),
        ]
        recorded = await self._gpu.tape(commands, outputs * 4, 1, kernel)
        answer = await self._gpu.replay(recorded, [])
        for handle in (recorded, target, source, pipeline):
            self._gpu.free(handle)
        return np.frombuffer(answer, "<u4")


@pytest.fixture
def mapper(device: GpuDevice) -> Callable[..., object]:
    assert isinstance(device.gpu, NativeGpu)
    return Mapper(device.gpu)
