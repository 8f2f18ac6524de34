"""Functions of several operations with what NumPy gives, and differentiable ones: every device computes them.

Single operations are cases of tests/conformance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scellis.graph import Value, arithmetic, nn, sorting, special
from scellis.graph import functions as xp
from scellis.graph.checkpoint import checkpoint
from scellis.graph.convolution import Geometry
from scellis.graph.convolve import convolve
from scellis.graph.loops import while_loop
from scellis.graph.parts import windows
from support.arrays import Array, integers, numbers

X, Y = numbers((3, 4)), numbers((3, 4), 2)
N, M = integers((3, 4), 20) - 10, integers((3, 4), 7, 2) - 3
SPECIAL = np.array([0.0, -0.0, 1.5, -1.5, 2.5, -0.5, np.inf, -np.inf, np.nan, 7.0])
PAIRS = [axis.ravel() for axis in np.meshgrid(SPECIAL, SPECIAL)]

Case = tuple[str, Callable[..., Any], Callable[..., Any], list[Array]]

FUNCTIONS: list[Case] = [
    ("powers", lambda x: [x**0, x**1, x**2, x**3, x**4, x**-1, x**-2, x**0.5, 2**x, x**x],
     lambda x: [x**0, x, x**2, x**3, x**4, 1 / x, x**-2.0, x**0.5, 2**x, x**x],
     [np.array([0.3, 1.0, 2.5])]),
    ("powers of integers", lambda n: [n**1, n**2, n**3], lambda n: [n, n**2, n**3], [N]),
    ("gelu", xp.gelu, lambda x: x * special.erfc(x * -float(np.float32(0.5**0.5))) / 2,
     [np.linspace(-9, 9, 37)]),
    ("operators", lambda x, y: [x + y, 1 - x, 2 * x, x / y, -x, abs(x), +x, 7 // x, x % 2.5],
     lambda x, y: [x + y, 1 - x, 2 * x, x / y, -x, abs(x), x, 7 // x, x % 2.5], [X, Y]),
    ("comparisons", lambda x, y: [x < y, x <= y, x > y, x >= y, x == y, x != y],
     lambda x, y: [x < y, x <= y, x > y, x >= y, x == y, x != y], PAIRS),
    ("bits", lambda n, m: [n & m, n | m, n ^ m, ~n, n << (m & 7), n >> (m & 7)],
     lambda n, m: [n & m, n | m, n ^ m, ~n, n << (m & 7), n >> (m & 7)], [N, M]),
    ("truths", lambda x, y: [(x > 0) & (y > 0), (x > 0) | (y > 0), (x > 0) ^ (y > 0), ~(x > 0)],
     lambda x, y: [(x > 0) & (y > 0), (x > 0) | (y > 0), (x > 0) ^ (y > 0), ~(x > 0)], [X, Y]),
    ("numbers beside values", lambda x, y: [xp.where(x > y, x, 1.0), xp.clip(x, -1, 1.0)],
     lambda x, y: [np.where(x > y, x, 1.0), np.clip(x, -1, 1)], [X, Y]),
    ("indices", lambda x: [x[1], x[-1, 2], x[..., 1:], x[None, :, 0], x[2:0], x[1:, None, ::3], x[...]],
     lambda x: [x[1], x[-1, 2], x[..., 1:], x[None, :, 0], x[2:0], x[1:, None, ::3], x], [X]),
    ("softmax of great numbers", lambda x: xp.softmax(x * 1000),
     lambda x: np.exp(x * 1000 - (x * 1000).max(-1, keepdims=True))
     / np.exp(x * 1000 - (x * 1000).max(-1, keepdims=True)).sum(-1, keepdims=True), [X]),
    ("triangles of truths", lambda x: [xp.tril(x > 0, k=-1), xp.triu(x, k=1)],
     lambda x: [np.tril(x > 0, k=-1), np.triu(x, k=1)], [numbers((2, 3, 4))]),
    ("tensordot", lambda x, y: [xp.tensordot(x, y), xp.tensordot(x, y, 0)[0, 1, 2]],
     lambda x, y: [np.tensordot(x, y), np.tensordot(x, y, 0)[0, 1, 2]],
     [numbers((2, 3, 4)), numbers((3, 4, 2), 2)]),
    ("none of the first", lambda x: [*sorting.top_k(x, 0)], lambda x: [x[:, :0], N[:, :0]], [X]),
]  # fmt: skip


APART = np.arange(12.0).reshape(3, 4) * 0.713 - 3.87
"""Elements of which no two are near each other, nor any near a whole number and a half or 0."""

Function = Callable[..., Value]


def _hidden(q: Value, k: Value, v: Value) -> Value:
    """Attention whose second row sees nothing, and no row the last element."""
    row, column = (xp.iota(q, (3, 3), axis) for axis in (0, 1))
    return nn.scaled_dot_product_attention(q, k, v, (row != 1) & (column != 2))


DIFFERENTIABLE: dict[str, tuple[Function, list[Array]]] = {
    "add": (lambda x, y: x + y, [numbers((3, 4)), numbers((3, 4), 2)]),
    "subtract": (lambda x, y: x - y, [numbers((3, 4)), numbers((4,), 2)]),
    "multiply": (lambda x, y: x * y, [numbers((3, 1)), numbers((1, 4), 2)]),
    "divide": (lambda x, y: x / y, [numbers((3, 4)), numbers((3, 4), 2, 0.5, 2)]),
    "negative": (lambda x: -x, [numbers((5,))]),
    "exp": (xp.exp, [numbers((5,))]),
    "expm1": (xp.expm1, [numbers((5,))]),
    "log": (xp.log, [numbers((5,), low=0.5)]),
    "sqrt": (xp.sqrt, [numbers((5,), low=0.5)]),
    "sin": (xp.sin, [numbers((5,))]),
    "cos": (xp.cos, [numbers((5,))]),
    "tanh": (xp.tanh, [numbers((5,))]),
    "log1p": (xp.log1p, [numbers((5,), low=-0.5)]),
    "log2": (xp.log2, [numbers((5,), low=0.5)]),
    "log10": (xp.log10, [numbers((5,), low=0.5)]),
    "exp2": (xp.exp2, [numbers((5,))]),
    "pow": (xp.pow, [numbers((3, 4), low=0.3), numbers((3, 4), 2)]),
    "hypot": (xp.hypot, [numbers((3, 4)), numbers((3, 4), 2)]),
    "tan": (xp.tan, [numbers((5,), low=-1.2, high=1.2)]),
    "asin": (xp.asin, [numbers((5,), low=-0.9, high=0.9)]),
    "acos": (xp.acos, [numbers((5,), low=-0.9, high=0.9)]),
    "atan": (xp.atan, [numbers((5,))]),
    "atan2": (xp.atan2, [numbers((3, 4)), numbers((3, 4), 2)]),
    "sinh": (xp.sinh, [numbers((5,))]),
    "cosh": (xp.cosh, [numbers((5,))]),
    "asinh": (xp.asinh, [numbers((5,))]),
    "acosh": (xp.acosh, [numbers((5,), low=1.2, high=4.0)]),
    "atanh": (xp.atanh, [numbers((5,), low=-0.9, high=0.9)]),
    "erf": (xp.erf, [numbers((5,))]),
    "erfc": (xp.erfc, [numbers((5,))]),
    "erfinv": (xp.erfinv, [numbers((5,), low=-0.9, high=0.9)]),
    "lgamma": (xp.lgamma, [APART]),
    "digamma": (xp.digamma, [APART]),
    "abs": (abs, [APART]),
    "minimum": (xp.minimum, [APART, APART[::-1].copy() + 0.2]),
    "maximum": (xp.maximum, [APART, APART[::-1].copy() + 0.2]),
    "copysign": (lambda x, y: arithmetic.copysign(x, y) * y, [APART, APART[::-1].copy() + 0.2]),
    "relu": (xp.relu, [APART]),
    "sign": (lambda x: xp.sign(x) * x, [APART]),
    "floor": (lambda x: xp.floor(x) * x, [APART]),
    "ceil": (lambda x: xp.ceil(x) * x, [APART]),
    "trunc": (lambda x: xp.trunc(x) * x, [APART]),
    "round": (lambda x: xp.round(x) * x, [APART]),
    "floor_divide": (lambda x, y: (x // y) * x, [APART, numbers((3, 4), 2, 0.9, 1.1)]),
    "remainder": (lambda x, y: x % y, [APART, numbers((3, 4), 2, 0.9, 1.1)]),
    "where": (lambda x, y: xp.where(x > y, x * y, y), [numbers((3, 4)), numbers((3, 4), 2)]),
    "broadcast_to": (lambda x: x.broadcast_to((2, 3, 4)), [numbers((3, 1))]),
    "reshape": (lambda x: xp.reshape(x, (2, 6)), [numbers((3, 4))]),
    "permute_dims": (lambda x: xp.permute_dims(x, (2, 0, 1)), [numbers((2, 3, 4))]),
    "slice": (lambda x: x[1:3, 1:6:2], [numbers((3, 7))]),
    "pad": (lambda x: xp.pad(x, (1, 0), (0, 2)), [numbers((3, 4))]),
    "windows": (lambda x: windows(x, 1, 3, 2, 2), [numbers((2, 9, 2))]),
    "convolution": (
        lambda x, w: convolve(x, w, Geometry((2, 1), (1, 0), (0, 2), (1, 2), (2, 1), 2)),
        [numbers((2, 4, 4, 5)), numbers((8, 2, 3, 2), 2)],
    ),
    "flip": (lambda x: xp.flip(x, 0), [numbers((3, 4))]),
    "concat": (lambda x, y: xp.concat([x, y], 1), [numbers((3, 2)), numbers((3, 4), 2)]),
    "astype": (lambda x: (x > 0).astype("f32") * x + x.astype("f16").astype("f32"), [numbers((4,))]),
    "sum": (lambda x: xp.sum(x, (0, 2)), [numbers((2, 3, 4))]),
    "prod": (lambda x: xp.prod(x, 1), [numbers((3, 4))]),
    "max": (lambda x: xp.max(x, 0), [APART]),
    "min": (lambda x: xp.min(x, 1), [APART]),
    "cumulative_sum": (lambda x: xp.cumulative_sum(x, 1), [numbers((3, 4))]),
    "matmul": (xp.matmul, [numbers((2, 3, 4)), numbers((2, 4, 5), 2)]),
    "attention": (
        lambda q, k, v, m: nn.scaled_dot_product_attention(q, k, v, m, is_causal=True),
        [numbers((1, 2, 4, 3)), numbers((1, 1, 3, 3), 2), numbers((1, 1, 3, 2), 3), numbers((2, 4, 3), 4)],
    ),
    "take": (lambda x: xp.take(x, indices(x), 1), [numbers((3, 4))]),
    "barrier": (lambda x: x.builder.apply("barrier", x, xp.sum(x)) * x, [numbers((3, 4))]),
    "scatter_add": (
        lambda x: x.builder.apply("scatter_add", x, indices(x), axis=1, length=3), [numbers((2, 5))],
    ),
}  # fmt: skip

COMPOSED: dict[str, tuple[Function, list[Array]]] = {
    "sort": (sorting.sort, [APART[:, ::-1].copy()]),
    "attention, a row hidden": (
        _hidden,
        [numbers((1, 2, 3, 4)), numbers((1, 2, 3, 4), 2), numbers((1, 2, 3, 2), 3)],
    ),
    "tensordot": (lambda x, y: xp.tensordot(x, y, 1), [numbers((3, 4)), numbers((4, 2), 2)]),
    "logaddexp": (xp.logaddexp, [APART, APART[::-1].copy() + 0.2]),
    "mean": (lambda x: xp.mean(x, 1, keepdims=True), [numbers((3, 4))]),
    "var": (lambda x: xp.var(x, 0), [numbers((3, 4))]),
    "std, corrected": (lambda x: xp.std(x, 1, correction=1), [numbers((3, 4))]),
    "cumulative_prod": (
        lambda x: (
            xp.cumulative_prod(x, 1, include_initial=True)
            + xp.cumulative_prod(xp.maximum(x, 0.0), 0)[-1:, :1]
        ),
        [numbers((3, 5))],
    ),
    "diff": (lambda x, y: xp.diff(x, append=y, n=2), [numbers((3, 4)), numbers((3, 1), 2)]),
    "gelu": (xp.gelu, [numbers((5,), low=-4.0, high=4.0)]),
    "gelu by tanh": (lambda x: xp.gelu(x, approximate="tanh"), [numbers((5,), low=-4.0, high=4.0)]),
    "sigmoid of great numbers": (xp.sigmoid, [np.array([-9e3, -800.0, -90.0, 0.0, 3.0, 90.0, 800.0])]),
    "whole powers": (lambda x: x**3 + x**-1 + x**4, [numbers((4,), low=0.5)]),
    "softmax": (xp.softmax, [numbers((3, 4))]),
    "log_softmax": (xp.log_softmax, [numbers((3, 4))]),
    "logsumexp": (lambda x: xp.logsumexp(x, 1), [numbers((3, 4))]),
    "a vector and a matrix": (xp.matmul, [numbers((4,)), numbers((4, 5), 2)]),
    "two vectors": (xp.matmul, [numbers((4,)), numbers((4,), 2)]),
    "many by one": (xp.matmul, [numbers((2, 3, 4)), numbers((4, 5), 2)]),
    "one by many": (xp.matmul, [numbers((3, 4)), numbers((2, 4, 5), 2)]),
    "checkpoint": (
        checkpoint(lambda x, y: xp.tanh(xp.softmax(x @ y) * checkpoint(xp.sin)(x) + y)),
        [numbers((4, 4)), numbers((4, 4), 2)],
    ),
    "used twice": (lambda x: x * x + xp.exp(x) * x, [numbers((4,))]),
}


def square_root(x: Value, close: float, trips: int) -> Value:
    """Newton's iteration from 1, until x² is as close to what it should be as that, of its size."""
    return while_loop(
        lambda state: abs(state[0] * state[0] - x) > close * x,
        lambda state: [(state[0] + x / state[0]) * 0.5],
        [xp.ones_like(x)],
        trips=trips,
    )[0]


def indices(like: Value) -> Value:
    """0, 2, 4, …, of which some are one and the same, past the end, and clamped."""
    return xp.iota(like, (5,), 0) * 2 // 3


def weighed(function: Function) -> Function:
    """A number that hangs on every element of a function's result."""

    def weighed(*x: Value) -> Value:
        y = function(*x)
        total = y * y * 0.5 + y * xp.sin(xp.reshape(xp.iota(y, (max(y.size, 1),), 0, "f32"), y.shape))
        return xp.sum(total)

    return weighed
