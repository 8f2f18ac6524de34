"""The namespace of the Python Array API standard, 2024.12: its names.

    def step(x):
        return xp.where(x > 0, x, xp.zeros(x.shape))

Arrays made from nothing belong to the program that is traced. What of the standard is not here is in
`scellis.graph.refused`, with why. `scellis.graph.functions` has more than the standard.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any, NoReturn

from scellis.graph import functions, sorting
from scellis.graph.arithmetic import abs as abs  # noqa: A004 - the standard's name
from scellis.graph.arithmetic import add as add
from scellis.graph.arithmetic import bitwise_and as bitwise_and
from scellis.graph.arithmetic import bitwise_invert as bitwise_invert
from scellis.graph.arithmetic import bitwise_left_shift as bitwise_left_shift
from scellis.graph.arithmetic import bitwise_or as bitwise_or
from scellis.graph.arithmetic import bitwise_right_shift as bitwise_right_shift
from scellis.graph.arithmetic import bitwise_xor as bitwise_xor
from scellis.graph.arithmetic import copysign as copysign
from scellis.graph.arithmetic import divide as divide
from scellis.graph.arithmetic import equal as equal
from scellis.graph.arithmetic import greater as greater
from scellis.graph.arithmetic import greater_equal as greater_equal
from scellis.graph.arithmetic import less as less
from scellis.graph.arithmetic import less_equal as less_equal
from scellis.graph.arithmetic import logical_and as logical_and
from scellis.graph.arithmetic import logical_not as logical_not
from scellis.graph.arithmetic import logical_or as logical_or
from scellis.graph.arithmetic import logical_xor as logical_xor
from scellis.graph.arithmetic import multiply as multiply
from scellis.graph.arithmetic import negative as negative
from scellis.graph.arithmetic import nextafter as nextafter
from scellis.graph.arithmetic import not_equal as not_equal
from scellis.graph.arithmetic import positive as positive
from scellis.graph.arithmetic import reciprocal as reciprocal
from scellis.graph.arithmetic import signbit as signbit
from scellis.graph.arithmetic import subtract as subtract
from scellis.graph.creation import arange as arange
from scellis.graph.creation import asarray as asarray
from scellis.graph.creation import eye as eye
from scellis.graph.creation import full as full
from scellis.graph.creation import linspace as linspace
from scellis.graph.creation import meshgrid as meshgrid
from scellis.graph.creation import ones as ones
from scellis.graph.creation import zeros as zeros
from scellis.graph.data_types import can_cast as can_cast
from scellis.graph.data_types import finfo as finfo
from scellis.graph.data_types import iinfo as iinfo
from scellis.graph.data_types import isdtype as isdtype
from scellis.graph.data_types import result_type as result_type
from scellis.graph.functions import acos as acos
from scellis.graph.functions import acosh as acosh
from scellis.graph.functions import all as all  # noqa: A004 - the standard's name
from scellis.graph.functions import any as any  # noqa: A004 - the standard's name
from scellis.graph.functions import argmax as argmax
from scellis.graph.functions import argmin as argmin
from scellis.graph.functions import asin as asin
from scellis.graph.functions import asinh as asinh
from scellis.graph.functions import atan as atan
from scellis.graph.functions import atan2 as atan2
from scellis.graph.functions import atanh as atanh
from scellis.graph.functions import broadcast_arrays as broadcast_arrays
from scellis.graph.functions import ceil as ceil
from scellis.graph.functions import clip as clip
from scellis.graph.functions import concat as concat
from scellis.graph.functions import cos as cos
from scellis.graph.functions import cosh as cosh
from scellis.graph.functions import count_nonzero as count_nonzero
from scellis.graph.functions import cumulative_prod as cumulative_prod
from scellis.graph.functions import cumulative_sum as cumulative_sum
from scellis.graph.functions import diff as diff
from scellis.graph.functions import exp as exp
from scellis.graph.functions import exp2 as exp2
from scellis.graph.functions import expand_dims as expand_dims
from scellis.graph.functions import expm1 as expm1
from scellis.graph.functions import flip as flip
from scellis.graph.functions import floor as floor
from scellis.graph.functions import floor_divide as floor_divide
from scellis.graph.functions import full_like as full_like
from scellis.graph.functions import hypot as hypot
from scellis.graph.functions import isfinite as isfinite
from scellis.graph.functions import isinf as isinf
from scellis.graph.functions import isnan as isnan
from scellis.graph.functions import log as log
from scellis.graph.functions import log1p as log1p
from scellis.graph.functions import log2 as log2
from scellis.graph.functions import log10 as log10
from scellis.graph.functions import logaddexp as logaddexp
from scellis.graph.functions import matmul as matmul
from scellis.graph.functions import matrix_transpose as matrix_transpose
from scellis.graph.functions import max as max  # noqa: A004 - the standard's name
from scellis.graph.functions import maximum as maximum
from scellis.graph.functions import mean as mean
from scellis.graph.functions import min as min  # noqa: A004 - the standard's name
from scellis.graph.functions import minimum as minimum
from scellis.graph.functions import moveaxis as moveaxis
from scellis.graph.functions import ones_like as ones_like
from scellis.graph.functions import outer as outer
from scellis.graph.functions import permute_dims as permute_dims
from scellis.graph.functions import pow as pow  # noqa: A004 - the standard's name
from scellis.graph.functions import prod as prod
from scellis.graph.functions import remainder as remainder
from scellis.graph.functions import repeat as repeat
from scellis.graph.functions import roll as roll
from scellis.graph.functions import round as round  # noqa: A004 - the standard's name
from scellis.graph.functions import sign as sign
from scellis.graph.functions import sin as sin
from scellis.graph.functions import sinh as sinh
from scellis.graph.functions import sqrt as sqrt
from scellis.graph.functions import square as square
from scellis.graph.functions import squeeze as squeeze
from scellis.graph.functions import stack as stack
from scellis.graph.functions import std as std
from scellis.graph.functions import sum as sum  # noqa: A004 - the standard's name
from scellis.graph.functions import take as take
from scellis.graph.functions import tan as tan
from scellis.graph.functions import tanh as tanh
from scellis.graph.functions import tensordot as tensordot
from scellis.graph.functions import tile as tile
from scellis.graph.functions import tril as tril
from scellis.graph.functions import triu as triu
from scellis.graph.functions import trunc as trunc
from scellis.graph.functions import unstack as unstack
from scellis.graph.functions import var as var
from scellis.graph.functions import vecdot as vecdot
from scellis.graph.functions import where as where
from scellis.graph.functions import zeros_like as zeros_like
from scellis.graph.refused import REFUSED
from scellis.graph.refused import nonzero as nonzero
from scellis.graph.refused import unique_all as unique_all
from scellis.graph.refused import unique_counts as unique_counts
from scellis.graph.refused import unique_inverse as unique_inverse
from scellis.graph.refused import unique_values as unique_values
from scellis.graph.sorting import take_along_axis as take_along_axis
from scellis.graph.trace import Value
from scellis.graph.types import BOOL, F16, F32, I32, RANK_LIMIT, U32

__array_api_version__ = "2024.12"

e, inf, nan, newaxis, pi = math.e, math.inf, math.nan, None, math.pi
int32, uint32, float16, float32 = I32, U32, F16, F32
bool = BOOL  # noqa: A001 - the standard's name

empty, empty_like = zeros, zeros_like


def __getattr__(name: str) -> NoReturn:
    why = f": {REFUSED[name]}" if name in REFUSED else ""
    raise AttributeError(f"There is no {name} here{why}")


def astype(x: Value, dtype: str, /, *, copy: object = True) -> Value:
    """The elements as another type. `copy` changes nothing: no array is written into."""
    return x.astype(dtype)


def broadcast_to(x: Value, /, shape: Sequence[int]) -> Value:
    """The array repeated along new axes and those of length 1."""
    return x.broadcast_to(tuple(shape))


def reshape(x: Value, /, shape: Sequence[int], *, copy: object = None) -> Value:
    """The same elements in row-major order; one length may be −1. `copy` changes nothing."""
    return functions.reshape(x, shape)


def conj(x: Value, /) -> Value:
    """The same elements: all are real."""
    return x


def real(x: Value, /) -> Value:
    """The same elements: all are real."""
    return x


def imag(x: Value, /) -> Value:
    """Zeros: all elements are real."""
    return zeros_like(x)


def argsort(x: Value, /, *, axis: int = -1, descending: object = False, stable: object = True) -> Value:
    """The numbers of the elements in their order, equal ones in theirs whether that is asked for or not."""
    return sorting.argsort(x, axis=axis, descending=builtins.bool(descending))


def sort(x: Value, /, *, axis: int = -1, descending: object = False, stable: object = True) -> Value:
    """The elements in order along an axis; NaN comes last."""
    return sorting.sort(x, axis=axis, descending=builtins.bool(descending))


def searchsorted(x1: Value, x2: Value, /, *, side: str = "left", sorter: Value | None = None) -> Value:
    """Where each of `x2` goes in a sorted `x1` (n,), or in one that `sorter` sorts, so that it stays so."""
    return sorting.searchsorted(x1 if sorter is None else take(x1, sorter), x2, side=side)


class __array_namespace_info__:  # noqa: N801 - the standard's name
    """What this namespace can do."""

    def capabilities(self) -> dict[str, Any]:
        """No shape hangs on what arrays hold."""
        return {"boolean indexing": False, "data-dependent shapes": False, "max dimensions": RANK_LIMIT}

    def default_device(self) -> None:
        """None: a graph is compiled for a device later."""
        return

    def default_dtypes(self, *, device: None = None) -> dict[str, str]:
        """The types of what is made without one."""
        return {"real floating": F32, "integral": I32, "indexing": I32}

    def devices(self) -> list[None]:
        """The one that there is."""
        return [None]

    def dtypes(self, *, device: None = None, kind: str | tuple[str, ...] | None = None) -> dict[str, str]:
        """The types by the standard's names, those of a kind."""
        known = {"bool": BOOL, "int32": I32, "uint32": U32, "float32": F32}
        return {name: dtype for name, dtype in known.items() if kind is None or isdtype(dtype, kind)}
