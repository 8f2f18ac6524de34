"""What a reduction gathers, as WGSL: its type, its value for no elements, and how two become one."""

from __future__ import annotations

import re

from scellis.kernels.expressions import WGSL_TYPES

_LEAST = {"f32": "-infinity(0.0)", "i32": "-2147483648", "u32": "0u"}
_GREATEST = {"f32": "infinity(0.0)", "i32": "2147483647", "u32": "4294967295u"}


def accumulator(op: str, dtype: str, suffix: str = "") -> str:
    """The declarations of a reduction over elements of `dtype`; `suffix` tells several of a kernel apart."""
    declared = _declared(op, dtype)
    for name in ("Accumulator", "identity", "combine"):
        declared = re.sub(rf"\b{name}\b", name + suffix, declared)
    return declared


def _declared(op: str, dtype: str) -> str:
    kind = WGSL_TYPES[dtype]
    if op in ("argmax", "argmin"):
        return _search(
            kind, _LEAST[kind] if op == "argmax" else _GREATEST[kind], ">" if op == "argmax" else "<"
        )
    suffix = "_f32" if kind == "f32" else ""
    identity, combined = {
        "sum": ("0", "a + b"),
        "prod": ("1", "a * b"),
        "max": (_LEAST.get(kind, ""), f"maximum{suffix}(a, b)" if suffix else "max(a, b)"),
        "min": (_GREATEST.get(kind, ""), f"minimum{suffix}(a, b)" if suffix else "min(a, b)"),
        "any": ("false", "a || b"),
        "all": ("true", "a && b"),
    }[op]
    return (
        f"alias Accumulator = {kind};\n"
        f"fn identity() -> Accumulator {{ return {kind}({identity}); }}\n"
        f"fn combine(a: Accumulator, b: Accumulator) -> Accumulator {{ return {combined}; }}"
    )


def _search(kind: str, identity: str, better: str) -> str:
    """The first of the best; NaN is better than any number, as in NumPy."""
    nan = ("is_nan(a.value)", "is_nan(b.value)") if kind == "f32" else ("false", "false")
    return (
        f"struct Accumulator {{ value: {kind}, place: u32 }}\n"
        f"fn identity() -> Accumulator {{ return Accumulator({kind}({identity}), 0xffffffffu); }}\n"
        "fn combine(a: Accumulator, b: Accumulator) -> Accumulator {\n"
        f"  let first = a.place < b.place;\n"
        f"  let na = {nan[0]};\n"
        f"  let nb = {nan[1]};\n"
        f"  let ahead = a.value {better} b.value || (a.value == b.value && first);\n"
        f"  let better = select(ahead, na && (!nb || first), na || nb);\n"
        "  if (better) { return a; }\n"
        "  return b;\n"
        "}"
    )
