"""What a training is planned to take is what it takes, and what is planned to be too much is not begun."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from scellis.content import MemoryStore
from scellis.device.gpu import GpuDevice
from scellis.device.native import open_native
from scellis.errors import ScellisError
from scellis.planner.capacity import ASSUMED_BYTES, CHUNK_BYTES, Capacity, capacity_for, probe
from scellis.planner.verdict import GREEN, RED, YELLOW, verdict
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train.fitting import Fitting, fitting
from scellis.train.planned import plan_training
from scellis.train.remedies import remedied, remedies
from scellis.train.run import TrainingRun
from scellis.train.trainer import open_planned
from support.memory_cases import MEMORY_CASES
from support.training_texts import dots, same_bits, trained, training, training_text


@pytest.fixture
async def fresh() -> AsyncIterator[GpuDevice]:
    """A device on which nothing was before: what it held at most is of one test."""
    device = await open_native(plans=False)
    yield device
    await device.close()


async def _taken(record: TrainingRecord, device: GpuDevice) -> int:
    """The most that buffers take while a record is trained, measured and kept."""
    before = device.gpu.stats()["bytes"]
    trainer = await open_planned(await plan_training(record, dots(), device))
    await TrainingRun(trainer, MemoryStore()).go()
    trainer.close()
    assert device.gpu.stats()["bytes"] == before
    return device.gpu.stats()["peak_bytes"] - before


@pytest.mark.parametrize("name", MEMORY_CASES)
async def test_what_is_planned_is_what_is_taken(fresh: GpuDevice, name: str) -> None:
    record = training(MEMORY_CASES[name])
    memory = (await plan_training(record, dots(), fresh)).memory
    assert memory is not None
    assert memory.bytes == pytest.approx(await _taken(record, fresh), rel=0.05)
    assert all(size >= 0 for size in memory.kinds.values())
    assert 0 < memory.fixed_bytes < memory.bytes


async def _fitting(record: TrainingRecord, device: GpuDevice, set_bytes: int) -> Fitting:
    found = await fitting(await plan_training(record, dots(), device), set_bytes)
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["wide", "deep"])
async def test_a_remedy_saves_what_it_says(name: str) -> None:
    text, record = training_text(MEMORY_CASES[name]), training(MEMORY_CASES[name])
    device = await open_native(plans=False)
    found = await _fitting(record, device, 10**9)
    offered = await remedies(text, record, dots(), device, found.memory.bytes, found.capacity)
    await device.close()
    assert {"accumulate", "batch"} <= {remedy.name for remedy in offered}
    assert [remedy.saves for remedy in offered] == sorted((remedy.saves for remedy in offered), reverse=True)
    for remedy in offered:
        device = await open_native(plans=False)
        changed = parse_training(remedy.text, record.library)
        assert remedy.bytes == pytest.approx(await _taken(changed, device), rel=0.05)
        assert remedy.saves == found.memory.bytes - remedy.bytes > 0
        await device.close()


async def test_of_smaller_batches_the_largest_that_fits_is_offered(fresh: GpuDevice) -> None:
    text, record = training_text(MEMORY_CASES["wide"]), training(MEMORY_CASES["wide"])
    needed = (await _fitting(record, fresh, 10**9)).memory.bytes
    sizes = {}
    for size in (8, 4, 2, 1):
        sizes[size] = (
            await _fitting(training(MEMORY_CASES["wide"], batch_size=str(size)), fresh, 1)
        ).memory.bytes
    capacity = Capacity(sizes[4], "set")
    found = await remedied("batch", text, record, dots(), fresh, needed, capacity)
    assert found.fields == {"batch_size": "4"}
    assert found.bytes == sizes[4] < sizes[8]


async def test_what_does_not_fit_is_refused_and_nothing_of_it_is_made(fresh: GpuDevice) -> None:
    record = training(MEMORY_CASES["wide"])
    before = fresh.gpu.stats()
    found = await _fitting(record, fresh, 10**9)
    found.refuse()
    assert found.verdict == GREEN
    short = await _fitting(record, fresh, found.memory.bytes - 1)
    assert short.verdict == RED
    with pytest.raises(ScellisError, match="the device holds") as refused:
        short.refuse()
    assert refused.value.code == "SCL-TRAIN-MEMORY"
    hopeless = await _fitting(record, fresh, found.memory.fixed_bytes - 1)
    with pytest.raises(ScellisError, match="no batch size helps"):
        hopeless.refuse()
    assert fresh.gpu.stats() == before


async def test_a_remedy_that_saves_nothing_is_none(fresh: GpuDevice) -> None:
    text, record = training_text(batch_size="1"), training(batch_size="1")
    with pytest.raises(ScellisError) as refused:
        await remedied("batch", text, record, dots(), fresh, 1, Capacity(10**9, "set"))
    assert refused.value.code == "SCL-TRAIN-REMEDY"


async def test_rematerialised_layers_have_the_same_bits(device: GpuDevice) -> None:
    deep = MEMORY_CASES["deep"]
    state, told = await trained(training(deep), dots(), MemoryStore(), device=device)
    again = training(deep, rematerialise="{ every_layers: 3 }")
    found, retold = await trained(again, dots(), MemoryStore(), device=device)
    assert same_bits(found, state)
    assert retold.reports == told.reports


class _Small:
    """A GPU on which so many bytes find room."""

    def __init__(self, gpu: object, room: int) -> None:
        self._gpu = gpu
        self._room = room

    def __getattr__(self, name: str) -> object:
        return getattr(self._gpu, name)

    async def buffer(self, size: int, usage: int, label: str) -> int:
        if size > self._room:
            raise ScellisError("SCL-GPU-OOM", "no room")
        self._room -= size
        return await self._gpu.buffer(size, usage, label)  # type: ignore[attr-defined, no-any-return]


async def test_capacity_is_tried_no_further_than_what_is_asked(fresh: GpuDevice) -> None:
    before = fresh.gpu.stats()["bytes"]
    assert await probe(fresh.gpu, 1000) == Capacity(1000, "probed", at_least=True)
    small = _Small(fresh.gpu, CHUNK_BYTES)
    assert await probe(small, 2 * CHUNK_BYTES) == Capacity(CHUNK_BYTES, "probed")  # type: ignore[arg-type]
    assert fresh.gpu.stats()["bytes"] == before


async def test_capacity_is_said_assumed_or_tried(fresh: GpuDevice) -> None:
    assert await capacity_for(fresh.gpu, 10**6) == Capacity(ASSUMED_BYTES, "assumed")
    assert await capacity_for(fresh.gpu, 10**12, 5) == Capacity(5, "set")
    small = _Small(fresh.gpu, CHUNK_BYTES)
    found = await capacity_for(small, ASSUMED_BYTES)  # type: ignore[arg-type]
    assert found == Capacity(CHUNK_BYTES, "probed")


def test_verdicts() -> None:
    capacity = Capacity(1000, "set")
    assert [verdict(needed, capacity) for needed in (800, 801, 1000, 1001)] == [GREEN, YELLOW, YELLOW, RED]
