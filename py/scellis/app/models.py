"""View models: plain JSON values, numbers raw, words as message ids with arguments.

The page formats numbers and dates in the reader's language; nothing here is text for a person, but names that
people themselves gave.
"""

from __future__ import annotations

import math
from typing import Any

import attrs

from scellis.graph import Linearised, linearise
from scellis.graph.describe import describe
from scellis.job import Estimate, Interval, Job, Plan, ShardState
from scellis.records import EVIDENCE_LIMIT

Model = dict[str, Any]

LINEAR_LAW_SLACK = 0.05
"""The linear law is said to fail where its standard deviation lies below the pilot's by more than this."""


def notice(message_id: str, **args: str | int | float | bool | None) -> Model:
    """A message for the page: its id in the catalogues and its arguments."""
    return {"id": message_id, "args": args}


def job_model(job: Job) -> Model:
    """What is pinned before any draw, the same on every device of a pool; and the linear law beside it."""
    return {
        "title": job.labels.title,
        "output": job.labels.output,
        "unit": job.labels.unit,
        "wished": job.goal.standard_error,
        "coverage": job.goal.coverage,
        "shards": job.partition.shards,
        "draws_per_shard": job.partition.draws_per_shard,
        "tier": job.determinism_tier,
        "seed": str(job.seed),
        "engine": job.engine,
        "partition": job.partition.kind,
        "program_text": describe(job.program, job.labels.inputs, job.labels.output),
        "program_address": job.program.address,
        "job_address": job.address,
        "linearised": linearised_model(linearise(job.program), job.goal.coverage),
    }


def plan_model(plan: Plan, rate: float, example: str | None) -> Model:
    """The plan before the start. `rate` is the device's measured draws a second."""
    job = plan.job
    return {
        **job_model(job),
        "example": example,
        "about": plan.text.about,
        "sigma": plan.pilot.std,
        "mean": plan.pilot.mean,
        "draws_needed": plan.draws_needed,
        "shards_needed": plan.shards_needed,
        "draws": job.draws,
        "rate": rate,
        "seconds": job.draws / rate,
        "warnings": _warnings(plan),
    }


def _warnings(plan: Plan) -> list[Model]:
    warnings = []
    if plan.job.partition.shards > EVIDENCE_LIMIT:
        warnings.append(notice("plan-no-url", shards=plan.job.partition.shards, limit=EVIDENCE_LIMIT))
    if plan.shards_needed > plan.job.partition.shards:
        warnings.append(
            notice("plan-too-few-shards", needed=plan.shards_needed, shards=plan.job.partition.shards)
        )
    if plan.linearised.std < (1.0 - LINEAR_LAW_SLACK) * plan.pilot.std:
        warnings.append(
            notice("plan-linear-law-too-small", linearised=plan.linearised.std, sampled=plan.pilot.std)
        )
    return warnings


def linearised_model(found: Linearised, coverage: float) -> Model | None:
    """What first-order propagation says of the program, or None where it says nothing finite."""
    if not (math.isfinite(found.mean) and math.isfinite(found.std)):
        return None
    low, high = found.interval(coverage)
    return {"mean": found.mean, "std": found.std, "interval": [low, high]}


def interval_model(interval: Interval) -> Model:
    """The coverage interval, or why there is none."""
    known = interval.low is not None
    return {
        "interval": [interval.low, interval.high] if known else None,
        "interval_error": interval.error,
        "interval_refusal": None if known else notice("interval-refused", reason=interval.refusal),
        "coverage": interval.coverage,
    }


def histogram_model(job: Job, state: ShardState) -> Model:
    """The histogram of a merged state."""
    return {
        "low": job.reduction.low,
        "high": job.reduction.high,
        "counts": state.bins.tolist(),
        "underflow": state.underflow,
        "overflow": state.overflow,
    }


def estimate_model(job: Job, found: Estimate, state: ShardState) -> Model:
    """The estimate with its interval and histogram."""
    return {
        "draws": found.draws,
        "nonfinite": found.nonfinite,
        "mean": found.mean if found.draws else None,
        "std": found.std,
        "standard_error": found.standard_error,
        "histogram": histogram_model(job, state),
        **interval_model(found.interval),
    }


@attrs.define
class Trace:
    """How mean and standard error went, thinned so that it never holds more than `limit` points."""

    limit: int = 400
    _rows: list[tuple[int, float, float]] = attrs.field(factory=list)
    _stride: int = 1
    _seen: int = 0

    def add(self, found: Estimate) -> None:
        """Note the estimate after more draws."""
        if found.standard_error is None:
            return
        if self._seen % self._stride == 0:
            self._rows.append((found.draws, found.mean, found.standard_error))
            if len(self._rows) > self.limit:
                del self._rows[1::2]
                self._stride *= 2
        self._seen += 1

    def model(self) -> Model:
        """Columns, oldest first."""
        return {
            "draws": [row[0] for row in self._rows],
            "mean": [row[1] for row in self._rows],
            "standard_error": [row[2] for row in self._rows],
        }
