"""Elementwise operations as WGSL, by the type of what they take."""

from __future__ import annotations

from collections.abc import Sequence

from scellis.graph.types import BOOL, F16, F32, I32, U32

WGSL_TYPES = {BOOL: "bool", I32: "i32", U32: "u32", F16: "f32", F32: "f32"}
"""In registers. f16 is computed in f32 and rounded."""
STORED_TYPES = {BOOL: "u32", I32: "i32", U32: "u32", F16: "Half", F32: "f32"}
"""In buffers, which hold no bool. `Half` is f16 on a device that has it, else f32: `assembly.with_head`."""

_FUNCTIONS = (
    *("exp", "exp2", "expm1", "log", "log1p", "log2", "log10"),
    *("sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("erf", "erfc", "erfinv", "lgamma", "digamma", "trigamma"),
)
"""Of one argument, our own in `wgsl/`."""
_ANY = {
    **{name: f"{name}_f32({{0}})" for name in _FUNCTIONS},
    "add": "{0} + {1}",
    "subtract": "{0} - {1}",
    "multiply": "{0} * {1}",
    "divide": "{0} / {1}",
    "negative": "-{0}",
    "sqrt": "sqrt({0})",
    "stop_gradient": "{0}",
    "pow": "pow_f32({0}, {1})",
    "hypot": "hypot_f32({0}, {1})",
    "atan2": "atan2_f32({0}, {1})",
    "abs": "abs({0})",
    "minimum": "min({0}, {1})",
    "maximum": "max({0}, {1})",
    "sign": "sign({0})",
    "floor": "floor({0})",
    "ceil": "ceil({0})",
    "trunc": "trunc({0})",
    "round": "round({0})",
    "equal": "{0} == {1}",
    "not_equal": "{0} != {1}",
    "less": "{0} < {1}",
    "less_equal": "{0} <= {1}",
    "greater": "{0} > {1}",
    "greater_equal": "{0} >= {1}",
    "isnan": "is_nan({0})",
    "isinf": "is_infinite({0})",
    "isfinite": "is_finite({0})",
    "logical_not": "!{0}",
    "logical_and": "{0} & {1}",
    "logical_or": "{0} | {1}",
    "logical_xor": "{0} != {1}",
    "bitwise_invert": "~{0}",
    "bitwise_and": "{0} & {1}",
    "bitwise_or": "{0} | {1}",
    "bitwise_xor": "{0} ^ {1}",
    "signbit": "(bitcast<u32>({0}) >> 31u) != 0u",
    "copysign": "with_sign({0}, {1})",
    "where": "select({2}, {1}, {0})",
}
_TYPED = {
    ("minimum", F32): "minimum_f32({0}, {1})",
    ("maximum", F32): "maximum_f32({0}, {1})",
    ("relu", F32): "maximum_f32({0}, 0.0)",
    ("sign", F32): "sign_f32({0})",
    ("equal", F32): "equal_f32({0}, {1})",
    ("not_equal", F32): "!equal_f32({0}, {1})",
    ("less", F32): "less_f32({0}, {1})",
    ("less_equal", F32): "less_f32({0}, {1}) || equal_f32({0}, {1})",
    ("greater", F32): "less_f32({1}, {0})",
    ("greater_equal", F32): "less_f32({1}, {0}) || equal_f32({0}, {1})",
    ("nextafter", F32): "nextafter_f32({0}, {1})",
    ("nextafter", F16): "nextafter_f16({0}, {1})",
    ("floor_divide", F32): "floor_divide_f32({0}, {1})",
    ("floor_divide", I32): "floor_divide_i32({0}, {1})",
    ("floor_divide", U32): "floor_divide_u32({0}, {1})",
    ("remainder", F32): "remainder_f32({0}, {1})",
    ("remainder", I32): "remainder_i32({0}, {1})",
    ("remainder", U32): "remainder_u32({0}, {1})",
    ("bitwise_left_shift", I32): "{0} << (u32({1}) & 31u)",
    ("bitwise_left_shift", U32): "{0} << ({1} & 31u)",
    ("bitwise_right_shift", I32): "{0} >> (u32({1}) & 31u)",
    ("bitwise_right_shift", U32): "{0} >> ({1} & 31u)",
}

_EXACT = frozenset(
    (
        *(
            "negative",
            "abs",
            "minimum",
            "maximum",
            "relu",
            "sign",
            "floor",
            "ceil",
            "trunc",
            "round",
            "where",
        ),
        *("copysign", "nextafter"),
    )
)
"""What these give of numbers that f16 holds, f16 holds."""
ROUNDED = frozenset({*_ANY, *(op for op, _ in _TYPED), "astype", "iota"} - _EXACT)
"""Operations whose results are rounded where they are f16."""

EXPRESSED = frozenset({*_ANY, *(op for op, _ in _TYPED)})
"""The operations that have an expression; a test holds them equal to the elementwise ones."""


def expression(op: str, dtype: str, args: Sequence[str]) -> str:
    """An operation on arguments of `dtype`, of which the last names it."""
    wide = F32 if dtype == F16 else dtype
    pattern = _TYPED.get((op, dtype)) or _TYPED.get((op, wide)) or _ANY[op]
    return pattern.format(*args)


def converted(text: str, given: str, wanted: str) -> str:
    """A value of one type as another: what `astype` says of floats that no integer holds."""
    old, to = WGSL_TYPES[given], WGSL_TYPES[wanted]
    if {old, to} in ({"f32", "i32"}, {"f32", "u32"}):
        return f"{to}_from_{old}({text})"
    return f"{to}({text})" if old != to else text


def rounded(text: str, dtype: str) -> str:
    """What is left of a value in the precision of its type."""
    return f"round_f16({text})" if dtype == F16 else text


def loaded(text: str, dtype: str) -> str:
    """An element of a buffer as a value."""
    return f"{text} != 0u" if dtype == BOOL else f"f32({text})" if dtype == F16 else text


def stored(text: str, dtype: str) -> str:
    """A value as an element of a buffer."""
    return f"u32({text})" if dtype == BOOL else f"Half({text})" if dtype == F16 else text
