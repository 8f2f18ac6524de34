"""Graphs of many nodes: no rung recurses along them, and none takes more than in proportion to them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

from scellis.graph import ArrayType, Graph, Value, compute, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.movement import NUMPY_TYPES
from scellis.kernels.explain import nodes_as_text, picture, plan_as_text
from scellis.kernels.plan import plan_graph
from scellis.kernels.waits import LOOKED_AT, Waits

LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}
ROW, SQUARE = ArrayType((4,), "f32"), ArrayType((4, 4), "f32")


def _deep(count: int) -> Graph:
    """A chain of elementwise operations, and back."""

    def chain(x: Value) -> list[Value]:
        y = x
        for _ in range(count // 7):
            y = xp.tanh(y) * 1.5
        return [y, *gradient(xp.sum(y), [x])]

    return trace(chain, x=ROW)


def _layers(count: int) -> Graph:
    """Products, sums and activations, and back: every step back reads a step forward."""

    def layers(x: Value, w: Value) -> list[Value]:
        y = x
        for _ in range(count // 20):
            y = xp.tanh(y @ w) * 0.5 + xp.sum(y, 1, keepdims=True)
        return [y, *gradient(xp.sum(y), [w])]

    return trace(layers, x=SQUARE, w=SQUARE)


def _wide(count: int) -> Graph:
    """Outputs that have nothing to do with each other."""
    return trace(lambda x: [xp.exp(x * float(n + 1)) for n in range(count // 3)], x=ROW)


def _inputs(count: int) -> Graph:
    """As many inputs as outputs, of several shapes."""
    given = {f"p{n}": ArrayType((3, n % 7 + 1), "f32") for n in range(count // 5)}
    return trace(lambda **p: [x * 0.9 + xp.sum(x) for x in p.values()], **given)


def _climbed(graph: Graph) -> None:
    """Every rung from the graph to its results."""
    plan = plan_graph(graph, LIMITS)
    assert nodes_as_text(graph).count("\n") == len(graph.nodes) - 1
    assert plan_as_text(plan).count(" reads ") == len(plan.steps)
    assert picture(plan)
    types = [graph.types[node] for node in graph.inputs]
    for found, output in zip(
        compute(graph, [np.full(type_.shape, 0.1, NUMPY_TYPES[type_.dtype]) for type_ in types]),
        graph.outputs,
        strict=True,
    ):
        assert found.shape == graph.types[output].shape


def _lines(function: Callable[[int], Graph], count: int) -> int:
    """Lines of Python that run from the function to its results: the same on every machine, as no time is."""
    ran = 0

    def line(_frame: FrameType, _event: str, _value: object) -> Any:
        nonlocal ran
        ran += 1
        return line

    before = sys.gettrace()
    sys.settrace(lambda *_: line)
    try:
        _climbed(function(count))
    finally:
        sys.settrace(before)
    return ran


@pytest.mark.parametrize("function", [_deep, _layers, _wide, _inputs])
def test_four_times_the_nodes_run_about_four_times_the_lines(function: Callable[[int], Graph]) -> None:
    small, large = function(500), function(2_000)
    assert 3.5 < len(large.nodes) / len(small.nodes) < 4.5
    assert _lines(function, 2_000) < 4.5 * _lines(function, 500)


def test_a_hundred_thousand_nodes_need_no_deep_stack() -> None:
    graph = _deep(100_000)
    assert len(graph.nodes) > 95_000
    _climbed(graph)


def test_who_waits_for_whom() -> None:
    waits = Waits()
    for others in ([], [0], [1], [], [3]):
        waits.append(others)
    assert [waits.has(2, other) for other in range(5)] == [True, True, False, False, False]
    waits.add(1, [4])  # and with it 2
    assert [waits.has(2, other) for other in range(5)] == [True, True, False, True, True]
    assert not waits.has(4, 2)
    order = waits.order()
    assert order == [0, 3, 4, 1, 2]


def test_a_search_without_end_is_taken_as_waiting() -> None:
    waits = Waits()
    waits.append([])
    waits.append([])
    for place in range(2, 2 * LOOKED_AT):
        waits.append([place - 1])  # in line after 1, not after 0
    assert waits.has(LOOKED_AT // 2, 1)
    assert not waits.has(LOOKED_AT // 2, 0)
    assert waits.has(2 * LOOKED_AT - 1, 0)  # not looked through to the end


def _reached(before: list[set[int]], place: int) -> set[Any]:
    found: set[int] = set()
    pending = [place]
    while pending:
        for other in before[pending.pop()] - found:
            found.add(other)
            pending.append(other)
    return found


def test_waits_are_those_of_a_full_search() -> None:
    rng = np.random.default_rng(3)
    waits, before = Waits(), list[set[int]]()
    for place in range(120):
        others = set(rng.choice(place, min(place, int(rng.integers(0, 3))), replace=False).tolist())
        waits.append(others)
        before.append(others)
        one, other = (int(n) for n in rng.integers(0, place + 1, 2))
        if one != other and one not in _reached(before, other):
            waits.add(one, [other])
            before[one].add(other)
    for place in range(120):
        assert {other for other in range(120) if waits.has(place, other)} == _reached(before, place)
    order = waits.order()
    assert all(order.index(other) < order.index(place) for place in range(120) for other in before[place])
