"""The wall time of a whole job on a device: every shard, read back, encoded, hashed and merged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scellis.content import address
from scellis.device.gpu import GpuDevice
from scellis.job import MergeTree, estimate, prepare_job
from support.programs import example_plan


async def time_job(
    device: GpuDevice, clock: Callable[[], float], *, shards: int | None = None
) -> dict[str, Any]:
    """Time the gauge block job, `shards` of it or all.

    Compiled and warmed up before the clock starts, as a page is by its pilot. `host_s` is what was not spent
    waiting for the device.
    """
    job = example_plan("gauge_block").job
    total = shards or job.partition.shards
    sampler = await prepare_job(job, device)
    await sampler.states(0, 1)
    before = device.gpu.stats()
    waited = 0.0
    start = clock()
    tree = MergeTree(total, job.reduction.bins)
    states = {}
    addresses = []
    first = 0
    while first < total:
        count = min(sampler.batch_shards, total - first)
        asked = clock()
        found = await sampler.states(first, count)
        waited += clock() - asked
        addresses += [address(state.to_bytes()) for state in found]
        states |= dict(enumerate(found, first))
        first += count
    tree.update(states)
    result = estimate(job, tree.root)
    wall = clock() - start
    after = device.gpu.stats()
    sampler.close()
    return {
        "shards": total,
        "draws": total * job.partition.draws_per_shard,
        "wall_s": wall,
        "waited_s": waited,
        "host_s": wall - waited,
        "draws_per_second": total * job.partition.draws_per_shard / wall,
        "crossings": after["crossings"] - before["crossings"],
        "mean": result.mean,
        "std": result.std,
        "interval": [result.interval.low, result.interval.high],
    }
