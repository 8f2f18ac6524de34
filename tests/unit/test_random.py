"""Random arrays against their theory: distribution functions in closed form, moments, edges, derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scellis.errors import ScellisError
from scellis.graph import Value, compute, special
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient, jvp, vjp
from scellis.graph.categories import cumulative_weights
from scellis.graph.random import Generator
from scellis.graph.vmap import vmap
from scellis.rng import rejection
from scellis.rng.streams import Stream, draw_words, uniform_from_words
from support.arrays import Array, traced
from support.random_cases import EXACT, INDEX, KEY, NEAR, Draw, both, drawing

F64 = NDArray[np.float64]
N = 100_000
SHAPE = (N,)
BAND = math.sqrt(math.log(2e9) / (2 * N)) + 2e-6
"""Dvoretzky, Kiefer & Wolfowitz, Massart's constant: left with a probability of 10^−9; see test_draws."""


def drawn(draw: Draw, *arrays: Array, index: int = 3) -> list[Array]:
    inputs = [KEY, np.array(index, np.uint32), *arrays]
    return compute(traced(drawing(draw), *inputs), inputs)


def phi(x: F64) -> F64:
    return special.erfc(-x * math.sqrt(0.5)) / 2


def _between(low: float, high: float) -> Callable[[F64], F64]:
    inside = phi(np.array(high)) - phi(np.array(low))
    return lambda x: np.clip((phi(x) - phi(np.array(low))) / inside, 0, 1)


def _triangle(left: float, mode: float, right: float) -> Callable[[F64], F64]:
    width = right - left
    return lambda x: np.where(
        x < mode,
        (x - left) ** 2 / width / max(mode - left, 1e-9),
        1 - (right - x) ** 2 / width / max(right - mode, 1e-9),
    )


def _trapezoid(x: F64) -> F64:
    """On [0, 4], the top half as wide as the base."""
    rise = np.minimum(x, 1) ** 2 / 2
    return (rise + np.clip(x - 1, 0, 2) + 0.5 - np.minimum(4 - x, 1) ** 2 / 2) / 3


