"""Poisson and binomial draws, decided in integers: the same bits on every device.

Means below 10 are searched from 0 on, one word a draw. Others are drawn by transformed rejection: a count
is ⌊(2a / (½ − |u|) + b) u + centre⌋ for a uniform u in (−½, ½), accepted where a second uniform is below
the ratio of its probability to the hat. Sources: W. Hörmann, "The transformed rejection method for
generating Poisson random variables", 1993 (PTRS), and "The generation of binomial random variates", 1993
(BTRS). Probabilities are written as C. Loader does, "Fast and accurate computation of binomial
probabilities", 2000, so that nothing cancels for large means. `wgsl/random_counts.wgsl` holds the same
functions, step by step.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.rng.rejection import Counters, first_accepted, odd_uniform
from scellis.rng.soft_float import (
    I64,
    ONE,
    U64,
    ZERO,
    Soft,
    Truth,
    choose,
    excess,
    exp,
    fixed,
    log,
    log1p,
    whole,
)
from scellis.rng.soft_float import root as square_root

F32 = NDArray[np.float32]

SEARCHED = 64
"""Steps of a search from 0 on: what is beyond, for a mean below 10, has a probability below 10^−28."""
MEAN_LIMIT = 2.0**30
"""The largest mean: counts are i32."""
NONE = -1
"""The count where there is no such distribution."""

_TEN = Soft.of(10.0)
_TWO_PI = Soft.of(2.0 * math.pi)
_NEAR = 0x11EB851E
"""0.07 in units of 2^−32: of ½ − |u|, from there on what is below `inner` is accepted."""

_FEW = 10
_STIRLING_OF_FEW = Soft.of(
    np.array(
        [0.0, 0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.0207906721037650,
         0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273]
    )
)  # fmt: skip
"""log n! less Stirling's formula."""
_SERIES = [np.uint64(2**32 // n) for n in (1260, 360, 12)]


def _stirling(n: I64) -> Soft:
    """log n! − (n + ½) log n + n − ½ log 2π for n ≥ 1; 1 / 12n − 1 / 360n³ + 1 / 1260n⁵ from 10 on."""
    inverse = ONE / Soft.integer(np.maximum(n, 1))
    z = fixed(choose(n < _FEW, ZERO, inverse * inverse))
    p = np.full(z.shape, _SERIES[0])
    for coefficient in _SERIES[1:]:
        p = coefficient - ((p * z) >> np.uint64(32))
    return choose(n < _FEW, _STIRLING_OF_FEW[np.minimum(n, _FEW - 1)], inverse * Soft.scaled(p, -32))


def _deviance(n: I64, mean: Soft) -> Soft:
    """n log(n / mean) + mean − n for n ≥ 1."""
    count = Soft.integer(n)
    return count * excess(log(mean / count))


def _half(x: Soft) -> Soft:
    return x.times_power(-1)


def poisson_log_mass(n: I64, mean: Soft) -> Soft:
    """The logarithm of the probability of n."""
    counted = np.maximum(n, 1)
    root_term = _half(log(_TWO_PI * Soft.integer(counted)))
    return choose(n == 0, -mean, -(root_term + _stirling(counted) + _deviance(counted, mean)))


@attrs.frozen(eq=False)
class _Hat:
    """The constants of a transformed rejection."""

    a: Soft
    b: Soft
    centre: Soft
    scale: Soft
    inner: Soft

    def __getitem__(self, at: NDArray[np.intp]) -> _Hat:
        return _Hat(self.a[at], self.b[at], self.centre[at], self.scale[at], self.inner[at])

    def round(self, u: U64, v: U64, most: I64, log_mass: Callable[[I64], Soft]) -> tuple[Truth, I64]:
        """Whether a pair of words is accepted, and the count, from 0 to `most`."""
        offset = (u | np.uint64(1)).astype(np.int64) - 2**31
        rest = 2**31 - np.abs(offset)
        distance = Soft.scaled(rest.astype(np.uint64), -32)
        slope = self.a / distance
        count = whole((slope.times_power(1) + self.b) * Soft.integer(offset).times_power(-32) + self.centre)
        inside = (count >= 0) & (count <= most)
        held = np.where(inside, count, 0)
        sure = (rest >= _NEAR) & ((v | np.uint64(1)) <= fixed(self.inner))
        height = log(odd_uniform(v) * self.scale / (slope / distance + self.b))
        return inside & (sure | (height - log_mass(held)).is_at_most_zero), held


def poisson(counters: Counters, mean: F32) -> I64:
    """Counts `(n,)` of a Poisson distribution, −1 for a mean that is negative, NaN or above 2^30."""
    held = np.where((mean >= 0) & (mean <= MEAN_LIMIT), mean, np.float32(0)).astype(np.float32)
    result = np.zeros(mean.shape, np.int64)
    few, many = np.flatnonzero(held < 10), np.flatnonzero(held >= 10)
    result[few] = _searched_poisson(counters, few, Soft.of(held[few]))
    m = Soft.of(np.maximum(held, np.float32(10)))
    b = Soft.of(0.931) + Soft.of(2.53) * square_root(m)
    hat = _Hat(
        a=Soft.of(0.02483) * b - Soft.of(0.059),
        b=b,
        centre=m + Soft.of(0.43),
        scale=Soft.of(1.1239) + Soft.of(1.1328) / (b - Soft.of(3.4)),
        inner=Soft.of(0.9277) - Soft.of(3.6224) / (b - Soft.of(2.0)),
    )
    most = np.int64(2**31 - 2)

    def test(at: NDArray[np.intp], u: U64, v: U64) -> tuple[Truth, I64]:
        return hat[at].round(u, v, np.full(at.shape, most), lambda n: poisson_log_mass(n, m[at]))

    result[many] = first_accepted(counters, many, test, whole(m))[many]
    return np.where((mean >= 0) & (mean <= MEAN_LIMIT), result, NONE)


def _searched_poisson(counters: Counters, at: NDArray[np.intp], mean: Soft) -> I64:
    left = odd_uniform(counters.words(0, at)[0].astype(np.uint64))
    mass = exp(-mean)
    return _searched(left, mass, mean, None)


def _searched(left: Soft, mass: Soft, odds: Soft, number: I64 | None) -> I64:
    """The count up to which masses from `mass` on reach the uniform `left`.

    The mass of n + 1 is that of n times odds / (n + 1), of a binomial distribution times number − n besides.
    """
    count = np.zeros(left.negative.shape, np.int64)
    for step in range(SEARCHED):
        left = left - mass
        goes_on = ~left.is_at_most_zero & (count == step) & (True if number is None else count < number)
        if not goes_on.any():
            break
        count += goes_on
        scaled = mass * odds
        if number is not None:
            scaled = scaled * Soft.integer(np.maximum(number - step, 0))
        mass = scaled / Soft.scaled(step + 1)
    return count


def binomial(counters: Counters, trials: NDArray[np.int32], chance: F32) -> I64:
    """Counts `(n,)` of successes, −1 for trials below 0 or a chance that is none."""
    sound = (trials >= 0) & (chance >= 0) & (chance <= 1)
    number = np.where(sound, trials, 0).astype(np.int64)
    given = Soft.of(np.where(sound, chance, np.float32(0)).astype(np.float32))
    turned = np.where(sound, chance, 0) > 0.5
    p = choose(turned, ONE - given, given)
    mean = Soft.integer(number) * p
    large = ~(mean - _TEN).negative
    few, many = np.flatnonzero(~large), np.flatnonzero(large)
    result = np.zeros(trials.shape, np.int64)
    result[few] = _searched_binomial(counters, few, number[few], p[few])
    result[many] = _rejected_binomial(counters, many, number, p, mean)[many]
    return np.where(sound, np.where(turned, number - result, result), NONE)


def _rejected_binomial(counters: Counters, at: NDArray[np.intp], number: I64, p: Soft, mean: Soft) -> I64:
    tried = choose((mean - _TEN).negative, _TEN, mean)  # any number where it is not asked for
    rest = Soft.integer(np.maximum(number, 20)) - tried
    spread = square_root(tried * (ONE - p))
    b = Soft.of(1.15) + Soft.of(2.53) * spread
    hat = _Hat(
        a=Soft.of(0.0248) * b + Soft.of(0.01) * p - Soft.of(0.0873),
        b=b,
        centre=tried + _half(ONE),
        scale=(Soft.of(2.83) + Soft.of(5.1) / b) * spread,
        inner=Soft.of(0.92) - Soft.of(4.2) / b,
    )
    trials = np.maximum(number, 20)

    def log_mass(at: NDArray[np.intp], n: I64) -> Soft:
        """But for what all n have in common: a binomial probability is two Poisson ones by a third."""
        return poisson_log_mass(n, tried[at]) + poisson_log_mass(trials[at] - n, rest[at])

    every = np.arange(trials.size)
    top = log_mass(every, np.minimum(whole(tried + p), trials))

    def test(at: NDArray[np.intp], u: U64, v: U64) -> tuple[Truth, I64]:
        return hat[at].round(u, v, trials[at], lambda n: log_mass(at, n) - top[at])

    return first_accepted(counters, at, test, whole(tried))


def _searched_binomial(counters: Counters, at: NDArray[np.intp], number: I64, p: Soft) -> I64:
    left = odd_uniform(counters.words(0, at)[0].astype(np.uint64))
    odds = p / (ONE - p)
    mass = exp(Soft.integer(number) * log1p(-p))
    return _searched(left, mass, odds, number)
