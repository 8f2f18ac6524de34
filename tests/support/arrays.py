"""Functions on arrays, traced and computed by the oracle in one go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scellis.graph import ArrayType, Graph, Value, compute, trace
from scellis.graph.movement import NUMPY_TYPES

Array = NDArray[Any]

NAMES = {np.dtype(kind): name for name, kind in NUMPY_TYPES.items()} | {np.dtype(np.float64): "f32"}
"""Our names of NumPy's types; f64 stands for an f32 that the oracle computes more widely."""


def traced(function: Callable[..., Any], *arrays: Array) -> Graph:
    """The graph of a function on arrays like these."""
    inputs = {f"x{n}": ArrayType(array.shape, NAMES[array.dtype]) for n, array in enumerate(arrays)}
    return trace(lambda **values: function(*values.values()), **inputs)


def computed(function: Callable[..., Any], *arrays: Array, wide: bool = True) -> list[Array]:
    """What a function of values gives for these arrays."""
    return compute(traced(function, *arrays), list(arrays), wide=wide)


def one(function: Callable[..., Value], *arrays: Array, wide: bool = True) -> Array:
    """The same, of one output."""
    (result,) = computed(function, *arrays, wide=wide)
    return result


def numbers(shape: Sequence[int], seed: int = 1, low: float = -2.0, high: float = 2.0) -> Array:
    """Numbers that are no multiples of each other, in f64."""
    return np.random.default_rng(seed).uniform(low, high, shape)


def integers(shape: Sequence[int], high: int, seed: int = 1) -> Array:
    """Integers from 0 to before `high`, i32."""
    return np.random.default_rng(seed).integers(0, high, shape).astype(np.int32)


def halved(arrays: Sequence[Array]) -> list[Array]:
    """What f16 holds of those that are floats."""
    with np.errstate(over="ignore"):
        return [array.astype(np.float16) if array.dtype.kind == "f" else array for array in arrays]


def exact(graph: Graph, arrays: Sequence[Array]) -> list[Array]:
    """The outputs in f64 of what f32 holds of the inputs."""
    return compute(
        graph, [array.astype(np.float32) if array.dtype == np.float64 else array for array in arrays]
    )