CONTINUOUS: dict[str, tuple[Draw, Callable[[F64], F64]]] = {
    "uniform": (lambda g: g.uniform(SHAPE, -1.0, 3.0), lambda x: (x + 1) / 4),
    "normal": (lambda g: g.normal(SHAPE, 1.0, 2.0), lambda x: phi((x - 1) / 2)),
    "exponential": (lambda g: g.exponential(3.0, SHAPE), lambda x: -np.expm1(-x / 3)),
    "laplace": (
        lambda g: g.laplace(1.0, 2.0, SHAPE),
        lambda x: np.where(x < 1, np.exp((x - 1) / 2) / 2, 1 - np.exp((1 - x) / 2) / 2),
    ),
    "gumbel": (lambda g: g.gumbel(1.0, 2.0, SHAPE), lambda x: np.exp(-np.exp(-(x - 1) / 2))),
    "arcsine": (lambda g: g.arcsine(0.0, 1.0, SHAPE), lambda x: np.arcsin(np.sqrt(x)) * 2 / np.pi),
    "triangular": (lambda g: g.triangular(-1.0, 0.0, 3.0, SHAPE), _triangle(-1, 0, 3)),
    "triangular that falls": (lambda g: g.triangular(1.0, 1.0, 2.0, SHAPE), _triangle(1, 1, 2)),
    "triangular that rises": (lambda g: g.triangular(1.0, 2.0, 2.0, SHAPE), _triangle(1, 2, 2)),
    "trapezoid": (lambda g: g.trapezoid(0.0, 4.0, 0.5, SHAPE), _trapezoid),
    "truncated_normal": (lambda g: g.truncated_normal(0.0, 1.0, -0.5, 2.0, SHAPE), _between(-0.5, 2)),
    "truncated_normal of a tail": (
        lambda g: g.truncated_normal(0.0, 1.0, -6.0, -4.0, SHAPE), _between(-6, -4),
    ),
    "truncated_normal, half": (
        lambda g: g.truncated_normal(0.0, 1.0, 5.0, math.inf, SHAPE),
        lambda x: 1 - special.erfc(x * math.sqrt(0.5)) / special.erfc(np.array(5 * math.sqrt(0.5))),
    ),
    "truncated_normal, whole": (lambda g: g.truncated_normal(0.0, 1.0, -math.inf, math.inf, SHAPE), phi),
    "t, 1": (lambda g: g.student_t(1.0, 0.0, 1.0, SHAPE), lambda x: 0.5 + np.arctan(x) / np.pi),
    "t, 2": (
        lambda g: (g.student_t(2.0, 1.0, 3.0, SHAPE) - 1.0) / 3.0, lambda x: 0.5 + x / 2 / np.sqrt(2 + x * x),
    ),
    "gamma, 0.5": (lambda g: g.gamma(0.5, 2.0, SHAPE), lambda x: special.erf(np.sqrt(x / 2))),
    "gamma, 1": (lambda g: g.gamma(1.0, 1.0, SHAPE), lambda x: -np.expm1(-x)),
    "gamma, 3": (lambda g: g.gamma(3.0, 0.5, SHAPE), lambda x: 1 - np.exp(-2 * x) * (1 + 2 * x * (1 + x))),
    "gamma, 1.5": (
        lambda g: g.gamma(1.5, 1.0, SHAPE),
        lambda x: special.erf(np.sqrt(x)) - 2 / math.sqrt(np.pi) * np.sqrt(x) * np.exp(-x),
    ),
    # Edgeworth's next term is (1 − x²) φ(x) / 3√a, below 4·10^−4.
    "gamma, 10^6": (lambda g: (g.gamma(1e6, 1.0, SHAPE) - 1e6) * 1e-3, phi),
    # P(X < x) is x^a / Γ(1 + a) but for a share of x.
    "gamma, 0.001, as it lies": (
        lambda g: g.gamma(0.001, 1.0, SHAPE), lambda x: x**0.001 / math.gamma(1.001),
    ),
    "chisquare, 2": (lambda g: g.chisquare(2.0, SHAPE), lambda x: -np.expm1(-x / 2)),
    "beta, 2, 3": (lambda g: g.beta(2.0, 3.0, SHAPE), lambda x: x * x * (6 - 8 * x + 3 * x * x)),
    "beta, ½, ½": (lambda g: g.beta(0.5, 0.5, SHAPE), lambda x: np.arcsin(np.sqrt(x)) * 2 / np.pi),
    "beta, 0.01, 1": (lambda g: g.beta(0.01, 1.0, SHAPE), lambda x: x**0.01),
    "beta, 10^6, 10^6": (lambda g: (g.beta(1e6, 1e6, SHAPE) - 0.5) * math.sqrt(8e6 + 4), phi),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTINUOUS)
def test_a_sample_follows_its_distribution(name: str) -> None:
    draw, cdf = CONTINUOUS[name]
    values = np.sort(drawn(draw)[0])
    assert np.isfinite(values).all()
    thinned = values[::20]
    slack = 0.0
    if "0.001" in name:  # the formula holds where x is small, which half of them are
        thinned, slack = thinned[(thinned < 1e-4) & (thinned > 1e-300)], 1e-4
    slack += 4e-4 if "10^6" in name else 0.0
    ranks = np.searchsorted(values, thinned) / N, np.searchsorted(values, thinned, "right") / N
    theory = cdf(thinned)
    assert np.all(ranks[0] - BAND - slack <= theory)
    assert np.all(theory <= ranks[1] + BAND + slack)


def _log_factorial(n: F64) -> F64:
    return special.lgamma(n + 1.0)


def _poisson(rate: float) -> Callable[[F64], F64]:
    return lambda n: n * math.log(rate) - rate - _log_factorial(n)


def _binomial(trials: int, chance: float) -> Callable[[F64], F64]:
    def log_mass(n: F64) -> F64:
        ways = _log_factorial(np.array(float(trials))) - _log_factorial(n) - _log_factorial(trials - n)
        return ways + n * math.log(chance) + (trials - n) * math.log1p(-chance)

    return log_mass


