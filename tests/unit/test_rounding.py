"""The bound on what f32 costs is a bound, and no absurd one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scellis.graph import (
    Draw,
    Graph,
    Value,
    arcsine,
    cos,
    ctrap,
    exp,
    expm1,
    log,
    maximum,
    minimum,
    normal,
    rounding_bound,
    sin,
    sqrt,
    student_t,
    tanh,
    trace,
    uniform,
)
from scellis.graph.precision import UNIT_ROUNDOFF
from support.programs import EXAMPLES, evaluate_f32, example_plan, uniforms

DRAWS = 100_000


def errors_and_bounds(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    words = uniforms(graph, DRAWS, seed=5)
    values, bounds = rounding_bound(graph, words)
    assert np.isfinite(values).all()
    return np.abs(evaluate_f32(graph, words).astype(np.float64) - values), bounds


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_in_f32_stay_within_their_bound(name: str) -> None:
    errors, bounds = errors_and_bounds(example_plan(name).job.program)
    assert (errors <= bounds).all()
    assert bounds.mean() < 100 * errors.mean()


@pytest.mark.parametrize(
    "draw",
    [
        uniform(0, 1),
        uniform(1e6, 1e6 + 1),
        uniform(-1e-6, 3),
        normal(0, 1),
        normal(1e6, 1e-3),
        student_t(1, 0, 1),
        student_t(2.1, 5, 0.1),
        student_t(18, 50_000_623, 25),
        student_t(1e9, 0, 1),
        arcsine(-1, 1),
        arcsine(1000, 1000.1),
        ctrap(-1, 1, 0.9),
        ctrap(0, 1e-6, 1e-7),
        ctrap(1e6, 1e6 + 1, 0.1),
        ctrap(0.1, 1.1, 0.1),
        ctrap(-1, 1, 0),
    ],
    ids=str,
)
def test_every_distribution_stays_within_its_bound(draw: Draw) -> None:
    graph = trace(lambda x: x, x=draw)
    errors, bounds = errors_and_bounds(graph)
    size = np.abs(evaluate_f32(graph, uniforms(graph, DRAWS, seed=5))).mean(dtype=np.float64)
    assert (errors <= bounds).all()
    assert bounds.mean() < 300 * UNIT_ROUNDOFF * size  # t with one degree of freedom: 198 and a little


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x + y,
        lambda x, y: x - y,
        lambda x, y: (x + 1000) - 1000,
        lambda x, y: x * y / (x - 0.99),
        lambda x, y: exp(3 * x) - expm1(y),
        lambda x, y: log(x) / y,
        lambda x, y: sqrt(x - 0.999),
        lambda x, y: minimum(x * 2, y) + maximum(1.5 - x, abs(y - 3)),
        lambda x, y: sin(50 * x) * cos(y) + tanh(x - y) - abs(y - 3),
        lambda x, y: 0.1 * x + 1e-9 * y,
        lambda x, y: x * x * x * x * x * x * x * x - y,
        lambda x, y: 1e-30 * x * (1e-12 * y),
        lambda x, y: exp(-60 * x) * exp(-35 * y),
    ],
)
def test_the_bound_is_carried_through_every_operation(function: Callable[[Value, Value], Value]) -> None:
    errors, bounds = errors_and_bounds(trace(function, x=uniform(1, 2), y=normal(3, 0.1)))
    assert (errors <= bounds).all()


def test_cancellation_is_seen() -> None:
    graph = trace(lambda x: (x + 50_000_000) - 50_000_000, x=uniform(0, 100))
    errors, bounds = errors_and_bounds(graph)
    assert errors.max() >= 1.9  # the step is 4
    assert (bounds >= 50_000_000 * 2.0**-24).all()


@pytest.mark.parametrize(
    "function",
    [
        lambda x: exp(100 * x),  # finite in f64, infinite in f32
        lambda x: 1e39 * x,
        lambda x: 1 / (1 + exp(100 * x)),
        lambda x: sqrt(x - x),
    ],
)
def test_what_leaves_f32_has_no_bound(function: Callable[[Value], Value]) -> None:
    values, bounds = rounding_bound(trace(function, x=uniform(1, 2)), [np.array([0.25, 0.75])])
    assert np.isfinite(values).all()
    assert not np.isfinite(bounds).any()


def test_what_f32_takes_for_zero_is_counted() -> None:
    for function in (lambda x: 1e-40 * x, lambda x: 1e-25 * x * 1e-20):
        values, bounds = rounding_bound(trace(function, x=uniform(1, 2)), [np.array([0.5])])
        assert (bounds >= values).all()
