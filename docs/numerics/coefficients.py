"""Derives the polynomial coefficients of wgsl/elementary.wgsl. Needs mpmath, which the product does not.

    python docs/numerics/coefficients.py

Each polynomial is the best one in relative error on its interval (Remez exchange in 40 digits). Coefficients
are then rounded to f32 one by one from the lowest order up, the rest being fitted again after each, so that
no rounding is left uncompensated but the last. Printed beside each: the largest relative error of the rounded
polynomial in exact arithmetic, in units of 2^-24; what f32 arithmetic adds is measured by
tests/native/test_elementary.py.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import mpmath as mp

mp.mp.dps = 40
Function = Callable[[mp.mpf], mp.mpf]


def f32(value: mp.mpf) -> mp.mpf:
    """The nearest f32, as an exact number."""
    return mp.mpf(struct.unpack("f", struct.pack("f", float(value)))[0])


def remez(target: Function, weight: Function, low: mp.mpf, high: mp.mpf, powers: list[int]) -> list[mp.mpf]:
    """Coefficients c that minimise max |target(x) - sum c_k x^powers_k| * weight(x) on [low, high]."""
    size = len(powers) + 1
    middle, half = (low + high) / 2, (high - low) / 2
    points = [middle - half * mp.cos(mp.pi * k / (size - 1)) for k in range(size)]
    coefficients: list[mp.mpf] = []
    for _ in range(30):
        rows = mp.matrix(size, size)
        right = mp.matrix(size, 1)
        for row, x in enumerate(points):
            for column, power in enumerate(powers):
                rows[row, column] = x**power
            rows[row, size - 1] = (-1) ** row / weight(x)
            right[row] = target(x)
        solution = mp.lu_solve(rows, right)
        coefficients = list(solution[: size - 1])
        fitted = coefficients

        def error(x: mp.mpf, fitted: list[mp.mpf] = fitted) -> mp.mpf:
            return (target(x) - polynomial(fitted, powers, x)) * weight(x)

        points, spread = exchange(error, low, high, size)
        if spread < mp.mpf("1e-6"):
            break
    return coefficients


def exchange(error: Function, low: mp.mpf, high: mp.mpf, size: int) -> tuple[list[mp.mpf], mp.mpf]:
    """The `size` alternating extrema of `error`, and how far from level they are."""
    grid = [low + (high - low) * k / 800 for k in range(801)]
    runs: list[tuple[mp.mpf, mp.mpf]] = []
    for x in grid:
        value = error(x)
        if runs and mp.sign(runs[-1][1]) == mp.sign(value):
            if abs(value) > abs(runs[-1][1]):
                runs[-1] = (x, value)
        else:
            runs.append((x, value))
    while len(runs) > size:
        runs.pop(0 if abs(runs[0][1]) < abs(runs[-1][1]) else -1)
    sizes = [abs(value) for _, value in runs]
    return [x for x, _ in runs], (max(sizes) - min(sizes)) / max(sizes)


def polynomial(coefficients: list[mp.mpf], powers: list[int], x: mp.mpf) -> mp.mpf:
    """sum c_k x^powers_k."""
    return sum((c * x**p for c, p in zip(coefficients, powers, strict=True)), mp.mpf(0))


def rounded(target: Function, weight: Function, low: mp.mpf, high: mp.mpf, count: int) -> list[mp.mpf]:
    """`count` coefficients of 1, x, x^2 ..., each exact in f32."""
    fixed: list[mp.mpf] = []
    for first in range(count):
        powers = list(range(first, count))
        rest = remez(
            lambda x: target(x) - polynomial(fixed, list(range(len(fixed))), x), weight, low, high, powers
        )
        fixed.append(f32(rest[0]))
    return fixed


def report(name: str, target: Function, weight: Function, low: mp.mpf, high: mp.mpf, count: int) -> None:
    """Derive one polynomial and print it as WGSL literals, lowest order first."""
    found = rounded(target, weight, low, high, count)
    powers = list(range(count))
    grid = [low + (high - low) * k / 5000 for k in range(5001)]
    worst = max(abs((target(x) - polynomial(found, powers, x)) * weight(x)) for x in grid)
    print(f"{name}: {mp.nstr(worst * 2**24, 4)} * 2^-24")
    for power, value in enumerate(found):
        print(f"  x^{power}  {float(value).hex()}f   {mp.nstr(value, 9)}")


def main() -> None:
    """Print every polynomial."""
    eps = mp.mpf("1e-8")  # the targets are 0/0 at zero; this is as good as the limit
    floor = mp.mpf("1e-3")  # keeps a weight from vanishing where the error cannot matter

    # sin(pi x / 2) = x + x R(x^2) for |x| <= 1. R falls to zero at the crest, where its rounding costs most.
    def sin_tail(z: mp.mpf) -> mp.mpf:
        x = mp.sqrt(max(z, eps))
        return mp.sin(mp.pi * x / 2) / x - 1

    report(
        "sin(pi x / 2) / x - 1 in z = x^2", sin_tail, lambda z: 1 / (1 + sin_tail(z)), mp.mpf(0), mp.mpf(1), 5
    )

    # log(1 + f) = f - f^2 / 2 + f^3 P(f) for 1 + f between sqrt(1/2) and sqrt(2).
    def log_tail(f: mp.mpf) -> mp.mpf:
        f = f if abs(f) > eps else eps
        return (mp.log1p(f) - f + f * f / 2) / f**3

    report(
        "(log1p f - f + f^2 / 2) / f^3", log_tail, lambda f: abs(f**3 / mp.log1p(f if f else eps)) + floor,
        mp.sqrt(mp.mpf(1) / 2) - 1, mp.sqrt(2) - 1, 9,
    )  # fmt: skip

    # expm1(r) = r + r^2 Q(r) for |r| <= log(2) / 2.
    def expm1_tail(r: mp.mpf) -> mp.mpf:
        r = r if abs(r) > eps else eps
        return (mp.expm1(r) - r) / r**2

    half = mp.log(2) / 2 * mp.mpf("1.0001")
    report(
        "(expm1 r - r) / r^2", expm1_tail, lambda r: abs(r**2 / mp.expm1(r if r else eps)) + floor,
        -half, half, 5,
    )  # fmt: skip

    high = mp.nint(mp.log(2) * 2**16) / 2**16  # short, so that its products with exponents are exact
    print(f"log 2 = {float(high).hex()} + {float(f32(mp.log(2) - high)).hex()}")


if __name__ == "__main__":
    main()
