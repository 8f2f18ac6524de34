"""What the namespace of the Python Array API has beyond single operations, with what NumPy gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scellis.graph import array_api as xp
from support.arrays import Array, integers, numbers

X, Y, ROW = numbers((3, 4)), numbers((3, 4), 2), numbers((4,), 3)
N, M = integers((3, 4), 20) - 10, integers((3, 4), 5, 2)
ODD = np.array([0.0, -0.0, 1.5, -1.5, np.inf, -np.inf, np.nan, -np.nan])
Case = tuple[str, Callable[..., Any], Callable[..., Any], list[Array]]

API: list[Case] = [
    (
        "made from nothing",
        lambda x: [
            xp.zeros((2, 3)),
            xp.ones(4, dtype=xp.bool),
            xp.full((2,), 7),
            xp.empty(3) * 0,
            xp.eye(3, 4, k=-1),
            xp.arange(5),
            xp.arange(2, 9, 3),
            xp.arange(5, 0, -2),
            xp.arange(0.0, 1.0, 0.25),
            xp.arange(3, 1),
            xp.linspace(-1, 1, 5),
            xp.linspace(0, 1, 4, endpoint=False),
            xp.full((2,), True) & (x[0, :2] < 9),
        ],
        lambda x: [
            np.zeros((2, 3)),
            np.ones(4, bool),
            np.full(2, 7),
            np.zeros(3),
            np.eye(3, 4, k=-1),
            np.arange(5),
            np.arange(2, 9, 3),
            np.arange(5, 0, -2),
            np.arange(0, 1, 0.25),
            np.arange(3, 1),
            np.linspace(-1, 1, 5),
            np.linspace(0, 1, 4, endpoint=False),
            np.full(2, True),
        ],
        [X],
    ),
    (
        "listed",
        lambda x: [
            xp.asarray([[1, 2, 3], [4, 5, 6]]),
            xp.asarray(2.5) * x,
            xp.asarray([x, x + 1]),
            xp.asarray([True, False]),
            xp.asarray(x, dtype=xp.int32),
            xp.asarray([]),
        ],
        lambda x: [
            np.array([[1, 2, 3], [4, 5, 6]]),
            2.5 * x,
            np.array([x, x + 1]),
            np.array([True, False]),
            x.astype(int),
            np.zeros(0),
        ],
        [X],
    ),
    (
        "alike",
        lambda x: [
            xp.zeros_like(x, dtype=xp.int32),
            xp.ones_like(x, dtype=xp.bool),
            xp.full_like(x, 2, dtype=xp.uint32),
        ],
        lambda x: [np.zeros((3, 4), int), np.ones((3, 4), bool), np.full((3, 4), 2)],
        [X],
    ),
    (
        "grids",
        lambda x, y: [*xp.meshgrid(x, y), *xp.meshgrid(x, y, x[:2], indexing="ij"), *xp.meshgrid(x)],
        lambda x, y: [*np.meshgrid(x, y), *np.meshgrid(x, y, x[:2], indexing="ij"), x],
        [ROW, ROW[:3] * 2],
    ),
    (
        "signs",
        lambda x, y: [xp.copysign(x, y), xp.copysign(2.0, y), xp.signbit(x)],
        lambda x, y: [np.copysign(x, y), np.copysign(2.0, y), np.signbit(x)],
        [axis.ravel() for axis in np.meshgrid(ODD, ODD)],
    ),
    (
        "signs of integers",
        lambda n: [xp.signbit(n), xp.sign(n), xp.abs(n), xp.negative(n), xp.positive(n)],
        lambda n: [n < 0, np.sign(n), abs(n), -n, n],
        [N],
    ),
    (
        "parts of what is real",
        lambda x: [xp.real(x), xp.imag(x), xp.conj(x), xp.reciprocal(x)],
        lambda x: [x, x * 0, x, 1 / x],
        [abs(X)],
    ),
    (
        "bits of truths",
        lambda x, y: [
            xp.bitwise_and(x > 0, y > 0),
            xp.bitwise_or(x > 0, y > 0),
            xp.bitwise_xor(x > 0, y > 0),
            xp.bitwise_invert(x > 0),
        ],
        lambda x, y: [(x > 0) & (y > 0), (x > 0) | (y > 0), (x > 0) ^ (y > 0), x <= 0],
        [X, Y],
    ),
    (
        "bounds",
        lambda x, y: [xp.clip(x, min=0.5), xp.clip(x, max=y), xp.clip(x), xp.clip(x, -1, y)],
        lambda x, y: [np.clip(x, 0.5, None), np.clip(x, None, y), x, np.clip(x, -1, y)],
        [X, Y],
    ),
    (
        "powers of integers",
        lambda n, m: [xp.pow(n, m), n**0, n**7, 3**m, xp.pow(n, -1)],
        lambda n, m: [n**m, n**0, n**7, 3**m, n * 0],
        [N, M],
    ),
    (
        "spread",
        lambda x: [
            xp.var(x, correction=1),
            xp.std(x, axis=1, correction=0.5, keepdims=True),
            xp.var(x[:1], axis=0, correction=1),
            xp.std(x[:0], axis=0, correction=1),
        ],
        lambda x: [
            np.var(x, ddof=1),
            np.std(x, axis=1, ddof=0.5, keepdims=True),
            np.full(4, np.nan),
            np.full(4, np.nan),
        ],
        [X],
    ),
    (
        "gathered up",
        lambda x, n: [
            xp.cumulative_sum(x, axis=1, include_initial=True),
            xp.cumulative_sum(x[0]),
            xp.cumulative_prod(x, axis=0),
            xp.cumulative_prod(x[1], include_initial=True),
            xp.cumulative_prod(n, axis=-1),
            xp.cumulative_prod(x[:0, 0]),
            xp.cumulative_sum(n, axis=0, dtype=xp.float32),
        ],
        lambda x, n: [
            np.hstack([np.zeros((3, 1)), np.cumsum(x, 1)]),
            np.cumsum(x[0]),
            np.cumprod(x, 0),
            np.cumprod([1, *x[1]]),
            np.cumprod(n, -1),
            np.zeros(0),
            np.cumsum(n, 0),
        ],
        [X, N],
    ),
    (
        "sums of a type",
        lambda n: [
            xp.sum(n, axis=1, dtype=xp.float32),
            xp.prod(n, dtype=xp.uint32, axis=0),
            xp.sum(n > 0, dtype=xp.int32),
        ],
        lambda n: [n.sum(1), n.astype(np.uint32).prod(0, dtype=np.uint32), (n > 0).sum()],
        [N],
    ),
    (
        "truth of numbers",
        lambda x, n: [
            xp.any(n, axis=0),
            xp.all(n, axis=1),
            xp.any(x * 0),
            xp.count_nonzero(n, axis=1, keepdims=True),
        ],
        lambda x, n: [n.any(0), n.all(1), np.array(False), np.count_nonzero(n, 1, keepdims=True)],
        [X, M],
    ),
    (
        "places of extremes",
        lambda x: [xp.argmax(x, axis=1, keepdims=True), xp.argmin(x, keepdims=True), xp.argmin(x)],
        lambda x: [x.argmax(1, keepdims=True), x.argmin(keepdims=True), x.argmin()],
        [X],
    ),
    (
        "axes",
        lambda x: [
            xp.moveaxis(x, (0, 1), (-1, 0)),
            xp.squeeze(x[:, None, :, None], axis=(1, 3)),
            xp.expand_dims(x),
            x.mT,
            x[0].T,
        ],
        lambda x: [np.moveaxis(x, (0, 1), (-1, 0)), x, x[None], x.swapaxes(1, 2), x[0].T],
        [numbers((2, 3, 4))],
    ),
    (
        "moved on",
        lambda x: [
            xp.roll(x, 5),
            xp.roll(x, (1, -1), axis=(0, 1)),
            xp.roll(x, 2, axis=(0, 1)),
            xp.repeat(x, 2),
            xp.repeat(x, 2, axis=1),
        ],
        lambda x: [
            np.roll(x, 5),
            np.roll(x, (1, -1), (0, 1)),
            np.roll(x, 2, (0, 1)),
            np.repeat(x, 2),
            np.repeat(x, 2, 1),
        ],
        [X],
    ),
    (
        "put together",
        lambda x, y: [
            xp.concat([x, y], axis=None),
            *xp.broadcast_arrays(x, y[0], y[:, :1]),
            *xp.unstack(x, axis=1),
        ],
        lambda x, y: [np.concatenate([x, y], None), *np.broadcast_arrays(x, y[0], y[:, :1]), *x.T],
        [X, Y],
    ),
    (
        "differences",
        lambda x, y: [xp.diff(x, prepend=y, axis=0), xp.diff(x, append=y[:, :1], n=2)],
        lambda x, y: [np.diff(x, prepend=y, axis=0), np.diff(x, append=y[:, :1], n=2)],
        [X, Y],
    ),
    (
        "in order",
        lambda x, y: [
            xp.sort(x, axis=0, descending=True, stable=False),
            xp.argsort(x),
            xp.searchsorted(x[0], y[1], sorter=xp.argsort(x[0])),
        ],
        lambda x, y: [-np.sort(-x, 0), np.argsort(x), np.searchsorted(np.sort(x[0]), y[1])],
        [X, Y],
    ),
    (
        "the same again",
        lambda x: [
            xp.reshape(x, (4, -1), copy=True),
            xp.astype(x, xp.int32, copy=False),
            xp.broadcast_to(x, (2, 3, 4)),
        ],
        lambda x: [x.reshape(4, 3), x.astype(int), np.broadcast_to(x, (2, 3, 4))],
        [X],
    ),
    (
        "numbers before operators",
        lambda n, x: [6 & n, 6 | n, 6 ^ n, 5 << (n & 3), 500 >> (n & 3), True & (x > 0)],
        lambda n, x: [6 & n, 6 | n, 6 ^ n, 5 << (n & 3), 500 >> (n & 3), x > 0],
        [N, X],
    ),
    (
        "products of integers",
        lambda n, m: [n @ m.T, xp.matmul(n, m[0]), xp.tensordot(n, m), xp.vecdot(n, m)],
        lambda n, m: [n @ m.T, n @ m[0], np.tensordot(n, m), (n * m).sum(-1)],
        [N, M],
    ),
]
