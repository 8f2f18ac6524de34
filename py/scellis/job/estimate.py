"""What a merged state says: the estimate, its standard error, the coverage interval."""

from __future__ import annotations

import math

import attrs

from scellis.job.interval import Interval, shortest_interval
from scellis.job.job import Job
from scellis.job.state import ShardState


@attrs.frozen
class Estimate:
    """Mean and standard deviation of the output, standard error of the mean, all in the output's unit.

    `std` is the sample standard deviation, which JCGM 101 reports as the standard uncertainty; it and
    `standard_error` are None below two draws. `nonfinite` draws are in none of these.
    """

    draws: int
    nonfinite: int
    mean: float
    std: float | None
    standard_error: float | None
    interval: Interval


def estimate(job: Job, state: ShardState) -> Estimate:
    """The estimate of a job from the merge of some or all of its shards."""
    std = math.sqrt(state.m2 / (state.count - 1)) if state.count > 1 else None
    return Estimate(
        draws=state.draws,
        nonfinite=state.nonfinite,
        mean=state.mean,
        std=std,
        standard_error=None if std is None else std / math.sqrt(state.count),
        interval=shortest_interval(state, job.reduction.low, job.reduction.high, job.goal.coverage),
    )
