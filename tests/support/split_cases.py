"""Functions on arrays whose parts are not to be had from one part of each argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scellis.graph import Graph, scatter, sorting
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.elementwise import ELEMENTWISE_OPS
from scellis.graph.parts import windows
from support.array_cases import COMPOSED, DIFFERENTIABLE, FUNCTIONS, weighed
from support.arrays import Array, integers, numbers
from support.nn_cases import NN, OURS

X, Y = numbers((12, 10)), numbers((12, 10), 2)
N = integers((30,), 14) - 1


def low_limit(graph: Graph, parts: int) -> int:
    """Elements of one buffer so that the largest input or output is cut into so many or more."""
    sizes = [graph.types[node].size for node in (*graph.inputs, *graph.outputs)]
    return max(max(sizes) // parts, 1)


PARTS: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    "a sum over all": (lambda x: [xp.sum(x), xp.mean(x, 0), xp.max(x, 1), xp.prod(x, 0)], [X]),
    "searches over parts": (
        lambda x, n: [xp.argmax(x, 0), xp.argmin(x, 1), xp.argmax(n, 0)],
        [X.round(), integers((30,), 4)],
    ),
    "one long row": (lambda x: [xp.softmax(x), xp.cumulative_sum(x, 1)], [numbers((1, 90))]),
    "products with parts of both": (
        lambda a, b: [a @ b, xp.matrix_transpose(b) @ xp.matrix_transpose(a), xp.matrix_transpose(a) @ a],
        [numbers((8, 12)), numbers((12, 8), 2)],
    ),
    "axes that are joined and split": (
        lambda x: [
            xp.reshape(x, (10, 12)), xp.reshape(x, (120,)),
            xp.reshape(xp.matrix_transpose(xp.reshape(x, (6, 20))), (8, 15)),
        ],
        [X],
    ),
    "turned and moved": (
        lambda x, y: [
            xp.flip(x) + y, xp.roll(x, 5, 0) * y, xp.concat([x, y], 0)[3:21:2], xp.permute_dims(x, (1, 0)),
        ],
        [X, Y],
    ),
    "rows of a table": (
        lambda x, n: [xp.take(x, n), xp.take(x, n, 1), xp.take(x, n.astype("u32") & 15)],
        [X, N],
    ),
    "added to a table": (
        lambda x, n, k: [
            x.builder.apply("scatter_add", x, n, axis=0, length=12),
            x.builder.apply("scatter_add", x, k.astype("u32") & 7, axis=1, length=30),
            k.builder.apply("scatter_add", k, k, axis=0, length=130),
        ],
        [X, N[:12], N[:10]],
    ),
    "many indices": (
        lambda x, n: [
            scatter.in_order([x, n], {"axis": 0, "length": 40}),
            scatter.in_order([x[:, 0], n], {"axis": 0, "length": 9}),
            sorting.argsort(xp.reshape(x, (8, 520))),
        ],
        [numbers((520, 8)), integers((520,), 50) - 5],
    ),
    "windows far apart": (lambda x: [windows(x, 0, 3, 4, 2), windows(x, 0, 2, 1, 9)], [X]),
    "zeros between": (lambda x: xp.pad(x, (3, 0), (9, 1), (2, 1)), [X]),
    "made up": (
        lambda x: [xp.iota(x, (12, 10), 1), xp.eye(x, 12, 10), xp.sum(xp.ones_like(x) * 3.0)], [X],
    ),
}  # fmt: skip

VARIED = DIFFERENTIABLE | COMPOSED | NN | OURS
ALL: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    **{name: (function, arrays) for name, function, _, arrays in FUNCTIONS},
    **{
        f"value and gradient of {name}": (
            lambda *x, f=function: [f(*x), *gradient(weighed(f)(*x), x)],
            arrays,
        )
        for name, (function, arrays) in VARIED.items()
    },
    **PARTS,
}
"""Every case of arrays, and of their parts."""

_ALIKE = (*ELEMENTWISE_OPS, "gelu", "sigmoid", "silu", "leaky_relu", "elu", "isnan", "square")
FEW = {
    name: case
    for name, case in ALL.items()
    if name.removeprefix("value and gradient of ") not in _ALIKE or name.endswith(("f add", "f multiply"))
}
"""The same with two elementwise operations for all, which are cut alike."""
