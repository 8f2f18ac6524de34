"""The GPU device: what it makes, counts and gives back, and what it says when something is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import attrs
import numpy as np
import pytest

from scellis.device import tape
from scellis.device.gpu import GpuDevice, GpuSampler, prepare_kernel
from scellis.device.native import NativeGpu, open_native
from scellis.device.port import STORAGE_USAGE
from scellis.errors import ScellisError
from scellis.kernels.config import KERNEL_TABLE
from scellis.kernels.sampling import lower
from scellis.kernels.table import kernel_table_address
from support.programs import example_plan

from .test_sample_moments import SPEC, STUDENT, assert_same_bits, crawling, sampler


async def small_sampler(device: GpuDevice) -> GpuSampler:
    """One shard a batch."""
    return await sampler(device, STUDENT, SPEC, KERNEL_TABLE["software"], crawling())


async def test_fingerprint_names_what_may_change_a_bit(device: GpuDevice) -> None:
    assert device.kind == "native"
    assert "SwiftShader" in device.fingerprint["adapter"]
    assert device.fingerprint["class"] == "software"
    assert device.fingerprint["kernel_table"] == kernel_table_address()
    assert device.fingerprint["limits"]["maxStorageBufferBindingSize"] >= 2**27


async def test_one_crossing_a_batch_and_no_buffer_after_warm_up(device: GpuDevice) -> None:
    prepared = await small_sampler(device)
    await prepared.run(0, 1)
    before = device.gpu.stats()
    for shard in range(50):
        await prepared.run(shard, 1)
    after = device.gpu.stats()
    assert after["crossings"] - before["crossings"] == after["submits"] - before["submits"] == 50
    assert after["handles"] == before["handles"]


async def test_closing_gives_everything_back_and_twice_is_once(device: GpuDevice) -> None:
    prepared = await small_sampler(device)
    assert device.gpu.stats()["handles"] == 5
    prepared.close()
    prepared.close()
    assert device.gpu.stats()["handles"] == 0
    await device.close()
    await device.close()


async def test_a_lost_device_is_named_and_a_new_one_has_the_same_bits(device: GpuDevice) -> None:
    assert isinstance(device.gpu, NativeGpu)
    prepared = await small_sampler(device)
    expected = await prepared.run(40, 4)
    running = asyncio.ensure_future(prepared.run(40, 400))
    await asyncio.sleep(0)  # two batches are on their way
    device.gpu.lose()
    with pytest.raises(ScellisError) as caught:
        await running
    assert caught.value.code == "SCL-GPU-LOST"
    with pytest.raises(ScellisError) as caught:
        await small_sampler(device)
    assert caught.value.code == "SCL-GPU-LOST"
    prepared.close()
    renewed = await open_native()
    assert_same_bits(await (await small_sampler(renewed)).run(40, 4), expected)
    await renewed.close()


async def test_two_runs_at_once_do_not_mix(device: GpuDevice) -> None:
    prepared = await small_sampler(device)
    first, second = await prepared.run(0, 8), await prepared.run(8, 8)
    both = await asyncio.gather(prepared.run(0, 8), prepared.run(8, 8))
    assert_same_bits(both[0], first)
    assert_same_bits(both[1], second)


async def test_a_kernel_that_the_driver_refuses_is_named(device: GpuDevice) -> None:
    with pytest.raises(ScellisError) as caught:
        await device.gpu.pipeline("@compute @workgroup_size(1) fn main() { nonsense(); }", "main", {}, "bad")
    assert caught.value.code == "SCL-GPU-SHADER"
    assert "bad: " in caught.value.message


async def test_a_faulty_kernel_leaves_no_handle(device: GpuDevice) -> None:
    kernel = lower(STUDENT, SPEC, "prod", KERNEL_TABLE["software"])
    broken = attrs.evolve(kernel, wgsl=kernel.wgsl.replace("var<uniform> batch", "var<uniform> bitch"))
    with pytest.raises(ScellisError) as caught:
        await prepare_kernel(device.gpu, broken, device.fingerprint["limits"], lambda: 0.0)
    assert caught.value.code == "SCL-GPU-SHADER"
    assert device.gpu.stats()["handles"] == 0


async def test_a_buffer_beyond_the_limit_is_refused(device: GpuDevice) -> None:
    with pytest.raises(ScellisError) as caught:
        await device.gpu.buffer(2**50, STORAGE_USAGE, "huge")
    assert caught.value.code == "SCL-GPU-OOM"


@pytest.mark.parametrize(("bindable", "refused"), [(1200, False), (100, True)])
async def test_batches_fit_what_the_adapter_can_bind(device: GpuDevice, bindable: int, refused: bool) -> None:
    kernel = lower(STUDENT, SPEC, "prod", KERNEL_TABLE["software"])
    limits: Mapping[str, int] = {"maxStorageBufferBindingSize": bindable}
    if refused:
        with pytest.raises(ScellisError) as caught:
            await prepare_kernel(device.gpu, kernel, limits, lambda: 0.0)
        assert caught.value.code == "SCL-GPU-LIMIT"
        return
    prepared = await prepare_kernel(device.gpu, kernel, limits, lambda: 0.0)
    found = await prepared.run(0, 20)  # the clock stands still, so batches grow as far as they may
    assert prepared.batch_shards == bindable // kernel.histogram_bytes
    assert_same_bits(found, await (await small_sampler(device)).run(0, 20))


async def test_a_tape_writes_clears_computes_and_collects(device: GpuDevice) -> None:
    wgsl = """
    @group(0) @binding(0) var<storage, read> inputs: array<u32>;
    @group(0) @binding(1) var<storage, read_write> outputs: array<u32>;
    override factor: u32;
    @compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3<u32>) {
      outputs[id.x] += factor * inputs[id.x];
    }
    """
    gpu = device.gpu
    pipeline = await gpu.pipeline(wgsl, "main", {"factor": 3}, "factor")
    inputs = await gpu.buffer(16, STORAGE_USAGE, "inputs")
    outputs = await gpu.buffer(16, STORAGE_USAGE, "outputs")
    commands = [
        *tape.write(inputs, 1, 2, offset=4),
        *tape.clear(outputs, 8),
        *tape.dispatch(pipeline, (tape.argument(0), 1, 1), [inputs, outputs]),
        *tape.dispatch(pipeline, (4, 1, 1), [inputs, outputs]),
        *tape.collect(outputs, 16, 0),
        *tape.collect(inputs, 4, tape.argument(3), offset=4),
    ]
    recorded = await gpu.tape(commands, 20, 2, "factors")
    gpu.write(inputs, 0, np.array([1, 0, 0, 100], "<u4").tobytes())
    gpu.write(outputs, 0, np.array([7, 7, 7, 7], "<u4").tobytes())
    answer = await gpu.replay(recorded, [2, 10, 0x80000001, 16])
    assert np.frombuffer(answer, "<u4").tolist() == [6, 60, 7 + 3 * 0x80000001 & 0xFFFFFFFF, 307, 10]
    assert np.frombuffer(await gpu.read(inputs, 4, 8), "<u4").tolist() == [10, 0x80000001]


async def test_the_whole_example_through_the_job_path(device: GpuDevice) -> None:
    job = example_plan("gauge_block").job
    prepared = await device.prepare(
        job.program, attrs.evolve(SPEC, bins=256, low=659.0, high=1018.0, pivot=838.0, scale=32.0), "prod"
    )
    found = await prepared.run(0, 5)
    assert abs(float(found.mean.mean()) - 838.0) < 5
