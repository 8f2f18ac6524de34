"""What is known whatever the inputs are is a constant before anything is fused."""

from __future__ import annotations

import numpy as np

from scellis.graph import Graph, Value, compute
from scellis.graph import functions as xp
from scellis.graph.fold import fold
from scellis.graph.prune import prune
from support.arrays import numbers, traced

X = numbers((3, 4))


def _ops(graph: Graph) -> list[str]:
    return sorted(node.op for node in prune(fold(graph)).nodes)


def test_constants_are_computed_ahead() -> None:
    graph = traced(lambda x: x * (xp.ones_like(x) / 12.0 + 0.5), X)
    assert _ops(graph) == ["broadcast_to", "constant", "input", "multiply"]
    (found,) = compute(fold(graph), [X])
    assert np.allclose(found, X * (1 / 12 + 0.5))


def test_what_moves_a_number_keeps_it() -> None:
    def moved(x: Value) -> Value:
        ones = xp.flip(xp.reshape(xp.ones_like(x), (4, 3)), 0)[1:, ::2]
        return xp.sum(x) + xp.sqrt(xp.concat([ones, ones], 0)) * 2.0

    graph = traced(moved, X)
    assert "sqrt" in [node.op for node in graph.nodes]
    assert "sqrt" not in _ops(graph)
    assert np.allclose(compute(fold(graph), [X])[0], X.sum() + 2.0)


def test_different_numbers_side_by_side_are_not_one() -> None:
    graph = traced(lambda x: xp.exp(xp.concat([xp.ones_like(x), xp.zeros_like(x)], 0)) + xp.sum(x), X)
    assert "exp" in _ops(graph)
    assert np.array_equal(compute(fold(graph), [X])[0], compute(graph, [X])[0])


def test_what_is_not_finite_stays() -> None:
    graph = traced(lambda x: x + xp.log(xp.zeros_like(x)), X)
    assert "log" in _ops(graph)


def test_a_result_that_hangs_on_nothing_is_still_given() -> None:
    graph = traced(lambda x: [xp.ones_like(x) * 3.0, x > 0.0, (xp.ones_like(x) > 0.5) & (x > 0.0)], X)
    for found, expected in zip(compute(fold(graph), [X]), compute(graph, [X]), strict=True):
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)


def test_types_are_kept() -> None:
    graph = traced(lambda x: [xp.iota(x, (2,), 0) + xp.zeros_like(x[0, :2]).astype("i32") * 3], X)
    (found,) = compute(fold(graph), [X])
    assert found.dtype == np.int32
    assert found.tolist() == [0, 1]


def test_a_graph_without_such_is_the_same_one() -> None:
    graph = traced(lambda x: x * 2.0 + 1.0, X)
    assert fold(graph) is graph
