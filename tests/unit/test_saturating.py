"""The second example: first-order propagation of uncertainty fails, by an independent Monte Carlo in f64."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from scellis.graph import linearise
from scellis.job import Estimate, MergeTree, estimate
from support.programs import example_plan, oracle_states

F64 = NDArray[np.float64]
N = 1_000_000
SHARDS = 16
SIGMAS = 6.0


def trapezoid(generator: np.random.Generator, low: float, high: float, d: float) -> F64:
    # JCGM 101:2008, 6.4.3, once more.
    limit = generator.uniform(low - d, low + d, N)
    return generator.uniform(limit, low + high - limit)


@pytest.fixture(scope="module")
def ratios() -> F64:
    """The program written anew, on another generator."""
    generator = np.random.Generator(np.random.PCG64(2008))
    flow = generator.uniform(0.8, 1.2, N)
    time = 1.0 + 0.04 * np.cos(np.pi * generator.random(N))
    volume = trapezoid(generator, 0.9, 1.1, 0.04)
    load = generator.uniform(0.28, 0.84, N) * flow * time / volume
    net = load / (1.0 + load) - generator.uniform(0.02, 0.1, N)
    reference = 1.0 + 0.03 * generator.standard_t(12, N)
    return 0.25 * reference / (generator.normal(1.0, 0.03, N) * net)


@pytest.fixture(scope="module")
def found() -> Estimate:
    job = example_plan("saturating").job
    tree = MergeTree(SHARDS, job.reduction.bins)
    tree.update(dict(enumerate(oracle_states(job, 0, SHARDS))))
    return estimate(job, tree.root)


def test_the_oracle_agrees_with_the_independent_sample(ratios: F64, found: Estimate) -> None:
    size = math.sqrt(1 / N + 1 / found.draws)
    std = float(ratios.std())
    kurtosis = float(np.mean((ratios - ratios.mean()) ** 4)) / std**4
    assert abs(found.mean - ratios.mean()) <= SIGMAS * std * size
    assert abs(found.std - std) <= SIGMAS * std * math.sqrt((kurtosis - 1) / 4) * size
    covered = float(np.mean((found.interval.low <= ratios) & (ratios <= found.interval.high)))
    assert abs(covered - 0.99) <= SIGMAS * math.sqrt(0.99 * 0.01) * size + 0.001  # and what a bin holds


def test_the_linearised_standard_deviation_is_too_small(ratios: F64) -> None:
    law = linearise(example_plan("saturating").job.program)
    kurtosis = float(np.mean((ratios - ratios.mean()) ** 4)) / float(ratios.std()) ** 4
    error = ratios.std() * math.sqrt((kurtosis - 1) / 4 / N)
    assert law.std < ratios.std() - 100 * error
    assert law.std < 0.75 * ratios.std()


def test_the_symmetric_interval_misses_the_right_tail(ratios: F64) -> None:
    low, high = linearise(example_plan("saturating").job.program).interval(0.99)
    above, below = float(np.mean(ratios > high)), float(np.mean(ratios < low))
    # It promises half a percent on either side.
    assert above > 0.04
    assert above > 0.005 + 100 * math.sqrt(0.005 / N)
    assert below < 0.0005


def test_the_mean_lies_above_the_plug_in_value(ratios: F64) -> None:
    law = linearise(example_plan("saturating").job.program)
    assert law.mean == pytest.approx(0.25 / (0.56 / 1.56 - 0.06), rel=1e-14)
    assert ratios.mean() - law.mean > 100 * ratios.std() / math.sqrt(N)
    assert ratios.mean() > 1.1 * law.mean
