"""When two results are the same: honest devices agree and each cheat is caught, on both examples."""

from __future__ import annotations

import math
from functools import cache

import attrs
import numpy as np
import pytest

from scellis.job import BySeed, Job, ShardState, Tolerance, compare
from support.programs import EXAMPLES, example_plan, oracle_states, state_f32

SHARDS = 5


@cache
def oracle(name: str) -> list[ShardState]:
    return oracle_states(example_plan(name).job, 0, SHARDS)


@cache
def f32(name: str) -> list[ShardState]:
    return [state_f32(example_plan(name).job, shard) for shard in range(SHARDS)]


@pytest.fixture(params=EXAMPLES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def caught(name: str, cheats: list[ShardState], first: int = 0) -> list[list[str]]:
    """The findings of each cheat against the oracle's state of its shard and against an honest GPU's."""
    tolerance = example_plan(name).job.tolerance
    return [
        compare(cheat, honest[first + index], tolerance)
        for honest in (oracle(name), f32(name))
        for index, cheat in enumerate(cheats)
    ]


def test_an_honest_gpu_agrees_with_the_oracle(name: str) -> None:
    tolerance = example_plan(name).job.tolerance
    for found, expected in zip(f32(name), oracle(name), strict=True):
        assert found.to_bytes() != expected.to_bytes()
        assert compare(found, expected, tolerance) == []
        assert compare(expected, found, tolerance) == []  # in either direction


def test_honest_devices_stay_far_within_the_class(name: str) -> None:
    # The bounds are worst cases, so an honest device uses little of them: other orders of summing have room.
    tolerance = example_plan(name).job.tolerance
    tenth = Tolerance(tolerance.mean / 10, tolerance.m2 / 10, tolerance.moved / 10)
    for found, expected in zip(f32(name), oracle(name), strict=True):
        assert compare(found, expected, tenth) == []


@pytest.mark.parametrize("sign", [1, -1])
def test_a_mean_shifted_by_a_tenth_of_its_standard_error_is_caught(name: str, sign: int) -> None:
    def shifted(state: ShardState) -> ShardState:
        error = math.sqrt(state.m2 / (state.count - 1) / state.count)
        return attrs.evolve(state, mean=state.mean + sign * error / 10)

    for states in (oracle(name), f32(name)):
        for findings in caught(name, [shifted(state) for state in states]):
            assert any(finding.id == "finding-mean" for finding in findings)


def test_the_state_of_the_shard_before_is_caught(name: str) -> None:
    for states in (oracle(name), f32(name)):
        for findings in caught(name, states[:-1], first=1):
            assert findings


def test_half_the_draws_twice_is_caught(name: str) -> None:
    job = example_plan(name).job
    halved = attrs.evolve(job, partition=BySeed(SHARDS, job.partition.draws_per_shard // 2))
    halves = oracle_states(halved, 0, SHARDS)
    cheats = [half.merge(half) for half in halves]
    assert all(cheat.count == job.partition.draws_per_shard for cheat in cheats)
    for findings in caught(name, cheats):
        assert any(finding.id == "finding-moved" for finding in findings)


def test_a_histogram_of_one_s_own_making_is_caught(name: str) -> None:
    def smoothed(state: ShardState) -> ShardState:
        bins = state.bins.copy()
        even = (bins[::2] + bins[1::2]) // 2
        bins[1::2] += bins[::2] - even
        bins[::2] = even
        return attrs.evolve(state, bins=bins)

    for findings in caught(name, [smoothed(state) for state in oracle(name)]):
        assert any(finding.id == "finding-moved" for finding in findings)


def test_counts_must_be_equal(name: str) -> None:
    job = example_plan(name).job
    state = oracle(name)[0]
    loose = Tolerance(math.inf, math.inf, 1.0)
    bins = state.bins.copy()
    bins[bins.argmax()] -= 1
    lost = attrs.evolve(state, count=state.count - 1, bins=bins)
    for wrong in (lost, attrs.evolve(lost, nonfinite=1), attrs.evolve(state, bins=bins)):
        assert compare(wrong, state, loose)
        assert compare(state, wrong, loose)
    (finding,) = compare(attrs.evolve(state, bins=bins[:-1]), state, loose)
    assert str(finding) == f"{job.reduction.bins - 1} bins instead of {job.reduction.bins}"


def simple(count: int = 10_000) -> tuple[Job, ShardState]:
    return example_plan("gauge_block").job, ShardState(
        count, 1.0, 2.0, np.array([count // 2, count - count // 2], np.int64), 0, 0, 0
    )


def test_bounds_are_inclusive() -> None:
    _, state = simple()
    tolerance = Tolerance(0.5, 0.25, 0.001)
    assert compare(attrs.evolve(state, mean=1.5, m2=2.25), state, tolerance) == []
    assert len(compare(attrs.evolve(state, mean=np.nextafter(1.5, 2), m2=state.m2), state, tolerance)) == 1
    assert len(compare(attrs.evolve(state, m2=np.nextafter(2.25, 3)), state, tolerance)) == 1


def test_what_is_not_a_number_agrees_with_nothing() -> None:
    _, state = simple()
    loose = Tolerance(math.inf, math.inf)
    for wrong in (attrs.evolve(state, mean=math.nan), attrs.evolve(state, m2=math.nan)):
        assert compare(wrong, state, loose)
        assert compare(state, wrong, loose)
        assert compare(wrong, wrong, loose)


@pytest.mark.parametrize(("count", "may"), [(10_000, 10), (65_536, 65), (1000, 4), (10, 4)])
def test_draws_may_cross_an_edge(count: int, may: int) -> None:
    _, state = simple(count)

    def moved(draws: int) -> ShardState:
        return attrs.evolve(state, bins=state.bins + np.array([-draws, draws]))

    tolerance = Tolerance(1.0, 1.0)
    assert compare(moved(may), state, tolerance) == []
    assert list(map(str, compare(moved(may + 1), state, tolerance))) == [
        f"{may + 1} draws lie in other bins, {may} may"
    ]
    # ... or the edge of the range.
    beyond = attrs.evolve(state, bins=state.bins - np.array([may, 1]), underflow=may, overflow=1)
    assert [finding.args for finding in compare(beyond, state, tolerance)] == [
        {"moved": may + 1, "allowed": may}
    ]
