"""Only reductions whose merged parts are the whole may be pooled; others are shown a counterexample."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import attrs
import pytest

from scellis.errors import ScellisError
from scellis.job import REDUCERS, Reducer, admit, admitted

Sample = Sequence[Fraction]


def mean(samples: Sample) -> Fraction | None:
    return sum(samples, Fraction(0)) / len(samples) if samples else None


@attrs.frozen
class Count:
    """An honest one, the simplest."""

    name: str = "count"

    def empty(self) -> int:
        return 0

    def summarise(self, samples: Sample) -> int:
        return len(samples)

    def merge(self, a: int, b: int) -> int:
        return a + b


@attrs.frozen
class MeanOfMeans:
    """Right where the counts are equal, and nowhere else."""

    name: str = "mean_of_means"

    def empty(self) -> Fraction | None:
        return None

    def summarise(self, samples: Sample) -> Fraction | None:
        return mean(samples)

    def merge(self, a: Fraction | None, b: Fraction | None) -> Fraction | None:
        if a is None or b is None:
            return b if a is None else a
        return (a + b) / 2


@attrs.frozen
class MovingAverage(MeanOfMeans):
    """Each state in turn pulls the average a quarter of the way: the last one weighs most."""

    name: str = "moving_average"

    def merge(self, a: Fraction | None, b: Fraction | None) -> Fraction | None:
        if a is None or b is None:
            return b if a is None else a
        return a + (b - a) / 4


@attrs.frozen
class FirstWins(MeanOfMeans):
    """Whoever comes first is the result."""

    name: str = "first_wins"

    def merge(self, a: Fraction | None, b: Fraction | None) -> Fraction | None:
        return b if a is None else a


@attrs.frozen
class PlainChan:
    """Chan's formula with the empty state forgotten: 0/0."""

    name: str = "plain_chan"

    def empty(self) -> tuple[int, Fraction]:
        return 0, Fraction(0)

    def summarise(self, samples: Sample) -> tuple[int, Fraction]:
        return len(samples), mean(samples) or Fraction(0)

    def merge(self, a: tuple[int, Fraction], b: tuple[int, Fraction]) -> tuple[int, Fraction]:
        count = a[0] + b[0]
        return count, a[1] + (b[1] - a[1]) * b[0] / count


@attrs.frozen
class LossyMoments:
    """The registered one, but for the term that two different means add to m2."""

    name: str = "lossy_moments"

    def empty(self) -> object:
        return REDUCERS["moments_histogram"].empty()

    def summarise(self, samples: Sample) -> object:
        return REDUCERS["moments_histogram"].summarise(samples)

    def merge(
        self,
        a: tuple[tuple[int, Fraction, Fraction], object],
        b: tuple[tuple[int, Fraction, Fraction], object],
    ) -> object:
        (count, average, _), bins = REDUCERS["moments_histogram"].merge(a, b)
        return (count, average, a[0][2] + b[0][2]), bins


@pytest.mark.parametrize("reducer", [Count(), *REDUCERS.values()], ids=lambda reducer: reducer.name)
def test_a_lawful_reduction_is_admitted(reducer: Reducer) -> None:
    for seed in range(3):
        admit(reducer, seed)


@pytest.mark.parametrize(
    "reducer", [MeanOfMeans(), MovingAverage(), FirstWins(), LossyMoments()], ids=lambda r: r.name
)
def test_an_unlawful_reduction_is_refused_with_its_counterexample(reducer: Reducer) -> None:
    for seed in range(3):
        with pytest.raises(ScellisError, match="SCL-JOB-REDUCER") as caught:
            admit(reducer, seed)
        error = caught.value
        assert error.arguments["reducer"] == reducer.name
        assert error.arguments["law"] in error.message
        # The counterexample is there to be checked by hand.
        shown = re.search(r"samples (\[.*\]) give (.+), not (.+)\.$", error.message)
        assert shown is not None
        samples = [
            [Fraction(number) for number in part.split(", ") if number]
            for part in re.findall(r"\[(.*?)\]", shown[1])
        ]
        assert 1 <= len(samples) <= 4
        assert shown[2] != shown[3]


def test_the_counterexample_of_the_mean_of_means_has_unequal_counts() -> None:
    with pytest.raises(ScellisError) as caught:
        admit(MeanOfMeans())
    parts = re.findall(r"\[(.*?)\]", caught.value.message)
    counts = [len(part.split(", ")) if part else 0 for part in parts]
    assert len(set(counts)) > 1


def test_a_mean_of_means_is_right_where_counts_are_equal() -> None:
    reducer = MeanOfMeans()
    parts = [[Fraction(i), Fraction(i * i, 3)] for i in range(4)]
    a, b, c, d = map(reducer.summarise, parts)
    whole = reducer.summarise([value for part in parts for value in part])
    assert reducer.merge(reducer.merge(a, b), reducer.merge(c, d)) == whole
    # ... and wrong as soon as they are not: (0 + 3) / 2 where the mean of 0, 0, 3 is 1.
    unequal = reducer.merge(reducer.summarise([Fraction(0)] * 2), reducer.summarise([Fraction(3)]))
    assert unequal == Fraction(3, 2)
    assert reducer.summarise([Fraction(0), Fraction(0), Fraction(3)]) == 1


def test_a_formula_without_the_empty_state_is_refused() -> None:
    with pytest.raises(ScellisError, match=r"\[\].* give ZeroDivisionError, not"):
        admit(PlainChan())


def test_reductions_are_admitted_by_name() -> None:
    assert admitted("moments_histogram") is REDUCERS["moments_histogram"]
    with pytest.raises(ScellisError, match="no reduction 'mean_of_means'"):
        admitted("mean_of_means")


def test_the_histogram_of_the_law_puts_values_where_they_belong() -> None:
    reducer = REDUCERS["moments_histogram"]
    below, edge, inside, last, above = (Fraction(x, 8) for x in (-9, -8, 0, 7, 8))
    moments, counts = reducer.summarise([below, edge, inside, last, above])
    assert moments[0] == 5
    assert counts == (1, 1, 0, 0, 0, 1, 0, 0, 1, 1)
