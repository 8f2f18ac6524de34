"""What f32 costs a program: a bound on its rounding error, carried through the graph draw by draw.

Source: running error analysis, N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.
(2002), 3.3, to first order. The bound is rigorous up to second-order terms, so it names cancellation where
there is some.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scellis.graph.draws import DRAWS
from scellis.graph.evaluate import evaluate_nodes
from scellis.graph.graph import Graph
from scellis.graph.ops import ELEMENTWISE, F32_LARGEST, F32_SMALLEST, F64, UNIT_ROUNDOFF


def rounding_bound(graph: Graph, uniforms: Sequence[F64]) -> tuple[F64, F64]:
    """The output in f64 and a bound on |f32 result − f64 result| for each draw, both `(n,) f64`.

    The bound is infinite or NaN where a value on the way exceeds the range of f32 or its error has no bound.
    """
    values = evaluate_nodes(graph, uniforms)
    bounds: list[F64] = []
    with np.errstate(all="ignore"):
        for node, value in zip(graph.nodes, values, strict=True):
            if node.op in DRAWS:
                bound = UNIT_ROUNDOFF * DRAWS[node.op].rounding(node.params, value)
            elif node.op == "constant":
                exact = node.params["value"]
                bound = np.full_like(value, abs(float(np.float32(exact)) - exact))
            else:
                operation = ELEMENTWISE[node.op]
                partials = operation.partials(tuple(values[argument] for argument in node.args), value)
                carried = sum(
                    (
                        np.abs(partial) * bounds[argument]
                        for argument, partial in zip(node.args, partials, strict=True)
                    ),
                    np.zeros_like(value),
                )
                bound = carried + operation.rounding * UNIT_ROUNDOFF * np.abs(value)
            bound = np.where(np.abs(value) > F32_LARGEST, np.inf, bound)
            bounds.append(np.where(np.abs(value) < F32_SMALLEST, bound + F32_SMALLEST, bound))
    return values[graph.output], bounds[graph.output]
