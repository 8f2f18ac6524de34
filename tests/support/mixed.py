"""A training step with loss scaling, of the perceptron of `mlp`: what mixed precision is tried on."""

from __future__ import annotations

import numpy as np

from scellis.graph import ArrayType, Graph, Value, trace
from scellis.graph import functions as xp
from scellis.graph.loss_scale import INITIAL_SCALE, LossScaler
from support import mlp
from support.arrays import Array

CARRY = {place: place + 1 for place in range(1, 15)}
"""Every output but the loss is an input of the next step."""


def step(batch: int, inputs: int, hidden: int, classes: int, *, interval: int = 2000) -> Graph:
    """x, labels, then parameters, first and second moments, scale and steps → loss, and those anew."""

    def traced(x: Value, y: Value, **state: Value) -> list[Value]:
        *values, scale, steps = state.values()
        (w1, b1, w2, b2), before = values[:4], values
        loss = xp.cross_entropy(xp.relu(x @ w1 + b1) @ w2 + b2, y)
        scaler = LossScaler(scale, steps, interval=interval)
        slopes, finite = scaler.gradient(loss, values[:4])
        after = mlp.adam(values[:4], slopes, values[4:8], values[8:])
        return [loss, *scaler.kept(finite, after, before), *scaler.update(finite)]

    types = {"x": ArrayType((batch, inputs), "f32"), "y": ArrayType((batch,), "i32")}
    for kind in "pmv":
        for place, shape in enumerate(mlp.shapes(inputs, hidden, classes)):
            types[f"{kind}{place}"] = ArrayType(shape, "f32")
    return trace(traced, **types, scale=ArrayType((), "f32"), steps=ArrayType((), "i32"))


def start(batch: int, inputs: int, hidden: int, classes: int, *, scale: float = INITIAL_SCALE) -> list[Array]:
    """Data and state to begin with."""
    given = mlp.start(batch, inputs, hidden, classes)
    return [*given, np.array(scale, np.float32), np.array(0, np.int32)]
