"""Reductions that end with subgroups in the tier fast: every kind, and rows in every layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scellis.graph import functions as xp
from scellis.graph import nn
from scellis.graph.autodiff import gradient
from support.arrays import Array, integers, numbers

SPECIAL = numbers((6, 1000))
SPECIAL[0, 700], SPECIAL[1, 3], SPECIAL[2, 999] = np.nan, np.inf, -np.inf
SPECIAL[3] = -0.0

CASES: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    **{
        f"rows of {length}": (
            lambda x: [xp.softmax(x), xp.sum(x, 1), nn.layer_norm(x), xp.argmax(x, 1)], [numbers((5, length))]
        )
        for length in (65, 128, 516, 3072)
    },
    "a long sum": (lambda x: [xp.sum(x), xp.max(x), xp.min(x)], [numbers((70_001,))]),
    "another axis than the last": (
        lambda x: [xp.sum(x, (0, 2)), xp.prod(x * 0.01 + 1.0, (0, 2)), xp.max(x, (0, 2))],
        [numbers((20, 5, 99))],
    ),
    "NaN, infinities, zeros": (lambda x: [xp.max(x, 1), xp.min(x, 1)], [SPECIAL]),
    "integers": (
        lambda n: [
            *(reduced(n, axis=1) for reduced in (xp.sum, xp.max, xp.min)),
            *(xp.prod(n % 2 + 1, axis=1), xp.sum(n.astype("u32"), axis=1)),
        ],
        [integers((4, 300), 1000) - 500],
    ),
    "truths": (
        lambda n: [xp.any(n > 998, axis=1), xp.all(n > 0, axis=1), xp.any(n < 0, axis=1)],
        [integers((40, 300), 1000)],
    ),
    "f16": (lambda x: nn.layer_norm(x.astype("f16")).astype("f32"), [numbers((3, 256))]),
    "slopes": (
        lambda x: gradient(xp.sum(xp.square(xp.softmax(x) * nn.layer_norm(x))), [x]), [numbers((3, 512))]
    ),
}  # fmt: skip
