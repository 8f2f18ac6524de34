"""Each distribution against its theory, from Philox uniforms."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from scellis.errors import ScellisError
from scellis.graph import DRAWS
from scellis.graph.draws import check_parameters
from scellis.rng import Stream, draw_words, key_words, uniform_from_words

F64 = NDArray[np.float64]
N = 200_000

# Dvoretzky, Kiefer & Wolfowitz with Massart's constant: the empirical distribution function leaves this band
# with a probability of 1e-9; 2^-23 more for the grid of the uniforms, 1e-6 for the quadratures below.
BAND = math.sqrt(math.log(2e9) / (2 * N)) + 2.0**-23 + 1e-6
SIGMAS = 6.0  # two in 1e9 for a normal mean


def normal_cdf(x: F64) -> F64:
    return np.array([NormalDist().cdf(value) for value in x])


def t_cdf(df: float) -> Callable[[F64], F64]:
    """By Simpson's rule in the angle atan(x / √df), where the density is a power of a cosine."""

    def cdf(x: F64) -> F64:
        angles = np.linspace(-np.pi / 2, np.pi / 2, 20_001)
        density = np.cos(angles) ** (df - 1)
        middles = np.cos((angles[1:] + angles[:-1]) / 2) ** (df - 1)
        pieces = (density[1:] + density[:-1] + 4 * middles) / 6
        mass = np.concatenate([[0.0], np.cumsum(pieces)]) / pieces.sum()
        return np.interp(np.arctan(x / math.sqrt(df)), angles, mass)

    return cdf


def ctrap_cdf(low: float, high: float, d: float) -> Callable[[F64], F64]:
    """The mean, over the half-width's distribution, of rectangles' distribution functions."""
    middle, half = (low + high) / 2, (high - low) / 2
    halves = half + d * (2 * (np.arange(2000) + 0.5) / 2000 - 1)

    def cdf(x: F64) -> F64:
        return np.array([np.clip((v - middle + halves) / (2 * halves), 0, 1).mean() for v in x])

    return cdf


class Case(NamedTuple):
    op: str
    parameters: dict[str, float]
    cdf: Callable[[F64], F64]
    mean: float
    std: float
    kurtosis: float  # of the standard deviation's own error; infinite where it has none


# Of a rectangle of half-width h, uniform on [1, 3]: E h^4 / 5 over the square of E h^2 / 3.
KURTOSIS_CTRAP = (121 / 5 / 5) / (13 / 3 / 3) ** 2

CASES = [
    Case("draw_uniform", {"low": -1, "high": 3}, lambda x: np.clip((x + 1) / 4, 0, 1), 1, 4 / 12**0.5, 1.8),
    Case("draw_normal", {"loc": 2, "scale": 3}, lambda x: normal_cdf((x - 2) / 3), 2, 3, 3),
    Case("draw_t", {"df": 1, "loc": 0, "scale": 1}, t_cdf(1), math.nan, math.inf, math.inf),
    Case(
        "draw_t",
        {"df": 2.5, "loc": 1, "scale": 2},
        lambda x: t_cdf(2.5)((x - 1) / 2),
        1,
        2 * 5**0.5,
        math.inf,
    ),
    Case("draw_t", {"df": 8, "loc": 0, "scale": 7}, lambda x: t_cdf(8)(x / 7), 0, 7 * (8 / 6) ** 0.5, 4.5),
    Case(
        "draw_t",
        {"df": 18, "loc": 5, "scale": 1},
        lambda x: t_cdf(18)(x - 5),
        5,
        (18 / 16) ** 0.5,
        3 + 6 / 14,
    ),
    Case("draw_t", {"df": 1e9, "loc": 0, "scale": 1}, normal_cdf, 0, 1, 3),
    Case(
        "draw_arcsine",
        {"low": -0.5, "high": 0.5},
        lambda x: np.arcsin(np.clip(2 * x, -1, 1)) / np.pi + 0.5,
        0,
        1 / 8**0.5,
        1.5,
    ),
    Case(
        "draw_ctrap",
        {"low": 0, "high": 4, "d": 1},
        ctrap_cdf(0, 4, 1),
        2,
        (16 / 12 + 1 / 9) ** 0.5,
        KURTOSIS_CTRAP,
    ),
    Case("draw_ctrap", {"low": -1, "high": 1, "d": 0}, lambda x: np.clip((x + 1) / 2, 0, 1), 0, 3**-0.5, 1.8),
]


