"""View models of a finished run, as its URL tells it."""

from __future__ import annotations

from collections import Counter

import attrs

from scellis import ENGINE_VERSION
from scellis.app.models import Model, estimate_model, linearised_model
from scellis.content import address
from scellis.graph import linearise
from scellis.graph.describe import describe
from scellis.job import estimate
from scellis.records import VERDICTS, LinkedRun, Replay


def record_model(run: LinkedRun) -> Model:
    """Everything that is pinned, and the result."""
    job = run.job
    found = estimate(job, run.result)
    counts = Counter(evidence.verdict for evidence in run.evidence)
    return {
        "title": job.labels.title,
        "output": job.labels.output,
        "unit": job.labels.unit,
        "job": {"draws_per_shard": job.partition.draws_per_shard, "shards": job.partition.shards},
        "program_text": describe(job.program, job.labels.inputs, job.labels.output),
        "program_address": job.program.address,
        "job_address": job.address,
        "result": {
            **estimate_model(job, found, run.result),
            "linearised": linearised_model(linearise(job.program), job.goal.coverage),
        },
        "address": address(run.result.to_bytes()),
        "record_address": run.record_address,
        "engine": job.engine,
        "engine_matches": job.engine == ENGINE_VERSION,
        "tier": job.determinism_tier,
        "seed": str(job.seed),
        "partition": job.partition.kind,
        "draws_per_shard": job.partition.draws_per_shard,
        "shards": job.partition.shards,
        "verdicts": {verdict: counts[verdict] for verdict in VERDICTS},
    }


def replay_model(replay: Replay, device: str) -> Model:
    """One replayed shard."""
    return {
        **attrs.asdict(replay),
        "findings": [finding.as_dict() for finding in replay.findings],
        "expected": replay.expected_prefix,
        "within": not replay.findings,
        "device": device,
    }
