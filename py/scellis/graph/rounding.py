"""What f32 costs a program: a bound on its rounding error, carried through the graph draw by draw.

Source: running error analysis, N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.
(2002), 3.3, to first order. The bound is rigorous up to second-order terms, so it names cancellation where
there is some.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scellis.graph.draws import DRAWS
from scellis.graph.elementwise import ELEMENTWISE, REFERENCE, Elementwise
from scellis.graph.evaluate import evaluate_nodes
from scellis.graph.graph import Graph
from scellis.graph.op import F64
from scellis.graph.precision import F32_LARGEST, F32_SMALLEST, UNIT_ROUNDOFF
from scellis.graph.program import constant_of, parameters_of

BUILT_IN_ERROR = 2.0**-11
"""What WGSL allows its built-in sin and cos, absolutely; it covers its exp and log too ("Accuracy of
built-in functions"). The `fast` tier computes with them."""

_BUILT_IN_DRAWS = {
    "draw_normal": lambda p, value: np.abs(value - p["loc"]) + 3.0 * p["scale"],
    "draw_t": lambda p, value: np.abs(value - p["loc"]) + 3.0 * p["scale"],
    "draw_arcsine": lambda p, value: np.full_like(value, p["high"] - p["low"]),
}
"""What a built-in function's error is multiplied by: three scales cover the mean Box-Muller radius."""
_BUILT_IN_OPERATIONS = ("exp", "expm1", "log", "tanh")


def rounding_bound(graph: Graph, uniforms: Sequence[F64], *, built_ins: bool = False) -> tuple[F64, F64]:
    """The output in f64 and a bound on |f32 result − f64 result| for each draw, both `(n,) f64`.

    `built_ins`: elementary functions are WGSL's own, as in the `fast` tier, instead of ours. The bound
    is infinite or NaN where a value on the way exceeds the range of f32 or its error has no bound.
    """
    values = evaluate_nodes(graph, uniforms)
    bounds: list[F64] = []
    with np.errstate(all="ignore"):
        for index, (node, value) in enumerate(zip(graph.nodes, values, strict=True)):
            if node.op in DRAWS:
                bound = UNIT_ROUNDOFF * DRAWS[node.op].rounding(parameters_of(node), value)
                if built_ins and node.op in _BUILT_IN_DRAWS:
                    bound = bound + BUILT_IN_ERROR * _BUILT_IN_DRAWS[node.op](parameters_of(node), value)
            elif node.op == "constant":
                exact = constant_of(graph, index)
                bound = np.full_like(value, abs(float(np.float32(exact)) - exact))
            else:
                operation = ELEMENTWISE[node.op]
                carried = _carried(
                    operation, [values[at] for at in node.args], [bounds[at] for at in node.args], value
                )
                assert operation.rounding is not None
                bound = carried + operation.rounding * UNIT_ROUNDOFF * np.abs(value)
                if built_ins and node.op in _BUILT_IN_OPERATIONS:
                    bound = bound + BUILT_IN_ERROR * (np.abs(value) + 1.0)
            bound = np.where(np.abs(value) > F32_LARGEST, np.inf, bound)
            bounds.append(np.where(np.abs(value) < F32_SMALLEST, bound + F32_SMALLEST, bound))
    return values[graph.output], bounds[graph.output]


def _carried(operation: Elementwise, args: list[F64], bounds: list[F64], out: F64) -> F64:
    """What the errors of the arguments come to in the result."""
    assert operation.partials is not None
    carried = np.zeros_like(out)
    if operation.selects:
        for bound in bounds:
            carried = np.maximum(carried, bound)
    else:
        for partial, bound in zip(operation.partials(REFERENCE, args, out), bounds, strict=True):
            carried = carried + np.abs(partial) * bound
    return carried