def sample(case: Case) -> F64:
    distribution = DRAWS[case.op]
    words = draw_words(Stream("shard", CASES.index(case)), key_words(9), 0, N, distribution.words)
    return distribution.sample(case.parameters, [uniform_from_words(word) for word in words])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.op}-{case.parameters}")
def test_a_sample_follows_its_distribution(case: Case) -> None:
    distribution = DRAWS[case.op]
    assert set(distribution.parameters) == set(case.parameters)
    values = np.sort(sample(case))
    # The distribution function, at each fortieth draw.
    thinned = values[::40]
    ranks = np.arange(0, N, 40) / N
    assert np.abs(case.cdf(thinned) - ranks).max() <= BAND + 1 / N
    # Quantiles: theory gives the empirical quantile of p the probability p, within the band.
    probabilities = np.array([0.005, 0.025, 0.25, 0.5, 0.75, 0.975, 0.995])
    assert np.abs(case.cdf(np.quantile(values, probabilities)) - probabilities).max() <= BAND + 1 / N

    mean, std = distribution.mean(case.parameters), distribution.std(case.parameters)
    assert (mean, std) == pytest.approx((case.mean, case.std), nan_ok=True, rel=1e-8)
    if math.isfinite(std):
        assert abs(values.mean() - mean) <= SIGMAS * std / math.sqrt(N)
    if math.isfinite(case.kurtosis):
        error = std * math.sqrt((case.kurtosis - 1) / N) / 2
        assert abs(values.std() - std) <= SIGMAS * error


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.op}-{case.parameters}")
def test_the_ends_of_the_uniforms_are_finite(case: Case) -> None:
    distribution = DRAWS[case.op]
    ends = np.array([2.0**-24, 0.25 - 2.0**-24, 0.25 + 2.0**-24, 0.5, 0.75, 1 - 2.0**-24])
    grid = [axis.ravel() for axis in np.meshgrid(*[ends] * distribution.words)]
    assert np.isfinite(distribution.sample(case.parameters, grid)).all()


def test_the_standard_deviation_of_a_curvilinear_trapezoid_is_that_of_the_guide() -> None:
    # JCGM 101:2008, 6.4.3.4.
    assert DRAWS["draw_ctrap"].std({"low": -1, "high": 1, "d": 0.5}) == math.sqrt(4 / 12 + 0.25 / 9)


REFUSED = [
    ("draw_uniform", {"low": 1, "high": 1}),
    ("draw_uniform", {"low": 2, "high": 1}),
    ("draw_uniform", {"low": 0}),
    ("draw_uniform", {"low": 0, "high": 1, "d": 1}),
    ("draw_uniform", {"low": 0, "high": math.inf}),
    ("draw_uniform", {"low": math.nan, "high": 1}),
    ("draw_uniform", {"low": 0, "high": 1e39}),
    ("draw_normal", {"loc": 0, "scale": 0}),
    ("draw_normal", {"loc": 0, "scale": -1}),
    ("draw_t", {"df": 0.99, "loc": 0, "scale": 1}),
    ("draw_t", {"df": 1e10, "loc": 0, "scale": 1}),
    ("draw_t", {"df": 5, "loc": 0, "scale": 0}),
    ("draw_arcsine", {"low": 1, "high": -1}),
    ("draw_ctrap", {"low": 0, "high": 1, "d": 0.5}),
    ("draw_ctrap", {"low": 0, "high": 1, "d": -0.1}),
    ("draw_ctrap", {"low": 1, "high": 0, "d": 0.1}),
]


@pytest.mark.parametrize(("op", "parameters"), REFUSED)
def test_parameters_that_make_no_distribution_are_refused(op: str, parameters: dict[str, float]) -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-PARAMETER"):
        check_parameters(op, parameters)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.op}-{case.parameters}")
def test_the_parameters_of_the_cases_are_taken(case: Case) -> None:
    check_parameters(case.op, case.parameters)
