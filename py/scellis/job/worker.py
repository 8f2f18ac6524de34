"""What one device does for a job in a pool, in bytes: compute a run of shards, ask the oracle, compare."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from scellis.device.protocol import Device
from scellis.errors import Finding, ScellisError
from scellis.job.compute import JobSampler, prepare_job
from scellis.job.job import Job
from scellis.job.state import ShardState
from scellis.job.tolerance import compare

RATE_BATCHES = 4
"""Batches that may be run to find a rate; a fast GPU takes eight times as many shards each time."""
RECOVERIES = 3
"""Times that a lost device is made anew before the loss ends the run."""


class JobWorker:
    """A job on a device, and on the oracle beside it.

    When the device is lost in mid-run, `reopen` makes it anew and the interrupted shards are computed again,
    from nothing but their numbers; `on_recovery` is told of each time, since nothing may happen in silence.
    `rate` is what `measure_rate` found, in shards a second.
    """

    def __init__(
        self,
        job: Job,
        device: Device,
        oracle: Device,
        *,
        rate: float,
        reopen: Callable[[], Awaitable[Device]],
        on_recovery: Callable[[ScellisError], None],
    ) -> None:
        self.job = job
        self.rate = rate
        self._device = device
        self._oracle = oracle
        self._reopen = reopen
        self._on_recovery = on_recovery
        self._recoveries = 0
        self._sampler: JobSampler | None = None
        self._oracle_sampler: JobSampler | None = None

    @property
    def device(self) -> str:
        """The device's kind."""
        return self._device.kind

    @property
    def step(self) -> int:
        """Shards that one call takes well; a stop is looked for between calls."""
        return self._sampler.batch_shards if self._sampler else 1

    async def run(self, first: int, count: int) -> list[bytes]:
        """The canonical states of shards `first … first + count − 1` on the device.

        Raises `SCL-GPU-LOST` when the device is lost again and again, `SCL-GPU-NONE` when it stays away.
        """
        while True:
            try:
                if self._sampler is None:
                    self._sampler = await prepare_job(self.job, self._device)
                return [state.to_bytes() for state in await self._sampler.states(first, count)]
            except ScellisError as error:
                if error.code != "SCL-GPU-LOST" or self._recoveries == RECOVERIES:
                    raise
                await self._recover(error)

    async def _recover(self, error: ScellisError) -> None:
        self._recoveries += 1
        self._sampler = None
        self._device = await self._reopen()
        self._on_recovery(error)

    async def oracle(self, shard: int) -> bytes:
        """The canonical state of one shard on the oracle."""
        if self._oracle_sampler is None:
            self._oracle_sampler = await prepare_job(self.job, self._oracle)
        (state,) = await self._oracle_sampler.states(shard, 1)
        return state.to_bytes()

    def differ(self, found: bytes, expected: bytes) -> list[Finding]:
        """What differs between two states beyond the job's tolerance class; what is no state differs."""
        try:
            states = ShardState.from_bytes(found), ShardState.from_bytes(expected)
        except ScellisError as error:
            return [Finding.of(error)]
        return compare(*states, self.job.tolerance)

    def close(self) -> None:
        """Free what the job holds on its devices; the devices are whoever's opened them."""
        for sampler in (self._sampler, self._oracle_sampler):
            if sampler is not None:
                sampler.close()


async def measure_rate(job: Job, device: Device, clock: Callable[[], float]) -> float:
    """Shards a second that `device` computes of `job`, on shards of the pilot's own stream, never folded.

    The first batch compiles and warms up; of those after it the last is taken, timed by `clock` (seconds),
    once the device no longer takes more at a time. Raises what preparing and running raise.
    """
    sampler = await prepare_job(job, device, family="pilot")
    try:
        await sampler.states(1, 1)  # stream pilot/0 is the pilot's
        first, rate = 2, 0.0
        for _ in range(RATE_BATCHES):
            count = sampler.batch_shards
            start = clock()
            await sampler.states(first, count)
            rate = count / max(clock() - start, 1e-6)
            first += count
            if sampler.batch_shards <= count:
                break
        return rate
    finally:
        sampler.close()
