"""The pilot: what it freezes, and what it refuses."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable

import attrs
import numpy as np
import pytest

from scellis.errors import ScellisError
from scellis.graph import Graph, Node, Value, evaluate, exp, log, normal, sqrt, student_t, trace, uniform
from scellis.graph.program import WORD_LIMIT
from scellis.planner import run_pilot
from scellis.planner.pilot import PILOT_DRAWS
from scellis.rng import Stream
from support.programs import EXAMPLES, example_plan, oracle_states, uniforms

SHARD = 65_536


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_pilot_is_a_sample_of_its_own_stream(name: str) -> None:
    plan = example_plan(name)
    values = evaluate(
        plan.job.program, uniforms(plan.job.program, PILOT_DRAWS, plan.job.seed, Stream("pilot"))
    )
    assert plan.pilot.mean == pytest.approx(values.mean(), rel=1e-12)
    assert plan.pilot.std == pytest.approx(values.std(ddof=1), rel=1e-12)
    # Never folded: no shard begins with the pilot's draws.
    first = evaluate(
        plan.job.program, uniforms(plan.job.program, PILOT_DRAWS, plan.job.seed, Stream("shard"))
    )
    assert not np.isin(values, first).any()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_frozen_numbers(name: str) -> None:
    pilot = example_plan(name).pilot
    assert pilot.low < pilot.mean - 3 * pilot.std or name == "saturating"
    assert pilot.high > pilot.mean + 3 * pilot.std
    assert float(np.float32(pilot.pivot)) == pilot.pivot
    assert math.frexp(pilot.scale)[0] == 0.5  # a power of two
    assert pilot.std / 2 < pilot.scale < 2 * pilot.std
    digits = 2 - math.floor(math.log10(pilot.std))  # three of the standard deviation's
    assert (round(pilot.low, digits), round(pilot.high, digits)) == (pilot.low, pilot.high)
    assert float(np.float32(round(pilot.pivot, digits))) == pilot.pivot
    assert pilot.tolerance_mean <= 0.05 * pilot.std / math.sqrt(SHARD)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_last_bit_does_not_change_the_job(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Two oracles differ in the last bits of their logarithms and cosines; they must freeze the same job.
    plan = example_plan(name)
    import scellis.planner.pilot as module

    honest = module.rounding_bound

    def otherwise(graph: object, words: object, **options: bool) -> tuple[np.ndarray, np.ndarray]:
        values, bounds = honest(graph, words, **options)  # type: ignore[arg-type]
        noise = 1 + 2.0**-50 * np.cos(np.arange(values.size))
        return values * noise, bounds * noise

    monkeypatch.setattr(module, "rounding_bound", otherwise)
    again = run_pilot(plan.job.program, plan.job.seed, SHARD)
    for field in ("low", "high", "pivot", "scale", "tolerance_mean", "tolerance_m2"):
        assert getattr(again, field) == getattr(plan.pilot, field)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_range_holds_nearly_all_draws(name: str) -> None:
    (state,) = oracle_states(example_plan(name).job, 0, 1)
    assert state.underflow + state.overflow < 0.001 * state.count


def test_the_tolerances_grow_with_what_they_bound() -> None:
    graph = example_plan("gauge_block").job.program
    small, large = run_pilot(graph, 1, 4096), run_pilot(graph, 1, 65_536)
    assert small.tolerance_mean == large.tolerance_mean
    assert large.tolerance_m2 == pytest.approx(16 * small.tolerance_m2, rel=0.1)
    assert attrs.evolve(small, tolerance_m2=0) == attrs.evolve(large, tolerance_m2=0)


def refuse(function: Callable[[Value], Value], code: str, shard: int = SHARD) -> ScellisError:
    with pytest.raises(ScellisError, match=code) as caught:
        run_pilot(trace(function, x=uniform(1, 2)), 1, shard)
    return caught.value


def test_the_largest_program_takes_bounded_memory() -> None:
    draws = [Node("draw_uniform", (), {"low": -1.0, "high": 1.0})] * WORD_LIMIT
    sums = [Node("add", (0 if at == 0 else WORD_LIMIT + at - 1, at + 1)) for at in range(WORD_LIMIT - 1)]
    graph = Graph((*draws, *sums), len(draws) + len(sums) - 1)
    tracemalloc.start()
    run_pilot(graph, 1, 4096, draws=8192)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak_bytes < 110e6


def test_a_program_that_leaves_the_reals_is_refused() -> None:
    error = refuse(lambda x: log(x - 1.5), "SCL-PLAN-NONFINITE")
    assert error.arguments["draws"] == PILOT_DRAWS
    assert 0.45 * PILOT_DRAWS < int(error.arguments["bad"] or 0) < 0.55 * PILOT_DRAWS
    refuse(lambda x: 1 / (x - x), "SCL-PLAN-NONFINITE")
    refuse(lambda x: exp(800 * x), "SCL-PLAN-NONFINITE")


@pytest.mark.parametrize(
    "function",
    [
        lambda x: exp(100 * x),
        lambda x: 1e39 * x,
        lambda x: 1.5e38 * x,
        lambda x: 1 / (1 + exp(100 * x)),
        lambda x: sqrt(x - x) + x,
    ],
)
def test_a_program_that_leaves_f32_is_refused(function: Callable[[Value], Value]) -> None:
    refuse(function, "SCL-PLAN-RANGE")


@pytest.mark.parametrize("function", [lambda x: x - x, lambda x: 0 * x + 3, lambda x: 1e-45 * x])
def test_a_program_that_does_not_vary_is_refused(function: Callable[[Value], Value]) -> None:
    refuse(function, "SCL-PLAN-CONSTANT")


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x + 50_000_000) - 50_000_000,
        lambda x: 1 / (1 / (x + 1e6) - 1e-6),
        lambda x: exp(x + 80) - exp(x + 80 - 1e-7),
        lambda x: 1e-37 * x,
    ],
)
def test_a_program_that_f32_cannot_resolve_is_refused(function: Callable[[Value], Value]) -> None:
    error = refuse(function, "SCL-PLAN-CANCELLATION")
    assert "deviations from nominal" in error.remedy


def test_small_shards_ask_less_of_f32() -> None:
    def offset(x: Value) -> Value:
        return x + 200

    refuse(offset, "SCL-PLAN-CANCELLATION", 1 << 22)
    run_pilot(trace(offset, x=uniform(1, 2)), 1, 1024)


@pytest.mark.parametrize("draws_per_shard", [0, -1, 2**32 + 1, 10**400])
def test_a_shard_has_draws(draws_per_shard: int) -> None:
    refuse(lambda x: x, "SCL-PLAN-DRAWS", draws_per_shard)


def test_extreme_but_honest_programs_are_frozen() -> None:
    for graph in (
        trace(lambda x: 1e-30 * x, x=normal(1, 1)),
        trace(lambda x: 1e30 * x, x=normal(1, 1)),
        trace(lambda x: x, x=student_t(1, 0, 1)),
    ):
        pilot = run_pilot(graph, 1, 1024)
        assert 0 < pilot.tolerance_mean < math.inf
        assert 0 < pilot.tolerance_m2 < math.inf
        assert pilot.low < pilot.pivot < pilot.high
