"""The tolerance classes: how far a device's result may lie from the exact one, by what computed it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
F64 = NDArray[np.float64]

ROUNDOFF = 2.0**-24
"""Of one operation in f32, which sums are kept in, whatever their type."""
SHARE_OF_F16 = 2.0**-13
"""An ulp of f32 in ulp of f16: what is computed in f32 and rounded once errs by half an ulp and so much."""
NEAR_FAST = 2.0**-7
"""What WGSL's own exp, log and their kin may err by in the fast tier, of the result or of 1: as measured."""


@attrs.frozen
class Class:
    """`ulp` of the exact value, plus `each` roundings of f32 for every term of the sum of magnitudes.

    `relative` and `largest`, by type, are further shares of the exact value and of the largest one. `zeros`:
    zeros have the sign that they should. `fast`: in that tier the bound is `NEAR_FAST`, and what is NaN,
    infinite or a zero is not judged, since WGSL's built-in functions promise nothing of it.
    """

    ulp: float = 0.0
    each: float = 0.0
    relative: Mapping[str, float] = attrs.field(factory=dict)
    largest: Mapping[str, float] = attrs.field(factory=dict)
    zeros: bool = True
    fast: bool = False


CLASSES: Mapping[str, Class] = {
    "exact": Class(),
    "equal": Class(zeros=False),
    "rounded": Class(ulp=0.5),
    "quotient": Class(ulp=2.5),
    "root": Class(ulp=4.5),
    "elementary": Class(ulp=4.0, fast=True),
    "function": Class(ulp=4.0),
    "sum": Class(ulp=0.5, each=1.0, zeros=False),
    "product": Class(ulp=0.5, each=1.0),
    "composite": Class(
        relative={"f32": 2.0**-14, "f16": 2.0**-8}, largest={"f32": 2.0**-20, "f16": 2.0**-8}, zeros=False
    ),
}
"""By name; README.md says them in words.

In every class a subnormal result may be zero, and NaN and infinities are where they should be.
"""


@attrs.frozen
class Error:
    """The worst of a result: in ulp, as a share of what it is measured by, and whether its class holds."""

    ulp: float
    relative: float
    holds: bool
    where: str = ""

    def worse(self, other: Error) -> Error:
        """The worse of each."""
        return Error(
            max(self.ulp, other.ulp), max(self.relative, other.relative), self.holds and other.holds,
            self.where or other.where,
        )  # fmt: skip


NONE = Error(0.0, 0.0, True)


def judge(
    found: Array,
    exact: Array,
    tolerance: str,
    tier: str,
    magnitude: Array | None = None,
    terms: Array | None = None,
) -> Error:
    """How far `found` lies from `exact`, the truth in f64, of the same shape.

    `magnitude` (of the sum, or of the product) is what errors of `each` are relative to, `terms` counts them.
    """
    if found.shape != exact.shape:
        return Error(np.inf, np.inf, False, f"shape {found.shape}, not {exact.shape}")
    if found.dtype.kind != "f":
        wrong = found != exact.astype(found.dtype)
        return Error(np.inf, np.inf, False, _at(wrong, found, exact)) if wrong.any() else NONE
    kind = CLASSES[tolerance]
    with np.errstate(all="ignore"):
        return _judge_floats(
            found, exact.astype(np.float64), kind, tier == "fast" and kind.fast, magnitude, terms
        )


def _judge_floats(
    found: Array, exact: F64, kind: Class, loose: bool, magnitude: Array | None, terms: Array | None
) -> Error:
    bounds = np.finfo(found.dtype)
    tiny, largest = float(bounds.tiny), float(bounds.max)
    dtype = "f16" if found.dtype == np.float16 else "f32"
    wide = found.astype(np.float64)
    rounded = exact.astype(found.dtype).astype(np.float64)
    # What overflows is measured at the end of the range, so that one step past it is one step.
    clipped = np.clip(np.where(np.isnan(exact), 0.0, exact), -2 * largest, 2 * largest)
    error = np.abs(np.clip(wide, -2 * largest, 2 * largest) - clipped)
    error = np.where((np.abs(clipped) < tiny) & (np.abs(wide) <= tiny), 0.0, error)
    same = (wide == rounded) | (np.isnan(wide) & np.isnan(rounded))
    error = np.where(same & ~np.isfinite(rounded), 0.0, error)
    odd = ~np.isfinite(exact) & ~same
    odd |= np.isnan(wide) & ~np.isnan(exact)
    if loose:
        odd &= np.isfinite(exact)
        error = np.where(np.isfinite(exact), error, 0.0)
    elif kind.zeros:
        odd |= (exact == 0) & (wide == 0) & (np.signbit(exact) != np.signbit(wide))
    size = np.minimum(np.maximum(np.abs(clipped), tiny), largest)
    scale = size if magnitude is None else np.maximum(np.abs(magnitude), size)
    finite = size[np.isfinite(rounded)]
    greatest = float(finite.max(initial=0.0))
    if kind.largest:
        scale = np.maximum(scale, greatest)
    step = np.spacing(size.astype(found.dtype)).astype(np.float64)
    ulp = 0.5 + kind.ulp * SHARE_OF_F16 if dtype == "f16" and kind.ulp > 0.5 else kind.ulp
    bound = ulp * step
    if kind.each:
        bound = bound + kind.each * ROUNDOFF * scale * (1.0 if terms is None else terms)
    if kind.relative:
        bound = bound + kind.relative[dtype] * size + kind.largest[dtype] * max(greatest, 1.0)
    if loose:
        bound = np.maximum(bound, NEAR_FAST * np.maximum(size, 1.0))
    wrong = odd | (error > bound) | np.isnan(error)
    error = np.where(odd, 0.0, error)  # what is odd is wrong, not far
    unit = np.spacing(np.minimum(scale, largest).astype(found.dtype)).astype(np.float64)
    return Error(
        float(np.max(error / unit, initial=0.0)),
        float(np.max(error / scale, initial=0.0)),
        not wrong.any(),
        _at(wrong, found, exact) if wrong.any() else "",
    )


def _at(wrong: Array, found: Array, exact: Array) -> str:
    """The first element that is wrong."""
    at = tuple(int(n) for n in np.argwhere(wrong)[0])
    return f"{found[at]!r} for {exact[at]!r} at {list(at)}, {int(wrong.sum())} of {wrong.size} wrong"
