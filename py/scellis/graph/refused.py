"""What the Python Array API has and a graph has not, with why."""

from __future__ import annotations

from typing import NoReturn

from scellis.errors import ScellisError
from scellis.graph.trace import Value

_SHAPE = "its shape hangs on what arrays hold, and a graph has one shape of each array"
_TYPE = "WebGPU has no such type; f64 is what the oracle computes in"
_DEVICE = "a graph is on no device until it is compiled for one"
_KNOWN = "what an array holds is not known while a program is traced"

REFUSED: dict[str, str] = {
    **dict.fromkeys(("nonzero", "unique_all", "unique_counts", "unique_inverse", "unique_values"), _SHAPE),
    **dict.fromkeys(
        ("int8", "int16", "int64", "uint8", "uint16", "uint64", "float64", "complex64", "complex128"), _TYPE
    ),
    **dict.fromkeys(("device", "to_device", "from_dlpack", "__dlpack__", "__dlpack_device__"), _DEVICE),
    **dict.fromkeys(("__bool__", "__complex__", "__float__", "__index__", "__int__"), _KNOWN),
    "__setitem__": "an array of a graph is a value: another is made of it with where, concat or pad",
    "linalg": "it is optional; of it matmul, matrix_transpose, outer, tensordot and vecdot are here",
    "fft": "it is optional",
}
"""By name. The standard leaves it to a library whether it has what hangs on data."""


def nonzero(x: Value) -> NoReturn:
    """The places of what is not 0: raises `SCL-GRAPH-SHAPE`."""
    raise _refused("nonzero")


def unique_all(x: Value) -> NoReturn:
    """The different elements, with all that is known of them: raises `SCL-GRAPH-SHAPE`."""
    raise _refused("unique_all")


def unique_counts(x: Value) -> NoReturn:
    """The different elements and how often each is there: raises `SCL-GRAPH-SHAPE`."""
    raise _refused("unique_counts")


def unique_inverse(x: Value) -> NoReturn:
    """The different elements and where each element's is among them: raises `SCL-GRAPH-SHAPE`."""
    raise _refused("unique_inverse")


def unique_values(x: Value) -> NoReturn:
    """The different elements: raises `SCL-GRAPH-SHAPE`."""
    raise _refused("unique_values")


def _refused(name: str) -> ScellisError:
    return ScellisError(
        "SCL-GRAPH-SHAPE",
        f"{name} is not to be had: {REFUSED[name]}.",
        "Choose with where, count with count_nonzero, or sort and compare neighbours.",
    )
