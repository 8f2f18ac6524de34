"""The elementwise operations: reference, derivatives and f32 rounding of each.

Names are the Python Array API's. The set grows here and in `kernels.emit`; a test holds the two equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import attrs
import numpy as np

from scellis.errors import ScellisError
from scellis.graph import special
from scellis.graph.op import Array, Op, Params
from scellis.graph.types import BOOL, F16, FLOATS, I32, INTEGERS, NUMBERS, ArrayType

Partials = Callable[[Any, Sequence[Any], Any], Sequence[Any]]

_ERF_SLOPE = 2.0 / math.sqrt(math.pi)
"""The derivative of erf at 0."""


@attrs.frozen
class Elementwise:
    """One operation on arrays of equal shape and type.

    `evaluate(*args) -> out`. It takes the types of `takes` and gives `gives`, or the same type. `partials(xp,
    args, out)` says ∂out/∂arg for each argument, None for one without a derivative, in the functions of `xp`,
    which are those of this table on whatever the arguments are: arrays, to carry rounding errors forward, or
    values of a graph, to make its gradient; it is None itself where we do not have the derivative. `rounding`
    is the operation's own relative error in f32 on any of our devices, in units of the unit roundoff u =
    2^−24, one ulp being at most 2u (WGSL, "Floating point accuracy": divide 2.5 ulp, sqrt as 1 / inverseSqrt,
    2.5 + 2 ulp; our own exp, expm1, log, sin, cos and tanh are held to 4 ulp by test); None where no bound is
    carried on: the result jumps, or sampled programs do not have the operation.
    """

    arity: int
    evaluate: Callable[..., Array]
    partials: Partials | None = None
    rounding: float | None = None
    takes: tuple[str, ...] = NUMBERS
    gives: str = ""
    selects: bool = False
    """gives back one of its arguments but for the sign: it errs by at most the largest of their errors"""


def _less_than_both(xp: Any, args: Sequence[Any]) -> tuple[Any, Any]:
    """1 where the first argument is the lesser, 0 where the second is; half of each where they are equal."""
    first = 0.5 + 0.5 * xp.sign(args[1] - args[0])
    return first, 1.0 - first


def _pow_partials(xp: Any, args: Sequence[Any], out: Any) -> tuple[Any, Any]:
    """With 0 in place of 0 · ∞: x⁰ does not vary with x, nor 0^y with y."""
    x, y = args
    by_x = xp.where(y == 0.0, 0.0, y * xp.pow(x, y - 1.0))
    return by_x, xp.where((x == 0.0) & (y >= 0.0), 0.0, out * xp.log(x))


def _atan2_partials(xp: Any, args: Sequence[Any], out: Any) -> tuple[Any, Any]:
    y, x = args
    length = xp.hypot(x, y)
    return x / length / length, -y / length / length


def _floor_divide(x: Array, y: Array) -> Array:
    if x.dtype.kind == "f":
        # NumPy finds it by the remainder: x / y may be rounded up to a whole number that is too great.
        return np.where(np.isfinite(x) & (y != 0), np.floor_divide(x, y), np.floor(x / y))
    return np.where(y == 0, x.dtype.type(0), np.floor_divide(x, np.where(y == 0, y.dtype.type(1), y)))


def _remainder(x: Array, y: Array) -> Array:
    if x.dtype.kind == "f":
        return np.remainder(x, y)
    return np.where(y == 0, x.dtype.type(0), np.remainder(x, np.where(y == 0, y.dtype.type(1), y)))


def _pow(x: Array, y: Array) -> Array:
    if x.dtype.kind == "f":
        return np.power(x, y)
    return np.where(y < 0, x.dtype.type(0), np.power(x, np.where(y < 0, y.dtype.type(0), y)))


def _acosh(x: Array) -> Array:
    # NumPy's WebAssembly build, whose C library is musl, gives numbers for some x below −1.
    return np.where(x < 1, x.dtype.type(np.nan), np.arccosh(x))


def _shift(shift: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """A shift by the low five bits of its second argument, as WGSL has it."""
    return lambda x, y: shift(x, (y & y.dtype.type(31)))


def _real(arity: int, evaluate: Callable[..., Array], partials: Partials, rounding: float) -> Elementwise:
    return Elementwise(arity, evaluate, partials, rounding, FLOATS)


def _array(arity: int, evaluate: Callable[..., Array], partials: Partials | None) -> Elementwise:
    """A function of arrays alone."""
    return Elementwise(arity, evaluate, partials, takes=FLOATS)


def _compared(evaluate: Callable[..., Array], takes: tuple[str, ...] = NUMBERS) -> Elementwise:
    return Elementwise(2, evaluate, takes=takes, gives=BOOL)


def _step(evaluate: Callable[..., Array]) -> Elementwise:
    return Elementwise(1, evaluate, lambda xp, x, y: (None,), takes=FLOATS)


ELEMENTWISE: dict[str, Elementwise] = {
    "add": Elementwise(2, np.add, lambda xp, x, y: (1.0, 1.0), 1),
    "subtract": Elementwise(2, np.subtract, lambda xp, x, y: (1.0, -1.0), 1),
    "multiply": Elementwise(2, np.multiply, lambda xp, x, y: (x[1], x[0]), 1),
    "divide": _real(2, np.divide, lambda xp, x, y: (1.0 / x[1], -y / x[1]), 5),
    "negative": Elementwise(1, np.negative, lambda xp, x, y: (-1.0,), 0, (I32, *FLOATS)),
    "exp": _real(1, np.exp, lambda xp, x, y: (y,), 8),
    "expm1": _real(1, np.expm1, lambda xp, x, y: (y + 1.0,), 8),
    "log": _real(1, np.log, lambda xp, x, y: (1.0 / x[0],), 8),
    "sqrt": _real(1, np.sqrt, lambda xp, x, y: (0.5 / y,), 9),
    "sin": _real(1, np.sin, lambda xp, x, y: (xp.cos(x[0]),), 8),
    "cos": _real(1, np.cos, lambda xp, x, y: (-xp.sin(x[0]),), 8),
    "tanh": _real(1, np.tanh, lambda xp, x, y: ((1.0 - y) * (1.0 + y),), 8),
    "log1p": _array(1, np.log1p, lambda xp, x, y: (1.0 / (1.0 + x[0]),)),
    "log2": _array(1, np.log2, lambda xp, x, y: (1.0 / (x[0] * math.log(2.0)),)),
    "log10": _array(1, np.log10, lambda xp, x, y: (1.0 / (x[0] * math.log(10.0)),)),
    "exp2": _array(1, np.exp2, lambda xp, x, y: (y * math.log(2.0),)),
    "pow": Elementwise(2, _pow, _pow_partials),
    "hypot": _array(2, np.hypot, lambda xp, x, y: (x[0] / y, x[1] / y)),
    "tan": _array(1, np.tan, lambda xp, x, y: (1.0 + y * y,)),
    "asin": _array(1, np.arcsin, lambda xp, x, y: (1.0 / xp.sqrt((1.0 - x[0]) * (1.0 + x[0])),)),
    "acos": _array(1, np.arccos, lambda xp, x, y: (-1.0 / xp.sqrt((1.0 - x[0]) * (1.0 + x[0])),)),
    "atan": _array(1, np.arctan, lambda xp, x, y: (1.0 / (1.0 + x[0] * x[0]),)),
    "atan2": _array(2, np.arctan2, _atan2_partials),
    "sinh": _array(1, np.sinh, lambda xp, x, y: (xp.cosh(x[0]),)),
    "cosh": _array(1, np.cosh, lambda xp, x, y: (xp.sinh(x[0]),)),
    "asinh": _array(1, np.arcsinh, lambda xp, x, y: (1.0 / xp.sqrt(1.0 + x[0] * x[0]),)),
    "acosh": _array(1, _acosh, lambda xp, x, y: (1.0 / xp.sqrt((x[0] - 1.0) * (x[0] + 1.0)),)),
    "atanh": _array(1, np.arctanh, lambda xp, x, y: (1.0 / ((1.0 - x[0]) * (1.0 + x[0])),)),
    "erf": _array(1, special.erf, lambda xp, x, y: (_ERF_SLOPE * xp.exp(-x[0] * x[0]),)),
    "erfc": _array(1, special.erfc, lambda xp, x, y: (-_ERF_SLOPE * xp.exp(-x[0] * x[0]),)),
    "erfinv": _array(1, special.erfinv, lambda xp, x, y: (xp.exp(y * y) / _ERF_SLOPE,)),
    "lgamma": _array(1, special.lgamma, lambda xp, x, y: (xp.digamma(x[0]),)),
    "digamma": _array(1, special.digamma, lambda xp, x, y: (xp.trigamma(x[0]),)),
    "trigamma": _array(1, special.trigamma, None),
    "abs": Elementwise(1, np.abs, lambda xp, x, y: (xp.sign(x[0]),), 0, (I32, *FLOATS), selects=True),
    "minimum": Elementwise(2, np.minimum, lambda xp, x, y: _less_than_both(xp, x), 0, selects=True),
    "maximum": Elementwise(
        2, np.maximum, lambda xp, x, y: _less_than_both(xp, (x[1], x[0])), 0, selects=True
    ),
    "relu": Elementwise(1, lambda x: np.maximum(x, 0), lambda xp, x, y: (xp.sign(y),), takes=FLOATS),
    "stop_gradient": Elementwise(1, np.positive, lambda xp, x, y: (None,), takes=FLOATS),
    "sign": Elementwise(1, np.sign, lambda xp, x, y: (None,), takes=(I32, *FLOATS)),
    "floor": _step(np.floor),
    "ceil": _step(np.ceil),
    "trunc": _step(np.trunc),
    "round": _step(np.rint),
    "floor_divide": Elementwise(2, _floor_divide, lambda xp, x, y: (None, None)),
    "remainder": Elementwise(2, _remainder, lambda xp, x, y: (1.0, -xp.floor_divide(x[0], x[1]))),
    "equal": _compared(np.equal, (BOOL, *NUMBERS)),
    "not_equal": _compared(np.not_equal, (BOOL, *NUMBERS)),
    "less": _compared(np.less),
    "less_equal": _compared(np.less_equal),
    "greater": _compared(np.greater),
    "greater_equal": _compared(np.greater_equal),
    "copysign": _array(2, np.copysign, lambda xp, x, y: (xp.sign(x[0]) * xp.sign(y), None)),
    "nextafter": _array(2, np.nextafter, None),
    "signbit": Elementwise(1, np.signbit, takes=FLOATS, gives=BOOL),
    "isnan": Elementwise(1, np.isnan, takes=FLOATS, gives=BOOL),
    "isinf": Elementwise(1, np.isinf, takes=FLOATS, gives=BOOL),
    "isfinite": Elementwise(1, np.isfinite, takes=FLOATS, gives=BOOL),
    "logical_not": Elementwise(1, np.logical_not, takes=(BOOL,), gives=BOOL),
    "logical_and": _compared(np.logical_and, (BOOL,)),
    "logical_or": _compared(np.logical_or, (BOOL,)),
    "logical_xor": _compared(np.logical_xor, (BOOL,)),
    "bitwise_invert": Elementwise(1, np.invert, takes=INTEGERS),
    "bitwise_and": Elementwise(2, np.bitwise_and, takes=INTEGERS),
    "bitwise_or": Elementwise(2, np.bitwise_or, takes=INTEGERS),
    "bitwise_xor": Elementwise(2, np.bitwise_xor, takes=INTEGERS),
    "bitwise_left_shift": Elementwise(2, _shift(np.left_shift), takes=INTEGERS),
    "bitwise_right_shift": Elementwise(2, _shift(np.right_shift), takes=INTEGERS),
}

REFERENCE = SimpleNamespace(
    **{name: operation.evaluate for name, operation in ELEMENTWISE.items()}, where=np.where
)
"""The table's functions on arrays: the `xp` of `partials` there."""


