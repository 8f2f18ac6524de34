"""The gauge block of JCGM 101:2008, 9.5: the published answer, and why its program is in deviations."""

from __future__ import annotations

import math
from collections.abc import Callable

import attrs
import numpy as np
import pytest

from scellis.errors import ScellisError
from scellis.graph import (
    Graph,
    Value,
    arcsine,
    ctrap,
    evaluate,
    normal,
    student_t,
    trace,
    uniform,
)
from scellis.job import Estimate, MergeTree, compare, estimate
from scellis.planner import run_pilot
from support.programs import evaluate_f32, example_plan, oracle_states, state_f32, uniforms

SHARDS = 32
DRAWS = SHARDS * 65_536
PUBLISHED_DRAWS = 4_000_000  # of the independent check: 837.997, 35.801, [744.65, 931.87]
SIGMAS = 6.0


@pytest.fixture(scope="module")
def found() -> Estimate:
    job = example_plan("gauge_block").job
    tree = MergeTree(SHARDS, job.reduction.bins)
    tree.update(dict(enumerate(oracle_states(job, 0, SHARDS))))
    assert tree.root.count == DRAWS
    return estimate(job, tree.root)


def test_mean_and_standard_deviation(found: Estimate) -> None:
    # Both sides are samples, so the variances of their errors add.
    size = math.sqrt(1 / DRAWS + 1 / PUBLISHED_DRAWS)
    assert abs(found.mean - 837.997) <= SIGMAS * 35.801 * size + 0.0005
    # The standard deviation errs by σ √((κ − 1) / 4n); the kurtosis of this output is below 3.5.
    assert abs(found.std - 35.801) <= SIGMAS * 35.801 * math.sqrt(2.5 / 4) * size + 0.0005
    assert round(found.mean), round(found.std) == (838, 36)


def test_the_shortest_interval(found: Estimate) -> None:
    low, high = found.interval.low, found.interval.high
    size = math.sqrt(1 / DRAWS + 1 / PUBLISHED_DRAWS)
    z = 2.5758
    density = math.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) / 35.801  # at either end, near normal
    # The length is the difference of the quantiles at 0.5 % and 99.5 %, hardly correlated; taking the density
    # f as constant within a bin of width w errs by at most f'/f = z/σ times w²/8 at each end.
    quantile_error = math.sqrt(2 * 0.005 * (0.995 - 0.005)) / density * size
    within_bin = 2 * (z / 35.801) * found.interval.error**2 / 8
    assert abs((high - low) - (931.87 - 744.65)) <= SIGMAS * quantile_error + within_bin + 0.01
    # Where the shortest interval lies is known worse, since its length is stationary there. Shifted by the
    # probability p, it grows by z p² / (σ f²), while its random error changes by √(2p/n) / f; they balance at
    # p^{3/2} = f σ √(2/n) / z.
    shift = (SIGMAS * density * 35.801 * math.sqrt(2) * size / z) ** (2 / 3) / density
    assert abs(low - 744.65) <= shift + found.interval.error
    assert abs(high - 931.87) <= shift + found.interval.error
    assert shift < 3  # nm: still within the standard's own last digit or two


Inputs = dict[str, Value]


def gauge(length_loc: float, formula: Callable[..., Value]) -> Graph:
    return trace(
        formula,
        length=student_t(18, length_loc, 25),
        difference=student_t(24, 215, 6),
        random=student_t(5, 0, 4),
        systematic=student_t(8, 0, 7),
        expansion=uniform(9.5e-6, 13.5e-6),
        room=normal(-0.1, 0.2),
        cycle=arcsine(-0.5, 0.5),
        block_expansion=ctrap(-1e-6, 1e-6, 0.1e-6),
        block_temperature=ctrap(-0.05, 0.05, 0.025),
    )


def strain(x: Inputs) -> Value:
    return x["block_expansion"] * (x["room"] + x["cycle"]) + x["expansion"] * x["block_temperature"]


def naive(**x: Value) -> Value:
    """The model as the standard prints it, with lengths of 50 000 623 nm."""
    sum_of_lengths = x["length"] + x["difference"] + x["random"] + x["systematic"]
    return sum_of_lengths - x["length"] * strain(x) - 50_000_000


def in_deviations(**x: Value) -> Value:
    sum_of_lengths = x["length"] + x["difference"] + x["random"] + x["systematic"]
    return sum_of_lengths - (50_000_000 + x["length"]) * strain(x)


def test_f32_cannot_hold_the_naive_program() -> None:
    assert float(np.spacing(np.float32(50_000_623))) == 4.0
    assert float(np.float32(50_000_623)) == 50_000_624
    graph = gauge(50_000_623, naive)
    words = uniforms(graph, 262_144)
    exact, rounded = evaluate(graph, words), evaluate_f32(graph, words).astype(np.float64)
    assert set(np.unique(rounded % 4)) == {0.0}  # nothing between steps of 4 nm
    # The same draws, so sampling plays no part: the mean is off by 1 nm, seven standard errors of a shard,
    # the standard deviation by 0.08 nm.
    assert rounded.mean() - exact.mean() == pytest.approx(1.0, abs=0.02)
    assert rounded.mean() - exact.mean() > 7 * exact.std() / math.sqrt(65_536)
    assert rounded.std() - exact.std() > 0.07


def test_f32_holds_the_program_in_deviations() -> None:
    graph = gauge(623, in_deviations)
    words = uniforms(graph, 262_144)
    exact, rounded = evaluate(graph, words), evaluate_f32(graph, words).astype(np.float64)
    assert abs(rounded.mean() - exact.mean()) < 1e-4
    assert abs(rounded.std() - exact.std()) < 1e-4


def test_both_are_the_same_mathematics() -> None:
    plain, careful = gauge(50_000_623, naive), gauge(623, in_deviations)
    words = uniforms(plain, 1000)
    assert np.allclose(evaluate(plain, words), evaluate(careful, words), rtol=0, atol=1e-6)


@pytest.mark.parametrize("draws_per_shard", [1, 1024, 65_536])
def test_the_pilot_refuses_the_naive_program(draws_per_shard: int) -> None:
    with pytest.raises(ScellisError, match="SCL-PLAN-CANCELLATION") as caught:
        run_pilot(gauge(50_000_623, naive), 20081009, draws_per_shard)
    assert "deviations from nominal" in caught.value.remedy
    run_pilot(gauge(623, in_deviations), 20081009, draws_per_shard)


def test_honest_f32_shards_of_the_naive_program_would_not_agree() -> None:
    job = example_plan("gauge_block").job
    wrong = attrs.evolve(job, program=gauge(50_000_623, naive))
    assert compare(state_f32(wrong, 0), oracle_states(job, 0, 1)[0], job.tolerance)
    assert not compare(state_f32(job, 0), oracle_states(job, 0, 1)[0], job.tolerance)
