"""Random arrays that every device draws: with the same bits, or within what their functions err."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scellis.graph import functions as xp
from scellis.graph.random import Generator
from scellis.rng.streams import key_words
from support.arrays import Array

Draw = Callable[..., Any]

KEY = np.array(key_words(2**40 + 5), np.uint32)
INDEX = np.array(3, np.uint32)
N = 4096


def drawing(draw: Draw) -> Callable[..., Any]:
    """A function of key, index and parameters that draws from the stream of that index."""
    return lambda key, index, *parameters: draw(Generator(key, index, "dropout"), *parameters)


def _powers(low: float, high: float, seed: int = 1) -> Array:
    """Numbers of all sizes between two powers of ten, as f32 holds them."""
    found: Array = (10.0 ** np.random.default_rng(seed).uniform(low, high, N)).astype(np.float32)
    return found.astype(np.float64)


def _between(low: float, high: float, seed: int = 2) -> Array:
    found: Array = np.random.default_rng(seed).uniform(low, high, N).astype(np.float32).astype(np.float64)
    return found


TRIALS = _powers(0, 9.3, 3).astype(np.int32)
NO_NUMBERS = np.array([np.nan, -1.0, -np.inf, np.inf, -0.0, 0.0, 1e-42])
WEIGHTS = np.where(_between(0, 1, 4) < 0.2, 0.0, _powers(-8, 3, 5)).reshape(512, 8)
LOGITS = np.where(_between(0, 1, 6) < 0.1, -np.inf, _between(-30, 30, 7)).reshape(512, 8)
ODD_ROWS = np.array(
    [[1.0, np.nan, 2], [1, -1, 2], [0, 0, 0], [np.inf, 1, 1], [0, 1e-40, 3e-38], [-np.inf, 0, 1]]
)

EXACT: dict[str, tuple[Draw, list[Array]]] = {
    "bernoulli": (lambda g, p: [g.bernoulli(p), g.bernoulli(0.3, p.shape)], [_between(-0.1, 1.1)]),
    "randint": (lambda g: [g.randint(-(2**31), 2**31 - 1, (N,)), g.randint(-3, 4, (50, 7))], []),
    "randint of arrays": (
        lambda g, low, high: g.randint(low, high),
        [np.random.default_rng(1).integers(-(2**31), 2**31, N).astype(np.int32) for _ in range(2)],
    ),
    "permutation": (lambda g: [g.permutation(300), g.permutation(1)], []),
    "choice": (
        lambda g, x, p: [g.choice(x, (7, 9)), g.choice(x, (15,), replace=False), g.choice(x, (99,), p=p)],
        [np.arange(40, dtype=np.int32).reshape(20, 2), _between(0, 1, 3)[:20]],
    ),
    "categorical": (
        lambda g, w, x: [g.categorical(probs=w), g.categorical(x, shape=(3, 512))], [WEIGHTS, LOGITS],
    ),
    "categorical of many": (
        lambda g, w: g.categorical(w, shape=(9,)), [np.tile(_between(-3, 3), 17)[:66_000]],
    ),
    "categorical of no weights": (
        lambda g, x: [g.categorical(probs=x), g.categorical(x), g.categorical(x[:, :1])], [ODD_ROWS],
    ),
    "poisson": (lambda g, r: g.poisson(r), [_powers(-3, 9)]),
    "poisson about 10": (lambda g, r: [g.poisson(r), g.poisson(10.0, (500,))], [_between(9, 11)]),
    "binomial": (lambda g, n, p: g.binomial(n, p), [TRIALS, _between(0, 1)]),
    "binomial of small chances": (lambda g, n, p: g.binomial(n, p), [TRIALS, _powers(-9, 0)]),
    "counts of no numbers": (
        lambda g, x: [g.poisson(x), g.binomial(20, x), g.binomial(x.astype("i32"), 1.0)], [NO_NUMBERS],
    ),
}  # fmt: skip
"""Integers and truths: equal bits."""

NEAR: dict[str, tuple[Draw, list[Array], float]] = {
    "uniform": (lambda g, a, b: g.uniform(None, a, b), [_between(0, 1), _between(2, 3)], 1e-6),
    "draws beside products and sums": (
        lambda g, a: [
            xp.matmul(g.gamma(3.0, 1.0, (64, 64)), xp.reshape(a, (64, 64))) + g.gamma(2.0, 1.0, (64, 64)),
            xp.softmax(g.gamma(xp.reshape(a, (16, 256)) + 1.0)),
            xp.sum(xp.expand_dims(g.poisson(a[:100]).astype("f32"), 1) * xp.expand_dims(a, 0), 1),
        ],
        [_between(0, 1)], 2e-5,
    ),
    "exponential": (lambda g, s: g.exponential(s), [_powers(-3, 3)], 1e-6),
    "laplace": (lambda g, m, s: g.laplace(m, s), [_between(-1, 1), _between(0.5, 2)], 2e-6),
    "gumbel": (lambda g, m, s: g.gumbel(m, s), [_between(-1, 1), _between(0.5, 2)], 2e-6),
    "normal": (lambda g, m, s: g.normal(None, m, s), [_between(-1, 1), _between(0.5, 2)], 4e-6),
    "student_t": (lambda g, df: g.student_t(df), [_powers(0, 6)], 1e-5),
    "student_t, moved": (
        lambda g, df, m, s: g.student_t(df, m, s), [_powers(0.5, 3), _between(-1, 1), _powers(-1, 1)], 5e-6,
    ),
    "gamma": (lambda g, a, s: g.gamma(a, s), [_powers(0, 6), _powers(-2, 2)], 2e-6),
    "gamma of small shapes": (lambda g, a: g.gamma(a), [_powers(-3, 0)], 4e-5),
    "gamma of no numbers": (lambda g, a: g.gamma(a), [NO_NUMBERS], 1e-6),
    "chisquare": (lambda g, df: g.chisquare(df), [_powers(0.3, 4)], 2e-6),
    "beta": (lambda g, a, b: g.beta(a, b), [_powers(0, 6), _powers(0, 6, 2)], 3e-6),
    "beta of small shapes": (lambda g, a, b: g.beta(a, b), [_powers(-3, 0), _powers(-3, 0, 2)], 2e-3),
    "triangular": (
        lambda g, a, m, b: [g.triangular(a, m, b), g.triangular(0.0, 0.0, 1.0, (99,))],
        [_between(-1, 0), _between(0, 1), _between(1, 2)], 2e-6,
    ),
    "trapezoid": (
        lambda g, a, b, top: g.trapezoid(a, b, top),
        [_between(-1, 0), _between(0, 1), _between(0, 1, 3)], 1e-6,
    ),
    "curvilinear_trapezoid": (
        lambda g, a, b, d: g.curvilinear_trapezoid(a, b, d),
        [_between(-2, -1), _between(1, 2), _between(0, 1)], 1e-6,
    ),
    "arcsine": (lambda g, a, b: g.arcsine(a, b), [_between(-1, 0), _between(0, 1)], 1e-6),
    "truncated_normal": (
        lambda g, m, a, b: g.truncated_normal(m, 1.5, a, b),
        [_between(-4, 4, 3), _between(-4, 0), _between(0.5, 4)], 1e-5,
    ),
    "truncated_normal, far out": (
        lambda g, m: [g.truncated_normal(m, 1.0, 0.0, np.inf), g.truncated_normal(m, 1.0, -np.inf, np.inf)],
        [_between(-12, 12)], 1e-5,
    ),
}  # fmt: skip
"""Floats: and the error that is allowed, of the draw or, for draws about 0, of their scale."""


def both(function: Callable[..., Any], arrays: list[Array]) -> tuple[Callable[..., Any], list[Array]]:
    """A drawing with its key and index before its parameters."""
    return drawing(function), [KEY, INDEX, *arrays]
