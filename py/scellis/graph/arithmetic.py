"""The elementwise functions of the Python Array API that have operators, and those of signs and neighbours.

Of two operands one may be a number, which takes the type of the other.
"""

from __future__ import annotations

from scellis.graph.trace import Operand, Value, elementwise
from scellis.graph.types import BOOL, FLOATS


def add(x: Operand, y: Operand) -> Value:
    """x + y."""
    return elementwise("add", x, y)


def subtract(x: Operand, y: Operand) -> Value:
    """x − y."""
    return elementwise("subtract", x, y)


def multiply(x: Operand, y: Operand) -> Value:
    """x · y."""
    return elementwise("multiply", x, y)


def divide(x: Operand, y: Operand) -> Value:
    """x / y, of floats."""
    return elementwise("divide", x, y)


def equal(x: Operand, y: Operand) -> Value:
    """Whether two elements are the same."""
    return elementwise("equal", x, y)


def not_equal(x: Operand, y: Operand) -> Value:
    """Whether two elements differ."""
    return elementwise("not_equal", x, y)


def less(x: Operand, y: Operand) -> Value:
    """Whether x < y."""
    return elementwise("less", x, y)


def less_equal(x: Operand, y: Operand) -> Value:
    """Whether x ≤ y."""
    return elementwise("less_equal", x, y)


def greater(x: Operand, y: Operand) -> Value:
    """Whether x > y."""
    return elementwise("greater", x, y)


def greater_equal(x: Operand, y: Operand) -> Value:
    """Whether x ≥ y."""
    return elementwise("greater_equal", x, y)


def logical_and(x: Operand, y: Operand) -> Value:
    """Whether both are true."""
    return elementwise("logical_and", x, y)


def logical_or(x: Operand, y: Operand) -> Value:
    """Whether one is true."""
    return elementwise("logical_or", x, y)


def logical_xor(x: Operand, y: Operand) -> Value:
    """Whether just one is true."""
    return elementwise("logical_xor", x, y)


def logical_not(x: Value) -> Value:
    """Whether an element is false."""
    return elementwise("logical_not", x)


def bitwise_and(x: Operand, y: Operand) -> Value:
    """The bits that both have; of truths, both."""
    return elementwise("logical_and" if _are_truths(x, y) else "bitwise_and", x, y)


def bitwise_or(x: Operand, y: Operand) -> Value:
    """The bits that one has; of truths, one."""
    return elementwise("logical_or" if _are_truths(x, y) else "bitwise_or", x, y)


def bitwise_xor(x: Operand, y: Operand) -> Value:
    """The bits that just one has; of truths, just one."""
    return elementwise("logical_xor" if _are_truths(x, y) else "bitwise_xor", x, y)


def _are_truths(*operands: Operand) -> bool:
    return any(isinstance(operand, Value) and operand.dtype == BOOL for operand in operands)


def bitwise_invert(x: Value) -> Value:
    """All bits the other way; of truths, the opposite."""
    return ~x


def bitwise_left_shift(x: Operand, y: Operand) -> Value:
    """The bits of x moved up by the low five bits of y."""
    return elementwise("bitwise_left_shift", x, y)


def bitwise_right_shift(x: Operand, y: Operand) -> Value:
    """The bits of x moved down by the low five bits of y; of i32 the sign comes in."""
    return elementwise("bitwise_right_shift", x, y)


def negative(x: Value) -> Value:
    """−x; of u32, 2³² − x."""
    return -x


def positive(x: Value) -> Value:
    """The same elements."""
    return +x


def abs(x: Value) -> Value:  # noqa: A001 - the standard's name
    """|x|."""
    return x.__abs__()


def reciprocal(x: Value) -> Value:
    """1 / x."""
    return elementwise("divide", 1.0, x)


def copysign(x: Operand, y: Operand) -> Value:
    """The size of x with the sign of y, that of a zero and of NaN too."""
    return elementwise("copysign", x, y)


def signbit(x: Value) -> Value:
    """Whether the sign is negative, that of a zero and of NaN too; whether an integer is below 0."""
    return elementwise("signbit", x) if x.dtype in FLOATS else x < 0


def nextafter(x: Operand, y: Operand) -> Value:
    """The number of the type that is next to x in the direction of y; y itself where they are equal."""
    return elementwise("nextafter", x, y)
