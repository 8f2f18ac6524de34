"""What the Python Array API asks of element types: their range, their kind, and what they promote to."""

from __future__ import annotations

import attrs
import numpy as np

from scellis.errors import ScellisError
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.trace import Value
from scellis.graph.types import BOOL, DTYPES, FLOATS, I32, INTEGERS, NUMBERS, U32, promote

KINDS: dict[str, tuple[str, ...]] = {
    "bool": (BOOL,), "signed integer": (I32,), "unsigned integer": (U32,), "integral": INTEGERS,
    "real floating": FLOATS, "complex floating": (), "numeric": NUMBERS,
}  # fmt: skip


@attrs.frozen
class FloatInfo:
    """The range of a float type, `eps` being the spacing at 1."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: str


@attrs.frozen
class IntegerInfo:
    """The range of an integer type."""

    bits: int
    max: int
    min: int
    dtype: str


def finfo(type: str | Value) -> FloatInfo:  # noqa: A002 - the standard's name
    """The range of a float type, or of an array's. Raises `SCL-GRAPH-DTYPE` for another."""
    dtype = _of(type, FLOATS)
    found = np.finfo(NUMPY_TYPES[dtype])
    eps, largest, least, normal = map(float, (found.eps, found.max, found.min, found.smallest_normal))
    return FloatInfo(found.bits, eps, largest, least, normal, dtype)


def iinfo(type: str | Value) -> IntegerInfo:  # noqa: A002
    """The range of an integer type, or of an array's. Raises `SCL-GRAPH-DTYPE` for another."""
    dtype = _of(type, INTEGERS)
    found = np.iinfo(NUMPY_TYPES[dtype])
    return IntegerInfo(found.bits, found.max, found.min, dtype)


def isdtype(dtype: str, kind: str | tuple[str, ...]) -> bool:
    """Whether a type is another, of a kind such as "integral", or one of several of these."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if kind not in (*KINDS, *DTYPES):
        raise ScellisError("SCL-GRAPH-DTYPE", f"{kind!r:.20} is no type and no kind of types.")
    return dtype == kind or dtype in KINDS.get(kind, ())


def result_type(*arrays_and_dtypes: str | Value | float | bool) -> str:
    """The type that arrays and types promote to; a number takes that of the others.

    Raises `SCL-GRAPH-DTYPE` where none holds them all, or there are numbers alone.
    """
    known = [_of(given, DTYPES) for given in arrays_and_dtypes if isinstance(given, (str, Value))]
    if not known:
        raise ScellisError("SCL-GRAPH-DTYPE", "Numbers alone have no type.", "Name a type beside them.")
    return promote(*known)


def can_cast(from_: str | Value, to: str) -> bool:
    """Whether what is of one type promotes to another."""
    given, wanted = _of(from_, DTYPES), _of(to, DTYPES)
    return given == wanted or ({given, wanted} == set(FLOATS) and wanted == promote(*FLOATS))


def _of(given: str | Value, among: tuple[str, ...]) -> str:
    dtype = given.dtype if isinstance(given, Value) else given
    if dtype not in among:
        raise ScellisError("SCL-GRAPH-DTYPE", f"{dtype!r:.20} is none of {', '.join(among)}.")
    return dtype