COUNTS: dict[str, tuple[Draw, Callable[[F64], F64], float]] = {
    **{
        f"poisson {rate}": (lambda g, r=rate: g.poisson(r, SHAPE), _poisson(rate), rate)
        for rate in (0.001, 0.5, 3.0, 9.75, 10.0, 11.5, 30.0, 1000.0, 65536.0)
    },
    **{
        f"binomial {n} {p}": (lambda g, n=n, p=p: g.binomial(n, p, SHAPE), _binomial(n, p), n * p)
        for n, p in ((1, 0.5), (7, 0.25), (19, 0.5), (20, 0.5), (40, 0.75), (100, 0.9375), (4096, 2.0**-10),
                     (4096, 2.0**-8), (100_000, 0.375))
    },
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTS)
def test_counts_have_their_probabilities(name: str) -> None:
    draw, log_mass, mean = COUNTS[name]
    values = drawn(draw)[0]
    n = np.arange(values.min(), values.max() + 1).astype(np.float64)
    mass = np.exp(log_mass(n))
    below = mass.cumsum() + (1 - mass.sum()) / 2  # what lies outside of what was seen is shared
    found = np.searchsorted(np.sort(values), n, "right") / N
    assert 1 - mass.sum() < 1e-3
    assert np.abs(found - below).max() <= BAND + (1 - mass.sum()) / 2 + 1e-9 * mean
    # χ² of the counts that are expected ten times or more: 6 standard deviations of it.
    often = mass * N >= 10
    expected = mass[often] * N
    seen = np.array([(values == at).sum() for at in n[often]]) if often.sum() < 400 else expected
    degrees = often.sum()
    assert ((seen - expected) ** 2 / expected).sum() <= degrees + 6 * math.sqrt(2 * degrees) + 12


def test_large_counts_have_their_moments() -> None:
    found = drawn(
        lambda g: [g.poisson(1e7, SHAPE), g.poisson(2.0**30, SHAPE), g.binomial(2**31 - 1, 0.75, SHAPE),
                   g.binomial(2**31 - 1, 2.0**-40, SHAPE)]
    )  # fmt: skip
    n = 2**31 - 1
    theory = [(1e7, 1e7), (2.0**30, 2.0**30), (0.75 * n, 0.1875 * n), (n * 2.0**-40, n * 2.0**-40)]
    for values, (mean, variance) in zip(found, theory, strict=True):
        assert abs(values.mean() - mean) <= 6 * math.sqrt(variance / N)
        assert abs(values.astype(np.float64).var() / variance - 1) <= 6 * math.sqrt((2 + 1 / variance) / N)


def test_counts_at_the_ends_are_certain() -> None:
    never, none, all_, empty, certain = drawn(
        lambda g: [g.poisson(0.0, (99,)), g.binomial(5, 0.0, (99,)), g.binomial(500, 1.0, (99,)),
                   g.binomial(0, 0.5, (99,)), g.binomial(2**31 - 1, 1.0, (99,))]
    )  # fmt: skip
    assert not never.any()
    assert not none.any()
    assert not empty.any()
    assert np.all(all_ == 500)
    assert np.all(certain == 2**31 - 1)


def test_what_is_no_parameter_is_minus_one_or_nan() -> None:
    x = np.array([np.nan, -1.0, np.inf])
    poisson, binomial, gamma, beta = drawn(
        lambda g, x: [g.poisson(x), g.binomial(3, x), g.gamma(x), g.beta(x, 1.0)], x
    )
    assert poisson.tolist() == binomial.tolist() == [-1, -1, -1]
    np.testing.assert_array_equal(gamma, [np.nan, np.nan, np.inf])
    assert np.isnan(beta[:2]).all()
    assert np.array_equal(drawn(lambda g, x: g.gamma(x), np.zeros(9))[0], np.zeros(9))


