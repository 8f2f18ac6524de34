"""Reductions, and the property test each must pass before a pool may use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Protocol

from scellis.errors import ScellisError
from scellis.job.state import merge_moments
from scellis.rng import Stream, draw_words, key_words

Samples = Sequence[Sequence[Fraction]]


class Reducer(Protocol):
    """A reduction over samples, rational so that its laws can be tested exactly.

    `summarise` makes the state of a sample; `merge` must give, in any order and along any tree, what
    `summarise` gives of all samples together. States are compared with `==`.
    """

    name: str

    def empty(self) -> Any:
        """The state of no sample."""

    def summarise(self, samples: Sequence[Fraction]) -> Any:
        """The state of a sample, from the definition."""

    def merge(self, a: Any, b: Any) -> Any:
        """The state of both samples together."""


class MomentsHistogram:
    """Count, mean, sum of squared deviations and equal bins with counters on both sides, over [−1, 1)."""

    name = "moments_histogram"
    _BINS = 8

    def empty(self) -> Any:
        return (0, Fraction(0), Fraction(0)), (0,) * (self._BINS + 2)

    def summarise(self, samples: Sequence[Fraction]) -> Any:
        if not samples:
            return self.empty()
        mean = sum(samples, Fraction(0)) / len(samples)
        m2 = sum(((value - mean) ** 2 for value in samples), Fraction(0))
        counts = [0] * (self._BINS + 2)
        for value in samples:
            counts[min(max((value + 1) * self._BINS // 2 + 1, 0), self._BINS + 1)] += 1
        return (len(samples), mean, m2), tuple(counts)

    def merge(self, a: Any, b: Any) -> Any:
        return merge_moments(a[0], b[0]), tuple(x + y for x, y in zip(a[1], b[1], strict=True))


REDUCERS: dict[str, Reducer] = {MomentsHistogram.name: MomentsHistogram()}

_ROUNDS = 24
_SAMPLES = 4


def admit(reducer: Reducer, seed: int = 0) -> None:
    """Test the laws of a reduction in exact rationals, on random samples of unequal sizes, some empty.

    Raises `SCL-JOB-REDUCER` with the counterexample.
    """
    words = iter(draw_words(Stream("admit"), key_words(seed), 0, _ROUNDS * 64, 1)[0].tolist())

    def sample() -> list[Fraction]:
        return [Fraction(next(words) % 49 - 24, 16) for _ in range(next(words) % 5)]

    for _ in range(_ROUNDS):
        for law, parts, merged, expected in _laws(reducer, [sample() for _ in range(_SAMPLES)]):
            try:
                found = merged()
            except ArithmeticError as error:
                found = type(error).__name__
            if found != expected:
                raise _broken(reducer, law, parts, found, expected)


def _laws(reducer: Reducer, parts: Samples) -> Iterator[tuple[str, Samples, Callable[[], Any], Any]]:
    """Each law: its words, the samples it is about, what merging gives, and what it must give."""
    merge, empty = reducer.merge, reducer.empty()
    a, b, c, d = (reducer.summarise(part) for part in parts)
    both = reducer.summarise([*parts[0], *parts[1]])
    whole = reducer.summarise([value for part in parts for value in part])
    yield "an empty state changes nothing", parts[:1], lambda: merge(a, empty), a
    yield "an empty state changes nothing", parts[:1], lambda: merge(empty, a), a
    yield "a merge is the state of both samples", parts[:2], lambda: merge(a, b), both
    yield "order does not matter", parts[:2], lambda: merge(b, a), both
    tree = "the shape of the tree does not matter"
    yield tree, parts, lambda: merge(merge(a, b), merge(c, d)), whole
    yield tree, parts, lambda: merge(a, merge(b, merge(c, d))), whole
    yield tree, parts, lambda: merge(merge(merge(d, b), a), c), whole


def _broken(reducer: Reducer, law: str, parts: Samples, found: Any, expected: Any) -> ScellisError:
    shown = " | ".join("[" + ", ".join(str(value) for value in part) + "]" for part in parts)
    return ScellisError(
        "SCL-JOB-REDUCER",
        f"The reduction {reducer.name!r} breaks a law that pooling needs: {law}. "
        f"Counterexample: samples {shown} give {_shown(found)}, not {_shown(expected)}.",
        "A reduction may be pooled only if merged parts equal the whole.",
        reducer=reducer.name,
        law=law,
    )


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(_shown(part) for part in value) + ")"
    return str(value)


@cache
def admitted(name: str) -> Reducer:
    """The reduction called `name`, tested once a process. Raises `SCL-JOB-REDUCER`."""
    if name not in REDUCERS:
        raise ScellisError(
            "SCL-JOB-REDUCER", f"There is no reduction {name[:40]!r}.", f"Known: {', '.join(REDUCERS)}."
        )
    admit(REDUCERS[name])
    return REDUCERS[name]
