"""The sampling kernel against the oracle: whole shards, within their tolerance, whatever their size."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import attrs
import numpy as np
import pytest

from scellis.device.gpu import GpuDevice, GpuSampler, prepare_kernel
from scellis.device.oracle import OracleDevice
from scellis.device.protocol import Accumulators
from scellis.graph import Graph, log, normal, student_t, trace, uniform
from scellis.job import compare, prepare_job
from scellis.kernels.config import KERNEL_TABLE, KernelConfig
from scellis.kernels.sampling import BINS_LIMIT, DRAWS_LIMIT, EXTRA_SLOTS, MOMENTS, lower
from scellis.kernels.spec import SampleSpec
from scellis.rng import FAMILIES
from support.programs import EXAMPLES, example_plan

STUDENT = trace(lambda x: x, x=student_t(4, 0.0, 1.0))
SPEC = SampleSpec(
    seed=2**64 - 1,
    family=FAMILIES["shard"],
    draws_per_shard=4097,
    bins=64,
    low=-4.0,
    high=4.0,
    pivot=0.25,
    scale=2.0,
)


def fields(found: Accumulators) -> dict[str, np.ndarray]:
    return {name: np.asarray(value) for name, value in attrs.asdict(found).items()}


def assert_same_bits(found: Accumulators, expected: Accumulators) -> None:
    for name, value in fields(found).items():
        np.testing.assert_array_equal(value, fields(expected)[name], err_msg=name)


def standing() -> float:
    """A clock on which everything is instant: batches grow as far as they may."""
    return 0.0


def crawling() -> Callable[[], float]:
    """A clock on which every batch takes a second: one shard a batch."""
    return itertools.count(0.0, 1.0).__next__


async def sampler(
    device: GpuDevice,
    graph: Graph,
    spec: SampleSpec,
    config: KernelConfig,
    clock: Callable[[], float] = standing,
) -> GpuSampler:
    kernel = lower(graph, spec, "prod", config)
    return await prepare_kernel(device.gpu, kernel, device.fingerprint["limits"], clock)


async def assert_like_the_oracle(found: Accumulators, graph: Graph, spec: SampleSpec) -> None:
    """Counts exact; moments to what f32 sums of `draws` terms may lose; a few draws over an edge."""
    shards = found.count.size
    expected = await (await OracleDevice().prepare(graph, spec, "prod")).run(found.first, shards)
    np.testing.assert_array_equal(found.count, expected.count)
    np.testing.assert_array_equal(found.nonfinite, expected.nonfinite)
    np.testing.assert_array_equal(found.underflow + found.overflow + found.bins.sum(1), found.count)
    np.testing.assert_allclose(found.mean, expected.mean, rtol=0, atol=2e-5)
    np.testing.assert_allclose(found.m2, expected.m2, rtol=1e-4, atol=1e-9)
    assert np.abs(found.bins - expected.bins).sum() <= 2 + found.count.sum() * 1e-4


@pytest.mark.parametrize("tier", ["debug", "prod", "fast"])
@pytest.mark.parametrize("name", EXAMPLES)
async def test_examples_are_within_their_tolerance(device: GpuDevice, name: str, tier: str) -> None:
    job = attrs.evolve(example_plan(name).job, determinism_tier=tier)
    prepared = await prepare_job(job, device)
    found = await prepared.states(317, 3)
    prepared.close()
    expected = await (await prepare_job(job, OracleDevice())).states(317, 3)
    findings = [compare(a, b, job.tolerance) for a, b in zip(found, expected, strict=True)]
    assert findings == [[], [], []]


@pytest.mark.parametrize("draws", [1, 2, 63, 64, 65, 1000, 16_384, 16_385, 65_537, 300_001])
@pytest.mark.parametrize("row", KERNEL_TABLE)
async def test_any_number_of_draws(device: GpuDevice, row: str, draws: int) -> None:
    spec = attrs.evolve(SPEC, draws_per_shard=draws)
    prepared = await sampler(device, STUDENT, spec, KERNEL_TABLE[row])
    await assert_like_the_oracle(await prepared.run(2**32 - 3, 2), STUDENT, spec)
    prepared.close()


@pytest.mark.parametrize("row", KERNEL_TABLE)
async def test_the_most_bins(device: GpuDevice, row: str) -> None:
    spec = attrs.evolve(SPEC, bins=BINS_LIMIT)
    config = KERNEL_TABLE[row]
    assert 4 * (BINS_LIMIT + EXTRA_SLOTS) + MOMENTS.itemsize * config.workgroup <= 16_384
    prepared = await sampler(device, STUDENT, spec, config)
    await assert_like_the_oracle(await prepared.run(0, 2), STUDENT, spec)
    prepared.close()


async def test_the_largest_shard(device: GpuDevice) -> None:
    graph = trace(lambda x: x, x=uniform(-1.0, 1.0))
    spec = attrs.evolve(SPEC, draws_per_shard=DRAWS_LIMIT)
    prepared = await sampler(device, graph, spec, KERNEL_TABLE["software"])
    await assert_like_the_oracle(await prepared.run(0, 1), graph, spec)


async def test_more_workgroups_than_one_dimension_holds(device: GpuDevice) -> None:
    config = KernelConfig(workgroup=1, draws_per_thread=1, words="float")
    spec = attrs.evolve(SPEC, draws_per_shard=512, bins=8)
    prepared = await sampler(device, STUDENT, spec, config)
    await prepared.run(0, 1)
    await prepared.run(0, 8)
    await prepared.run(0, 64)
    before = device.gpu.stats()["dispatches"]
    found = await prepared.run(5, 200)  # 102 400 workgroups
    assert device.gpu.stats()["dispatches"] == before + 1
    await assert_like_the_oracle(found, STUDENT, spec)


async def test_nonfinite_draws_are_counted_and_left_out(device: GpuDevice) -> None:
    graph = trace(lambda x, y: log(x) / (y - y), x=normal(0.0, 1.0), y=uniform(0.0, 1.0))
    half = trace(lambda x: log(x), x=normal(0.0, 1.0))
    spec = attrs.evolve(SPEC, draws_per_shard=10_000)
    prepared = await sampler(device, half, spec, KERNEL_TABLE["software"])
    found = await prepared.run(0, 2)
    await assert_like_the_oracle(found, half, spec)
    assert (found.nonfinite > 4500).all()
    prepared = await sampler(device, graph, spec, KERNEL_TABLE["software"])
    found = await prepared.run(0, 2)
    assert found.nonfinite.tolist() == [10_000, 10_000]
    assert found.count.tolist() == found.m2.tolist() == found.mean.tolist() == [0, 0]


async def test_what_lies_outside_is_counted_on_its_side(device: GpuDevice) -> None:
    spec = attrs.evolve(SPEC, low=-1.0, high=0.5, bins=1)
    prepared = await sampler(device, STUDENT, spec, KERNEL_TABLE["software"])
    found = await prepared.run(0, 2)
    expected = await (await OracleDevice().prepare(STUDENT, spec, "prod")).run(0, 2)
    for name in ("underflow", "bins", "overflow"):
        np.testing.assert_allclose(fields(found)[name], fields(expected)[name], atol=1)


async def test_how_shards_are_batched_changes_no_bit(device: GpuDevice) -> None:
    prepared = await sampler(device, STUDENT, SPEC, KERNEL_TABLE["software"])
    one_by_one = await sampler(device, STUDENT, SPEC, KERNEL_TABLE["software"], crawling())
    whole = await one_by_one.run(100, 37)
    parts = [await prepared.run(100 + start, count) for start, count in ((0, 1), (1, 5), (6, 31))]
    for name, value in fields(whole).items():
        if name != "first":
            np.testing.assert_array_equal(np.concatenate([fields(part)[name] for part in parts]), value)


async def test_poisoned_outputs_are_cleared(device: GpuDevice) -> None:
    prepared = await sampler(device, STUDENT, SPEC, KERNEL_TABLE["software"])
    first = await prepared.run(9, 3)
    _, _, moments, histogram, _ = prepared._handles
    for buffer, size in (
        (moments, prepared._kernel.moments_bytes),
        (histogram, prepared._kernel.histogram_bytes),
    ):
        device.gpu.write(buffer, 0, b"\xa5" * (3 * size))
    assert_same_bits(await prepared.run(9, 3), first)


async def test_no_shards_are_no_submit(device: GpuDevice) -> None:
    prepared = await sampler(device, STUDENT, SPEC, KERNEL_TABLE["software"])
    found = await prepared.run(4, 0)
    assert found.bins.shape == (0, SPEC.bins)
    assert device.gpu.stats()["submits"] == 0