def test_integers_are_equally_likely() -> None:
    six, wide, one = drawn(
        lambda g: [g.randint(-2, 4, SHAPE), g.randint(-(2**31), 2**30 + 5, SHAPE), g.randint(7, 8, (9,))]
    )
    counts = np.bincount(six + 2, minlength=6)
    assert counts.size == 6
    assert ((counts - N / 6) ** 2 / (N / 6)).sum() < 40
    span = 3 * 2.0**30 + 5
    assert np.abs(np.sort((wide + 2.0**31) / span) - np.arange(N) / N).max() <= BAND
    assert np.all(one == 7)


def test_of_no_integers_it_is_the_lowest() -> None:
    low, high = np.array([5, 5, -9], np.int32), np.array([5, 2, -8], np.int32)
    assert drawn(lambda g, a, b: g.randint(a, b), low, high)[0].tolist() == [5, 5, -9]


def test_a_permutation_has_each_once_and_each_order_as_often() -> None:
    (long,) = drawn(lambda g: g.permutation(70_000))
    assert np.array_equal(np.sort(long), np.arange(70_000))
    orders = drawn(lambda g: xp.stack([g.permutation(3) for _ in range(600)]))[0]
    counts = np.unique(orders @ [9, 3, 1], return_counts=True)[1]
    assert counts.size == 6
    assert ((counts - 100) ** 2 / 100).sum() < 40


def test_choices() -> None:
    x = np.arange(12.0).reshape(6, 2)
    p = np.array([0.0, 1, 2, 0, 5, 0])
    free, each, weighed = drawn(
        lambda g, x, p: [g.choice(x, (5, 4)), g.choice(x, (6,), replace=False), g.choice(x, SHAPE, p=p)], x, p
    )
    assert free.shape == (5, 4, 2)
    assert np.array_equal(each[np.argsort(each[:, 0])], x)
    counts = np.bincount((weighed[:, 0] / 2).astype(int), minlength=6)
    assert not counts[p == 0].any()
    assert np.abs(counts / N - p / 8).max() <= BAND


@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_categories_have_their_chances(count: int) -> None:
    weights = np.random.default_rng(count).exponential(size=count) ** 3
    chances = weights / weights.sum()
    shape = (20_000,)
    by_share, by_log = drawn(
        lambda g, w: [g.categorical(probs=w, shape=shape), g.categorical(xp.log(w) + 50.0, shape=shape)],
        weights,
    )
    for found in (by_share, by_log):
        rank = np.cumsum(np.bincount(found, minlength=count)) / 20_000
        assert np.abs(rank - np.cumsum(chances)).max() <= BAND * math.sqrt(5)


def test_a_chance_is_rounded_as_little_as_it_says() -> None:
    """The weights of categories themselves: each chance within 2^−29 of what it is."""
    weights = np.random.default_rng(1).random((3, 500)).astype(np.float32).astype(np.float64)
    for op, x, exact in (
        ("share_weight", weights, weights),
        ("exp_weight", weights * 20 - 10, np.exp((weights * 20 - 10).astype(np.float32).astype(np.float64))),
    ):
        x = x.astype(np.float32)
        (sums,) = compute(traced(lambda x, op=op: cumulative_weights(op, x)[0], x), [x])
        shares = np.diff(sums.astype(np.float64), prepend=0.0) / sums[:, -1:]
        assert np.abs(shares - exact / exact.sum(-1, keepdims=True)).max() <= 2.0**-29


def test_a_weight_of_nothing_is_never_chosen_and_a_sole_one_always() -> None:
    logits = np.array([[-np.inf, 3.0, -np.inf], [0.0, -200.0, -np.inf]])
    (found,) = drawn(lambda g, x: g.categorical(x, shape=(500, 2)), logits)
    assert np.all(found == [1, 0])
    assert drawn(lambda g, x: g.categorical(x), np.array([np.nan, 1.0]))[0] == -1


# ---- streams ----