def _inferred(name: str, operation: Elementwise) -> Callable[[Sequence[ArrayType], Params], ArrayType]:
    def infer(types: Sequence[ArrayType], params: Params) -> ArrayType:
        first = types[0]
        if any(other != first for other in types):
            raise ScellisError(
                "SCL-GRAPH-SHAPE", f"{name} takes arrays of one shape and type, not {listed(types)}."
            )
        if first.dtype not in operation.takes:
            raise ScellisError(
                "SCL-GRAPH-DTYPE",
                f"{name} does not take {first.dtype}.",
                f"It takes {', '.join(operation.takes)}: say which with astype.",
            )
        return ArrayType(first.shape, operation.gives or first.dtype)

    return infer


def listed(types: Sequence[ArrayType]) -> str:
    """Types in words, for errors."""
    return " and ".join(map(str, types))


def _op(name: str, operation: Elementwise) -> Op:
    return Op(
        operation.arity,
        _inferred(name, operation),
        lambda arrays, params, type_: operation.evaluate(*arrays),
    )


def _infer_where(types: Sequence[ArrayType], params: Params) -> ArrayType:
    condition, first, second = types
    if condition.dtype != BOOL or first != second or condition.shape != first.shape:
        raise ScellisError(
            "SCL-GRAPH-SHAPE",
            f"where takes a bool and two arrays of one type, all of one shape, not {listed(types)}.",
        )
    return first


def _neighbour(arrays: Sequence[Array], params: Params, type_: ArrayType) -> Array:
    """The next number of the type, which f64 may stand for."""
    kind = np.float16 if type_.dtype == F16 else np.float32
    x, y = (array.astype(kind) for array in arrays)
    return np.asarray(np.nextafter(x, y), arrays[0].dtype)


ELEMENTWISE_OPS: Mapping[str, Op] = {
    **{name: _op(name, operation) for name, operation in ELEMENTWISE.items()},
    "nextafter": Op(2, _inferred("nextafter", ELEMENTWISE["nextafter"]), _neighbour),
    "where": Op(3, _infer_where, lambda arrays, params, type_: np.where(*arrays)),
}
