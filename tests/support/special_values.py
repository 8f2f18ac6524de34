"""What the elementary functions give for zeros, infinities, NaN, and outside their domains.

As C99 has it, Annex F, and where that has no such function as SciPy has it. A subnormal number is a zero.
"""

from __future__ import annotations

import math
from itertools import product

INFINITE, NAN = float("inf"), float("nan")
TINY = 1e-40
_ODD = [(0.0, 0.0), (-0.0, -0.0), (TINY, 0.0), (-TINY, -0.0), (NAN, NAN)]

SINGLE: dict[str, dict[str, list[tuple[float, float]]]] = {
    "elementary.wgsl": {
        "log_f32": [
            (0.0, -INFINITE), (-0.0, -INFINITE), (1e-40, -INFINITE), (-1e-40, -INFINITE), (1.0, 0.0),
            (INFINITE, INFINITE), (-1.0, NAN), (-INFINITE, NAN), (NAN, NAN),
        ],
        "exp_f32": [
            (0.0, 1.0), (1e-40, 1.0), (88.72284, INFINITE), (1e30, INFINITE), (INFINITE, INFINITE),
            (-87.33655, 0.0), (-1e30, 0.0), (-INFINITE, 0.0), (NAN, NAN),
        ],
        "exp_nonpositive": [
            (0.0, 1.0), (-0.0, 1.0), (-1e-40, 1.0), (-87.33655, 0.0), (-1e30, 0.0), (-INFINITE, 0.0),
            (NAN, NAN),
        ],
        "sin_f32": [
            *_ODD, (INFINITE, NAN), (-INFINITE, NAN),
        ],
        "cos_f32": [
            (0.0, 1.0), (1e-40, 1.0), (-1e-40, 1.0), (INFINITE, NAN), (-INFINITE, NAN), (NAN, NAN),
        ],
        "tanh_f32": [
            *_ODD, (9.5, 1.0), (-9.5, -1.0), (1e30, 1.0), (INFINITE, 1.0), (-INFINITE, -1.0),
            (NAN, NAN),
        ],
        "expm1_f32": [
            *_ODD, (88.72284, INFINITE), (INFINITE, INFINITE), (-30.0, -1.0), (-1e30, -1.0),
            (-INFINITE, -1.0), (NAN, NAN),
        ],
    },
    "logarithms.wgsl": {
        "log1p_f32": [*_ODD, (INFINITE, INFINITE), (-1.0, -INFINITE), (-1.5, NAN), (-INFINITE, NAN)],
        **{
            name: [
                (0.0, -INFINITE), (-0.0, -INFINITE), (TINY, -INFINITE), (1.0, 0.0), (INFINITE, INFINITE),
                (-1.0, NAN), (-INFINITE, NAN), (NAN, NAN),
            ]
            for name in ("log2_f32", "log10_f32")
        },
        "exp2_f32": [
            (0.0, 1.0), (-0.0, 1.0), (TINY, 1.0), (10.0, 1024.0), (-126.0, 2.0**-126), (127.0, 2.0**127),
            (128.0, INFINITE), (1e30, INFINITE), (-127.0, 0.0), (-1e30, 0.0), (INFINITE, INFINITE),
            (-INFINITE, 0.0), (NAN, NAN),
        ],
    },
    "tangent.wgsl": {"tan_f32": [*_ODD, (INFINITE, NAN), (-INFINITE, NAN)]},
    "inverse_trigonometry.wgsl": {
        "asin_f32": [
            *_ODD, (1.0, math.pi / 2), (-1.0, -math.pi / 2), (1.0000001, NAN), (-INFINITE, NAN),
        ],
        "acos_f32": [
            (1.0, 0.0), (-1.0, math.pi), (0.0, math.pi / 2), (-TINY, math.pi / 2), (-1.0000001, NAN),
            (INFINITE, NAN), (NAN, NAN),
        ],
        "atan_f32": [*_ODD, (INFINITE, math.pi / 2), (-INFINITE, -math.pi / 2), (1.0, math.pi / 4)],
    },
    "hyperbolic.wgsl": {
        "sinh_f32": [
            *_ODD, (89.41599, INFINITE), (-89.5, -INFINITE), (INFINITE, INFINITE), (-INFINITE, -INFINITE),
        ],
        "cosh_f32": [
            (0.0, 1.0), (-0.0, 1.0), (TINY, 1.0), (-89.41599, INFINITE), (INFINITE, INFINITE),
            (-INFINITE, INFINITE), (NAN, NAN),
        ],
        "asinh_f32": [*_ODD, (INFINITE, INFINITE), (-INFINITE, -INFINITE)],
        "acosh_f32": [
            (1.0, 0.0), (0.9999999, NAN), (0.0, NAN), (-INFINITE, NAN), (INFINITE, INFINITE), (NAN, NAN),
        ],
        "atanh_f32": [
            *_ODD, (1.0, INFINITE), (-1.0, -INFINITE), (1.0000001, NAN), (-2.0, NAN), (INFINITE, NAN),
        ],
    },
    "error_function.wgsl": {
        "erf_f32": [*_ODD, (5.0, 1.0), (-1e30, -1.0), (INFINITE, 1.0), (-INFINITE, -1.0)],
        "erfc_f32": [
            (0.0, 1.0), (-0.0, 1.0), (TINY, 1.0), (11.0, 0.0), (1e30, 0.0), (-6.0, 2.0), (INFINITE, 0.0),
            (-INFINITE, 2.0), (NAN, NAN),
        ],
        "erfinv_f32": [*_ODD, (1.0, INFINITE), (-1.0, -INFINITE), (1.0000001, NAN), (-INFINITE, NAN)],
    },
    "gamma.wgsl": {
        "lgamma_f32": [
            (0.0, INFINITE), (-0.0, INFINITE), (-TINY, INFINITE), (1.0, 0.0), (2.0, 0.0), (-1.0, INFINITE),
            (-2.0, INFINITE), (-1e8, INFINITE), (1e38, INFINITE), (INFINITE, INFINITE),
            (-INFINITE, INFINITE), (NAN, NAN),
        ],
    },
    "digamma.wgsl": {
        "digamma_f32": [
            (0.0, -INFINITE), (-0.0, INFINITE), (TINY, -INFINITE), (-1.0, NAN), (-3.0, NAN), (-1e9, NAN),
            (INFINITE, INFINITE), (-INFINITE, NAN), (NAN, NAN),
        ],
        "trigamma_f32": [
            (0.0, INFINITE), (-0.0, INFINITE), (1e-25, INFINITE), (-2.0, INFINITE), (-1e9, INFINITE),
            (INFINITE, 0.0), (-INFINITE, NAN), (NAN, NAN),
        ],
    },
}  # fmt: skip
"""By file and function: an argument, and the result."""

