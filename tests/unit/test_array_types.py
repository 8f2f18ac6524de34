"""Types of arrays: promotion, broadcasting, and what is refused with the line that did it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from scellis.errors import ScellisError
from scellis.graph import ArrayType, Value, nn, trace
from scellis.graph import functions as xp
from scellis.graph.types import DTYPES, RANK_LIMIT, broadcast, promote


@given(hnp.mutually_broadcastable_shapes(num_shapes=3, min_side=0))
def test_shapes_broadcast_as_in_numpy(shapes: hnp.BroadcastableShapes) -> None:
    assert broadcast(*shapes.input_shapes) == shapes.result_shape


@given(st.lists(hnp.array_shapes(min_dims=0, min_side=0, max_side=3), min_size=2, max_size=3))
def test_shapes_that_do_not_broadcast_are_refused(shapes: list[tuple[int, ...]]) -> None:
    try:
        expected = np.broadcast_shapes(*shapes)
    except ValueError:
        with pytest.raises(ScellisError, match="SCL-GRAPH-SHAPE"):
            broadcast(*shapes)
    else:
        assert broadcast(*shapes) == expected


@given(st.lists(st.sampled_from(DTYPES), min_size=1, max_size=3))
def test_only_floats_promote_among_each_other(dtypes: list[str]) -> None:
    if len(set(dtypes)) == 1:
        assert promote(*dtypes) == dtypes[0]
    elif set(dtypes) == {"f16", "f32"}:
        assert promote(*dtypes) == "f32"
    else:
        with pytest.raises(ScellisError, match="SCL-GRAPH-DTYPE"):
            promote(*dtypes)


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [
        ((-1,), "f32"), ((1.0,), "f32"), ((2**16, 2**16), "f32"), ((1,) * (RANK_LIMIT + 1), "f32"),
        ((True,), "f32"), ((2,), "f64"), ((2,), "float"), ((2,), None),
    ],
)  # fmt: skip
def test_what_is_no_type_is_refused(shape: Any, dtype: Any) -> None:
    with pytest.raises(ScellisError, match=r"SCL-GRAPH-(SHAPE|DTYPE)"):
        ArrayType(shape, dtype)


F, G, N, U, B, M = (
    ArrayType((3, 4), "f32"),
    ArrayType((3, 4), "f16"),
    ArrayType((3, 4), "i32"),
    ArrayType((3, 4), "u32"),
    ArrayType((3, 4), "bool"),
    ArrayType((4, 5), "f32"),
)
GIVEN: list[tuple[str, Callable[..., Value], tuple[ArrayType, ...], str]] = [
    ("f16 and f32", lambda x, y: x + y, (G, F), "(3, 4) f32"),
    ("a number takes the type beside it", lambda x: x * 2 + 1.5, (G,), "(3, 4) f16"),
    ("an integer beside integers", lambda n: n + 2, (N,), "(3, 4) i32"),
    ("a NumPy number", lambda n: np.int64(2) + n, (N,), "(3, 4) i32"),
    ("numbers on either side of f16", lambda x: 2.0**x / 3 - (1 - x), (G,), "(3, 4) f16"),
    ("f16 and an f32 without axes", lambda x, y: x * xp.sum(y), (G, F), "(3, 4) f32"),
    ("a product in f16", lambda x: x @ xp.matrix_transpose(x), (G,), "(3, 3) f16"),
    ("a product of f16 and f32", lambda x, y: x @ y, (G, M), "(3, 5) f32"),
    ("f16 beside f32", lambda x, y: xp.concat([x, y, x]), (G, F), "(9, 4) f32"),
    ("a reduction of f16", lambda x: xp.mean(x, 0) + xp.prod(x, 0), (G,), "(4) f16"),
    ("softmax of f16", lambda x: xp.softmax(x), (G,), "(3, 4) f16"),
    ("a norm of f16 with weights of f32", lambda x, y: nn.layer_norm(x, y[0]), (G, F), "(3, 4) f32"),
    ("a norm of f16", lambda x: nn.layer_norm(x, x[0], x[1]), (G,), "(3, 4) f16"),
    ("statistics of f16", lambda x: nn.batch_norm(x)[1], (G,), "(4) f32"),
    ("a choice of f16 or f32", lambda b, x, y: xp.where(b, x, y), (B, G, F), "(3, 4) f32"),
    ("truths and integers as f16", lambda b, n: b.astype("f16") + n.astype("f16"), (B, N), "(3, 4) f16"),
    ("comparison", lambda n, m: n < m, (N, N), "(3, 4) bool"),
    ("a condition", lambda b, x: xp.where(b, x, 0), (B, G), "(3, 4) f16"),
    ("row by column", lambda x: x[:1] + x[:, :1], (F,), "(3, 4) f32"),
    ("a product", lambda x, y: x.astype("f32") @ y, (G, M), "(3, 5) f32"),
    ("argmax", lambda x: xp.argmax(x, -1), (F,), "(3) i32"),
    ("a sum of nothing", lambda x: xp.sum(x[:0]), (F,), "() f32"),
    ("truths", lambda b: xp.all(~b, 0) | xp.any(b, 0), (B,), "(4) bool"),
    ("an unsigned integer turned round", lambda u: -u, (U,), "(3, 4) u32"),
    ("shifts", lambda u: (u << 3) ^ (~u >> 1) & 7, (U,), "(3, 4) u32"),
]


@pytest.mark.parametrize(("name", "function", "types", "expected"), GIVEN, ids=[row[0] for row in GIVEN])
def test_the_type_of_a_result(
    name: str, function: Callable[..., Value], types: tuple[ArrayType, ...], expected: str
) -> None:
    graph = trace(lambda **x: function(*x.values()), **{f"x{n}": given for n, given in enumerate(types)})
    assert str(graph.types[graph.output]) == expected


REFUSED: list[tuple[str, Callable[..., Any], tuple[ArrayType, ...]]] = [
    ("SCL-GRAPH-SHAPE", lambda x, y: x + y, (F, M)),
    ("SCL-GRAPH-SHAPE", lambda x, y: y @ x, (F, M)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.reshape(x, (5, 2)), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.sum(x, 2), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.sum(x, (0, 0)), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.max(x[:0], 0), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.squeeze(x, 0), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.permute_dims(x, (0, 0)), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: x[9], (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: x[::-1], (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: x[0, 0, 0], (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: x[..., 0, ...], (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: x[0.5], (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.pad(x, (-1, 0), (0, 0)), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x, y: xp.concat([x, y]), (F, M)),
    ("SCL-GRAPH-SHAPE", lambda x, y: xp.cross_entropy(x, y), (F, N)),
    ("SCL-GRAPH-DTYPE", lambda x, n: x + n, (F, N)),
    ("SCL-GRAPH-DTYPE", lambda n, u: n + u, (N, U)),
    ("SCL-GRAPH-DTYPE", lambda x, n: x + n, (G, N)),
    ("SCL-GRAPH-TRACE", lambda x: x * 65520, (G,)),
    ("SCL-GRAPH-DTYPE", lambda x, b: x * b, (F, B)),
    ("SCL-GRAPH-DTYPE", lambda b: b + b, (B,)),
    ("SCL-GRAPH-DTYPE", lambda n: n / n, (N,)),
    ("SCL-GRAPH-DTYPE", lambda n: xp.exp(n), (N,)),
    ("SCL-GRAPH-DTYPE", lambda b: b @ b, (ArrayType((3, 3), "bool"),)),
    ("SCL-GRAPH-SHAPE", lambda x: x.T, (ArrayType((3,), "f32"),)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.cumulative_sum(x), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.roll(x, (1, 2, 3), (0, 1)), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.moveaxis(x, (0, 1), (0, 0)), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x, n: xp.repeat(x, n), (F, N)),
    ("SCL-GRAPH-DTYPE", lambda b: xp.sum(b), (B,)),
    ("SCL-GRAPH-DTYPE", lambda x: x << 1.0, (F,)),
    ("SCL-GRAPH-DTYPE", lambda b: xp.where(b, 1, 2), (B,)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.where(x, x, x), (F,)),
    ("SCL-GRAPH-SHAPE", lambda x: xp.take(x, x), (F,)),
    ("SCL-GRAPH-TRACE", lambda n: n + 1.5, (N,)),
    ("SCL-GRAPH-TRACE", lambda n: n + 2**40, (N,)),
    ("SCL-GRAPH-TRACE", lambda u: u + -1, (U,)),
    ("SCL-GRAPH-TRACE", lambda x: x + True, (F,)),
    ("SCL-GRAPH-TRACE", lambda x: xp.maximum(1, 2), (F,)),
    ("SCL-GRAPH-PARAMETER", lambda x: x.astype("f64"), (F,)),
    ("SCL-GRAPH-PARAMETER", lambda x: xp.reshape(x, (3.5, 4)), (F,)),
]


@pytest.mark.parametrize(("code", "function", "types"), REFUSED)
def test_what_does_not_fit_is_refused(
    code: str, function: Callable[..., Any], types: tuple[ArrayType, ...]
) -> None:
    with pytest.raises(ScellisError, match=code):
        trace(lambda **x: function(*x.values()), **{f"x{n}": given for n, given in enumerate(types)})


def test_the_line_and_the_shapes_are_named() -> None:
    with pytest.raises(ScellisError) as caught:
        trace(lambda x, y: x @ xp.exp(y), x=F, y=F)
    assert "test_array_types.py, line " in caught.value.message
    assert "(3, 4) f32 and (3, 4) f32" in caught.value.message
    with pytest.raises(ScellisError) as caught:
        trace(lambda x, y: x + y, x=F, y=M)
    assert "test_array_types.py, line " in caught.value.message
    assert "(3, 4) and (4, 5)" in caught.value.message
