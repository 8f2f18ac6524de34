"""Draws a second of one program on devices of one interpreter: natively or, sent as text, in a tab."""

from __future__ import annotations

import json
import time
from typing import Any

from scellis.device.protocol import Device
from scellis.job import Job, plan_job, prepare_job
from scellis.job.compute import JobSampler

WARM_S = 1.0


class Rates:
    """The program, prepared and warmed up on each of `devices`."""

    def __init__(self, job: Job, devices: dict[str, Device], samplers: dict[str, JobSampler]) -> None:
        self._job = job
        self._devices = devices
        self._samplers = samplers

    @classmethod
    async def open(cls, text: str, devices: dict[str, Device]) -> Rates:
        """Plan the SML `text`, compile it on every device and let the size of a batch settle."""
        job = plan_job(text).job
        rates = cls(job, devices, {name: await prepare_job(job, device) for name, device in devices.items()})
        for name in devices:
            await rates.time(name, WARM_S)
        return rates

    async def time(self, name: str, seconds: float) -> str:
        """Compute shards one after the other for `seconds`: draws a second and crossings a shard, as JSON."""
        sampler = self._samplers[name]
        partition = self._job.partition
        before = self._crossings(name)
        done = 0
        start = time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            first = done % partition.shards
            count = min(sampler.batch_shards, partition.shards - first)
            await sampler.states(first, count)
            done += count
        found: dict[str, Any] = {
            "rate": done * partition.draws_per_shard / spent,
            "shards": done,
            "batch": sampler.batch_shards,
        }
        if (after := self._crossings(name)) is not None and before is not None:
            found["crossings_per_shard"] = (after - before) / done
        return json.dumps(found)

    def _crossings(self, name: str) -> int | None:
        gpu = getattr(self._devices[name], "gpu", None)
        return gpu.stats()["crossings"] if gpu is not None else None
