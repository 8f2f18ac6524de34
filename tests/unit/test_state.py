"""Shard states: their merge in exact rationals and in floats, their bytes from strangers."""

from __future__ import annotations

import math
from fractions import Fraction

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scellis.codecs import pack
from scellis.content import address
from scellis.device.protocol import Accumulators
from scellis.errors import ScellisError
from scellis.job import STATE_LIMIT_BYTES, ShardState, merge_moments
from scellis.job.compute import states_of
from scellis.kernels.sampling import BINS_LIMIT

Moments = tuple[int, Fraction, Fraction]
SAMPLE = st.lists(st.integers(-999, 999), max_size=5).map(
    lambda values: [Fraction(value, 1 + abs(value) % 7) for value in values]
)
EMPTY: Moments = (0, Fraction(0), Fraction(0))
U = 2.0**-53  # unit roundoff of f64


def summarise(sample: list[Fraction]) -> Moments:
    """From the definition."""
    if not sample:
        return EMPTY
    mean = sum(sample, Fraction(0)) / len(sample)
    return len(sample), mean, sum(((value - mean) ** 2 for value in sample), Fraction(0))


@given(SAMPLE, SAMPLE)
def test_a_merge_is_the_moments_of_both_samples(a: list[Fraction], b: list[Fraction]) -> None:
    assert merge_moments(summarise(a), summarise(b)) == summarise(a + b)


@given(SAMPLE, SAMPLE, SAMPLE)
def test_the_merge_is_associative_and_commutative(
    a: list[Fraction], b: list[Fraction], c: list[Fraction]
) -> None:
    x, y, z = map(summarise, (a, b, c))
    assert merge_moments(merge_moments(x, y), z) == merge_moments(x, merge_moments(y, z))
    assert merge_moments(x, y) == merge_moments(y, x)


@given(SAMPLE)
def test_the_empty_state_changes_nothing(a: list[Fraction]) -> None:
    x = summarise(a)
    assert merge_moments(x, EMPTY) == merge_moments(EMPTY, x) == x
    assert merge_moments(EMPTY, EMPTY) == EMPTY  # the plain formula gives 0/0


COUNT = st.integers(1, 2**40)
MEAN = st.floats(-1e6, 1e6)
M2 = st.floats(0, 1e12)


@given(st.tuples(COUNT, MEAN, M2), st.tuples(COUNT, MEAN, M2))
def test_one_merge_in_floats_errs_by_a_few_roundings(
    a: tuple[int, float, float], b: tuple[int, float, float]
) -> None:
    count, mean, m2 = merge_moments(a, b)
    exact_a, exact_b = ((n, Fraction(x), Fraction(y)) for n, x, y in (a, b))
    exact_count, exact_mean, exact_m2 = merge_moments(exact_a, exact_b)
    assert count == exact_count
    # mean: difference, product and quotient (three roundings of δ n_b / n), then the sum. m2: the difference
    # twice, four products and quotients, two sums, all of terms that are not negative: eight roundings.
    # 1.01 is for the products of roundings.
    delta = abs(Fraction(b[1]) - Fraction(a[1])) * b[0] / exact_count
    assert abs(Fraction(mean) - exact_mean) <= Fraction(1.01 * U) * (3 * delta + abs(exact_mean)) + Fraction(
        5e-324
    )
    assert abs(Fraction(m2) - exact_m2) <= Fraction(1.01 * 8 * U) * exact_m2 + Fraction(1e-320)


