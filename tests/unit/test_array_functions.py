"""Functions on arrays give what NumPy gives, in f64 and in their own types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scellis.errors import ScellisError
from scellis.graph import ArrayType, compute, nn, trace, whole
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.expand import expand
from scellis.kernels.plan import plan_graph
from support.array_cases import FUNCTIONS
from support.arrays import Array, computed, integers, numbers, one


@pytest.mark.parametrize(("name", "ours", "theirs", "arrays"), FUNCTIONS, ids=[case[0] for case in FUNCTIONS])
def test_what_numpy_gives(name: str, ours: Any, theirs: Any, arrays: list[Array]) -> None:
    with np.errstate(all="ignore"):
        expected = theirs(*arrays)
    for result, wanted in zip(
        computed(ours, *arrays), expected if isinstance(expected, list) else [expected], strict=True
    ):
        assert result.shape == wanted.shape
        np.testing.assert_allclose(result, wanted, rtol=1e-14, atol=1e-300)


def test_floats_are_wide_or_as_they_are() -> None:
    x = numbers((5,)).astype(np.float32)
    assert one(xp.exp, x).dtype == np.float64
    narrow = one(xp.exp, x, wide=False)
    assert narrow.dtype == np.float32
    assert narrow.tolist() == np.exp(x).tolist()
    half = one(lambda x: xp.sum(x.astype("f16") * 1e-3), x, wide=False)
    assert half.dtype == np.float16


@pytest.mark.parametrize(
    ("function", "exact"),
    [
        (xp.mean, np.mean),
        (xp.std, np.std),
        (lambda x: xp.sum(x * 1e-3), lambda x: np.sum(x * 1e-3)),
        (lambda x: xp.cumulative_sum(x * 1e-3, 0)[-1], lambda x: np.sum(x * 1e-3)),
        (lambda x: xp.prod(xp.concat([x[:4], 1 / x[:3]])), lambda x: x[3]),
        (lambda x: xp.vecdot(x, x * 1e-4), lambda x: np.sum(x * (x * 1e-4))),
        (lambda x: xp.logsumexp(x, 0), lambda x: np.max(x) + np.log(np.sum(np.exp(x - np.max(x))))),
        (lambda x: nn.rms_norm(x)[7], lambda x: x[7] / np.sqrt(np.mean(x * x))),
    ],
)
def test_what_f16_would_lose_is_summed_in_f32(function: Any, exact: Any) -> None:
    x = (150 + 100 * np.sin(np.arange(5000))).astype(np.float16)  # its sum, and its squares, are beyond f16
    found = one(function, x, wide=False)
    assert found.dtype == np.float16
    np.testing.assert_allclose(found.astype(float), exact(x.astype(np.float64)), rtol=4e-3)


@pytest.mark.parametrize(
    "arrays",
    [
        [],
        [np.zeros(3, np.float32)] * 2,
        [np.zeros(4, np.float32)],
        [np.zeros(3, np.int32)],
        [np.zeros(3, bool)],
    ],
)
def test_inputs_of_another_type_are_refused(arrays: list[Array]) -> None:
    graph = trace(xp.exp, x=ArrayType((3,), "f32"))
    with pytest.raises(ScellisError, match="SCL-GRAPH-INPUT"):
        compute(graph, arrays)


def test_gelu_by_tanh_is_what_its_name_says_and_keeps_the_digits_of_its_tail() -> None:
    x = np.linspace(-6, 6, 41)
    u = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
    found = one(lambda x: xp.gelu(x, approximate="tanh"), x)
    np.testing.assert_allclose(found, 0.5 * x * (1 + np.tanh(u)), rtol=1e-6, atol=1e-12)
    tail = one(lambda x: xp.gelu(x, approximate="tanh"), np.array([-6.0], np.float32), wide=False)
    np.testing.assert_allclose(tail, found[:1], rtol=1e-5)  # of 1e-10: 1 + tanh has no digit of it in f32
    with pytest.raises(ScellisError, match="SCL-GRAPH-PARAMETER"):
        one(lambda x: xp.gelu(x, approximate="erf"), x)


@pytest.mark.parametrize("function", [nn.sigmoid, nn.silu, lambda x: xp.gelu(x, approximate="tanh")])
def test_an_activation_far_from_0_has_a_derivative(function: Any) -> None:
    x = np.array([-1e4, -100.0, 100.0, 1e4], np.float32)  # exp 100 is infinite in f32
    value, slope = computed(lambda x: [function(x), *gradient(xp.sum(function(x)), [x])], x, wide=False)
    np.testing.assert_allclose(
        slope, [0, 0, *(value[2:] / np.where(value[2:] == 1, np.inf, x[2:]))], atol=1e-30
    )


def test_a_product_of_integers_is_one_kernel_that_stores_no_terms() -> None:
    graph = trace(xp.matmul, a=ArrayType((40, 70), "i32"), b=ArrayType((70, 30), "i32"))
    limits = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}
    plan = plan_graph(graph, limits)
    assert len(plan.steps) == 1
    assert plan.bytes == 4 * (40 * 70 + 70 * 30 + 40 * 30)


def test_a_product_of_integers_has_so_many_terms_at_a_time_as_have_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(whole, "SIZE_LIMIT", 3 * 4 * 7)
    a, b = integers((3, 40), 2**31 - 1), integers((40, 4), 2**31 - 1, 2)
    graph = expand(trace(xp.matmul, a=ArrayType((3, 40), "i32"), b=ArrayType((40, 4), "i32")))
    assert sum(node.op == "sum" for node in graph.nodes) == 6
    terms = [graph.types[at].size for at, node in enumerate(graph.nodes) if node.op == "multiply"]
    assert max(terms) == 3 * 4 * 7
    (found,) = compute(graph, [a, b])
    np.testing.assert_array_equal(found, (a.astype(object) @ b.astype(object) + 2**31) % 2**32 - 2**31)
