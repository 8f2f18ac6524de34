"""Elementary and special functions on the values of a graph, by the names of the Python Array API or SciPy.

Each takes floats, f16 or f32, of any shape, and gives as many of the same type. Raises `SCL-GRAPH-DTYPE` for
other types. What a device makes of them is off by a few ulp: docs/numerics says how many. Zeros, infinities
and NaN are as in C99, Annex F.
"""

from __future__ import annotations

from scellis.graph.trace import Operand, Value, elementwise


def exp(x: Value) -> Value:
    """e to the power of each element."""
    return elementwise("exp", x)


def exp2(x: Value) -> Value:
    """2 to the power of each element."""
    return elementwise("exp2", x)


def expm1(x: Value) -> Value:
    """exp(x) − 1 without cancellation near 0."""
    return elementwise("expm1", x)


def log(x: Value) -> Value:
    """The natural logarithm."""
    return elementwise("log", x)


def log1p(x: Value) -> Value:
    """log(1 + x) without cancellation near 0."""
    return elementwise("log1p", x)


def log2(x: Value) -> Value:
    """The logarithm to base 2."""
    return elementwise("log2", x)


def log10(x: Value) -> Value:
    """The logarithm to base 10."""
    return elementwise("log10", x)


def sqrt(x: Value) -> Value:
    """The square root."""
    return elementwise("sqrt", x)


def sin(x: Value) -> Value:
    """The sine of an angle in radians."""
    return elementwise("sin", x)


def cos(x: Value) -> Value:
    """The cosine of an angle in radians."""
    return elementwise("cos", x)


def tan(x: Value) -> Value:
    """The tangent of an angle in radians."""
    return elementwise("tan", x)


def asin(x: Value) -> Value:
    """The angle between −π/2 and π/2 with this sine; NaN outside [−1, 1]."""
    return elementwise("asin", x)


def acos(x: Value) -> Value:
    """The angle between 0 and π with this cosine; NaN outside [−1, 1]."""
    return elementwise("acos", x)


def atan(x: Value) -> Value:
    """The angle between −π/2 and π/2 with this tangent."""
    return elementwise("atan", x)


def sinh(x: Value) -> Value:
    """The hyperbolic sine, (exp x − exp −x) / 2."""
    return elementwise("sinh", x)


def cosh(x: Value) -> Value:
    """The hyperbolic cosine, (exp x + exp −x) / 2."""
    return elementwise("cosh", x)


def tanh(x: Value) -> Value:
    """The hyperbolic tangent."""
    return elementwise("tanh", x)


def asinh(x: Value) -> Value:
    """The number whose hyperbolic sine is x."""
    return elementwise("asinh", x)


def acosh(x: Value) -> Value:
    """The positive number whose hyperbolic cosine is x; NaN below 1."""
    return elementwise("acosh", x)


def atanh(x: Value) -> Value:
    """The number whose hyperbolic tangent is x; NaN outside [−1, 1]."""
    return elementwise("atanh", x)


def erf(x: Value) -> Value:
    """2/√π ∫ exp(−t²) dt from 0 to x. DLMF 7.2.1."""
    return elementwise("erf", x)


def erfc(x: Value) -> Value:
    """1 − erf(x), without cancellation where that is small. DLMF 7.2.2."""
    return elementwise("erfc", x)


def erfinv(x: Value) -> Value:
    """The number whose erf is x; NaN outside [−1, 1]. DLMF 7.17.1."""
    return elementwise("erfinv", x)


def lgamma(x: Value) -> Value:
    """log |Γ(x)|; ∞ at 0 and negative integers. DLMF 5.2.1. Its derivative is digamma."""
    return elementwise("lgamma", x)


def digamma(x: Value) -> Value:
    """Γ′(x) / Γ(x); ∓∞ at ±0, NaN at negative integers. DLMF 5.2.2. Its derivative is trigamma."""
    return elementwise("digamma", x)


def trigamma(x: Value) -> Value:
    """The derivative of digamma; ∞ at 0 and negative integers. DLMF 5.15.

    A derivative of its own is refused, `SCL-GRAPH-DERIVATIVE`.
    """
    return elementwise("trigamma", x)


def atan2(y: Operand, x: Operand) -> Value:
    """The angle of the point (x, y) between −π and π, with the sign of `y`. Shapes broadcast."""
    return elementwise("atan2", y, x)


def hypot(x: Operand, y: Operand) -> Value:
    """√(x² + y²) without overflow on the way. Shapes broadcast."""
    return elementwise("hypot", x, y)
