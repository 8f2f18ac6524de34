"""Functions that are tried in f16: every operation and gradient, rows and maps in fours, products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.functions import matrix_transpose as turned
from support.array_cases import COMPOSED, DIFFERENTIABLE, FUNCTIONS, weighed
from support.arrays import Array, numbers
from support.nn_cases import NN, OURS

VARIED = DIFFERENTIABLE | COMPOSED | NN | OURS
CASES: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    **{name: (function, arrays) for name, function, _, arrays in FUNCTIONS},
    **{f"value of {name}": case for name, case in VARIED.items()},
    **{
        f"gradient of {name}": (lambda *x, f=function: gradient(weighed(f)(*x), x), arrays)
        for name, (function, arrays) in VARIED.items()
    },
    "fours of a map": (
        lambda x, y: [xp.tanh(x) + y, x > y, (x * y).astype("f32"), x @ y],
        [numbers((64, 64)), numbers((64, 64), 2)],
    ),
    "fours of rows": (
        lambda x: [xp.softmax(x), xp.max(x * x, 1), xp.cumulative_sum(x, 0)], [numbers((7, 256))],
    ),
    "rows of an odd length": (lambda x: [xp.softmax(x), xp.sum(x, 1), xp.sum(x, 0)], [numbers((5, 333))]),
}  # fmt: skip
A, B = numbers((68, 36)), numbers((36, 132), 2)
PRODUCTS: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    "plain": (xp.matmul, [A, B]),
    "turned": (lambda a, b: turned(a) @ turned(b), [A.T.copy(), B.T.copy()]),
    "in no fours": (xp.matmul, [A[:67, :35], B[:35, :131]]),
    "kept in f32": (lambda a, b: a.astype("f32") @ b.astype("f32"), [A, B]),
    "turned and kept in f32": (
        lambda a, b: turned(a).astype("f32") @ turned(b.astype("f32")), [A.T.copy(), B.T.copy()],
    ),
    "batched and followed": (lambda a, b: xp.relu(a @ b + b[:, :1]), [numbers((2, 36, 36)), B]),
}  # fmt: skip
