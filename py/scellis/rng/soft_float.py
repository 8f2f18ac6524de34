"""Floating-point numbers of 32 significant bits, computed in integers: the same bits on every device.

WGSL lets a compiler fuse and reorder float arithmetic, so a test such as x < log y may fall out one way here
and another there. What decides which number a draw is, is therefore computed with these. Every operation cuts
off what it cannot hold: it errs by at most 2^−31 of its result, a sum of its larger term.
`wgsl/soft_float.wgsl` holds the same functions; tests/native/test_random.py holds both to equal bits.
"""

from __future__ import annotations

import math

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.rng.philox import U32

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
Truth = NDArray[np.bool_]

_LOW = np.uint64(0xFFFFFFFF)
_TOP = np.uint64(0x80000000)


@attrs.frozen(eq=False)
class Soft:
    """Numbers ±significand · 2^exponent: the significand from 2^31 to before 2^32, or 0 for zero.

    Arrays of one shape, or broadcast together. Nothing is infinite: exponents are as large as need be.
    """

    negative: Truth
    significand: U64
    exponent: I64

    @classmethod
    def of(cls, x: NDArray[np.float32] | float) -> Soft:
        """What f32 holds, or a number cut off to 32 bits. Subnormal f32 count as zero."""
        held = np.asarray(x, np.float64)
        small = np.abs(held) < 2.0**-126
        mantissa, exponent = np.frexp(np.where(small, 0.0, held))
        significand = (np.abs(mantissa) * 2.0**32).astype(np.uint64)
        return cls(held < 0, significand, np.where(small, 0, exponent - 32).astype(np.int64))

    @classmethod
    def scaled(cls, n: U32 | U64 | int, exponent: int = 0) -> Soft:
        """The number n · 2^exponent for words n."""
        whole = np.asarray(n, np.uint64)
        return _normalised(np.zeros(whole.shape, np.bool_), whole, np.full(whole.shape, exponent, np.int64))

    @classmethod
    def integer(cls, n: I64) -> Soft:
        """The integer, of at most 32 bits beside its sign."""
        return _normalised(n < 0, np.abs(n).astype(np.uint64), np.zeros(n.shape, np.int64))

    @property
    def is_at_most_zero(self) -> Truth:
        """Whether it is negative or zero."""
        none: Truth = self.significand == 0
        return self.negative | none

    def __getitem__(self, at: NDArray[np.intp]) -> Soft:
        return Soft(self.negative[at], self.significand[at], self.exponent[at])

    def __neg__(self) -> Soft:
        return Soft(~self.negative & (self.significand != 0), self.significand, self.exponent)

    def __add__(self, other: Soft) -> Soft:
        less = (self.exponent < other.exponent) | (
            (self.exponent == other.exponent) & (self.significand < other.significand)
        )
        swapped = (self.significand == 0) | ((other.significand != 0) & less)
        large, small = choose(swapped, other, self), choose(swapped, self, other)
        below = np.clip(large.exponent - small.exponent, 0, 63).astype(np.uint64)
        part = small.significand >> below
        total = np.where(large.negative == small.negative, large.significand + part, large.significand - part)
        return _normalised(large.negative, total, large.exponent)

    def __sub__(self, other: Soft) -> Soft:
        return self + -other

    def __mul__(self, other: Soft) -> Soft:
        product = self.significand * other.significand
        full = product >> np.uint64(63) == 1
        significand = product >> np.where(full, np.uint64(32), np.uint64(31))
        exponent = np.where(product == 0, 0, self.exponent + other.exponent + 31 + full)
        return Soft((self.negative != other.negative) & (product != 0), significand, exponent)

    def __truediv__(self, other: Soft) -> Soft:
        """The quotient; nothing that counts for a divisor of zero."""
        below = self.significand < other.significand
        scaled = self.significand << np.where(below, np.uint64(32), np.uint64(31))
        significand = scaled // np.maximum(other.significand, _TOP)
        exponent = self.exponent - other.exponent - np.where(below, 32, 31)
        zero = significand == 0
        return Soft((self.negative != other.negative) & ~zero, significand, np.where(zero, 0, exponent))

    def times_power(self, n: I64 | int) -> Soft:
        """The number times 2^n."""
        return Soft(self.negative, self.significand, np.where(self.significand == 0, 0, self.exponent + n))


def choose(condition: Truth, first: Soft, second: Soft) -> Soft:
    """`first` where the condition holds, `second` elsewhere."""
    return Soft(
        np.where(condition, first.negative, second.negative),
        np.where(condition, first.significand, second.significand),
        np.where(condition, first.exponent, second.exponent),
    )


def _normalised(negative: Truth, total: U64, exponent: I64) -> Soft:
    """±total · 2^exponent for a total below 2^33."""
    bits = np.frexp(total.astype(np.float64))[1].astype(np.int64)
    up = np.clip(32 - bits, 0, 32).astype(np.uint64)
    zero = total == 0
    significand = np.where(bits > 32, total >> np.uint64(1), total << up)
    return Soft(negative & ~zero, significand, np.where(zero, 0, exponent + bits - 32))


