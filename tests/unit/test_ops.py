"""The elementwise operations: their set, values, derivatives and what f32 costs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.graph.elementwise import ELEMENTWISE, REFERENCE
from scellis.graph.precision import F32_LARGEST, F32_SMALLEST, UNIT_ROUNDOFF

POSITIVE = ("log", "sqrt")
STEP = 1e-30  # of the complex step: its square vanishes beside any f64


SMOOTH = sorted(name for name, op in ELEMENTWISE.items() if op.rounding is not None)


def test_a_program_is_made_of_what_has_a_bound_and_a_derivative() -> None:
    assert set(SMOOTH) == {
        *("add", "subtract", "multiply", "divide"),
        *("negative", "exp", "expm1", "log", "sqrt", "sin", "cos", "tanh"),
        *("abs", "minimum", "maximum"),
    }
    assert all(ELEMENTWISE[name].partials is not None for name in SMOOTH)


def test_the_constants_of_f32() -> None:
    assert np.finfo(np.float32).max == F32_LARGEST
    assert np.finfo(np.float32).tiny == F32_SMALLEST
    assert np.finfo(np.float32).eps == 2 * UNIT_ROUNDOFF


def test_the_derivative_of_a_distance_is_its_side() -> None:
    x = np.array([-2.0, 0.0, 3.0])
    assert ELEMENTWISE["abs"].partials(REFERENCE, (x,), np.abs(x))[0].tolist() == [-1.0, 0.0, 1.0]


def test_the_derivative_of_a_choice_is_that_of_what_was_chosen() -> None:
    args = np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 2.0])
    for name, taken in (("minimum", [1.0, 0.5, 0.0]), ("maximum", [0.0, 0.5, 1.0])):
        first, second = ELEMENTWISE[name].partials(REFERENCE, args, ELEMENTWISE[name].evaluate(*args))
        assert first.tolist() == taken
        assert (first + second).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("name", [name for name in SMOOTH if not ELEMENTWISE[name].selects])
@given(data=st.data())
def test_derivatives_are_those_of_the_complex_step(name: str, data: st.DataObject) -> None:
    operation = ELEMENTWISE[name]
    sign = st.just(1.0) if name in POSITIVE else st.sampled_from([1.0, -1.0])
    number = st.builds(lambda s, x: s * x, sign, st.floats(1e-3, 50.0))
    args = tuple(np.array([data.draw(number)]) for _ in range(operation.arity))
    partials = operation.partials(REFERENCE, args, operation.evaluate(*args))
    assert len(partials) == operation.arity
    for index, partial in enumerate(partials):
        shifted = [arg + 1j * STEP * (index == place) for place, arg in enumerate(args)]
        expected = np.imag(operation.evaluate(*shifted)) / STEP
        # exp(x) is expm1(x) + 1, 1 − tanh² a difference: their rounding is relative to the larger of two.
        assert np.allclose(partial, expected, rtol=1e-14, atol=4e-16 if name in ("expm1", "tanh") else 0)


@pytest.mark.parametrize("name", SMOOTH)
@given(data=st.data())
def test_one_operation_in_f32_errs_by_what_it_says(name: str, data: st.DataObject) -> None:
    operation = ELEMENTWISE[name]
    low = 2.0**-20 if name in POSITIVE else -60.0
    number = st.floats(low, 60.0, width=32).filter(lambda x: abs(x) > 1e-6)
    args = [np.array([data.draw(number)], np.float32) for _ in range(operation.arity)]
    with np.errstate(all="ignore"):
        found = float(operation.evaluate(*args)[0])
        exact = float(operation.evaluate(*(arg.astype(np.float64) for arg in args))[0])
    assert abs(found - exact) <= operation.rounding * UNIT_ROUNDOFF * abs(exact) + 2.0**-126


def test_values_outside_the_reals_are_told_by_the_caller() -> None:
    with np.errstate(all="ignore"):
        assert math.isnan(ELEMENTWISE["log"].evaluate(np.array(-1.0)))
        assert math.isinf(ELEMENTWISE["divide"].evaluate(np.array(1.0), np.array(0.0)))
