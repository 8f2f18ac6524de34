"""A training step as one graph: a perceptron of two layers, cross-entropy, Adam."""

from __future__ import annotations

import numpy as np

from scellis.graph import ArrayType, Graph, Value, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from support.arrays import Array

RATE, BETA1, BETA2, EPSILON = 1e-2, 0.9, 0.999, 1e-8


def shapes(inputs: int, hidden: int, classes: int) -> list[tuple[int, ...]]:
    """Of the parameters: weights and biases of both layers."""
    return [(inputs, hidden), (hidden,), (hidden, classes), (classes,)]


def adam(
    parameters: list[Value], slopes: list[Value], m: list[Value], v: list[Value],
    c1: Value | float = 1.0, c2: Value | float = 1.0,
) -> list[Value]:  # fmt: skip
    """Parameters, first and second moments anew; `c1` and `c2` correct the moments' bias.

    Source: D. P. Kingma, J. Ba, "Adam: a method for stochastic optimization", 2015.
    """
    found, first, second = [], [], []
    for p, g, old_m, old_v in zip(parameters, slopes, m, v, strict=True):
        first.append(BETA1 * old_m + (1 - BETA1) * g)
        second.append(BETA2 * old_v + (1 - BETA2) * g * g)
        found.append(p - RATE * (first[-1] * c1) / (xp.sqrt(second[-1] * c2) + EPSILON))
    return [*found, *first, *second]


def step(batch: int, inputs: int, hidden: int, classes: int) -> Graph:
    """x, labels, the two bias corrections, then parameters and two moments each → loss, and those anew."""

    def traced(x: Value, y: Value, c1: Value, c2: Value, **state: Value) -> list[Value]:
        values = list(state.values())
        (w1, b1, w2, b2), m, v = values[:4], values[4:8], values[8:]
        loss = xp.cross_entropy(xp.relu(x @ w1 + b1) @ w2 + b2, y)
        return [loss, *adam(values[:4], gradient(loss, values[:4]), m, v, c1, c2)]

    types = {"x": ArrayType((batch, inputs), "f32"), "y": ArrayType((batch,), "i32")}
    types |= {"c1": ArrayType((), "f32"), "c2": ArrayType((), "f32")}
    for kind in "pmv":
        for place, shape in enumerate(shapes(inputs, hidden, classes)):
            types[f"{kind}{place}"] = ArrayType(shape, "f32")
    return trace(traced, **types)


CARRY = {place: place + 3 for place in range(1, 13)}
"""Every output but the loss is an input of the next step."""


def start(batch: int, inputs: int, hidden: int, classes: int, seed: int = 0) -> list[Array]:
    """Data and parameters to begin with."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(batch, inputs)).astype(np.float32)
    y = rng.integers(0, classes, batch).astype(np.int32)
    sizes = shapes(inputs, hidden, classes)
    parameters = [(rng.normal(size=size) * 0.05).astype(np.float32) for size in sizes]
    zeros = [np.zeros(size, np.float32) for size in sizes]
    return [x, y, *parameters, *zeros, *[array.copy() for array in zeros]]


def corrections(t: int) -> list[Array]:
    """1 / (1 − βᵗ) of step t, from 1 on."""
    return [np.float32(1 / (1 - BETA1**t)).reshape(()), np.float32(1 / (1 - BETA2**t)).reshape(())]
