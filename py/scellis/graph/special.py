"""Special functions on NumPy, in f64: the reference for devices. NumPy itself has none of them.

Each takes an array of any float type, computes in f64, and gives the type that it took. Held by
tests/unit/test_special.py: a relative error below 1e-14, but for digamma and, at negative x, lgamma: there it
is 1e-14 of the larger of two terms, of which the result is the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, wraps

import numpy as np

from scellis.graph.op import F64, Array

EULER_GAMMA = 0.57721566490153286061
_HALF_LOG_TWO_PI = 0.91893853320467274178

Special = Callable[[Array], Array]


def _in_f64(function: Callable[[F64], F64]) -> Special:
    @wraps(function)
    def wide(x: Array) -> Array:
        with np.errstate(all="ignore"):
            return function(np.asarray(x, np.float64)).astype(x.dtype)

    return wide


def _polynomial(coefficients: Sequence[float], x: F64) -> F64:
    """From the highest power down."""
    total = np.zeros_like(x)
    for coefficient in coefficients:
        total = total * x + coefficient
    return total


# ---- error functions: W. J. Cody, "Rational Chebyshev approximations for the error function", 1969 ----

_ERF = (
    (1.85777706184603153e-1, 3.16112374387056560e0, 1.13864154151050156e2, 3.77485237685302021e2,
     3.20937758913846947e3),
    (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3),
)  # fmt: skip
"""erf(x) / x in x² for |x| ≤ 0.46875."""
_ERFC = (
    (2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0, 6.61191906371416295e1,
     2.98635138197400131e2, 8.81952221241769090e2, 1.71204761263407058e3, 2.05107837782607147e3,
     1.23033935479799725e3),
    (1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
     3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3),
)  # fmt: skip
"""exp(x²) erfc(x) in x for 0.46875 ≤ x ≤ 4."""
_ERFC_TAIL = (
    (1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
     1.60837851487422766e-2, 6.58749161529837803e-4),
    (1.0, 2.56852019228982242e0, 1.87295284992346725e0, 5.27905102951428412e-1, 6.05183413124413191e-2,
     2.33520497626869185e-3),
)  # fmt: skip
"""(1 / √π − x exp(x²) erfc(x)) x² in 1 / x² for x ≥ 4."""
_ONE_PER_ROOT_PI = 0.56418958354775628695


def _erf_near(x: F64) -> F64:
    z = np.minimum(x * x, 1.0)
    return x * _polynomial(_ERF[0], z) / _polynomial(_ERF[1], z)


def _erfc_right(x: F64) -> F64:
    """For x ≥ 0.46875. The square of x is split, so that its exponential keeps its digits."""
    middle = np.clip(x, 0.46875, 4.0)
    scaled = _polynomial(_ERFC[0], middle) / _polynomial(_ERFC[1], middle)
    tail = np.clip(x, 4.0, 30.0)
    z = 1.0 / (tail * tail)
    rest = z * _polynomial(_ERFC_TAIL[0], z) / _polynomial(_ERFC_TAIL[1], z)
    scaled = np.where(x <= 4.0, scaled, (_ONE_PER_ROOT_PI - rest) / tail)
    bounded = np.clip(x, 0.0, 30.0)
    short = np.trunc(bounded * 16.0) / 16.0
    return np.exp(-short * short) * np.exp(-(bounded - short) * (bounded + short)) * scaled


@_in_f64
def erf(x: F64) -> F64:
    """2 / √π ∫ exp(−t²) dt from 0 to x."""
    size = np.abs(x)
    return np.where(size <= 0.46875, _erf_near(x), np.copysign(1.0 - _erfc_right(size), x))


@_in_f64
def erfc(x: F64) -> F64:
    """1 − erf(x), without cancellation."""
    size = np.abs(x)
    right = _erfc_right(size)
    return np.where(size <= 0.46875, 1.0 - _erf_near(x), np.where(x < 0.0, 2.0 - right, right))


@_in_f64
def erfinv(x: F64) -> F64:
    """The number whose erf is x: a guess of three digits, and Halley's iteration on the smaller tail.

    Source of the guess: S. Winitzki, "A handy approximation for the error function and its inverse", 2008.
    """
    size = np.abs(x)
    logarithm = np.log1p(-size * size)
    half = 2.0 / (np.pi * 0.147) + 0.5 * logarithm
    y = np.sqrt(np.sqrt(half * half - logarithm / 0.147) - half)
    y = np.where(size < 1e-3, size * np.sqrt(np.pi) / 2.0, y)
    for _ in range(3):
        above = np.where(size > 0.5, (1.0 - size) - erfc(y), erf(y) - size)
        step = above * np.sqrt(np.pi) / 2.0 * np.exp(y * y)
        y = y - step / (1.0 + y * step)
    y = np.where(size == 1.0, np.inf, y)
    return np.copysign(np.where(size > 1.0, np.nan, y), x)


# ---- the gamma function's logarithm and its derivatives ----

_SHIFTED = 10
"""From here on the asymptotic series are exact to f64."""
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)
"""Of even order, from the second on."""


@cache
def _zetas_less_1(count: int) -> tuple[float, ...]:
    """ζ(k) − 1 for k from 2 on: 62 terms, and the rest by Euler and Maclaurin's formula (DLMF 25.2.9)."""
    found = []
    for k in range(2, count + 2):
        last = 64.0
        rest = last ** (1 - k) / (k - 1) + last**-k / 2 + k * last ** (-k - 1) / 12
        rest -= k * (k + 1) * (k + 2) * last ** (-k - 3) / 720
        rest += k * (k + 1) * (k + 2) * (k + 3) * (k + 4) * last ** (-k - 5) / 30240
        found.append(rest + sum(n**-k for n in range(63, 1, -1)))
    return tuple(found)


