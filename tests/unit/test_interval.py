"""The shortest coverage interval of a histogram against that of the sorted sample."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scellis.job import ShardState, shortest_interval

F64 = NDArray[np.float64]
N = 200_000
BINS = 256


def binned(values: F64, low: float, high: float, bins: int = BINS) -> ShardState:
    place = np.floor((values - low) * (bins / (high - low)))
    counts = np.bincount(np.clip(place, -1, bins).astype(np.int64) + 1, minlength=bins + 2)
    mean = float(values.mean())
    m2 = float(((values - mean) ** 2).sum())
    return ShardState(values.size, mean, m2, counts[1:-1], int(counts[0]), int(counts[-1]), 0)


def of_counts(bins: list[int], under: int = 0, over: int = 0) -> ShardState:
    return ShardState(sum(bins) + under + over, 0.0, 0.0, np.array(bins, np.int64), under, over, 0)


def shortest_of_sample(values: F64, coverage: float) -> tuple[float, float]:
    """JCGM 101:2008, 7.7: of all intervals between order statistics that hold the coverage, the shortest."""
    ordered = np.sort(values)
    held = int(np.ceil(coverage * values.size))
    lengths = ordered[held - 1 :] - ordered[: values.size - held + 1]
    start = int(np.argmin(lengths))
    return float(ordered[start]), float(ordered[start + held - 1])


def normal(generator: np.random.Generator) -> F64:
    return generator.normal(5.0, 2.0, N)


def exponential(generator: np.random.Generator) -> F64:
    return generator.exponential(1.0, N)


def u_shaped(generator: np.random.Generator) -> F64:
    # Heavier on the left, so that there is one shortest interval.
    return np.where(generator.random(N) < 0.6, generator.beta(0.5, 4, N), 1 - generator.beta(0.5, 6, N))


@pytest.mark.parametrize("coverage", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("draw", [normal, exponential, u_shaped])
def test_it_is_that_of_the_sample(draw: Callable[[np.random.Generator], F64], coverage: float) -> None:
    values = draw(np.random.Generator(np.random.PCG64(3)))
    low, high = float(values.min()), float(np.nextafter(values.max(), np.inf))
    found = shortest_interval(binned(values, low, high), low, high, coverage)
    assert found.low is not None
    assert found.high is not None
    width = (high - low) / BINS
    assert found.error == pytest.approx(width)
    expected = shortest_of_sample(values, coverage)
    # Rounded outwards to edges, the sample's interval is at most two bins longer and holds the coverage in
    # the histogram; rounded outwards, the histogram's holds it in the sample. So neither is two bins longer.
    assert abs((found.high - found.low) - (expected[1] - expected[0])) <= 2 * width
    outward = (
        np.floor((found.low - low) / width) * width + low,
        np.ceil((found.high - low) / width) * width + low,
    )
    assert np.mean((outward[0] <= values) & (values < outward[1])) >= coverage - 1e-12
    # Without rounding it covers the same but for what two bins hold.
    densest = 2 * np.max(binned(values, low, high).bins) / N
    assert abs(np.mean((found.low <= values) & (values <= found.high)) - coverage) <= densest


@pytest.mark.parametrize("coverage", [0.9, 0.99])
def test_its_ends_are_those_of_the_exponential_sample(coverage: float) -> None:
    # Here the shortest interval begins where the density is highest, so its place is sharp: within a bin.
    values = exponential(np.random.Generator(np.random.PCG64(4)))
    low, high = 0.0, 20.0
    found = shortest_interval(binned(values, low, high), low, high, coverage)
    expected = shortest_of_sample(values, coverage)
    assert abs(found.low - expected[0]) <= found.error  # type: ignore[operator]
    assert abs(found.high - expected[1]) <= found.error  # type: ignore[operator]


def test_its_ends_are_those_of_quantiles_of_the_normal() -> None:
    # Exact counts of the distribution itself, so no sampling: the ends are the symmetric quantiles.
    from statistics import NormalDist

    edges = np.linspace(-6, 6, BINS + 1)
    mass = np.array([NormalDist().cdf(edge) for edge in edges])
    state = of_counts(np.round(np.diff(mass) * 1e12).astype(int).tolist())
    for coverage, quantile in ((0.95, 1.959963984540054), (0.99, 2.5758293035489004)):
        found = shortest_interval(state, -6, 6, coverage)
        assert found.low == pytest.approx(-quantile, abs=found.error)
        assert found.high == pytest.approx(quantile, abs=found.error)
        # The length is far better than the place: linear within a bin, it errs by f'/f w²/8 at each end.
        length = found.high - found.low  # type: ignore[operator]
        assert length == pytest.approx(2 * quantile, abs=2 * quantile * found.error**2 / 8)


def test_a_block_in_the_middle() -> None:
    found = shortest_interval(of_counts([0, 0, 10, 10, 0, 0]), 0.0, 6.0, 0.5)
    assert (found.low, found.high) in [(2.0, 3.0), (3.0, 4.0)]
    assert found.error == 1.0
    assert shortest_interval(of_counts([0, 0, 10, 10, 0, 0]), 0.0, 6.0, 0.99).high == pytest.approx(
        3.98, abs=0.021
    )


def test_empty_bins_at_the_ends_are_not_covered() -> None:
    found = shortest_interval(of_counts([0, 5, 0, 0, 5, 0]), 0.0, 6.0, 0.9999999)
    assert (found.low, found.high) == (pytest.approx(1.0, abs=1e-5), pytest.approx(5.0, abs=1e-5))


@given(
    st.lists(st.integers(0, 50), min_size=2, max_size=12).filter(any), st.sampled_from([0.5, 0.9, 0.95, 0.99])
)
def test_no_other_interval_of_the_histogram_is_shorter(bins: list[int], coverage: float) -> None:
    found = shortest_interval(of_counts(bins), 0.0, float(len(bins)), coverage)
    assert found.low is not None
    assert found.high is not None
    edges = np.arange(len(bins) + 1.0)
    mass = np.concatenate([[0], np.cumsum(bins)]) / sum(bins)
    held = np.interp(found.high, edges, mass) - np.interp(found.low, edges, mass)
    assert held >= coverage - 1e-9
    # Every start on a fine grid, each with the first end that reaches the coverage.
    starts = np.linspace(0, len(bins), 241)
    fine = np.linspace(0, len(bins), 4801)
    reached = np.interp(fine, edges, mass)
    for start in starts:
        level = np.interp(start, edges, mass) + coverage
        if level <= 1:
            end = fine[np.searchsorted(reached, level - 1e-12)]
            assert found.high - found.low <= end - start + 1e-6


def refusal(state: ShardState, coverage: float = 0.9) -> str:
    found = shortest_interval(state, 0.0, 4.0, coverage)
    assert (found.low is None) == (found.high is None) == bool(found.refusal)
    return found.refusal


def test_it_is_refused_where_there_is_nothing() -> None:
    assert refusal(of_counts([0, 0, 0, 0])) == "no-draws"
    assert refusal(ShardState(0, 0.0, 0.0, np.zeros(4, np.int64), 0, 0, 9)) == "no-draws"


def test_it_is_refused_where_the_range_holds_too_little() -> None:
    assert refusal(of_counts([0, 44, 45, 0], under=5, over=6)) == "range-narrow"
    assert refusal(of_counts([0, 0, 0, 0], under=100)) == "range-narrow"


def test_it_is_refused_where_an_end_lies_in_the_counters() -> None:
    # The densest bins are the first ones: the shortest interval would begin below.
    assert refusal(of_counts([60, 30, 5, 0], under=5)) == "end-outside"
    assert refusal(of_counts([0, 5, 30, 60], over=5)) == "end-outside"
    # Bins spread evenly, much mass just outside: an interval into the counter may be shorter than any inside.
    assert refusal(of_counts([30, 30, 16, 15], under=9)) == "end-outside"


def test_it_is_found_where_the_counters_are_too_far_away() -> None:
    # 92 % lie in one bin: nothing that reaches below or above the range is as short.
    assert refusal(of_counts([1, 1, 92, 2], under=2, over=2)) == ""
    assert refusal(of_counts([60, 30, 10, 0])) == ""  # an end on the edge, but nobody beyond it
    found = shortest_interval(of_counts([1, 1, 92, 2], under=2, over=2), 0.0, 4.0, 0.9)
    assert 2.0 <= (found.low or 0) < (found.high or 0) <= 3.0


@given(
    st.lists(st.integers(0, 50), min_size=2, max_size=8),
    st.integers(0, 9),
    st.integers(0, 9),
    st.floats(0.01, 0.99),
)
def test_it_is_found_or_refused_but_never_wrong(
    bins: list[int], under: int, over: int, coverage: float
) -> None:
    found = shortest_interval(of_counts(bins, under, over), 0.0, 1.0, coverage)
    if found.refusal:
        return
    assert found.low is not None
    assert found.high is not None
    assert 0.0 <= found.low <= found.high <= 1.0
    # Wherever the draws in the counters lie, no interval through them is shorter: put them at the edges.
    edges = np.linspace(0, 1, len(bins) + 1)
    total = sum(bins) + under + over
    mass = np.concatenate([[0], np.cumsum(bins)])
    with_below = edges[np.searchsorted(mass, coverage * total - under)] if coverage * total > under else 0.0
    if under:
        assert found.high - found.low <= with_below + 1e-9
