"""Derives the polynomial coefficients of wgsl/. Needs mpmath, which the product does not.

    python docs/numerics/coefficients.py [a word of the names wanted]

Each polynomial is the best one in relative error of the function that it serves, on its interval. Printed
beside each: the largest relative error of the rounded polynomial in exact arithmetic, in units of 2^-24; what
f32 arithmetic adds is measured by tests/native/test_elementary.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import mpmath as mp
from minimax import Function, exchanged, f32, levelled, polynomial

EPS = mp.mpf("1e-8")
"""The targets are 0/0 at zero; this is as good as the limit."""
FLOOR = mp.mpf("1e-3")
"""Keeps a weight of the exchange from vanishing where the error cannot matter."""

HALF_LOG_2 = mp.log(2) / 2 * mp.mpf("1.0001")
FRACTION = (mp.sqrt(mp.mpf(1) / 2) - 1, mp.sqrt(2) - 1)
"""f of a logarithm's 1 + f."""


def away(x: mp.mpf) -> mp.mpf:
    """X, or a number near zero instead of zero."""
    return x if abs(x) > EPS else EPS


def excess(function: Function) -> tuple[Function, Function]:
    """R and its weight for an odd function that is x + x R(x^2)."""

    def ratio(z: mp.mpf) -> mp.mpf:
        x = mp.sqrt(max(z, EPS))
        return function(x) / x

    return lambda z: ratio(z) - 1, lambda z: 1 / ratio(z)


def cubic(function: Function) -> tuple[Function, Function]:
    """P and its weight for an odd function that is x + x^3 P(x^2)."""
    ratio, weight = excess(function)
    return lambda z: ratio(max(z, EPS)) / max(z, EPS), lambda z: z * weight(z)


def scaled_erfc(q: mp.mpf) -> mp.mpf:
    """What is left of erfc without its exponential and its slope."""
    x = 2 * (1 + q) / (1 - q)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def erfinv_ratio(w: mp.mpf) -> mp.mpf:
    """erfinv(x) / x where w = -log(1 - x^2)."""
    x = mp.sqrt(-mp.expm1(-max(w, EPS)))
    return mp.erfinv(x) / x


def log_gamma_ratio(zero: int, t: mp.mpf) -> mp.mpf:
    """lgamma(zero + t) / t."""
    return mp.loggamma(zero + away(t)) / away(t)


def stirling_rest(x: mp.mpf) -> mp.mpf:
    """x (lgamma(x) - (x - 1/2) (log x - 1) - (log(2 pi) - 1) / 2)."""
    return x * (mp.loggamma(x) - (x - 0.5) * (mp.log(x) - 1) - (mp.log(2 * mp.pi) - 1) / 2)


def sinc_squared(z: mp.mpf) -> mp.mpf:
    """(sin(pi f) / (pi f))^2 where z = f^2."""
    turn = mp.pi * mp.sqrt(max(z, EPS))
    return (mp.sin(turn) / turn) ** 2


DIGAMMA_ZERO = mp.findroot(mp.digamma, 1.4616)


def digamma_ratio(t: mp.mpf) -> mp.mpf:
    """digamma(x0 + t) / t."""
    return mp.digamma(DIGAMMA_ZERO + away(t)) / away(t)


def log2_1p(f: mp.mpf) -> mp.mpf:
    """The binary logarithm of 1 + f."""
    return mp.log(1 + away(f), 2)


def log10_1p(f: mp.mpf) -> mp.mpf:
    """The decimal logarithm of 1 + f."""
    return mp.log10(1 + away(f))