def test_every_array_has_words_of_its_own() -> None:
    """An array takes blocks that no other does, whatever it draws: what comes after begins behind them."""
    first, *_, last = drawn(
        lambda g: [g.words((5,))[0], g.gamma(0.5, 1.0, (5,)), g.poisson(20.0, (5,)), g.words((5,))[0]]
    )
    words = draw_words(Stream("dropout", 3), (int(KEY[0]), int(KEY[1])), 0, 5, 4 * 30)
    assert first.tolist() == words[0].tolist()
    assert last.tolist() == words[4 * 29].tolist()  # 1 + 14 + 14 blocks before


def test_a_draw_depends_on_its_own_number_alone() -> None:
    long = drawn(lambda g: [g.gamma(0.5, 1.0, (100,)), g.poisson(20.0, (100,))])
    short = drawn(lambda g: [g.gamma(0.5, 1.0, (10,)), g.poisson(20.0, (10,))])
    for one, other in zip(long, short, strict=True):
        assert np.array_equal(one[:10], other)


def test_gamma_is_what_cheng_wrote() -> None:
    """Draws of shape 2 made anew in f64, round by round as in the paper: all but those on the border."""
    a, n = 2.0, 2000
    words = [
        uniform_from_words(w) for w in draw_words(Stream("dropout", 3), (int(KEY[0]), int(KEY[1])), 0, n, 52)
    ]
    result = np.zeros(n)
    for u1, u2 in zip(words[-2::-2], words[::-2], strict=True):
        v = np.log(u1 / (1 - u1)) / math.sqrt(2 * a - 1)
        x = a * np.exp(v)
        r = a - math.log(4.0) + (a + math.sqrt(2 * a - 1)) * v - x
        result = np.where(r >= np.log(u1 * u1 * u2), x, result)
    (found,) = drawn(lambda g: g.gamma(a, 1.0, (n,)))
    assert np.mean(~np.isclose(found, result, rtol=1e-12)) <= 1e-3


# ---- derivatives and vmap ----

SMOOTH: dict[str, tuple[Draw, list[Array]]] = {
    "uniform": (lambda g, a, b: g.uniform(None, a, b), [np.zeros(4), np.ones(4)]),
    "normal": (lambda g, m, s: g.normal(None, m, s), [np.zeros(4), np.ones(4)]),
    "exponential": (lambda g, s: g.exponential(s), [np.full(4, 2.0)]),
    "laplace": (lambda g, m, s: g.laplace(m, s), [np.zeros(4), np.full(4, 2.0)]),
    "gumbel": (lambda g, m, s: g.gumbel(m, s), [np.zeros(4), np.full(4, 2.0)]),
    "student_t": (lambda g, v, m, s: g.student_t(v, m, s), [np.full(4, 3.0), np.zeros(4), np.full(4, 2.0)]),
    "triangular": (
        lambda g, a, m, b: g.triangular(a, m, b), [np.zeros(9), np.full(9, 0.4), np.ones(9)],
    ),
    "triangular, a mode at the end": (lambda g, b: g.triangular(0.0, 0.0, b), [np.ones(9)]),
    "trapezoid": (lambda g, a, b, t: g.trapezoid(a, b, t), [np.zeros(4), np.ones(4), np.full(4, 0.3)]),
    "curvilinear_trapezoid": (
        lambda g, a, b, d: g.curvilinear_trapezoid(a, b, d), [np.zeros(4), np.ones(4), np.full(4, 0.3)],
    ),
    "arcsine": (lambda g, a, b: g.arcsine(a, b), [np.zeros(4), np.ones(4)]),
    "truncated_normal": (
        lambda g, m, s, a, b: g.truncated_normal(m, s, a, b),
        [np.zeros(4), np.ones(4), np.full(4, -1.0), np.full(4, 2.5)],
    ),
    "truncated_normal, half": (
        lambda g, m, s: g.truncated_normal(m, s, 1.0, math.inf), [np.zeros(4), np.ones(4)],
    ),
    "gamma by its scale": (lambda g, s: g.gamma(2.5, s), [np.full(4, 2.0)]),
}  # fmt: skip


