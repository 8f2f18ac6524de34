"""The same numbers in every library: data.js has the same functions for the peers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def uniform(shape: Sequence[int], seed: int, scale: float = 1.0, shift: float = 0.0) -> Array:
    """Element i of stream `seed`, f32: 24 bits in [-1, 1), times `scale`, plus `shift`.

    Mixed as C. Wellons' lowbias32 does it, https://nullprogram.com/blog/2018/07/31/.
    """
    bits = _mixed(math.prod(shape), seed) >> np.uint32(8)
    return ((bits * 2.0**-23 - 1) * scale + shift).astype(np.float32).reshape(shape)


def integers(size: int, seed: int, high: int) -> Array:
    """Integers from 0 to before `high`, i32."""
    return (_mixed(size, seed) % np.uint32(high)).astype(np.int32)


def _mixed(size: int, seed: int) -> Array:
    h = np.arange(size, dtype=np.uint32) * np.uint32(0x9E3779B1) + np.uint32(seed * 0x85EBCA77 & 0xFFFFFFFF)
    h = (h ^ (h >> np.uint32(16))) * np.uint32(0x7FEB352D)
    h = (h ^ (h >> np.uint32(15))) * np.uint32(0x846CA68B)
    return h ^ (h >> np.uint32(16))


def digest(values: Array, width: int) -> list[float]:
    """Weighed mean squares of the first `width` elements and of all.

    No order of elements but the right one gives them.
    """
    flat = values.ravel().astype(np.float64)
    squares = uniform((flat.size,), 7, 0.5, 1.0) * flat * flat
    return [float(squares[:width].mean()), float(squares.mean())]
