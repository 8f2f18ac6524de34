"""Shapes and element types of arrays; promotion and broadcasting as in the Python Array API standard."""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs

from scellis.errors import ScellisError

Shape = tuple[int, ...]

BOOL, I32, U32, F16, F32 = "bool", "i32", "u32", "f16", "f32"
INTEGERS = (I32, U32)
FLOATS = (F16, F32)
NUMBERS = (*INTEGERS, *FLOATS)
LOWEST: dict[str, float] = {I32: -(2**31), U32: 0, F16: -65504.0, F32: -3.4028234663852886e38}
"""The least number of each: what nothing is less than."""
DTYPES = (BOOL, *NUMBERS)
"""What a GPU holds. The oracle computes floats of either width in f64 besides."""

RANK_LIMIT = 8
SIZE_LIMIT = 2**32 - 1
"""Elements of one array: they are numbered in u32."""


@attrs.frozen
class ArrayType:
    """Shape and element type of an array. Raises `SCL-GRAPH-SHAPE` and `SCL-GRAPH-DTYPE` for none."""

    shape: Shape
    dtype: str

    def __attrs_post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise ScellisError(
                "SCL-GRAPH-DTYPE",
                f"There is no type {str(self.dtype)[:20]!r}.",
                f"Known: {', '.join(DTYPES)}.",
            )
        sound = all(type(n) is int and n >= 0 for n in self.shape)
        if not sound or len(self.shape) > RANK_LIMIT or self.size > SIZE_LIMIT:
            raise ScellisError(
                "SCL-GRAPH-SHAPE",
                f"{str(self.shape)[:80]} is no shape: that has at most {RANK_LIMIT} lengths from 0 on and "
                f"{SIZE_LIMIT} elements.",
            )

    @property
    def size(self) -> int:
        """Elements."""
        return math.prod(self.shape)

    @property
    def rank(self) -> int:
        """Axes."""
        return len(self.shape)

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.shape))}) {self.dtype}"


def promote(*dtypes: str) -> str:
    """The type that holds all of these.

    Raises `SCL-GRAPH-DTYPE` where none does: kinds do not mix, and i32 with u32 would need 64 bits.
    """
    kinds = set(dtypes)
    if len(kinds) == 1:
        return dtypes[0]
    if kinds == set(FLOATS):
        return F32
    raise ScellisError(
        "SCL-GRAPH-DTYPE",
        f"{' and '.join(dict.fromkeys(dtypes))} do not promote to one type.",
        "Say which is meant with astype.",
    )


def broadcast(*shapes: Shape) -> Shape:
    """The shape that these take together, from the last axis on. Raises `SCL-GRAPH-SHAPE`."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    result = []
    for lengths in zip(*padded, strict=True):
        wide = {length for length in lengths if length != 1}
        if len(wide) > 1:
            shown = " and ".join(map(str, shapes))
            raise ScellisError("SCL-GRAPH-SHAPE", f"The shapes {shown} do not broadcast to one.")
        result.append(wide.pop() if wide else 1)
    return tuple(result)


def normal_axis(axis: int, rank: int) -> int:
    """`axis`, counted from the end where it is negative. Raises `SCL-GRAPH-SHAPE`."""
    if not -rank <= axis < rank:
        raise ScellisError("SCL-GRAPH-SHAPE", f"There is no axis {axis} in an array of {rank} axes.")
    return axis % rank


def normal_axes(axes: int | Sequence[int] | None, rank: int) -> tuple[int, ...]:
    """The axes that are meant, in order; all of them for None. Raises `SCL-GRAPH-SHAPE`."""
    if axes is None:
        return tuple(range(rank))
    named = [normal_axis(axis, rank) for axis in ([axes] if isinstance(axes, int) else axes)]
    if len(set(named)) < len(named):
        raise ScellisError("SCL-GRAPH-SHAPE", f"The axes {tuple(named)} name one twice.")
    return tuple(sorted(named))
