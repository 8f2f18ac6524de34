"""Floating point in integers against f64."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scellis.rng import soft_float
from scellis.rng.soft_float import Soft, to_f64, whole

F64 = NDArray[np.float64]
N = 20_000
ULP = 2.0**-31


def _numbers(seed: int, low: float, high: float) -> F64:
    random = np.random.default_rng(seed)
    found = 10.0 ** random.uniform(low, high, N) * random.choice([-1.0, 1.0], N)
    return found.astype(np.float32).astype(np.float64)


A, B = _numbers(1, -9, 9), _numbers(2, -9, 9)


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("__add__", np.maximum(np.abs(A), np.abs(B))),
        ("__sub__", np.maximum(np.abs(A), np.abs(B))),
        ("__mul__", np.abs(A * B)),
        ("__truediv__", np.abs(A / B)),
    ],
)
def test_arithmetic_errs_in_the_last_bit(name: str, scale: F64) -> None:
    found = to_f64(getattr(Soft.of(A), name)(Soft.of(B)))
    assert np.all(np.abs(found - getattr(A, name)(B)) <= 1.01 * ULP * scale)


@pytest.mark.parametrize(
    ("name", "x", "exact", "units"),
    [
        ("root", np.abs(A), np.sqrt(np.abs(A)), 1.01),
        ("log", np.abs(A), np.log(np.abs(A)), 4),
        ("log1p", np.abs(_numbers(3, -9, 1)), np.log1p(np.abs(_numbers(3, -9, 1))), 4),
        ("log1p", -np.abs(_numbers(4, -9, -0.1)), np.log1p(-np.abs(_numbers(4, -9, -0.1))), 4),
        ("exp", _numbers(5, -6, 1.3), np.exp(_numbers(5, -6, 1.3)), 256),
        ("excess", _numbers(6, -0.6, 1), np.expm1(_numbers(6, -0.6, 1)) - _numbers(6, -0.6, 1), 64),
    ],
)
def test_functions(name: str, x: F64, exact: F64, units: float) -> None:
    found = to_f64(getattr(soft_float, name)(Soft.of(x)))
    assert np.all(np.abs(found - exact) <= units * ULP * np.abs(exact))


def test_the_excess_of_small_numbers_does_not_cancel() -> None:
    v = _numbers(7, -6, -2)
    found = to_f64(soft_float.excess(Soft.of(v)))
    np.testing.assert_allclose(found, v * v * (0.5 + v * (1 / 6 + v * (1 / 24 + v / 120))), rtol=4 * ULP)


def test_zero_and_whole_numbers() -> None:
    x = Soft.of(np.array([0.0, -0.0, 2.5, -2.5, -2.0, 1e10, -1e10, 0.3, -0.3, 1e-42]))
    assert whole(x).tolist() == [0, 0, 2, -3, -2, 2**31 - 1, 1 - 2**31, 0, -1, 0]
    assert to_f64(x + -x).tolist() == [0.0] * 10
    assert not (x * Soft.of(0.0)).significand.any()
    assert to_f64(soft_float.root(Soft.of(np.array([0.0])))).tolist() == [0.0]
    assert to_f64(Soft.integer(np.array([-7, 0, 2**31 - 1]))).tolist() == [-7.0, 0.0, 2.0**31 - 1]
