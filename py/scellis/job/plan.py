"""From an SML text to a job that can be computed, with what is known of it beforehand."""

from __future__ import annotations

import math

import attrs

from scellis.errors import ScellisError
from scellis.graph import DRAWS, Graph, Linearised, linearise
from scellis.graph.program import parameters_of
from scellis.job.job import BySeed, Goal, Job, Labels, freeze_job, frozen_tolerance
from scellis.job.reducers import admitted
from scellis.planner import Pilot, draws_needed, run_pilot, shards_needed
from scellis.sml import JobText, parse_job_text

FROZEN_SLACK = 1.1
"""Two oracles may round a frozen tolerance to neighbouring two-digit numbers."""


@attrs.frozen
class Plan:
    """A job with its pilot, the linear law beside it, and the draws and shards that its wish needs."""

    text: JobText
    pilot: Pilot
    job: Job
    linearised: Linearised
    draws_needed: int
    shards_needed: int


def plan_job(source: str) -> Plan:
    """Read an SML text, run its pilot on the oracle, and freeze the job.

    Takes about 0.1 s in a tab. Raises what reading, the pilot and the job raise.
    """
    text = parse_job_text(source)
    admitted("moments_histogram")
    pilot = _pilot(text.program, text.seed, text.draws_per_shard, text.determinism_tier)
    needed = shards_needed(pilot.std, text.standard_error, text.draws_per_shard)
    job = freeze_job(
        text.program,
        pilot,
        labels=Labels(text.title, text.output, text.unit, text.inputs),
        partition=BySeed(text.shards or needed, text.draws_per_shard),
        bins=text.bins,
        goal=Goal(text.coverage, text.standard_error),
        policy=text.policy,
        determinism_tier=text.determinism_tier,
        seed=text.seed,
    )
    return Plan(
        text, pilot, job, linearise(text.program), draws_needed(pilot.std, text.standard_error), needed
    )


def check_frozen(job: Job) -> None:
    """Repeat the pilot of a stranger's job: what a pilot freezes follows from program, seed, draws and tier.

    Raises `SCL-JOB-FROZEN` where the job allows more than its arithmetic asks for: then every result would
    agree with it.
    """
    pilot = _pilot(job.program, job.seed, job.partition.draws_per_shard, job.determinism_tier)
    asked = frozen_tolerance(pilot, job.reduction.bins, job.determinism_tier)
    pairs = zip(attrs.astuple(job.tolerance), attrs.astuple(asked), strict=True)
    if any(allowed > FROZEN_SLACK * needed for allowed, needed in pairs):
        raise ScellisError(
            "SCL-JOB-FROZEN",
            "The job's tolerance is wider than its own program asks for: results could not be told apart.",
            "Do not rely on this record; make the job anew from its program.",
        )


def check_poolable(job: Job) -> None:
    """Raise `SCL-JOB-TIER` for a job whose results cannot be told finely enough to be checked by others."""
    if job.determinism_tier == "fast":
        raise ScellisError(
            "SCL-JOB-TIER",
            "A job of the fast tier cannot be pooled: its built-in functions may err so much that a wrong "
            "result could pass for an honest one.",
            "Declare determinism_tier: prod.",
        )


def _pilot(program: Graph, seed: int, draws_per_shard: int, tier: str) -> Pilot:
    for node in program.nodes:
        if node.op in DRAWS and not math.isfinite(DRAWS[node.op].std(parameters_of(node))):
            raise ScellisError(
                "SCL-PLAN-VARIANCE",
                f"An input of the program has no finite variance ({node.op.removeprefix('draw_')}).",
                "A standard error needs one: take more than 2 degrees of freedom.",
            )
    return run_pilot(program, seed, draws_per_shard, fast=tier == "fast")
