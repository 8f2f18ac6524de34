"""Finished runs, small enough to make in a test."""

from __future__ import annotations

from functools import cache

from scellis.content import address
from scellis.job import Job, MergeTree, ShardState, plan_job
from scellis.records import Leaf, RunRecord
from support.programs import example_text, oracle_states


@cache
def finished(name: str, shards: int, draws_per_shard: int) -> tuple[RunRecord, tuple[ShardState, ...]]:
    """The record of an example at another size, computed on the oracle, and its leaves' states."""
    job: Job = plan_job(example_text(name, shards=shards, draws_per_shard=draws_per_shard)).job
    states = oracle_states(job, 0, shards)
    tree = MergeTree(shards, job.reduction.bins)
    tree.update(dict(enumerate(states)))
    verdicts = ("re-executed", "batch-checked", "batch-checked")
    leaves = tuple(Leaf(address(state.to_bytes()), verdicts[k % 3]) for k, state in enumerate(states))
    return RunRecord(job, tree.root, leaves), tuple(states)