def _high(a: U64, b: U64) -> U64:
    """The upper word of the product of two words."""
    return (a * b) >> np.uint64(32)


ZERO = Soft.of(0.0)
ONE = Soft.of(1.0)
LOG_2 = Soft.of(math.log(2.0))
_THIRD = Soft.of(1.0 / 3.0)

_ROOT_2 = np.uint64(math.isqrt(2 << 62))
_ATANH = [np.uint64(2**32 // n) for n in (13, 11, 9, 7, 5, 3)]
"""atanh(s) / s = 1 + z / 3 + z² / 5 + … with z = s², in units of 2^−32."""
_EXCESS = [np.uint64(2**32 // math.factorial(n)) for n in (9, 8, 7, 6, 5, 4, 3, 2)]
"""(exp v − 1 − v) / v² = 1 / 2! + v / 3! + …"""


def fixed(x: Soft) -> U64:
    """|x| in units of 2^−32, for |x| < 1."""
    return x.significand >> np.clip(-32 - x.exponent, 0, 63).astype(np.uint64)


def whole(x: Soft) -> I64:
    """The largest integer that is not greater; ±(2^31 − 1) for what is beyond."""
    below = np.clip(-x.exponent, 1, 63).astype(np.uint64)
    size = x.significand >> below
    broken = (size << below) != x.significand
    found = np.where(x.negative, -size.astype(np.int64) - broken, size.astype(np.int64))
    beyond = (x.exponent > -1) & (x.significand != 0)
    return np.where(beyond, np.where(x.negative, 1 - 2**31, 2**31 - 1), found)


def root(x: Soft) -> Soft:
    """√x for x ≥ 0, by Newton's iteration."""
    half = (x.exponent + 31) >> 1
    m = Soft(x.negative, x.significand, np.where(x.significand == 0, 0, x.exponent - 2 * half))  # from 1 to 4
    y = (m + ONE + ONE) * _THIRD
    for _ in range(3):
        y = (y + m / y).times_power(-1)
    return choose(x.significand == 0, ZERO, y.times_power(half))


def _log_of_ratio(s: Soft) -> Soft:
    """log((1 + s) / (1 − s)) for |s| < 0.18."""
    z = fixed(s * s)
    p = np.full(z.shape, _ATANH[0])
    for coefficient in _ATANH[1:]:
        p = coefficient + _high(p, z)
    factor = Soft.scaled(_TOP + (_high(p, z) >> np.uint64(1)), -31)
    return (s * factor).times_power(1)


def log(x: Soft) -> Soft:
    """log x for x > 0."""
    above = x.significand > _ROOT_2
    power = x.exponent + 31 + above
    m = x.times_power(-power)  # from √½ to √2
    return Soft.integer(power) * LOG_2 + _log_of_ratio((m - ONE) / (m + ONE))


def log1p(x: Soft) -> Soft:
    """log(1 + x) for x > −1, without cancellation near 0."""
    near = np.where(x.significand == 0, -99, x.exponent) < -33  # |x| < 1/4
    small = choose(near, x, ZERO)
    return choose(near, _log_of_ratio(small / (small + ONE + ONE)), log(ONE + choose(near, ZERO, x)))


def _halved(v: Soft) -> tuple[Soft, I64]:
    """v / 2^n below 1/4 in size, and n."""
    halvings = np.clip(v.exponent + 34, 0, 12)
    return v.times_power(-halvings), halvings


def _excess_near(v: Soft) -> Soft:
    """exp(v) − 1 − v for |v| < 1/4."""
    t = fixed(v)
    p = np.full(t.shape, _EXCESS[0])
    for coefficient in _EXCESS[1:]:
        change = _high(p, t)
        p = np.where(v.negative, coefficient - change, coefficient + change)
    return v * v * Soft.scaled(p, -32)


def excess(v: Soft) -> Soft:
    """exp(v) − 1 − v for |v| < 1024, without cancellation near 0."""
    v, halvings = _halved(v)
    h = _excess_near(v)
    for step in range(int(halvings.max(initial=0))):
        more = step < halvings
        grown = v + h
        h = choose(more, grown * grown + h.times_power(1), h)
        v = choose(more, v.times_power(1), v)
    return h


def exp(v: Soft) -> Soft:
    """exp(v) for |v| < 1024."""
    v, halvings = _halved(v)
    y = ONE + (v + _excess_near(v))
    for step in range(int(halvings.max(initial=0))):
        y = choose(step < halvings, y * y, y)
    return y


def to_f64(x: Soft) -> NDArray[np.float64]:
    """The numbers as f64, exactly where they are in its range."""
    size = np.ldexp(x.significand.astype(np.float64), x.exponent)
    return np.where(x.negative, -size, size)
