"""First-order propagation against arithmetic by hand and against finite differences."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from scellis.graph import (
    Linearised,
    Value,
    cos,
    ctrap,
    exp,
    expm1,
    linearise,
    log,
    normal,
    sin,
    sqrt,
    student_t,
    tanh,
    trace,
    uniform,
)
from support.programs import example_plan


def test_the_gauge_block_by_hand() -> None:
    # JCGM 100:2008, 5.1.2: at the means strain = 0 and its derivatives are room, 0, 0, 0 and expansion.
    def t_variance(df: float, scale: float) -> float:
        return scale**2 * df / (df - 2)

    def ctrap_variance(half: float, d: float) -> float:
        return (2 * half) ** 2 / 12 + d**2 / 9

    strain = (-0.1) ** 2 * ctrap_variance(1e-6, 0.1e-6) + 11.5e-6**2 * ctrap_variance(0.05, 0.025)
    variance = t_variance(18, 25) + t_variance(24, 6) + t_variance(5, 4) + t_variance(8, 7)
    variance += 50_000_623**2 * strain
    found = linearise(example_plan("gauge_block").job.program)
    assert found.mean == pytest.approx(838, rel=1e-12)
    assert found.std == pytest.approx(math.sqrt(variance), rel=1e-12)


def test_the_saturating_example_by_finite_differences() -> None:
    def ratio(
        flow: float, time: float, volume: float, uptake: float, back: float, ref: float, resp: float
    ) -> float:
        load = uptake * flow * time / volume
        return 0.25 * ref / (resp * (load / (1 + load) - back))

    means = [1.0, 1.0, 1.0, 0.56, 0.06, 1.0, 1.0]
    deviations = [
        0.4 / math.sqrt(12),
        0.08 / math.sqrt(8),
        math.sqrt(0.2**2 / 12 + 0.04**2 / 9),
        0.56 / math.sqrt(12),
        0.08 / math.sqrt(12),
        0.03 * math.sqrt(12 / 10),
        0.03,
    ]
    variance = 0.0
    for index, deviation in enumerate(deviations):
        step = 1e-5
        above = [mean + step * (place == index) for place, mean in enumerate(means)]
        below = [mean - step * (place == index) for place, mean in enumerate(means)]
        variance += ((ratio(*above) - ratio(*below)) / (2 * step) * deviation) ** 2
    found = linearise(example_plan("saturating").job.program)
    assert found.mean == pytest.approx(ratio(*means), rel=1e-14)
    assert found.std == pytest.approx(math.sqrt(variance), rel=1e-8)


@pytest.mark.parametrize(
    ("function", "derivative"),
    [
        (lambda x: x * x * x, 3 * 1.5**2),
        (lambda x: 1 / x, -1 / 1.5**2),
        (lambda x: x / (x + 1), 1 / 2.5**2),
        (lambda x: x - x, 0.0),
        (lambda x: -exp(x), -math.exp(1.5)),
        (lambda x: expm1(2 * x), 2 * math.exp(3)),
        (lambda x: log(x), 1 / 1.5),
        (lambda x: sqrt(x), 0.5 / math.sqrt(1.5)),
        (lambda x: sin(x) + cos(x), math.cos(1.5) - math.sin(1.5)),
        (lambda x: tanh(x) * abs(-x), math.tanh(1.5) + 1.5 / math.cosh(1.5) ** 2),
    ],
)
def test_derivatives_in_closed_form(function: Callable[[Value], Value], derivative: float) -> None:
    assert linearise(trace(function, x=normal(1.5, 0.1))).std == pytest.approx(
        abs(derivative) * 0.1, rel=1e-14
    )


def test_an_input_used_twice_counts_once() -> None:
    assert linearise(trace(lambda x: x + x, x=normal(0, 1))).std == 2
    assert linearise(trace(lambda x, y: x + y, x=normal(0, 1), y=normal(0, 1))).std == pytest.approx(
        math.sqrt(2)
    )


def test_the_interval_is_the_normal_one() -> None:
    low, high = Linearised(10.0, 2.0).interval(0.95)
    assert (low, high) == pytest.approx((10 - 2 * 1.959963984540054, 10 + 2 * 1.959963984540054), rel=1e-12)
    assert Linearised(0.0, 1.0).interval(0.99)[1] == pytest.approx(2.5758293035489004, rel=1e-12)


def test_what_the_law_cannot_say_is_infinite_or_nan() -> None:
    assert linearise(trace(lambda x: x, x=student_t(2, 0, 1))).std == math.inf
    assert math.isnan(linearise(trace(lambda x: x, x=student_t(1, 0, 1))).mean)
    assert linearise(trace(lambda x: sqrt(x), x=uniform(-1, 1))).std == math.inf
    assert math.isnan(linearise(trace(lambda x: log(x), x=normal(-1, 1))).mean)
    # The rest of a program stays clear of it: no derivative, no contribution.
    found = linearise(trace(lambda x, y: 0 * x + y, x=student_t(1.5, 0, 1), y=ctrap(-1, 1, 0)))
    assert found.std == pytest.approx(1 / math.sqrt(3))
