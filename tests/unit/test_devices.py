"""The devices of a process: opened once, made anew after a loss, measured at the size they settle on."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest

from scellis.app.devices import Devices
from scellis.cli import doctor
from scellis.cli.run import compute
from scellis.device.oracle import OracleDevice, OracleSampler
from scellis.device.protocol import Accumulators, Device
from scellis.errors import ScellisError
from scellis.job import measure_rate, plan_job
from support.fragile import FragileDevice
from support.programs import example_text

JOB = plan_job(example_text("gauge_block", shards=12, draws_per_shard=256)).job


async def test_a_command_s_lost_gpu_is_made_anew() -> None:
    loses = {5}

    async def open_gpu() -> Device:
        return FragileDevice(loses)

    async def open_oracle() -> Device:
        return OracleDevice()

    membership = await compute(JOB, Devices(open_gpu, required=True), quiet=True)
    calm = await compute(JOB, Devices(open_oracle, required=True), quiet=True)
    assert not loses
    assert membership.record is not None
    assert calm.record is not None
    assert membership.record.result_address == calm.record.result_address
    assert [note["id"] for note in membership.notices] == ["run-device-recovered"]


async def test_a_required_device_that_is_missing_is_a_fault() -> None:
    async def none() -> Device:
        raise ScellisError("SCL-GPU-NONE", "There is no GPU here.")

    with pytest.raises(ScellisError, match="SCL-GPU-NONE"):
        await Devices(none, required=True).main()
    devices = Devices(none)
    assert (await devices.main()).kind == "oracle"
    assert devices.without_gpu is not None


async def test_a_device_is_opened_once() -> None:
    opened: list[Device] = []

    async def open_gpu() -> Device:
        await asyncio.sleep(0)
        opened.append(FragileDevice(set()))
        return opened[-1]

    devices = Devices(open_gpu)
    assert len({id(device) for device in await asyncio.gather(*(devices.main() for _ in range(3)))}) == 1
    await asyncio.gather(devices.reopen(), devices.main())
    assert len(opened) == 2


class GrowingSampler(OracleSampler):
    """Takes eight times as many shards after each batch; a batch takes a second, whatever its size."""

    def __init__(self, graph: Any, spec: Any, clock: list[float]) -> None:
        super().__init__(graph, spec)
        self.batch_shards = 1
        self.batches: list[tuple[int, int]] = []
        self._clock = clock

    async def run(self, first: int, count: int) -> Accumulators:
        self._clock[0] += 1.0
        self.batches.append((first, count))
        self.batch_shards = min(8 * count, 64)
        return await super().run(first, count)


async def test_a_rate_is_measured_on_the_batch_that_the_device_settles_on() -> None:
    clock = [0.0]
    made: list[GrowingSampler] = []

    class Growing(OracleDevice):
        async def prepare(self, graph: Any, spec: Any, tier: str) -> Any:
            made.append(GrowingSampler(graph, spec, clock))
            return made[-1]

    assert await measure_rate(JOB, Growing(), lambda: clock[0]) == 64.0
    assert made[0].batches == [(1, 1), (2, 8), (10, 64)]
    assert await measure_rate(JOB, OracleDevice(), itertools.count().__next__) == 1.0


async def test_doctor_goes_on_after_a_broken_device(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    class Broken(OracleDevice):
        async def philox(self, *_: Any) -> Any:
            raise ScellisError("SCL-GPU-LOST", "The GPU went away.")

    async def broken(name: str, site: Any) -> Device:
        return Broken()

    monkeypatch.setattr(doctor, "open_device", broken)
    found = await doctor.examine("native", tmp_path)
    assert found["philox"] == "failed"
    assert "SCL-GPU-LOST" in found["why"]