@pytest.mark.parametrize("name", SMOOTH)
def test_derivatives_against_differences(name: str) -> None:
    draw, arrays = SMOOTH[name]
    inputs = [KEY, INDEX, *arrays]
    function = drawing(draw)

    def slopes(key: Value, index: Value, *x: Value) -> list[Value]:
        y = function(key, index, *x)
        backwards = vjp([y], [xp.ones_like(y)], x)
        return [*backwards, *(jvp([y], [one], [xp.ones_like(one)])[0] for one in x)]

    found = compute(traced(slopes, *inputs), inputs)
    graph = traced(function, *inputs)
    for place in range(len(arrays)):
        sides = []
        for step in (1e-6, -1e-6):
            moved = [array + step * (at == place) for at, array in enumerate(arrays)]
            sides.append(compute(graph, [KEY, INDEX, *moved])[0])
        expected = (sides[0] - sides[1]) / 2e-6
        np.testing.assert_allclose(found[place], expected, 1e-5, 1e-7)
        np.testing.assert_allclose(found[len(arrays) + place], expected, 1e-5, 1e-7)


@pytest.mark.parametrize("derive", [lambda y, a: gradient(xp.sum(y), [a]), lambda y, a: jvp([y], [a], [a])])
@pytest.mark.parametrize(
    "draw", [lambda g, a: g.gamma(a), lambda g, a: g.beta(2.0, a), lambda g, a: g.chisquare(a)]
)
def test_a_shape_has_no_derivative_and_says_so(draw: Draw, derive: Callable[..., Any]) -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-DERIVATIVE") as caught:
        traced(drawing(lambda g, a: derive(draw(g, a), a)), KEY, INDEX, np.ones(3))
    assert "shape" in caught.value.message


@pytest.mark.parametrize("name", ["poisson", "binomial", "gamma", "beta", "truncated_normal", "student_t",
                                  "categorical", "randint of arrays", "triangular"])  # fmt: skip
def test_vmap_over_parameters_draws_what_each_call_does(name: str) -> None:
    draw, arrays = (EXACT | {key: case[:2] for key, case in NEAR.items()})[name]
    few = [array[:6].reshape(2, 3, *array.shape[1:]) for array in arrays]
    if name == "categorical":

        def draw(g: Generator, w: Value, x: Value) -> Value:
            return g.categorical(probs=w) * 9 + g.categorical(x, shape=(4, 3))

    def both_ways(key: Value, index: Value, *x: Value) -> list[Value]:
        def call(*row: Value) -> Value:
            found = draw(Generator(key, index, "dropout"), *row)
            result: Value = found[0] if isinstance(found, list) else found
            return result

        return [vmap(call)(*x), xp.stack([call(*(value[n] for value in x)) for n in range(2)])]

    inputs = [KEY, INDEX, *few]
    together, alone = compute(traced(both_ways, *inputs), inputs)
    assert np.array_equal(together, alone)


def test_vmap_over_streams_draws_from_each() -> None:
    def draws(key: Value, indices: Value, rate: Value) -> list[Value]:
        def call(index: Value) -> Value:
            g = Generator(key, index, "dropout")
            return g.poisson(rate).astype("f32") + g.gamma(rate) + g.uniform((5,))

        return [vmap(call)(indices), xp.stack([call(indices[n]) for n in range(3)])]

    inputs = [KEY, np.arange(3, dtype=np.uint32), np.array([0.5, 3, 20, 100, 1e4])]
    together, alone = compute(traced(draws, *inputs), inputs)
    assert np.array_equal(together, alone)
    assert not np.array_equal(together[0], together[1])


# ---- refusals ----

