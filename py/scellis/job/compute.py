"""A job on a device: the one path on which a shard's state is computed, alone, pooled or replayed."""

from __future__ import annotations

from typing import Any

from scellis.device.protocol import Accumulators, Device, Sampler
from scellis.job.job import Job
from scellis.job.state import ShardState
from scellis.kernels.spec import SampleSpec
from scellis.rng import FAMILIES


class JobSampler:
    """Computes shards of one job. Made by `prepare_job`."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler

    @property
    def batch_shards(self) -> int:
        """Shards that one submit computes best."""
        return self._sampler.batch_shards

    async def states(self, first: int, count: int) -> list[ShardState]:
        """The states of shards `first … first + count − 1`, in order. Raises `SCL-GPU-LOST`."""
        return states_of(await self._sampler.run(first, count))

    def close(self) -> None:
        """Free what is held on the device."""
        self._sampler.close()


def states_of(found: Accumulators) -> list[ShardState]:
    """The states of consecutive shards."""
    rows: Any = [column.tolist() for column in (found.count, found.mean, found.m2)]
    beside: Any = [column.tolist() for column in (found.underflow, found.overflow, found.nonfinite)]
    return [ShardState(*row) for row in zip(*rows, found.bins, *beside, strict=True)]


def sample_spec(job: Job, family: str = "shard") -> SampleSpec:
    """What a kernel of the job is told, on streams of `family`."""
    return SampleSpec(
        seed=job.seed,
        family=FAMILIES[family],
        draws_per_shard=job.partition.draws_per_shard,
        bins=job.reduction.bins,
        low=job.reduction.low,
        high=job.reduction.high,
        pivot=job.reduction.pivot,
        scale=job.reduction.scale,
    )


async def prepare_job(job: Job, device: Device, family: str = "shard") -> JobSampler:
    """Lower and compile a job for a device, on streams of `family` ("shard", or "pilot" to measure a rate).

    Raises `SCL-JOB-ENGINE` for another engine's job, and what the device raises.
    """
    job.check_engine()
    return JobSampler(await device.prepare(job.program, sample_spec(job, family), job.determinism_tier))
