"""What a merged state says: the estimate, its standard error, the coverage interval."""

from __future__ import annotations

import math

import attrs

from scellis.job.interval import Interval, shortest_interval
from scellis.job.job import Job
from scellis.job.state import ShardState

LEAST_OUTSIDE = 10
"""Draws that are to lie outside an interval: fewer place its ends by chance, whatever the bins resolve."""


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
    low, high, coverage = job.reduction.low, job.reduction.high, job.goal.coverage
    interval = shortest_interval(state, low, high, coverage)
    if state.count and state.count * (1.0 - coverage) < LEAST_OUTSIDE:
        interval = attrs.evolve(interval, low=None, high=None, refusal="few-draws")
    std = math.sqrt(state.m2 / (state.count - 1)) if state.count > 1 else None
    return Estimate(
        draws=state.draws,
        nonfinite=state.nonfinite,
        mean=state.mean,
        std=std,
        standard_error=None if std is None else std / math.sqrt(state.count),
        interval=interval,
    )
