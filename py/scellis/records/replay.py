"""Replaying one shard of a finished run, alone, and comparing it with what the run's URL keeps of it."""

from __future__ import annotations

import attrs

from scellis.content import address
from scellis.device.protocol import Device
from scellis.errors import Finding
from scellis.job import ShardState, compare, prepare_job
from scellis.records.url import LinkedRun


@attrs.frozen
class Replay:
    """One replayed shard.

    `same_bits`: its address begins as the record says; `findings`: what lies beyond the job's tolerance
    class, as sentences; `bins_compared`: whether the original state was at hand to compare bins.
    """

    shard: int
    address: str
    expected_prefix: str
    same_bits: bool
    findings: tuple[Finding, ...]
    bins_compared: bool

    @property
    def agrees(self) -> bool:
        """Whether the replay confirms the record."""
        return self.same_bits or not self.findings


def judge_replay(run: LinkedRun, shard: int, state: ShardState, original: ShardState | None = None) -> Replay:
    """Compare a recomputed state of `shard` with the run's evidence, and with the original state where kept.

    Raises `SCL-RECORD-SHARD` for a shard that the run does not have.
    """
    evidence = run.evidence_of(shard)
    found = address(state.to_bytes())
    expected = original
    if expected is None:
        # The URL keeps moments alone; bins and counts of the replay stand in for what it cannot contradict.
        expected = attrs.evolve(
            state,
            count=run.job.partition.draws_per_shard - state.nonfinite,
            mean=evidence.mean,
            m2=evidence.m2,
        )
    return Replay(
        shard=shard,
        address=found,
        expected_prefix="sha256:" + evidence.address_prefix,
        same_bits=found.startswith("sha256:" + evidence.address_prefix),
        findings=tuple(compare(state, expected, run.job.tolerance)),
        bins_compared=original is not None,
    )


async def replay_shard(
    run: LinkedRun, shard: int, device: Device, original: ShardState | None = None
) -> Replay:
    """Recompute `shard` alone on `device`. Raises `SCL-RECORD-SHARD` for one that the run does not have."""
    run.evidence_of(shard)
    sampler = await prepare_job(run.job, device)
    try:
        (state,) = await sampler.states(shard, 1)
    finally:
        sampler.close()
    return judge_replay(run, shard, state, original)
