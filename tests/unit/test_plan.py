"""What a job fixes beforehand: tiers, forged tolerances, inputs without a variance."""

from __future__ import annotations

import attrs
import pytest

from scellis.errors import ScellisError
from scellis.job import Job, check_frozen, check_poolable, plan_job
from support.programs import EXAMPLES, example_text


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_the_pilot_froze_is_found_again(name: str) -> None:
    check_frozen(plan_job(example_text(name)).job)


@pytest.mark.parametrize("field", ["mean", "m2", "moved"])
def test_a_tolerance_wider_than_the_arithmetic_asks_for_is_refused(field: str) -> None:
    job = plan_job(example_text("gauge_block")).job
    wide = attrs.evolve(job.tolerance, **{field: 10.0 * getattr(job.tolerance, field)})
    forged = attrs.evolve(job, tolerance=wide)
    with pytest.raises(ScellisError) as refused:
        check_frozen(Job.from_bytes(forged.to_bytes()))
    assert refused.value.code == "SCL-JOB-FROZEN"


def test_the_fast_tier_allows_what_built_in_functions_may_err_and_is_not_pooled() -> None:
    prod = plan_job(example_text("gauge_block")).job
    fast = plan_job(example_text("gauge_block").replace("tier: prod", "tier: fast")).job
    assert fast.tolerance.mean > 10.0 * prod.tolerance.mean
    check_frozen(fast)
    check_poolable(prod)
    with pytest.raises(ScellisError) as refused:
        check_poolable(fast)
    assert refused.value.code == "SCL-JOB-TIER"


def test_an_input_without_a_variance_is_refused_before_anybody_computes() -> None:
    text = example_text("gauge_block").replace("student_t, df: 5,", "student_t, df: 2,")
    with pytest.raises(ScellisError) as refused:
        plan_job(text)
    assert refused.value.code == "SCL-PLAN-VARIANCE"
