"""Functions on arrays give what NumPy gives, in f64 and in their own types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scellis.errors import ScellisError
from scellis.graph import ArrayType, compute, nn, trace
from scellis.graph import functions as xp
from support.array_cases import FUNCTIONS
from support.arrays import Array, computed, numbers, one


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
