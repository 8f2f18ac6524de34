"""The closed set of elementwise operations: f64 reference, derivative and f32 rounding of each.

Names are the Python Array API's. The set grows here and in `kernels.emit`; a test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]

UNIT_ROUNDOFF = 2.0**-24
"""Half the spacing of f32 at 1: the relative error of one correctly rounded operation."""

F32_LARGEST = (2.0 - 2.0**-23) * 2.0**127
F32_SMALLEST = 2.0**-126
"""The least normal f32. A device may take what is smaller for zero (WGSL, "Floating point evaluation")."""


@attrs.frozen
class Elementwise:
    """One operation on arrays of equal shape.

    `evaluate(*args) -> out`; `partials(args, out)` gives ∂out/∂arg for each argument, used both for
    linearisation and to carry rounding errors forward; `rounding` is the operation's own relative error in
    f32 on any of our devices, in units of the unit roundoff u = 2^−24, one ulp being at most 2u (WGSL,
    "Floating point accuracy": divide 2.5 ulp, sqrt as 1 / inverseSqrt, 2.5 + 2 ulp; our own exp, expm1, log,
    sin, cos and tanh are held to 4 ulp by test).
    """

    arity: int
    evaluate: Callable[..., F64]
    partials: Callable[[tuple[F64, ...], F64], tuple[F64, ...]]
    rounding: float
    selects: bool = False
    """gives back one of its arguments but for the sign: it errs by at most the largest of their errors"""


def _taken(lesser: F64, greater: F64) -> tuple[F64, F64]:
    """1 where the first argument is taken, 0 where the second is; half of each where they are equal."""
    first = 0.5 + 0.5 * np.sign(greater - lesser)
    return first, 1.0 - first


def _constant_partials(*values: float) -> Callable[[tuple[F64, ...], F64], tuple[F64, ...]]:
    return lambda args, out: tuple(np.full_like(out, value) for value in values)


ELEMENTWISE: dict[str, Elementwise] = {
    "add": Elementwise(2, np.add, _constant_partials(1.0, 1.0), 1),
    "subtract": Elementwise(2, np.subtract, _constant_partials(1.0, -1.0), 1),
    "multiply": Elementwise(2, np.multiply, lambda args, out: (args[1], args[0]), 1),
    "divide": Elementwise(2, np.divide, lambda args, out: (1.0 / args[1], -out / args[1]), 5),
    "negative": Elementwise(1, np.negative, _constant_partials(-1.0), 0),
    "exp": Elementwise(1, np.exp, lambda args, out: (out,), 8),
    "expm1": Elementwise(1, np.expm1, lambda args, out: (out + 1.0,), 8),
    "log": Elementwise(1, np.log, lambda args, out: (1.0 / args[0],), 8),
    "sqrt": Elementwise(1, np.sqrt, lambda args, out: (0.5 / out,), 9),
    "sin": Elementwise(1, np.sin, lambda args, out: (np.cos(args[0]),), 8),
    "cos": Elementwise(1, np.cos, lambda args, out: (-np.sin(args[0]),), 8),
    "tanh": Elementwise(1, np.tanh, lambda args, out: ((1.0 - out) * (1.0 + out),), 8),
    "abs": Elementwise(1, np.abs, lambda args, out: (np.sign(args[0]),), 0, selects=True),
    "minimum": Elementwise(2, np.minimum, lambda args, out: _taken(args[0], args[1]), 0, selects=True),
    "maximum": Elementwise(2, np.maximum, lambda args, out: _taken(args[1], args[0]), 0, selects=True),
}
