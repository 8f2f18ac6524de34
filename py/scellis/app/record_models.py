"""View models of a finished run, as its URL tells it."""

from __future__ import annotations

from collections import Counter

import attrs

from scellis import ENGINE_VERSION
from scellis.app.models import Model, estimate_model, job_model
from scellis.content import address
from scellis.job import estimate
from scellis.records import VERDICTS, LinkedRun, Replay


def record_model(run: LinkedRun) -> Model:
    """Everything that is pinned, and the result."""
    job = run.job
    found = estimate(job, run.result)
    counts = Counter(evidence.verdict for evidence in run.evidence)
    return {
        **job_model(job),
        **estimate_model(job, found, run.result),
        "address": address(run.result.to_bytes()),
        "engine_matches": job.engine == ENGINE_VERSION,
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
