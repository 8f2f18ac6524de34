"""What an operation is: its parameters, the type of its result, and the reference that computes it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.errors import ScellisError
from scellis.graph.types import DTYPES, ArrayType

Array: TypeAlias = NDArray[Any]
F64: TypeAlias = NDArray[np.float64]
Param: TypeAlias = float | int | bool | str | tuple[int, ...]
Params: TypeAlias = Mapping[str, Param]

INT_LIMIT = 2**32 - 1
_LARGEST = sys.float_info.max


@attrs.frozen
class Op:
    """One operation of the closed set.

    `infer(types, params) -> type` raises `SCL-GRAPH-SHAPE`, `SCL-GRAPH-DTYPE` and `SCL-GRAPH-PARAMETER`.
    `evaluate(arrays, params, type) -> array` is the reference, in whatever float type the arrays have. Equal
    arguments give equal results, so equal nodes may be one, unless it is `random`.
    """

    arity: int
    infer: Callable[[Sequence[ArrayType], Params], ArrayType]
    evaluate: Callable[[Sequence[Array], Params, ArrayType], Array]
    params: Mapping[str, Kind] = attrs.field(factory=dict)
    random: bool = False

    def read(self, name: str, given: Mapping[str, Any]) -> dict[str, Param]:
        """The parameters as this operation takes them. Raises `SCL-GRAPH-PARAMETER`."""
        if set(given) != set(self.params):
            wanted = ", ".join(self.params) or "no parameters"
            raise ScellisError("SCL-GRAPH-PARAMETER", f"{name} takes {wanted} and nothing else.")
        return {key: kind(f"{name}: {key}", given[key]) for key, kind in self.params.items()}


Kind: TypeAlias = Callable[[str, Any], Param]
"""Reads one parameter, named for errors, from what a stranger gives. Raises `SCL-GRAPH-PARAMETER`."""


def _wrong(where: str, wanted: str) -> ScellisError:
    return ScellisError("SCL-GRAPH-PARAMETER", f"{where} is {wanted}.")


def number(where: str, value: Any) -> float:
    """A finite number."""
    if type(value) not in (int, float, np.float64) or not abs(value) <= _LARGEST:
        raise _wrong(where, "a finite number")
    return float(value)


def integer(where: str, value: Any) -> int:
    """An integer that an index may be."""
    if type(value) is not int or not abs(value) <= INT_LIMIT:
        raise _wrong(where, "an integer of at most 32 bits")
    return value


def integers(where: str, value: Any) -> tuple[int, ...]:
    """A list of such integers."""
    if not isinstance(value, (list, tuple)) or len(value) > 64:
        raise _wrong(where, "a short list of integers")
    return tuple(integer(where, item) for item in value)


def flag(where: str, value: Any) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise _wrong(where, "true or false")
    return value


def dtype(where: str, value: Any) -> str:
    """The name of an element type."""
    if value not in DTYPES:
        raise _wrong(where, f"one of {', '.join(DTYPES)}")
    return str(value)


def scalar(where: str, value: Any) -> float | int | bool:
    """A number of any type: what a constant holds."""
    if type(value) is bool or (type(value) is int and abs(value) <= INT_LIMIT):
        return value
    if type(value) in (int, float, np.float64) and not math.isnan(value):
        return number(where, value)
    raise _wrong(where, "one finite value")
