"""The namespace of the Python Array API standard: each of its names is offered, or refused with why."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scellis.errors import ScellisError
from scellis.graph import ArrayType, Value, compute, trace
from scellis.graph import array_api as xp
from scellis.graph.refused import REFUSED
from support.api_cases import API
from support.arrays import Array, computed, one

DOCS = Path(__file__).parents[2] / "docs" / "arrays.md"

STANDARD: dict[str, str] = {
    "constants": "e inf nan newaxis pi",
    "creation": "arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones "
    "ones_like tril triu zeros zeros_like",
    "data type functions": "astype can_cast finfo iinfo isdtype result_type",
    "data types": "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 "
    "complex64 complex128",
    "elementwise": "abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_left_shift "
    "bitwise_invert bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal "
    "exp expm1 floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less less_equal log "
    "log1p log2 log10 logaddexp logical_and logical_not logical_or logical_xor maximum minimum multiply "
    "negative nextafter not_equal positive pow real reciprocal remainder round sign signbit sin sinh square "
    "sqrt subtract tan tanh trunc",
    "extensions": "fft linalg",
    "indexing": "take take_along_axis",
    "inspection": "__array_namespace_info__ __array_api_version__",
    "linear algebra": "matmul matrix_transpose tensordot vecdot",
    "manipulation": "broadcast_arrays broadcast_to concat expand_dims flip moveaxis permute_dims repeat "
    "reshape roll squeeze stack tile unstack",
    "searching": "argmax argmin count_nonzero nonzero searchsorted where",
    "sets": "unique_all unique_counts unique_inverse unique_values",
    "sorting": "argsort sort",
    "statistics": "cumulative_prod cumulative_sum max mean min prod std sum var",
    "utilities": "all any diff",
}
ARRAYS = (
    "T device dtype mT ndim shape size to_device __abs__ __add__ __and__ __array_namespace__ __bool__ "
    "__complex__ __dlpack__ __dlpack_device__ __eq__ __float__ __floordiv__ __ge__ __getitem__ __gt__ "
    "__index__ __int__ __invert__ __le__ __lshift__ __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __or__ "
    "__pos__ __pow__ __rshift__ __setitem__ __sub__ __truediv__ __xor__ "
    "__radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rpow__ __rmod__ __rand__ __ror__ __rxor__ "
    "__rlshift__ __rrshift__"
)
NAMES = " ".join(STANDARD.values()).split()
OPERATIONS = {name for name in NAMES if callable(getattr(xp, name, None))}


def test_every_name_of_the_standard_is_offered_or_refused_with_why() -> None:
    assert {name for name in NAMES if not hasattr(xp, name)} == set(NAMES) & set(REFUSED) - FUNCTIONS
    assert {name for name in ARRAYS.split() if not hasattr(Value, name)} <= set(REFUSED)
    assert set(REFUSED) <= {*NAMES, *ARRAYS.split()}


FUNCTIONS = {"nonzero", "unique_all", "unique_counts", "unique_inverse", "unique_values"}
"""What is refused as it is called; of other names that are, a library asks whether they are there."""


def test_what_is_offered_and_not_refused_is_the_standards() -> None:
    ours = {name for name, value in vars(xp).items() if inspect.isfunction(value)}
    assert ours - set(NAMES) == {"exp2", "outer", "__getattr__"}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_shape_that_hangs_on_data_is_refused_by_name(name: str) -> None:
    with pytest.raises(ScellisError, match=f"{name} is not to be had: its shape hangs on"):
        trace(lambda x: getattr(xp, name)(x), x=ArrayType((3,), "f32"))


def test_a_name_that_is_refused_is_not_there_and_says_why() -> None:
    with pytest.raises(AttributeError, match="float64 here: WebGPU has no such type"):
        _ = xp.float64
    with pytest.raises(AttributeError, match=r"no sum_of here$"):
        _ = xp.sum_of


def test_the_page_lists_what_is_refused() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert [name for name in REFUSED if f"`{name}`" not in text] == []


@pytest.mark.parametrize(("name", "ours", "theirs", "arrays"), API, ids=[case[0] for case in API])
def test_what_numpy_gives(name: str, ours: Any, theirs: Any, arrays: list[Array]) -> None:
    with np.errstate(all="ignore"):
        expected = theirs(*arrays)
    for result, wanted in zip(computed(ours, *arrays), expected, strict=True):
        assert result.shape == wanted.shape
        np.testing.assert_allclose(result, wanted, rtol=1e-12, atol=1e-300)
        known = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(result * 1.0)[known], np.signbit(wanted * 1.0)[known])


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_the_next_number_is_that_of_the_type(kind: Any) -> None:
    info = np.finfo(kind)
    ends = [0.0, -0.0, 1.0, -1.0, info.max, info.min, info.smallest_normal, -info.smallest_normal,
            info.smallest_subnormal, np.inf, -np.inf, np.nan]  # fmt: skip
    x, y = (axis.ravel().astype(kind) for axis in np.meshgrid(ends, ends))
    with np.errstate(all="ignore"):
        expected = np.nextafter(x, y)
    for wide in (True, False):
        np.testing.assert_array_equal(one(xp.nextafter, x, y, wide=wide).astype(kind), expected)


def test_types() -> None:
    assert xp.finfo(xp.float32) == xp.finfo("f32")
    assert (xp.finfo("f32").bits, xp.finfo("f32").eps, xp.finfo("f16").max) == (32, 2.0**-23, 65504.0)
    assert (xp.iinfo("i32").min, xp.iinfo("u32").max) == (-(2**31), 2**32 - 1)
    assert xp.result_type("f16", "f32", 1) == "f32"
    assert xp.can_cast("f16", "f32")
    assert not xp.can_cast("f32", "f16")
    assert not xp.can_cast("i32", "f32")
    assert xp.isdtype("i32", ("bool", "integral"))
    assert not xp.isdtype("f32", "complex floating")


@pytest.mark.parametrize(
    "function",
    [
        lambda: xp.result_type(1, 2.0),
        lambda: xp.result_type("i32", "f32"),
        lambda: xp.finfo("i32"),
        lambda: xp.iinfo("f32"),
        lambda: xp.isdtype("f32", "floating"),
    ],
)
def test_what_types_do_not_have_is_refused(function: Callable[[], Any]) -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-DTYPE"):
        function()


def test_a_library_finds_the_namespace_by_an_array_and_what_it_can_do() -> None:
    def step(x: Value) -> Value:
        space = x.__array_namespace__()
        assert space is xp
        assert space.pi == math.pi
        return space.sum(x)  # type: ignore[no-any-return]

    assert len(trace(step, x=ArrayType((3,), "f32")).nodes) == 2
    info = xp.__array_namespace_info__()
    assert info.capabilities() == {
        "boolean indexing": False,
        "data-dependent shapes": False,
        "max dimensions": 8,
    }
    assert info.dtypes(kind="integral") == {"int32": "i32", "uint32": "u32"}
    assert info.default_dtypes()["indexing"] == "i32"
    assert info.devices() == [info.default_device()]


@pytest.mark.parametrize(
    ("code", "function"),
    [
        ("SCL-GRAPH-TRACE", lambda x: xp.asarray(np.zeros(65))),
        ("SCL-GRAPH-TRACE", lambda x: xp.asarray("text")),
        ("SCL-GRAPH-TRACE", lambda x: xp.full((2,), 2**40)),
        ("SCL-GRAPH-PARAMETER", lambda x: xp.arange(3, 5, 0)),
        ("SCL-GRAPH-PARAMETER", lambda x: xp.meshgrid(x, indexing="yx")),
        ("SCL-GRAPH-SHAPE", lambda x: xp.meshgrid(x[None])),
        ("SCL-GRAPH-SHAPE", lambda x: xp.zeros((-1,))),
    ],
)
def test_what_cannot_be_made_is_refused(code: str, function: Callable[[Value], Any]) -> None:
    with pytest.raises(ScellisError, match=code):
        trace(function, x=ArrayType((3,), "f32"))


def test_an_array_is_made_within_a_program_only() -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-TRACE"):
        xp.zeros((3,))


def test_large_integers_are_of_their_type() -> None:
    graph = trace(lambda x: [xp.asarray([3_000_000_000, 1], dtype="u32") + x], x=ArrayType((2,), "u32"))
    (found,) = compute(graph, [np.array([1, 2], np.uint32)])
    assert found.tolist() == [3_000_000_001, 3]


def test_any_truth_says_which_way_to_sort() -> None:
    graph = trace(
        lambda x: [xp.sort(x, descending=np.True_), xp.argsort(x, descending=1)], x=ArrayType((3,), "f32")
    )
    values, order = compute(graph, [np.array([2.0, 3.0, 1.0], np.float32)])
    assert values.tolist() == [3.0, 2.0, 1.0]
    assert order.tolist() == [1, 0, 2]
