"""Derivatives of every operation against differences, backwards and forwards, and of derivatives again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scellis.errors import ScellisError
from scellis.graph import OPS, ArrayType, Builder, Value, trace
from scellis.graph import functions as xp
from scellis.graph.attend import WRITTEN
from scellis.graph.autodiff import gradient, jvp, vjp
from scellis.graph.drawn import DRAWN_OPS, WEIGHT_OPS
from scellis.graph.gradients import GRADIENTS
from support.array_cases import COMPOSED, DIFFERENTIABLE, Function, weighed
from support.arrays import Array, computed, integers, numbers, one

STEP = 1e-6


def _differences(function: Function, arrays: list[Array], place: int) -> Array:
    """∂function/∂arrays[place] by central differences."""
    found = np.zeros(arrays[place].shape)
    for index in np.ndindex(*arrays[place].shape):
        sides = []
        for step in (STEP, -STEP):
            shifted = [array.copy() for array in arrays]
            shifted[place][index] += step
            sides.append(float(one(function, *shifted)))
        found[index] = (sides[0] - sides[1]) / (2 * STEP)
    return found


def test_every_operation_has_a_rule_or_no_derivative() -> None:
    none = {"input", "constant", "iota", "random_words", "argmax", "argmin", "any", "all", "trigamma"}
    none |= {"signbit", "nextafter", "merge_order", "scatter_add_in_order"}
    none |= {*DRAWN_OPS, *WEIGHT_OPS}
    none |= {op for op in OPS if op.startswith(("draw_", "is", "logical_", "bitwise_"))}
    none |= {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
    assert set(GRADIENTS) | set(WRITTEN) == set(OPS) - none
    assert set(DIFFERENTIABLE) == set(GRADIENTS) - {"stop_gradient"}


@pytest.mark.parametrize("name", [*DIFFERENTIABLE, *COMPOSED])
def test_backwards_against_differences(name: str) -> None:
    function, arrays = (DIFFERENTIABLE | COMPOSED)[name]
    total = weighed(function)
    found = computed(lambda *x: gradient(total(*x), x), *arrays)
    for place, result in enumerate(found):
        expected = _differences(total, arrays, place)
        assert result.shape == arrays[place].shape
        assert np.allclose(result, expected, rtol=1e-6, atol=1e-7), name


@pytest.mark.parametrize("name", [*DIFFERENTIABLE, *COMPOSED])
def test_forwards_agrees_with_backwards(name: str) -> None:
    function, arrays = (DIFFERENTIABLE | COMPOSED)[name]
    tangents = [numbers(array.shape, 7 + n) for n, array in enumerate(arrays)]
    total = weighed(function)
    n = len(arrays)
    (forward,) = computed(lambda *x: jvp([total(*x[:n])], x[:n], x[n:]), *arrays, *tangents)
    backward = computed(lambda *x: gradient(total(*x), x), *arrays)
    expected = sum(float(np.sum(b * t)) for b, t in zip(backward, tangents, strict=True))
    assert np.allclose(forward, expected, rtol=1e-12, atol=1e-12)


SMOOTH = [
    "divide",
    "exp",
    "log",
    "tanh",
    "sin",
    "matmul",
    "attention",
    "attention, a row hidden",
    "softmax",
    "logsumexp",
    "prod",
    "used twice",
    "slice",
]


@pytest.mark.parametrize("name", SMOOTH)
def test_second_derivatives_by_composition(name: str) -> None:
    function, arrays = (DIFFERENTIABLE | COMPOSED)[name]
    total = weighed(function)

    def slope(*x: Value) -> Value:
        return xp.sum(xp.square(gradient(total(*x), x)[0]))

    found = computed(lambda *x: gradient(slope(*x), x), *arrays)
    for place, result in enumerate(found):
        expected = _differences(slope, arrays, place)
        assert np.allclose(result, expected, rtol=1e-5, atol=1e-6 + 1e-9 * np.abs(expected).max())


def test_a_product_with_zeros_has_the_derivative_of_the_others() -> None:
    x = np.array([[2.0, 0.0, 5.0], [0.0, 0.0, 3.0]])
    (found,) = computed(lambda x: gradient(xp.sum(xp.prod(x, 1)), [x]), x)
    assert found.tolist() == [[0.0, 10.0, 0.0], [0.0, 0.0, 0.0]]


def test_those_that_reach_the_extreme_share_its_derivative() -> None:
    (found,) = computed(lambda x: gradient(xp.max(x), [x]), np.array([1.0, 3.0, 3.0, 2.0]))
    assert found.tolist() == [0.0, 0.5, 0.5, 0.0]


def test_a_power_at_zero_has_a_derivative() -> None:
    x, y = np.array([0.0, 0.0, 0.0, 2.0]), np.array([0.0, 1.0, 2.0, 0.0])
    by_x, by_y = computed(lambda x, y: gradient(xp.sum(xp.pow(x, y)), [x, y]), x, y)
    assert by_x.tolist() == [0.0, 1.0, 0.0, 0.0]
    assert by_y.tolist() == [0.0, 0.0, 0.0, np.log(2.0)]


def test_nothing_varies_with_a_stopped_gradient() -> None:
    x = numbers((3,))
    (slope,) = computed(lambda x: gradient(xp.sum(x * xp.stop_gradient(x)), [x]), x)
    assert np.array_equal(slope, x)
    (moved,) = computed(lambda x, t: jvp([x * xp.stop_gradient(x)], [x], [t]), x, x)
    assert np.array_equal(moved, x * x)


def test_what_the_output_does_not_hang_on_has_derivative_zero() -> None:
    found = computed(lambda x, y: gradient(xp.sum(x), [x, y]), numbers((2,)), numbers((3, 1)))
    assert found[1].tolist() == [[0.0], [0.0], [0.0]]
    (moved,) = computed(lambda x, y: jvp([xp.sum(x)], [y], [y]), numbers((2,)), numbers((3,)))
    assert float(moved) == 0.0


def test_the_cross_entropy_of_a_classifier() -> None:
    logits, labels = numbers((6, 5)), integers((6,), 5)
    for smoothing in (0.0, 0.1):

        def loss(z: Value, y: Value, smoothing: float = smoothing) -> Value:
            return xp.cross_entropy(z, y, label_smoothing=smoothing)

        value, slope = computed(lambda z, y: [loss(z, y), *gradient(loss(z, y), [z])], logits, labels)
        chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
        target = (1 - smoothing) * np.eye(5)[labels] + smoothing / 5
        assert np.isclose(value, -np.mean(np.sum(target * np.log(chances), 1)))
        assert np.allclose(slope, (chances - target) / 6)


def test_a_hundred_thousand_nodes_overflow_no_stack() -> None:
    def long(x: Value) -> list[Value]:
        y = x
        for step in range(50_000):
            y = y * 0.999 + step
        return [y, *gradient(y, [x])]

    value, slope = computed(long, np.array(1.0))
    assert np.isfinite(value)
    assert np.isclose(slope, 0.999**50_000)


@pytest.mark.parametrize(
    ("code", "function"),
    [
        ("SCL-GRAPH-SHAPE", lambda x, n: gradient(x, [x])),
        ("SCL-GRAPH-DTYPE", lambda x, n: gradient(xp.sum(x), [n])),
        ("SCL-GRAPH-DTYPE", lambda x, n: jvp([x], [n], [n])),
        ("SCL-GRAPH-SHAPE", lambda x, n: vjp([x], [xp.sum(x)], [x])),
        ("SCL-GRAPH-SHAPE", lambda x, n: jvp([x], [x], [xp.sum(x)])),
        ("SCL-GRAPH-DERIVATIVE", lambda x, n: gradient(xp.sum(xp.trigamma(x)), [x])),
        ("SCL-GRAPH-DERIVATIVE", lambda x, n: jvp([xp.trigamma(x)], [x], [x])),
    ],
)
def test_what_has_no_derivative_is_refused(code: str, function: Callable[..., Any]) -> None:
    with pytest.raises(ScellisError, match=code):
        trace(function, x=ArrayType((3,), "f32"), n=ArrayType((3,), "i32"))


def test_a_derivative_needs_no_product_with_one() -> None:
    builder = Builder()
    x, y = builder.input((2,)), builder.input((2,))
    gradient(xp.sum(x - y), [x, y])
    ops = [node.op for node in builder.nodes]
    assert "multiply" not in ops
