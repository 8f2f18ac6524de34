"""First-order propagation: the law that Monte Carlo is compared with."""

from __future__ import annotations

import math
from statistics import NormalDist

import attrs
import numpy as np

from scellis.graph.draws import DRAWS
from scellis.graph.elementwise import ELEMENTWISE, REFERENCE
from scellis.graph.graph import Graph
from scellis.graph.op import F64
from scellis.graph.program import constant_of, parameters_of


@attrs.frozen
class Linearised:
    """The plug-in value f(E x), the standard deviation √Σ(∂f/∂xᵢ · σᵢ)², in the output's unit."""

    mean: float
    std: float

    def interval(self, coverage: float) -> tuple[float, float]:
        """The symmetric interval of a normal distribution at `coverage`."""
        half = NormalDist().inv_cdf(0.5 + coverage / 2.0) * self.std
        return self.mean - half, self.mean + half


def linearise(graph: Graph) -> Linearised:
    """Propagate means and standard deviations of independent inputs to first order.

    Source: JCGM 100:2008, 5.1.2, with exact input standard deviations (for t: scale·√(ν/(ν−2)), infinite for
    ν ≤ 2). Derivatives are carried forward, one direction an input, at the means. Where the program is not
    defined at the means, or has no derivative there, mean or std are infinite or NaN.
    """
    inputs = list(graph.draws)
    values: list[F64] = []
    tangents: list[F64] = []
    with np.errstate(all="ignore"):
        for index, node in enumerate(graph.nodes):
            tangent = np.zeros(len(inputs))
            if node.op in DRAWS:
                values.append(np.array(DRAWS[node.op].mean(parameters_of(node))))
                tangent[inputs.index(index)] = 1.0
            elif node.op == "constant":
                values.append(np.array(constant_of(graph, index)))
            else:
                operation = ELEMENTWISE[node.op]
                assert operation.partials is not None
                args = tuple(values[argument] for argument in node.args)
                out = np.asarray(operation.evaluate(*args))
                for argument, partial in zip(
                    node.args, operation.partials(REFERENCE, args, out), strict=True
                ):
                    tangent = tangent + _times(tangents[argument], partial)
                values.append(out)
            tangents.append(tangent)
        draws = [graph.nodes[index] for index in inputs]
        deviations = np.array([DRAWS[node.op].std(parameters_of(node)) for node in draws])
        contributions = _times(tangents[graph.output], deviations)
        return Linearised(float(values[graph.output]), math.sqrt(float(np.sum(contributions**2))))


def _times(sensitivities: F64, factors: F64) -> F64:
    """The product, where what does not depend on an input stays so even beside an infinite factor."""
    return np.where(sensitivities == 0, 0.0, sensitivities * factors)
