"""Jobs: what is computed, in which shards, how states merge, and when two results are the same."""

from scellis.job.compute import JobSampler, prepare_job
from scellis.job.estimate import Estimate, estimate
from scellis.job.interval import Interval, shortest_interval
from scellis.job.job import BySeed, Goal, HistogramReduction, Job, Labels, freeze_job
from scellis.job.plan import Plan, check_frozen, check_poolable, plan_job
from scellis.job.reducers import REDUCERS, Reducer, admit, admitted
from scellis.job.state import STATE_LIMIT_BYTES, ShardState, merge_moments
from scellis.job.tolerance import Tolerance, compare
from scellis.job.tree import MergeTree
from scellis.job.worker import JobWorker, measure_rate

__all__ = [
    "REDUCERS",
    "STATE_LIMIT_BYTES",
    "BySeed",
    "Estimate",
    "Goal",
    "HistogramReduction",
    "Interval",
    "Job",
    "JobSampler",
    "JobWorker",
    "Labels",
    "MergeTree",
    "Plan",
    "Reducer",
    "ShardState",
    "Tolerance",
    "admit",
    "admitted",
    "check_frozen",
    "check_poolable",
    "compare",
    "estimate",
    "freeze_job",
    "measure_rate",
    "merge_moments",
    "plan_job",
    "prepare_job",
    "shortest_interval",
]
