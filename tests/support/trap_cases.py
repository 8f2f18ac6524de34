"""Programs in which NaN or an infinity arises, with the operation at which it does first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from scellis.graph import Value
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.nn import conv2d
from support.arrays import Array, numbers


@attrs.frozen
class TrapCase:
    """`op` and the place where it comes from, as its beginning; an input's place is its name."""

    function: Callable[..., Any]
    arrays: list[Array]
    trap: str
    op: str
    place: str = "trap_cases.py, line "


def _masked(x: Value) -> Value:
    """The logarithm of what is negative, which nobody takes."""
    return xp.where(x > 0.0, xp.log(x), 0.0)


def _slope(x: Value) -> list[Value]:
    """0 · ∞ in a derivative, of a value that is finite."""
    return gradient(xp.sum(xp.where(x > 0.0, xp.sqrt(abs(x)), x)), [x])


X = numbers((3, 70))
ZERO = np.array([1.0, 0.0, 2.0])
HOLED = np.where(np.arange(6) == 4, np.nan, 1.0)

TRAPPED: dict[str, TrapCase] = {
    "in a chain": TrapCase(lambda x: xp.exp(xp.sqrt(x) * 2.0 + 1.0), [X], "nan", "sqrt"),
    "of a quotient": TrapCase(lambda x: [xp.sum(x / x, 0), x], [ZERO], "nan", "divide"),
    "masked away": TrapCase(_masked, [X], "nan", "log"),
    "in a row": TrapCase(lambda x: xp.softmax(x * 1e38 * 1e38), [X], "nan", "subtract"),
    "an infinity in a row": TrapCase(lambda x: xp.softmax(x * 1e38 * 1e38), [X], "nonfinite", "multiply"),
    "in a product": TrapCase(
        lambda x: (x * 1e30) @ xp.matrix_transpose(x * 1e30), [X], "nonfinite", "matmul"
    ),
    "in a sum": TrapCase(lambda x: xp.sum(x * 1e38), [np.ones(8)], "nonfinite", "sum"),
    "of one number": TrapCase(lambda x: xp.log(xp.sum(x) * -1.0), [ZERO], "nan", "log"),
    "in a convolution": TrapCase(
        lambda x: conv2d(x * 1e30, x * 1e30), [numbers((1, 1, 3, 3))], "nonfinite", "convolution"
    ),
    "in a derivative": TrapCase(_slope, [ZERO - 1.0], "nan", "multiply", "derivative of trap_cases.py, "),
    "in half precision": TrapCase(
        lambda x: x.astype("f16").astype("f32") + 1.0, [np.array([1e5, 1.0])], "nonfinite", "astype"
    ),
    "given": TrapCase(lambda x, y: xp.sum(x + y), [ZERO[:1], HOLED], "nan", "input", "x1 of "),
    "given and unused": TrapCase(lambda x, y: x * 2.0, [ZERO, HOLED], "nan", "input", "x1 of "),
    "of constants": TrapCase(lambda x: x + xp.log(xp.zeros_like(x)), [ZERO], "nonfinite", "log"),
}  # fmt: skip

UNTRAPPED: dict[str, TrapCase] = {
    "an infinity where NaN is looked for": TrapCase(lambda x: 1.0 / x, [ZERO], "nan", ""),
    "integers": TrapCase(lambda x: x.astype("i32") // 0, [ZERO], "nonfinite", ""),
    "nothing": TrapCase(lambda x: [xp.softmax(x), xp.sum(x, 0)], [X], "nonfinite", ""),
    "no elements": TrapCase(lambda x: [xp.exp(x), xp.sum(x, 0)], [X[:0]], "nonfinite", ""),
}