REFUSED: dict[str, tuple[str, Draw]] = {
    "a scale below 0": ("SCL-GRAPH-PARAMETER", lambda g, x: g.exponential(-1.0, (3,))),
    "no number": ("SCL-GRAPH-PARAMETER", lambda g, x: g.gamma(math.nan, 1.0, (3,))),
    "a shape below 0": ("SCL-GRAPH-PARAMETER", lambda g, x: g.beta(-1.0, 1.0, (3,))),
    "a rate beyond counts": ("SCL-GRAPH-PARAMETER", lambda g, x: g.poisson(1e10, (3,))),
    "trials below 0": ("SCL-GRAPH-PARAMETER", lambda g, x: g.binomial(-1, 0.5, (3,))),
    "no chance": ("SCL-GRAPH-PARAMETER", lambda g, x: g.binomial(1, 1.5, (3,))),
    "no integers": ("SCL-GRAPH-PARAMETER", lambda g, x: g.randint(3, 3, (3,))),
    "too many integers": ("SCL-GRAPH-PARAMETER", lambda g, x: g.randint(-(2**31), 2**31, (3,))),
    "limits the wrong way": (
        "SCL-GRAPH-PARAMETER",
        lambda g, x: g.truncated_normal(0.0, 1.0, 2.0, 1.0, (3,)),
    ),
    "parameters that do not fit": ("SCL-GRAPH-SHAPE", lambda g, x: g.poisson(x, (2,))),
    "parameters that would stretch": ("SCL-GRAPH-SHAPE", lambda g, x: g.normal((1,), x)),
    "trials in f32": ("SCL-GRAPH-DTYPE", lambda g, x: g.binomial(x, 0.5)),
    "no weights": ("SCL-GRAPH-PARAMETER", lambda g, x: g.categorical()),
    "two kinds of weights": ("SCL-GRAPH-PARAMETER", lambda g, x: g.categorical(x, probs=x)),
    "no categories": ("SCL-GRAPH-SHAPE", lambda g, x: g.categorical(x[:0])),
    "more than there are": ("SCL-GRAPH-SHAPE", lambda g, x: g.choice(x, (4,), replace=False)),
    "chances of others": ("SCL-GRAPH-SHAPE", lambda g, x: g.choice(x, (4,), p=x[:2])),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_distribution_is_refused(name: str) -> None:
    code, draw = REFUSED[name]
    with pytest.raises(ScellisError, match=code):
        traced(drawing(draw), KEY, INDEX, np.ones(3))


@pytest.mark.parametrize(("op", "params"), [("random_gamma", {"family": 5, "block": 0}),
                                            ("random_gamma", {"family": 16, "block": -1}),
                                            ("share_weight", {"bits": 32})])  # fmt: skip
def test_an_operation_from_a_stranger_is_checked(op: str, params: dict[str, int]) -> None:
    def program(word: Value, x: Value) -> Value:
        args = [x, x] if op == "share_weight" else [word] * 4 + [x]
        return word.builder.apply(op, *args, **params)

    with pytest.raises(ScellisError, match=r"SCL-(GRAPH-PARAMETER|RNG-STREAM)"):
        traced(program, KEY, np.ones(2))


def test_a_round_that_never_passes_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rejection, "ROUNDS", 1)
    (found,) = drawn(lambda g: g.poisson(25.0, SHAPE))
    assert np.mean(found == 25) > 0.1  # those that were not accepted count as the mean


def test_the_rounds_are_as_good_as_certain() -> None:
    """The share of rounds that fail, where it is greatest, to the power of their number is below 10^−12."""
    tried = []
    original = rejection.Counters.words

    def counting(self: Any, offset: int, at: Any) -> Any:
        tried.append(at.size)
        return original(self, offset, at)

    for draw in (
        lambda g: g.gamma(1.0, 1.0, SHAPE),
        lambda g: g.poisson(10.0, SHAPE),
        lambda g: g.binomial(20, 0.5, SHAPE),
    ):  # fmt: skip
        tried.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rejection.Counters, "words", counting)
            drawn(draw)
        rounds = [size for size in tried if size]
        failed = rounds[1] / rounds[0]
        assert failed < 0.34
        assert failed**rejection.ROUNDS < 1e-12


def test_cases_of_devices_are_of_all_methods() -> None:
    public = {name for name in vars(Generator) if not name.startswith("_")}
    used = " ".join((*EXACT, *NEAR))
    assert all(name in used for name in public - {"words"})
    assert all(len(both(draw, arrays)[1]) == 2 + len(arrays) for draw, arrays in EXACT.values())