_EVERY = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -3.0, 1e30, -1e30, INFINITE, -INFINITE, NAN)


def _power(x: float, y: float) -> float:
    """Python's own, which is C's, without its exceptions."""
    try:
        return math.pow(x, y)
    except ValueError:
        return math.copysign(INFINITE, x) if x == 0.0 and y % 2.0 == 1.0 else INFINITE if x == 0.0 else NAN
    except OverflowError:
        return -INFINITE if x < 0.0 and y % 2.0 == 1.0 else INFINITE


PAIRS: dict[str, dict[str, list[tuple[float, float, float]]]] = {
    "pow.wgsl": {
        "pow_f32": [
            *((x, y, _power(x, y)) for x, y in product(_EVERY, _EVERY)),
            (TINY, 2.0, 0.0), (-TINY, -3.0, -INFINITE), (5.0, TINY, 1.0), (2.0, 127.0, 2.0**127),
            (2.0, -126.0, 2.0**-126), (2.0, 128.0, INFINITE), (-2.0, 129.0, -INFINITE), (2.0, -127.0, 0.0),
            (-2.0, -151.0, -0.0), (-1.5, 16777215.0, -INFINITE), (-1.0, 8388607.0, -1.0), (-8.0, 2.5, NAN),
            (0.99999994, -INFINITE, INFINITE), (3.0, 2.0, 9.0), (-3.0, 3.0, -27.0), (10.0, -2.0, 0.01),
        ],
    },
    "inverse_trigonometry.wgsl": {
        "atan2_f32": [
            *((y, x, math.atan2(y, x)) for y, x in product(_EVERY, _EVERY)),
            (TINY, TINY, 0.0), (-TINY, -1.0, -math.pi), (1.0, TINY, math.pi / 2), (3e38, 3e38, math.pi / 4),
        ],
    },
    "hypot.wgsl": {
        "hypot_f32": [
            *((x, y, math.hypot(x, y)) for x, y in product(_EVERY, _EVERY)),
            (3e38, 3e38, INFINITE), (3e-38, 4e-38, 5e-38), (TINY, TINY, 0.0), (3e30, 4e30, 5e30),
        ],
    },
}  # fmt: skip
"""By file and function: two arguments, and the result."""
