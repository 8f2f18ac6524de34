"""The cases: what each computes, how many steps lie between two read-backs, and its first rows in f64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from bench.peers.data import Array, uniform

CHECKED_ROWS = 8
"""Rows of a mapped array that are computed in f64; contest.js and scellis_side.py take as many."""


@attrs.frozen
class Case:
    """`request` goes to each library as it stands. `rows` gives the checked rows after some steps, in f64."""

    name: str
    request: dict[str, Any]
    steps: int = 10
    rounds: int = 7
    rows: Callable[[int, int], Array] | None = None
    """of the round's number and the steps"""

    def expected(self, number: int, steps: int) -> float | None:
        """The weighed mean square of the checked rows, as `digest` has it first."""
        if self.rows is None:
            return None
        flat = self.rows(number, steps).ravel()
        return float((uniform((flat.size,), 7, 0.5, 1.0) * flat * flat).mean())


def _mapped(
    kind: str, shape: tuple[int, ...], f: Callable[[Array], Array], scale: float, shift: float = 0.0
) -> dict[str, Any]:
    def rows(number: int, steps: int) -> Array:
        width = shape[-1]
        x = uniform(shape, 1000 + number, scale, shift).reshape(-1, width)[:CHECKED_ROWS].astype(np.float64)
        for _ in range(steps):
            x = f(x)
        return x

    return {"request": {"kind": kind, "shape": list(shape)}, "rows": rows}


def _product(n: int) -> dict[str, Any]:
    w = uniform((n, n), 1, float(np.sqrt(3 / n))).astype(np.float64)
    return _mapped("matmul", (n, n), lambda x: x @ w, 1.0)


def _softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    found: Array = e / e.sum(-1, keepdims=True)
    return found


def _norm(shape: tuple[int, ...]) -> dict[str, Any]:
    gain, bias = (uniform(shape[-1:], *numbers).astype(np.float64) for numbers in ((1, 0.1, 1.0), (2, 0.1)))

    def norm(x: Array) -> Array:
        centred = x - x.mean(-1, keepdims=True)
        found: Array = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-5) * gain + bias
        return found

    return _mapped("layer_norm", shape, norm, 1.0, 0.5)


def _mlp(batch: int, inputs: int, hidden: int, classes: int) -> dict[str, Any]:
    shapes = [[inputs, hidden], [hidden], [hidden, classes], [classes]]
    parameters = _parameters([(shape, 0.0) for shape in shapes])
    sizes = {"batch": batch, "inputs": inputs, "classes": classes}
    return {"request": {"kind": "mlp", **sizes, "rate": 1e-4, "parameters": parameters}}


def _attention(heads: int, length: int, width: int) -> dict[str, Any]:
    shape = (heads, length, width)
    k, v = (uniform(shape, seed)[0, :CHECKED_ROWS].astype(np.float64) for seed in (1, 2))
    later = np.triu(np.full((CHECKED_ROWS, CHECKED_ROWS), -np.inf), 1)

    def attend(q: Array) -> Array:
        found: Array = _softmax(q @ k.T / np.sqrt(width) + later) @ v
        return found

    return _mapped("attention", shape, attend, 1.0)


def transformer(
    layers: int, batch: int, length: int, width: int, heads: int, vocabulary: int
) -> dict[str, Any]:
    norm: list[tuple[list[int], float]] = [([width], 1.0), ([width], 0.0)]
    square, wide = [width, width], 4 * width
    block = [*norm, *[(square, 0.0)] * 4, *norm]
    block += [([width, wide], 0.0), ([wide], 0.0), ([wide, width], 0.0), ([width], 0.0)]
    every = [([vocabulary, width], 0.0), ([length, width], 0.0), *block * layers, *norm]
    every.append(([width, vocabulary], 0.0))
    sizes = {"batch": batch, "length": length, "width": width, "heads": heads, "vocabulary": vocabulary}
    return {"request": {"kind": "transformer", **sizes, "rate": 1e-4, "parameters": _parameters(every)}}


def _parameters(shapes: list[tuple[list[int], float]]) -> list[dict[str, Any]]:
    """Matrices of random numbers, vectors of nothing but the number given with them."""
    return [
        {"shape": shape, "seed": 10 + place, "scale": 0.08 if len(shape) > 1 else 0.0, "shift": shift}
        for place, (shape, shift) in enumerate(shapes)
    ]


def all_cases() -> list[Case]:
    """In the order of the table."""
    rows = (1024, 1024)
    mlp = _mlp(128, 784, 256, 10)
    return [
        Case("product of 256³", **_product(256)),
        Case("product of 512³", **_product(512)),
        Case("product of 1024³", steps=2, rounds=3, **_product(1024)),
        Case("product of 2048³", steps=1, rounds=1, **_product(2048)),
        Case("softmax, 1024 rows of 1024", **_mapped("softmax", rows, _softmax, 4.0)),
        Case("layer norm, 1024 rows of 1024", **_norm(rows)),
        Case("MLP step, loss read every 10", rounds=5, **mlp),
        Case("MLP step, loss read every step", steps=1, rounds=21, **mlp),
        Case("attention, 4 heads of 128 × 64", steps=4, rounds=5, **_attention(4, 128, 64)),
        Case("attention, 4 heads of 512 × 64", steps=2, rounds=3, **_attention(4, 512, 64)),
        Case("attention, 4 heads of 1024 × 64", steps=1, rounds=2, **_attention(4, 1024, 64)),
        Case("attention, 4 heads of 2048 × 64", steps=1, rounds=1, **_attention(4, 2048, 64)),
        Case(
            "transformer step, 2 layers, 8 × 64 × 64", steps=2, rounds=3, **transformer(2, 8, 64, 64, 4, 64)
        ),
    ]