def _about_2(t: F64) -> F64:
    """lgamma(2 + t) for |t| ≤ 1/2: DLMF 5.7.3."""
    terms = [(-1) ** k * zeta / k for k, zeta in enumerate(_zetas_less_1(30), 2)]
    return t * _polynomial([*terms[::-1], 1.0 - EULER_GAMMA], t)


def _digamma_about_2(t: F64) -> F64:
    """digamma(2 + t) for |t| ≤ 0.6: the derivative of that."""
    terms = [(-1) ** k * zeta for k, zeta in enumerate(_zetas_less_1(36), 2)]
    return _polynomial([*terms[::-1], 1.0 - EULER_GAMMA], t)


def _from_whole(x: F64) -> F64:
    """How far x is from the nearest whole number, exactly."""
    return x - np.rint(x)


def _lgamma_right(x: F64) -> F64:
    """For x > 0, after the recurrence to where a series converges."""
    shifted, product = np.clip(x, 0.0, _SHIFTED), np.ones_like(x)
    for _ in range(_SHIFTED - 2):
        above = shifted >= 2.5
        shifted = np.where(above, shifted - 1.0, shifted)
        product = np.where(above, product * shifted, product)
    small = np.where(x < 1.5, x - 1.0, 0.0)  # lgamma(1 + t) = lgamma(2 + t) − log1p(t)
    below = np.where(x < 0.5, x, 0.0)
    large = np.maximum(x, _SHIFTED)
    z = 1.0 / (large * large)
    terms = [b / (2 * k * (2 * k - 1)) for k, b in enumerate(_BERNOULLI, 1)]
    stirling = (large - 0.5) * (np.log(large) - 1.0) + (_HALF_LOG_TWO_PI - 0.5)
    return np.select(
        [x < 0.5, x < 1.5, x < _SHIFTED],
        [
            _about_2(below) - np.log1p(below) - np.log(x),
            _about_2(small) - np.log1p(small),
            _about_2(shifted - 2.0) + np.log(product),
        ],
        stirling + _polynomial(terms[::-1], z) / large,
    )


@_in_f64
def lgamma(x: F64) -> F64:
    """log |Γ(x)|. Sources: DLMF 5.7.3, 5.11.1, and 5.5.3 for negative x."""
    size = np.abs(x)
    apart = np.abs(_from_whole(size))
    left = -np.log(size * np.sin(np.pi * apart) / np.pi) - _lgamma_right(size)
    near = _about_2(np.clip(x, -0.5, 0.0)) - np.log1p(np.clip(x, -0.5, 0.0)) - np.log(size)
    result = np.where(x > 0.0, _lgamma_right(size), np.where(x > -0.5, near, left))
    return np.where(np.isinf(x) | (x == 0.0) | ((x < 0.0) & (apart == 0.0)), np.inf, result)


def _digamma_right(x: F64) -> F64:
    """For x > 0."""
    shifted, total = np.minimum(x, _SHIFTED), np.zeros_like(x)
    for _ in range(_SHIFTED):
        below = shifted < _SHIFTED
        total = np.where(below, total + 1.0 / shifted, total)
        shifted = np.where(below, shifted + 1.0, shifted)
    large = np.maximum(x, shifted)
    z = 1.0 / (large * large)
    terms = [b / (2 * k) for k, b in enumerate(_BERNOULLI, 1)]
    asymptotic = np.log(large) - 0.5 / large - z * _polynomial(terms[::-1], z) - total
    return np.where((x > 1.4) & (x < 2.5), _digamma_about_2(np.clip(x, 1.4, 2.5) - 2.0), asymptotic)


@_in_f64
def digamma(x: F64) -> F64:
    """The derivative of lgamma. Sources: DLMF 5.7.4, 5.11.2, and 5.5.4 for negative x.

    ∓∞ at ±0, NaN at negative whole numbers and −∞.
    """
    size = np.abs(x)
    apart = _from_whole(size)
    left = _digamma_right(size) + 1.0 / size + np.pi / np.tan(np.pi * apart)
    left = np.where((apart == 0.0) | np.isinf(x), np.nan, left)
    return np.where(x == 0.0, -np.copysign(np.inf, x), np.where(x > 0.0, _digamma_right(size), left))


def _trigamma_right(x: F64) -> F64:
    """For x > 0."""
    shifted, total = np.minimum(x, _SHIFTED), np.zeros_like(x)
    for _ in range(_SHIFTED):
        below = shifted < _SHIFTED
        total = np.where(below, total + 1.0 / (shifted * shifted), total)
        shifted = np.where(below, shifted + 1.0, shifted)
    large = np.maximum(x, shifted)
    z = 1.0 / (large * large)
    return total + (1.0 + 0.5 / large + z * _polynomial(_BERNOULLI[::-1], z)) / large


@_in_f64
def trigamma(x: F64) -> F64:
    """The derivative of digamma. Sources: DLMF 5.15.8, and 5.15.6 for negative x.

    ∞ at 0 and negative whole numbers, NaN at −∞.
    """
    size = np.abs(x)
    root = np.pi / np.sin(np.pi * np.abs(_from_whole(size)))
    left = root * root - _trigamma_right(size) + 1.0 / (size * size)
    right = np.where(np.isinf(x), np.where(x > 0.0, 0.0, np.nan), _trigamma_right(size))
    result = np.where((x < 0.0) & np.isfinite(x), left, right)
    return np.where((x == 0.0) | ((x < 0.0) & (size == np.rint(size)) & np.isfinite(x)), np.inf, result)
