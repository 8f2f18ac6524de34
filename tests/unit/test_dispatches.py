"""How many kernels a training step takes in a tab, of the cases that the bench compares with others."""

from __future__ import annotations

import pytest

from bench.peers.cases import all_cases
from bench.peers.scellis_side import CASES, Trained
from scellis.graph import ArrayType, Graph, Value, trace
from scellis.graph import functions as xp
from scellis.kernels.plan import plan_graph

IN_A_TAB = {
    "maxStorageBuffersPerShaderStage": 10,
    "maxStorageBufferBindingSize": 2**27,
    "maxBufferSize": 2**28,
}
"""Chromium's, on SwiftShader and on most cards."""


def step_of(name: str) -> Trained:
    """The training step of a case."""
    request = dict(next(case.request for case in all_cases() if name in case.name))
    made = CASES[request.pop("kind")](**request)
    assert isinstance(made, Trained)
    return made


@pytest.mark.parametrize(("name", "most"), [("MLP step", 12), ("transformer step", 90)])
def test_a_training_step_stays_within_its_dispatches(name: str, most: int) -> None:
    step = step_of(name)
    plan = plan_graph(step.graph, IN_A_TAB, "prod", step.carry)
    assert len(plan.steps) <= most
    assert not plan.copies


def test_a_map_joins_what_it_reads_from_rather_than_what_it_resembles() -> None:
    matrix = ArrayType((32, 32), "f32")

    def function(**inputs: Value) -> list[Value]:
        a, b, c = inputs.values()
        product = a @ b
        return [product, xp.exp(c), xp.exp(product)]

    graph: Graph = trace(function, a=matrix, b=matrix, c=matrix)
    product, other, follows = graph.outputs
    roots = [step.kernel.roots for step in plan_graph(graph, IN_A_TAB).steps]
    assert sorted(map(sorted, roots)) == sorted([[product, follows], [other]])
