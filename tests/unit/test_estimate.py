from __future__ import annotations

import attrs
import numpy as np
import pytest

from scellis.job import ShardState, estimate, plan_job
from support.programs import example_plan, example_text


def test_an_estimate_is_the_sample_statistics() -> None:
    job = example_plan("gauge_block").job
    bins = np.zeros(256, np.int64)
    bins[100:104] = 1
    found = estimate(job, ShardState(4, 838.0, 12.0, bins, 0, 0, 1))
    assert (found.draws, found.nonfinite, found.mean) == (5, 1, 838.0)
    assert found.std == 2.0
    assert found.standard_error == 1.0
    assert found.interval.coverage == 0.99
    assert found.interval.error == (job.reduction.high - job.reduction.low) / 256


@pytest.mark.parametrize("count", [0, 1])
def test_below_two_draws_there_is_no_spread(count: int) -> None:
    bins = np.zeros(256, np.int64)
    bins[0] = count
    found = estimate(example_plan("gauge_block").job, ShardState(count, 0.0, 0.0, bins, 0, 0, 0))
    assert found.std is None
    assert found.standard_error is None


def test_a_plan_takes_the_shards_that_the_text_says_or_the_wish_needs() -> None:
    plan = example_plan("gauge_block")
    assert plan.job.partition.shards == plan.text.shards == 640
    assert plan.draws_needed == pytest.approx((plan.pilot.std / 0.006) ** 2, rel=1e-6)
    assert plan.shards_needed == -(-plan.draws_needed // 65_536)
    free = plan_job(example_text("gauge_block").replace("shards: 640, ", ""))
    assert free.job.partition.shards == plan.shards_needed
    assert attrs.evolve(free.job, partition=plan.job.partition) == plan.job


def test_the_full_size_reaches_the_wish() -> None:
    for name in ("gauge_block", "saturating"):
        plan = example_plan(name)
        assert plan.shards_needed <= plan.job.partition.shards
        assert plan.job.draws == 41_943_040