Fit = Callable[..., list[mp.mpf]]
POLYNOMIALS: dict[str, tuple[Fit, Function, Function, Any, Any, int]] = {
    # trigonometry.wgsl, exponents.wgsl
    "sin: sin(pi x / 2) / x - 1 in z = x^2": (
        exchanged, *excess(lambda x: mp.sin(mp.pi * x / 2)), 0, 1, 5,
    ),
    "log: (log1p f - f + f^2 / 2) / f^3": (
        exchanged,
        lambda f: (mp.log1p(away(f)) - away(f) + away(f) ** 2 / 2) / away(f) ** 3,
        lambda f: abs(f**3 / mp.log1p(away(f))) + FLOOR,
        *FRACTION, 9,
    ),
    "expm1: (expm1 r - r) / r^2": (
        exchanged,
        lambda r: (mp.expm1(away(r)) - away(r)) / away(r) ** 2,
        lambda r: abs(r**2 / mp.expm1(away(r))) + FLOOR,
        -HALF_LOG_2, HALF_LOG_2, 5,
    ),
    "exp2: (2^r - 1) / r": (
        levelled, lambda r: mp.expm1(away(r) * mp.log(2)) / away(r), lambda r: abs(r) / mp.mpf(2) ** r,
        -0.5001, 0.5001, 6,
    ),
    # logarithms.wgsl
    "log2: log2(1 + f) / f - 1": (
        levelled, lambda f: log2_1p(f) / away(f) - 1, lambda f: away(f) / log2_1p(f), *FRACTION, 9,
    ),
    "log10: log10(1 + f) / f - 1 / 2": (
        levelled, lambda f: log10_1p(f) / away(f) - 0.5, lambda f: away(f) / log10_1p(f), *FRACTION, 9,
    ),
    # trigonometry.wgsl, inverse_trigonometry.wgsl, hyperbolic.wgsl
    "tan: tan(pi x / 2) / x - 1 in z = x^2": (
        levelled, *excess(lambda x: mp.tan(mp.pi * x / 2)), 0, 0.25, 8,
    ),
    "atan: (atan(x) / x - 1) / z": (levelled, *cubic(mp.atan), 0, 1, 9),
    "asin: (asin(x) / x - 1) / z": (levelled, *cubic(mp.asin), 0, 0.25, 5),
    "sinh: (sinh(x) / x - 1) / z": (levelled, *cubic(mp.sinh), 0, 1, 4),
    "inverse of tanh: (atanh(x) / x - 1) / z": (levelled, *cubic(mp.atanh), 0, 0.25, 6),
    # pow.wgsl: what is left of log2((1 + s) / (1 - s)) = s (K + K z / 3 + z^2 P(z)), z = s^2, K = 2 / log 2
    "pow: P": (
        levelled,
        lambda z: 2 / mp.log(2) * (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1 - z / 3) / z**2,
        lambda z: z**2,
        1e-4, 0.02955, 3,
    ),
    # error_function.wgsl
    "erf: erf(x) / x - 1 in z = x^2": (levelled, *excess(mp.erf), 0, 1, 7),
    "erfc: (1 + 2 x) exp(x^2) erfc(x) in q = (x - 2) / (x + 2)": (
        levelled, scaled_erfc, lambda q: 1 / scaled_erfc(q),
        -0.61, 0.68, 11,
    ),
    "erfinv in the middle: erfinv(x) / x in w - 2.5": (
        levelled, lambda v: erfinv_ratio(v + 2.5), lambda v: 1 / erfinv_ratio(v + 2.5), -2.5, 2.5, 11,
    ),
    "erfinv in the tail: erfinv(x) / x in sqrt(w) - 3": (
        levelled, lambda v: erfinv_ratio((v + 3) ** 2), lambda v: 1 / erfinv_ratio((v + 3) ** 2),
        mp.sqrt(5) - 3, 1.01, 10,
    ),
    # gamma.wgsl
    "lgamma about 1: lgamma(1 + t) / t": (
        levelled, lambda t: log_gamma_ratio(1, t), lambda t: 1 / log_gamma_ratio(1, t), -0.3, 0.5, 11,
    ),
    "lgamma about 2: lgamma(2 + t) / t": (
        levelled, lambda t: log_gamma_ratio(2, t), lambda t: 1 / log_gamma_ratio(2, t), -0.5, 1, 11,
    ),
    "lgamma of large: rest of Stirling's formula times x, in 1 / x^2": (
        levelled, lambda z: stirling_rest(1 / mp.sqrt(z)), lambda z: mp.sqrt(z), 1e-5, mp.mpf(1) / 9, 3,
    ),
    "digamma about its zero: digamma(x0 + t) / t": (
        levelled, digamma_ratio, lambda t: 1 / digamma_ratio(t), 1 - DIGAMMA_ZERO, 2 - DIGAMMA_ZERO, 11,
    ),
    "digamma of large: (log x - 1 / (2 x) - digamma(x)) x^2 in 1 / x^2": (
        levelled,
        lambda z: (-mp.log(z) / 2 - mp.sqrt(z) / 2 - mp.digamma(1 / mp.sqrt(z))) / z,
        lambda z: z / mp.digamma(1 / mp.sqrt(z)),
        1e-5, 0.25, 4,
    ),
    "trigamma of large: (trigamma(x) - 1 / x - 1 / (2 x^2)) x^3 in 1 / x^2": (
        levelled,
        lambda z: (mp.psi(1, 1 / mp.sqrt(z)) - mp.sqrt(z) - z / 2) / z**1.5,
        lambda z: z**1.5 / mp.psi(1, 1 / mp.sqrt(z)),
        1e-5, 0.25, 5,
    ),
    "sine: (1 - (sin(pi f) / (pi f))^2) / z in z = f^2": (
        levelled, lambda z: (1 - sinc_squared(z)) / max(z, EPS), lambda z: z / sinc_squared(z), 0, 0.25, 7,
    ),
}  # fmt: skip


def in_two(name: str, value: mp.mpf, bits: int) -> None:
    """Print a constant as one of `bits` bits, so that its products with exponents are exact, and the rest."""
    scale = mp.mpf(2) ** (bits - 1 - mp.floor(mp.log(value, 2)))
    high = mp.nint(value * scale) / scale
    print(f"{name} = {float(high).hex()} + {float(f32(value - high)).hex()}")


def main() -> None:
    """Print every polynomial whose name has the word given, as WGSL literals, lowest order first."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    for name, (fit, target, weight, start, stop, count) in POLYNOMIALS.items():
        if word in name:
            low, high = mp.mpf(start), mp.mpf(stop)
            found = fit(target, weight, low, high, count)
            powers = list(range(count))
            grid = [low + (high - low) * k / 2000 for k in range(2001)]
            worst = max(abs((target(x) - polynomial(found, powers, x)) * weight(x)) for x in grid)
            print(f"{name}: {mp.nstr(worst * 2**24, 4)} * 2^-24")
            for power, value in enumerate(found):
                print(f"  x^{power}  {float(value).hex()}f   {mp.nstr(value, 9)}")
    in_two("log 2", mp.log(2), 16)
    in_two("log10 2", mp.log10(2), 11)


if __name__ == "__main__":
    main()
