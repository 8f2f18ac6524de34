"""Polynomials of least relative error, with coefficients in f32. Needs mpmath, which the product does not.

Two ways. `exchanged` is the Remez exchange in 40 digits. It wants a weight without zeros, which a relative
error has not where a function crosses zero within the interval. `levelled` is Lawson's algorithm on a fixed
grid in f64: least squares, repeated with weights that grow where the error is large. It bears any weight.

Both round coefficients to f32 one by one from the lowest order up, the rest being fitted again after each, so
that no rounding is left uncompensated but the last.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import mpmath as mp
import numpy as np
from numpy.typing import NDArray

mp.mp.dps = 40
Function = Callable[[mp.mpf], mp.mpf]
F64 = NDArray[np.float64]


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


def exchanged(target: Function, weight: Function, low: mp.mpf, high: mp.mpf, count: int) -> list[mp.mpf]:
    """`count` coefficients of 1, x, x^2 ..., each exact in f32."""
    fixed: list[mp.mpf] = []
    for first in range(count):
        powers = list(range(first, count))
        rest = remez(
            lambda x: target(x) - polynomial(fixed, list(range(len(fixed))), x), weight, low, high, powers
        )
        fixed.append(f32(rest[0]))
    return fixed


def levelled(target: Function, weight: Function, low: mp.mpf, high: mp.mpf, count: int) -> list[mp.mpf]:
    """`count` coefficients of 1, x, x^2 ..., each exact in f32."""
    middle, half, points = (low + high) / 2, (high - low) / 2, 500
    grid = [middle - half * mp.cos(mp.pi * (k + 0.5) / points) for k in range(points)]
    x, rest, weights = (np.array([float(f(g)) for g in grid]) for f in (lambda g: g, target, weight))
    fixed: list[mp.mpf] = []
    for first in range(count):
        columns = np.stack([x**power for power in range(first, count)], axis=1)
        fixed.append(f32(mp.mpf(lawson(columns * weights[:, None], rest * weights)[0])))
        rest = rest - float(fixed[-1]) * x**first
    return fixed


def lawson(columns: F64, target: F64) -> F64:
    """The coefficients c that minimise max |columns c - target|."""
    size = np.abs(columns).max(axis=0)
    share = np.full(target.size, 1.0 / target.size)
    best, least = np.zeros(size.size), np.inf
    for _ in range(400):
        root = np.sqrt(share)
        found = np.linalg.lstsq(columns / size * root[:, None], target * root, rcond=None)[0]
        error = np.abs(columns / size @ found - target)
        if error.max() < least:
            best, least = found / size, error.max()
        share = share * (error / error.max() + 1e-6)
        share /= share.sum()
    return best
