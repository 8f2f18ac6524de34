"""Tracing: a Python function becomes the graph of what it does."""

# ruff: noqa: RUF034 (useless conditions are what is tested)

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scellis.errors import ScellisError
from scellis.graph import (
    ArrayType,
    Builder,
    Value,
    arcsine,
    cos,
    ctrap,
    evaluate,
    exp,
    expm1,
    log,
    normal,
    sin,
    sqrt,
    student_t,
    tanh,
    trace,
    uniform,
)
from scellis.graph.program import NODE_LIMIT
from support.programs import example_plan, uniforms


def test_a_traced_function_is_the_text_of_the_example() -> None:
    def deviation(**x: Value) -> Value:
        strain = x["dalpha"] * (x["room"] + x["cycle"]) + x["alpha"] * x["dtheta"]
        return (
            x["length"]
            + x["difference"]
            + x["random"]
            + x["systematic"]
            - (50_000_000 + x["length"]) * strain
        )

    graph = trace(
        deviation,
        length=student_t(18, 623, 25),
        difference=student_t(24, 215, 6),
        random=student_t(5, 0, 4),
        systematic=student_t(8, 0, 7),
        alpha=uniform(9.5e-6, 13.5e-6),
        room=normal(-0.1, 0.2),
        cycle=arcsine(-0.5, 0.5),
        dalpha=ctrap(-1e-6, 1e-6, 0.1e-6),
        dtheta=ctrap(-0.05, 0.05, 0.025),
    )
    text = example_plan("gauge_block").job.program
    assert len(graph.nodes) == len(text.nodes)
    assert evaluate(graph, uniforms(graph, 100)).tolist() == evaluate(text, uniforms(text, 100)).tolist()


def test_every_operator_and_function() -> None:
    def f(x: Value, y: Value) -> Value:
        sums = +(-(x + 1) * 2 - y / 4) + (1 + x) * (3 - y) / (2 * exp(x)) - 1 / sqrt(y) + log(y) * expm1(x)
        return sums + sin(x) * cos(y) - tanh(x) * abs(y)

    graph = trace(f, x=uniform(1, 2), y=uniform(1, 3))
    u, v = np.array([0.25]), np.array([0.75])
    x, y = 1 + u, 1 + 2 * v
    expected = (
        -(x + 1) * 2 - y / 4 + (1 + x) * (3 - y) / (2 * np.exp(x)) - 1 / np.sqrt(y) + np.log(y) * np.expm1(x)
    )
    expected = expected + np.sin(x) * np.cos(y) - np.tanh(x) * np.abs(y)
    assert evaluate(graph, [u, v]).tolist() == expected.tolist()


def test_equal_expressions_are_one_node_and_draws_never_are() -> None:
    graph = trace(lambda x, y: (x + y) * (x + y) + 2 + (2.0 + x), x=uniform(0, 1), y=uniform(0, 1))
    operations = [node.op for node in graph.nodes]
    assert operations == ["draw_uniform", "draw_uniform", "add", "multiply", "constant", "add", "add", "add"]


def test_negative_zero_is_a_constant_of_its_own() -> None:
    builder = Builder()
    assert builder.constant(0.0).index != builder.constant(-0.0).index
    assert builder.constant(1).index == builder.constant(1.0).index


def test_numpy_numbers_on_either_side() -> None:
    two = np.float64(2)
    graph = trace(lambda x: two * x - x / two + (two + x) - (two - x) + two / x, x=uniform(1, 2))
    assert evaluate(graph, [np.array([0.5])]).tolist() == [3 - 0.75 + 3.5 - 0.5 + 2 / 1.5]
    with pytest.raises(ScellisError, match="A ndarray"):  # which makes no array of graphs
        trace(lambda x: np.ones(3) * x, x=uniform(1, 2))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x if x else x,
        lambda x: x and x,
        lambda x: not x,
        lambda x: x if x == 1 else x,
        lambda x: x if x != x else x,
        lambda x: x if x in (1, 2) else x,
        lambda x: x + math.nan,
        lambda x: x * math.inf,
        lambda x: x + 10**400,
        lambda x: x + True,
        lambda x: x + "1",
        lambda x: x + None,
        lambda x: x + {},
        lambda x: 1.0,
        lambda x: None,
        lambda x: (x, 1.0),
        lambda x: (),
    ],
)
def test_what_cannot_be_traced_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-TRACE"):
        trace(function, x=uniform(0, 1))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: float(x),
        lambda x: int(x),
        lambda x: [0][x],
        lambda x: {x},
        lambda x: math.exp(x),
    ],
)
def test_what_python_itself_refuses_stays_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError):
        trace(function, x=uniform(0, 1))


def test_values_of_another_program_are_refused() -> None:
    kept: list[Value] = []
    trace(lambda x: kept.append(x) or x, x=uniform(0, 1))  # type: ignore[func-returns-value]
    with pytest.raises(ScellisError, match="two different programs"):
        trace(lambda x: x + kept[0], x=uniform(0, 1))
    with pytest.raises(ScellisError, match="SCL-GRAPH-TRACE"):
        trace(lambda x: kept[0], x=uniform(0, 1))


def test_a_program_without_end_is_refused() -> None:
    def endless(x: Value) -> Value:
        while True:
            x = x * x

    with pytest.raises(ScellisError, match=f"at most {NODE_LIMIT}"):
        trace(endless, x=uniform(0, 1))


def test_parameters_are_checked() -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-PARAMETER"):
        trace(lambda x: x, x=uniform(1, 0))


def test_a_small_power_is_products() -> None:
    def ops(power: Any) -> list[str]:
        graph = trace(lambda x: x**power, x=ArrayType((3,), "f32"))
        return [node.op for node in graph.nodes if node.op not in ("input", "constant", "broadcast_to")]

    assert ops(1) == []
    assert ops(2) == ops(2.0) == ["multiply"]
    assert ops(3) == ops(4) == ["multiply", "multiply"]
    assert ops(-1) == ["divide"]
    assert ops(0) == ops(5) == ops(0.5) == ["pow"]


def test_a_power_of_integers_is_products() -> None:
    graph = trace(lambda n: n**11, n=ArrayType((3,), "i32"))
    assert [node.op for node in graph.nodes] == ["input", *["multiply"] * 5]


def test_an_array_of_a_program_is_not_written_into() -> None:
    def writing(x: Value) -> Value:
        x[0] = 1.0
        return x

    with pytest.raises(ScellisError, match="SCL-GRAPH-TRACE"):
        trace(writing, x=ArrayType((3,), "f32"))