@settings(max_examples=40)
@given(st.lists(st.lists(st.floats(-1e3, 1e3), max_size=20), min_size=1, max_size=8))
def test_a_tree_of_merges_in_floats_is_the_whole_sample(parts: list[list[float]]) -> None:
    def leaf(part: list[float]) -> tuple[int, float, float]:
        count, mean, m2 = summarise([Fraction(value) for value in part])
        return count, float(mean), float(m2)

    states = [leaf(part) for part in parts]
    while len(states) > 1:
        pairs = [states[i : i + 2] for i in range(0, len(states), 2)]
        states = [merge_moments(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    count, mean, m2 = states[0]
    exact_count, exact_mean, exact_m2 = summarise([Fraction(value) for part in parts for value in part])
    assert count == exact_count
    # Means lie within 1e3 of zero and 2e3 of each other, so that a level (three, and the leaves) adds at most
    # 7e3 roundings to a mean; each m2 term δ² n_a n_b / n then errs by 2 δ times twice that, n / 4 times.
    error = 4 * 7e3 * U
    assert abs(mean - float(exact_mean)) <= error
    assert abs(m2 - float(exact_m2)) <= 4 * 9 * U * float(exact_m2) + 4 * count * 2e3 * 2 * error / 4


def state_of(values: list[float], bins: int = 4) -> ShardState:
    counts = np.histogram(values, bins, (-1, 1))[0] if values else np.zeros(bins, np.int64)
    count, mean, m2 = summarise([Fraction(value) for value in values])
    under, over = sum(value < -1 for value in values), sum(value > 1 for value in values)
    return ShardState(count, float(mean), float(m2), counts.astype(np.int64), under, over, 0)


STATES = st.lists(st.floats(-2, 2), max_size=12).map(state_of)


@given(STATES)
def test_the_bytes_come_back(state: ShardState) -> None:
    data = state.to_bytes()
    again = ShardState.from_bytes(data)
    assert again.to_bytes() == data
    assert attrs.asdict(again, filter=lambda field, _: field.name != "bins") == attrs.asdict(
        state, filter=lambda field, _: field.name != "bins"
    )
    assert again.bins.tolist() == state.bins.tolist()


def test_a_state_is_small() -> None:
    assert len(ShardState.empty(256).to_bytes()) < 2560
    assert len(ShardState.empty(BINS_LIMIT).to_bytes()) <= STATE_LIMIT_BYTES
    with pytest.raises(ScellisError, match="SCL-TENSOR-FORM"):
        ShardState.from_bytes(ShardState.empty(BINS_LIMIT + 64).to_bytes())


def test_a_merge_adds_every_count() -> None:
    a = ShardState(3, 1.0, 2.0, np.array([1, 1], np.int64), 1, 0, 5)
    b = ShardState(1, 5.0, 0.0, np.array([0, 0], np.int64), 0, 1, 2)
    both = a.merge(b)
    assert (both.count, both.underflow, both.overflow, both.nonfinite) == (4, 1, 1, 7)
    assert (both.draws, both.binned) == (11, 4)
    assert (both.mean, both.m2) == (2.0, 2.0 + 16 * 3 * 1 / 4)
    assert both.bins.tolist() == [1, 1]
    empty = ShardState.empty(2)
    assert empty.merge(a).to_bytes() == a.merge(empty).to_bytes() == a.to_bytes()


def test_the_arrays_of_a_device_become_states() -> None:
    one = np.array([1, 0])
    found = Accumulators(
        first=7,
        count=one,
        mean=np.array([2.5, 0.0]),
        m2=np.array([0.0, 0.0]),
        bins=np.array([[1, 0], [0, 0]]),
        underflow=0 * one,
        overflow=0 * one,
        nonfinite=1 - one,
    )
    states = states_of(found)
    assert [(s.count, s.mean, s.nonfinite, s.bins.tolist()) for s in states] == [
        (1, 2.5, 0, [1, 0]),
        (0, 0.0, 1, [0, 0]),
    ]
    assert all(type(s.count) is int and type(s.mean) is float for s in states)
    assert ShardState.from_bytes(states[0].to_bytes()).count == 1


GOOD = ShardState(3, 1.0, 2.0, np.array([1, 1, 0], np.int64), 1, 0, 0)
HUGE = np.array([2**62] * 4, np.int64)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (attrs.evolve(GOOD, count=-3), "negative"),
        (attrs.evolve(GOOD, nonfinite=-1), "negative"),
        (attrs.evolve(GOOD, underflow=-1, overflow=2), "negative"),
        (attrs.evolve(GOOD, bins=np.array([3, -1, 0], np.int64)), "negative"),
        (attrs.evolve(GOOD, mean=math.nan), "not finite"),
        (attrs.evolve(GOOD, mean=math.inf), "not finite"),
        (attrs.evolve(GOOD, m2=math.nan), "not finite"),
        (attrs.evolve(GOOD, m2=math.inf), "not finite"),
        (attrs.evolve(GOOD, m2=-1e-300), "not finite"),
        (attrs.evolve(GOOD, count=4), "do not add up"),
        (attrs.evolve(GOOD, bins=np.array([1, 0, 0], np.int64)), "do not add up"),
        (attrs.evolve(GOOD, overflow=1), "do not add up"),
        (ShardState(0, 0.0, 0.0, HUGE, 0, 0, 0), "do not add up"),  # 2^64, which wraps to 0 in i64
    ],
)
def test_a_state_that_contradicts_itself_is_refused(state: ShardState, why: str) -> None:
    with pytest.raises(ScellisError, match=why) as caught:
        ShardState.from_bytes(state.to_bytes())
    assert caught.value.code == "SCL-JOB-STATE"


BINS, COUNTS, MOMENTS = np.zeros(2, np.int64), np.zeros(4, np.int64), np.zeros(2)


@pytest.mark.parametrize(
    "tensors",
    [
        {},
        {"bins": BINS, "counts": COUNTS},
        {"bins": BINS, "moments": MOMENTS},
        {"counts": COUNTS, "moments": MOMENTS},
        {"bins": BINS, "counts": COUNTS, "moments": MOMENTS, "more": MOMENTS},
        {"bins": BINS.reshape(1, 2), "counts": COUNTS, "moments": MOMENTS},
        {"bins": BINS.astype(np.int32), "counts": COUNTS, "moments": MOMENTS},
        {"bins": BINS.astype(np.float64), "counts": COUNTS, "moments": MOMENTS},
        {"bins": BINS, "counts": COUNTS[:3], "moments": MOMENTS},
        {"bins": BINS, "counts": COUNTS.astype(np.uint32), "moments": MOMENTS},
        {"bins": BINS, "counts": COUNTS, "moments": MOMENTS[:1]},
        {"bins": BINS, "counts": COUNTS, "moments": MOMENTS.astype(np.float32)},
    ],
)
def test_other_tensors_are_no_state(tensors: dict[str, np.ndarray]) -> None:
    with pytest.raises(ScellisError, match="SCL-JOB-STATE"):
        ShardState.from_bytes(pack(tensors))


@given(STATES, st.data())
def test_flipped_bytes_are_refused_or_are_another_state(state: ShardState, data: st.DataObject) -> None:
    original = state.to_bytes()
    damaged = bytearray(original)
    for place in data.draw(st.sets(st.integers(0, len(original) - 1), min_size=1, max_size=3)):
        damaged[place] ^= data.draw(st.integers(1, 255))
    try:
        found = ShardState.from_bytes(bytes(damaged))
    except ScellisError as error:
        assert error.code in ("SCL-TENSOR-FORM", "SCL-CONTENT-JSON", "SCL-JOB-STATE")  # noqa: PT017
    else:
        assert found.to_bytes() == damaged  # one state, one byte string
        assert address(found.to_bytes()) != address(original)
        assert found.binned == found.count


@given(st.binary(max_size=300))
def test_any_bytes_are_a_state_or_refused(data: bytes) -> None:
    with pytest.raises(ScellisError):
        ShardState.from_bytes(data)
