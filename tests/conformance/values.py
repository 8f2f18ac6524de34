"""The elements of a case's inputs: listed, or made from its seed by Philox4x32-10, the same everywhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.graph.movement import NUMPY_TYPES
from scellis.rng.philox import philox4x32

Array = NDArray[Any]

_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.0, 7.0, math.inf, -math.inf, math.nan)
SPECIAL: Mapping[str, tuple[Any, ...]] = {
    "bool": (False, True),
    "i32": (0, 1, -1, 2, -2, 3, -3, 7, -7, 65536, -65536, 2147483647, -2147483648),
    "u32": (0, 1, 2, 3, 7, 65535, 65536, 2147483648, 4294967295),
    "f16": (*_FLOATS, 65504.0, -65504.0, 2.0**-14, -(2.0**-14)),
    "f32": (*_FLOATS, 3.4028234663852886e38, -3.4028234663852886e38, 2.0**-126, -(2.0**-126)),
}
"""What is special in each type: zeros, neighbours of zero, the ends of its range, infinities, NaN."""

_LAYOUT = {"f16": (5, 10, np.uint16), "f32": (8, 23, np.uint32)}
"""Bits of the exponent, of the fraction, and the integer of as many bits."""


def words(seed: int, number: int, count: int) -> NDArray[np.uint32]:
    """Word e of input `number`: the first of the block with counter (e, 0, 0, number) and key (seed, 0)."""
    element = np.arange(count, dtype=np.uint32)
    return philox4x32((element, 0, 0, number), (seed, 0))[0].reshape(count)


def _uniform(given: Any, dtype: str, drawn: NDArray[np.uint32]) -> Array:
    low, high = given
    return low + (high - low) * ((drawn + 0.5) * 2.0**-32)


def _integers(given: Any, dtype: str, drawn: NDArray[np.uint32]) -> Array:
    low, high = given
    return low + (drawn.astype(np.int64) % (high - low + 1))


def _bits(given: Any, dtype: str, drawn: NDArray[np.uint32]) -> Array:
    """Any number of the type alike, of floats the normal ones whose exponents lie within the given ones."""
    if dtype not in _LAYOUT:
        return drawn.astype(np.uint32).view(NUMPY_TYPES[dtype])
    low, high = given
    exponent_bits, fraction_bits, kind = _LAYOUT[dtype]
    bias = 2 ** (exponent_bits - 1) - 1
    exponent = low + bias + (drawn >> np.uint32(23) & np.uint32(255)).astype(np.int64) % (high - low + 1)
    sign = (drawn >> np.uint32(31)).astype(np.int64)
    fraction = (drawn & np.uint32(2**fraction_bits - 1)).astype(np.int64)
    found = sign << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction
    return found.astype(kind).view(NUMPY_TYPES[dtype])


def _special(given: Any, dtype: str, drawn: NDArray[np.uint32]) -> Array:
    return np.array(SPECIAL[dtype])[np.arange(drawn.size) % len(SPECIAL[dtype])]


def _list(given: Any, dtype: str, drawn: NDArray[np.uint32]) -> Array:
    return np.resize(np.array(given, NUMPY_TYPES[dtype]), drawn.size)


def _pair(given: Any, dtype: str) -> str:
    numbers = (
        isinstance(given, list) and len(given) == 2 and all(type(item) in (int, float) for item in given)
    )
    return "" if numbers and given[0] <= given[1] else "takes two numbers, the lower first"


@attrs.frozen
class Kind:
    """A way to make elements: `make(given, dtype, words)`; `check` says what is wrong with what is given."""

    make: Callable[[Any, str, NDArray[np.uint32]], Array]
    check: Callable[[Any, str], str]


KINDS: Mapping[str, Kind] = {
    "uniform": Kind(_uniform, _pair),
    "integers": Kind(_integers, _pair),
    "bits": Kind(
        _bits, lambda given, dtype: _pair(given, dtype) or ("" if dtype != "bool" else "is not for bool")
    ),
    "special": Kind(_special, lambda given, dtype: "" if given is True else "takes true"),
    "list": Kind(_list, lambda given, dtype: "" if isinstance(given, list) and given else "takes a list"),
}
"""By the name that a case gives."""


def elements(kind: str, given: Any, shape: tuple[int, ...], dtype: str, seed: int, number: int) -> Array:
    """The array that input `number` of a case is."""
    with np.errstate(over="ignore"):
        made = KINDS[kind].make(given, dtype, words(seed, number, math.prod(shape)))
        return made.astype(NUMPY_TYPES[dtype]).reshape(shape)
