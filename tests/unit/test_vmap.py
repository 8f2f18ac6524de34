"""What vmap gives against one call after the other, for every operation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from conformance.cases import Case, load
from conformance.run import function_of, inputs_of
from scellis.errors import ScellisError
from scellis.graph import OPS, ArrayType, Value, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient, vjp
from scellis.graph.random import Generator
from scellis.graph.vmap import RULES, vmap
from support.api_cases import API
from support.array_cases import COMPOSED, DIFFERENTIABLE, FUNCTIONS
from support.arrays import Array, computed, integers, numbers, one, traced
from support.nn_cases import NN

CALLS = 3
SMALL = 400
"""Elements that the inputs of a case of the corpus may have together to be tried here."""


def _of_the_corpus() -> dict[str, tuple[Callable[..., Any], list[Array]]]:
    """One small case for each operation and its parameters; floats are f64, as all that is compared here."""
    found: dict[tuple[str, str], Case] = {}
    for case in load():
        if not case.gradient and 0 < sum(math.prod(given.shape) for given in case.inputs) <= SMALL:
            found.setdefault((case.op, str(case.params)), case)
    return {
        case.name: (
            function_of(case),
            [array.astype(float) if array.dtype == np.float32 else array for array in inputs_of(case)],
        )
        for case in found.values()
        if case.dtype != "f16"
    }


CASES: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    **_of_the_corpus(),
    **DIFFERENTIABLE,
    **COMPOSED,
    **NN,
    **{name: (function, arrays) for name, function, _, arrays in FUNCTIONS + API},
}


def test_every_operation_with_arguments_has_a_rule() -> None:
    assert set(RULES) == {op for op, operation in OPS.items() if operation.arity}


def _varied(array: Array) -> Array:
    """Several arrays like this one along a new axis."""
    return np.stack([np.roll(array.ravel(), call).reshape(array.shape) for call in range(CALLS)])


@pytest.mark.parametrize("name", CASES)
def test_what_one_call_after_the_other_gives(name: str) -> None:
    function, arrays = CASES[name]
    for axes in itertools.product((0, None), repeat=len(arrays)):
        if 0 not in axes or (len(arrays) > 3 and None in axes[1:]):
            continue
        given = [array if axis is None else _varied(array) for array, axis in zip(arrays, axes, strict=True)]
        found = computed(vmap(function, axes), *given)
        for call in range(CALLS):
            single = [array if axis is None else array[call] for array, axis in zip(given, axes, strict=True)]
            for together, alone in zip(found, computed(function, *single), strict=True):
                assert together.dtype == alone.dtype
                assert np.allclose(together[call], alone, rtol=1e-10, atol=1e-12, equal_nan=True)


def test_a_derivative_of_each_row() -> None:
    def energy(x: Value) -> Value:
        return xp.sum(xp.sin(x) * xp.square(x))

    x = numbers((4, 3))
    found = one(vmap(lambda row: gradient(energy(row), [row])[0]), x)
    assert np.allclose(found, np.cos(x) * x * x + 2 * np.sin(x) * x)


def test_a_jacobian_row_by_row() -> None:
    def function(x: Value) -> Value:
        return xp.stack([x[0] * x[1], xp.exp(x[2]), x[0] + x[2]])

    def jacobian(x: Value) -> Value:
        unit = xp.iota(x, (3, 3), 0)
        basis = (unit == xp.iota(x, (3, 3), 1)).astype("f32")
        return vmap(lambda row: vjp([function(x)], [row], [x])[0])(basis)

    x = numbers((3,))
    expected = [[x[1], x[0], 0], [0, 0, np.exp(x[2])], [1, 0, 1]]
    assert np.allclose(one(jacobian, x), expected)


def test_values_from_outside_are_shared_even_where_they_are_the_argument() -> None:
    x = numbers((4, 3))
    found = one(lambda x: vmap(lambda row: row + x[0] + xp.sum(x, 0))(x), x)
    assert np.allclose(found, x + x[0] + x.sum(0))


def test_vmap_of_vmap() -> None:
    x, y = numbers((2, 3, 4)), numbers((5, 4), 2)
    found = one(lambda x, y: vmap(vmap(vmap(xp.matmul, (None, 0)), (0, None)), (0, None))(x, y), x, y)
    assert np.allclose(found, np.einsum("abk,ck->abc", x, y))


def test_what_hangs_on_no_argument_is_repeated() -> None:
    assert one(lambda x: vmap(lambda row: xp.zeros_like(x[0]))(x), numbers((2, 3))).shape == (2, 3)


def test_each_call_may_have_a_stream_of_its_own() -> None:
    def draws(key: Value, indices: Value) -> list[Value]:
        one_by_one = [Generator(key, indices[n], "dropout").uniform((5,)) for n in range(3)]
        together = vmap(lambda index: Generator(key, index, "dropout").uniform((5,)))(indices)
        return [xp.stack(one_by_one), together]

    key = np.array([1, 2], np.uint32)
    alone, together = computed(draws, key, np.arange(3, dtype=np.uint32))
    assert np.array_equal(alone, together)


def test_a_value_from_within_cannot_be_used_outside() -> None:
    kept: list[Value] = []
    with pytest.raises(ScellisError, match="from within vmap"):
        trace(lambda x: vmap(lambda row: kept.append(row) or row)(x) + kept[0], x=ArrayType((2, 3), "f32"))


@pytest.mark.parametrize(
    ("axes", "shapes"), [((0, 0), ((2, 3), (3, 3))), ((None,), ((2,),)), ((1,), ((2, 2),)), ((0,), ((),))]
)
def test_what_has_no_one_length_is_refused(
    axes: tuple[int | None, ...], shapes: list[tuple[int, ...]]
) -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-SHAPE"):
        traced(vmap(lambda *x: x[0], axes), *(numbers(shape) for shape in shapes))


def test_indices_of_each_call_are_clamped_to_its_own_part() -> None:
    x, n = numbers((2, 4)), integers((2, 3), 9) - 2
    found = one(vmap(lambda x, n: xp.take(x, n)), x, n)
    assert np.array_equal(found, np.take_along_axis(x, np.clip(n, 0, 3), 1))
