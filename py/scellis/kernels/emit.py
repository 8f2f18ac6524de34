"""From the op graph to WGSL: one `let` a node, in f32.

What a node costs in constants is folded here in f64 and rounded once, as `graph.draws` assumes of its bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from scellis.errors import ScellisError
from scellis.graph import DRAWS, Graph
from scellis.graph.precision import F32_LARGEST
from scellis.graph.program import constant_of, parameters_of

Parameters = Mapping[str, float]


def to_f32(value: float) -> float:
    """`value` rounded to f32. Raises `SCL-KERNEL-RANGE` where it does not fit."""
    if not abs(value) <= F32_LARGEST:
        raise ScellisError(
            "SCL-KERNEL-RANGE",
            f"The number {value:g} cannot be held in f32.",
            "Choose other units.",
            value=value,
        )
    return float(np.float32(value))


def literal(value: float) -> str:
    """`value` rounded to f32, as a WGSL literal that says exactly its bits. Raises `SCL-KERNEL-RANGE`."""
    mantissa, exponent = to_f32(value).hex().split("p")
    digits = mantissa.rstrip("0")
    return f"{digits}{'0' if digits.endswith('.') else ''}p{exponent}f"


def _constants(*values: float) -> list[str]:
    return [literal(value) for value in values]


_DRAW_CONSTANTS: dict[str, Callable[[Parameters], list[str]]] = {
    "draw_uniform": lambda p: _constants(p["low"], p["high"] - p["low"]),
    "draw_normal": lambda p: _constants(p["loc"], math.sqrt(2.0) * p["scale"]),
    "draw_t": lambda p: _constants(-2.0 / p["df"], p["loc"], math.sqrt(p["df"]) * p["scale"]),
    "draw_arcsine": lambda p: _constants((p["low"] + p["high"]) / 2.0, (p["high"] - p["low"]) / 2.0),
    "draw_ctrap": lambda p: _constants(p["low"] - p["d"], 2.0 * p["d"], p["low"] + p["high"]),
}
"""The constants that `wgsl/distributions.wgsl` takes before the uniforms."""

_ELEMENTWISE = {
    "add": "{} + {}",
    "subtract": "{} - {}",
    "multiply": "{} * {}",
    "divide": "{} / {}",
    "negative": "-{}",
    "exp": "exp_f32({})",
    "expm1": "expm1_f32({})",
    "log": "log_f32({})",
    "sqrt": "sqrt({})",
    "sin": "sin_f32({})",
    "cos": "cos_f32({})",
    "tanh": "tanh_f32({})",
    "abs": "abs({})",
    "minimum": "minimum_f32({}, {})",
    "maximum": "maximum_f32({}, {})",
}

EMITTED = frozenset({*_DRAW_CONSTANTS, *_ELEMENTWISE, "constant"})
"""The operations that lower to WGSL; a test holds them equal to the op set."""


def emit_blocks(graph: Graph) -> str:
    """What is computed once for a stream: the head of each block of words that a draw takes."""
    blocks = range(-(-graph.words // 4))
    return "\n".join(f"let block{block} = block_head(stream, {block}u);" for block in blocks)


def emit_draw(graph: Graph) -> str:
    """What is computed for each draw: its words, then every node, and the output as `y`."""
    lines = [
        f"let words{block} = stream_words(stream, block{block}, draw);"
        for block in range(-(-graph.words // 4))
    ]
    lines += [f"let v{index} = {_expression(graph, index)};" for index in range(len(graph.nodes))]
    lines.append(f"let y = v{graph.output};")
    return "\n".join(lines)


def _expression(graph: Graph, index: int) -> str:
    node = graph.nodes[index]
    if node.op == "constant":
        return literal(constant_of(graph, index))
    if node.op in _DRAW_CONSTANTS:
        first_word = graph.draws[index]
        words = range(first_word, first_word + DRAWS[node.op].words)
        uniforms = [f"uniform_from_word(words{word // 4}.{'xyzw'[word % 4]})" for word in words]
        constants = _DRAW_CONSTANTS[node.op](parameters_of(node))
        return f"{node.op}({', '.join(constants + uniforms)})"
    return _ELEMENTWISE[node.op].format(*(f"v{argument}" for argument in node.args))
