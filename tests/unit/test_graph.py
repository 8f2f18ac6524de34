"""The op graph: what forms one, its JSON from strangers, its address."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.content import canonical_json, parse_json
from scellis.errors import ScellisError
from scellis.graph import OPS, Graph, Node, check_program, evaluate
from scellis.graph.program import NODE_LIMIT, WORD_LIMIT
from support.programs import example_plan, uniforms

UNIFORM = Node("draw_uniform", (), {"low": 0, "high": 1})


def _constant(value: float) -> Node:
    return Node("constant", (), {"value": value, "dtype": "f32"})


ONE = _constant(1)


def test_the_example_programs_have_their_addresses() -> None:
    # A change here is a change of what is computed: every job, record and kernel has another name then.
    assert (
        example_plan("gauge_block").job.program.address
        == "sha256:c432bfb8dce5b5fb3811edc09e34867042e4c69528d7da6d9894c91e825fa792"
    )
    assert (
        example_plan("saturating").job.program.address
        == "sha256:56d6c8f4aab75424aa3350c695023b7773382a885e9c721cac2180605c846fcb"
    )


def test_draws_take_their_words_in_node_order() -> None:
    normal = Node("draw_normal", (), {"loc": 0, "scale": 1})
    graph = Graph((UNIFORM, ONE, normal, UNIFORM, Node("add", (0, 2)), Node("add", (4, 3))), 5)
    assert graph.draws == {0: 0, 2: 1, 3: 3}
    assert graph.words == 4


FUNCTIONS = {
    "negative": np.negative,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "abs": np.abs,
}


def test_evaluation_is_the_formulas() -> None:
    nodes = (
        UNIFORM,
        ONE,
        *(Node(op, (0, 1)) for op in ("add", "subtract", "multiply", "divide")),
        *(Node(op, (0,)) for op in FUNCTIONS),
        *(Node(op, (0, 1)) for op in ("minimum", "maximum")),
    )
    u = np.array([0.25, 0.5])
    functions = [function(u) for function in FUNCTIONS.values()]
    expected = [u, 1 + 0 * u, u + 1, u - 1, u, u, *functions, u, 1 + 0 * u]
    for output, values in enumerate(expected):
        assert evaluate(Graph(nodes, output), [u]).tolist() == values.tolist()


def test_what_is_not_finite_is_left_for_the_caller_to_count() -> None:
    graph = Graph((UNIFORM, _constant(0), Node("divide", (0, 1))), 2)
    assert np.isinf(evaluate(graph, [np.array([0.5])])).all()


REFUSED: list[tuple[str, tuple[Node, ...], int]] = [
    ("SCL-GRAPH-SIZE", (), 0),
    ("SCL-GRAPH-OUTPUT", (UNIFORM,), 1),
    ("SCL-GRAPH-OUTPUT", (UNIFORM,), -1),
    ("SCL-GRAPH-OP", (UNIFORM, Node("sinc", (0,))), 1),
    ("SCL-GRAPH-OP", (UNIFORM, Node("__class__", (0,))), 1),
    ("SCL-GRAPH-ARITY", (UNIFORM, Node("add", (0,))), 1),
    ("SCL-GRAPH-ARITY", (UNIFORM, Node("exp", (0, 0))), 1),
    ("SCL-GRAPH-ARITY", (Node("draw_uniform", (0,), {"low": 0, "high": 1}),), 0),
    ("SCL-GRAPH-ARITY", (UNIFORM, Node("constant", (0,), {"value": 1, "dtype": "f32"})), 1),
    ("SCL-GRAPH-ORDER", (UNIFORM, Node("exp", (1,))), 1),
    ("SCL-GRAPH-ORDER", (UNIFORM, Node("exp", (2,)), ONE), 1),
    ("SCL-GRAPH-ORDER", (UNIFORM, Node("exp", (-1,))), 1),
    ("SCL-GRAPH-PARAMETER", (UNIFORM, _constant(float("inf"))), 1),
    ("SCL-GRAPH-PARAMETER", (UNIFORM, _constant(float("nan"))), 1),
    ("SCL-GRAPH-PARAMETER", (UNIFORM, Node("constant")), 1),
    ("SCL-GRAPH-PARAMETER", (UNIFORM, Node("exp", (0,), {"base": 2})), 1),
    ("SCL-GRAPH-PARAMETER", (Node("draw_uniform", (), {"low": 1, "high": 0}),), 0),
]


@pytest.mark.parametrize(("code", "nodes", "output"), REFUSED)
def test_what_forms_no_graph_is_refused(code: str, nodes: tuple[Node, ...], output: int) -> None:
    with pytest.raises(ScellisError, match=code):
        Graph(nodes, output)


NO_PROGRAM: list[tuple[str, tuple[Node, ...], int | tuple[int, ...]]] = [
    ("SCL-GRAPH-SIZE", (UNIFORM,) * (NODE_LIMIT + 1), 0),
    ("SCL-GRAPH-SIZE", (UNIFORM,) * (WORD_LIMIT + 1), 0),
    ("SCL-GRAPH-CONSTANT", (ONE,), 0),
    ("SCL-GRAPH-OUTPUT", (UNIFORM, ONE), (0, 1)),
    ("SCL-GRAPH-OP", (UNIFORM, Node("floor", (0,))), 1),
    ("SCL-GRAPH-OP", (UNIFORM, Node("equal", (0, 0))), 1),
    ("SCL-GRAPH-OP", (UNIFORM, Node("constant", (), {"value": 1, "dtype": "i32"})), 0),
    ("SCL-GRAPH-OP", (UNIFORM, Node("input", (), {"shape": (), "dtype": "f32"})), 0),
    ("SCL-GRAPH-OP", (UNIFORM, Node("reshape", (0,), {"shape": (1,)})), 0),
]


@pytest.mark.parametrize(("code", "nodes", "outputs"), NO_PROGRAM)
def test_a_graph_that_is_no_program_is_not_sampled(
    code: str, nodes: tuple[Node, ...], outputs: int | tuple[int, ...]
) -> None:
    with pytest.raises(ScellisError, match=code):
        check_program(Graph(nodes, outputs))


def test_a_graph_comes_back_from_its_json() -> None:
    for name in ("gauge_block", "saturating"):
        graph = example_plan(name).job.program
        data = canonical_json(graph.to_json())
        again = Graph.from_json(parse_json(data, what="graph", limit_bytes=1 << 16))
        assert again.address == graph.address
        assert again == graph
        assert evaluate(again, uniforms(again, 9)).tolist() == evaluate(graph, uniforms(graph, 9)).tolist()


def test_zero_and_minus_zero_are_two_programs() -> None:
    graphs = [Graph((_constant(zero),), 0) for zero in (0.0, -0.0)]
    assert graphs[0].address != graphs[1].address
    for graph in graphs:
        data = canonical_json(graph.to_json())
        again = Graph.from_json(parse_json(data, what="graph", limit_bytes=1 << 16))
        assert again.address == graph.address
        assert np.signbit(again.nodes[0].params["value"]) == (graph is graphs[1])


GOOD = ["draw_uniform", [], {"low": 0, "high": 1}]


@pytest.mark.parametrize(
    "value",
    [
        *(None, 1, "graph", b"graph", [], {}, {"nodes": []}, {"nodes": {}, "outputs": [0]}),
        {"nodes": [GOOD], "outputs": [0], "code": "print()"},
        *({"nodes": [GOOD], "outputs": [output]} for output in (None, "0", 0.0, True, [0], 10**400, -1)),
        *({"nodes": [row], "outputs": [0]} for row in (None, 1, "abc", [], GOOD[:2], [*GOOD, 1], {"op": 1})),
        *(
            {"nodes": [[op, [], {}]], "outputs": [0]}
            for op in (None, 1, [], "", "eval", "\ud800", "x" * 10**6)
        ),
        *(
            {"nodes": [GOOD, ["exp", args, {}]], "outputs": [1]}
            for args in (None, {}, "0", [0.0], ["0"], [True])
        ),
        *(
            {"nodes": [GOOD, ["exp", args, {}]], "outputs": [1]}
            for args in ([None], [[0]], [10**400], [0] * 5)
        ),
        *(
            {"nodes": [["draw_uniform", [], p]], "outputs": [0]}
            for p in (None, [], [["low", 0]], {}, {"low": "0"})
        ),
        *(
            {"nodes": [["draw_uniform", [], {"low": low, "high": 1}]], "outputs": [0]}
            for low in (None, True, "0", [0], 10**400, -(10**400), float("nan"), float("-inf"), 1j)
        ),
        *({"nodes": [GOOD], "outputs": outputs} for outputs in (None, 0, [], {}, "0")),
        {"nodes": [GOOD], "output": 0},
    ],
    ids=lambda value: repr(value)[:60],
)
def test_json_that_is_no_graph_is_refused(value: Any) -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-") as caught:
        Graph.from_json(value)
    assert len(caught.value.message) < 300


SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
OP = st.sampled_from([*OPS, "eval"])
PARAMETER = st.sampled_from(
    ["low", "high", "loc", "scale", "df", "d", "value", "dtype", "shape", "axes", "axis"]
)
ROW = st.tuples(
    OP | SCALAR,
    st.lists(st.integers(-1, 4) | SCALAR, max_size=3) | SCALAR,
    st.dictionaries(PARAMETER, SCALAR | st.lists(st.integers(-1, 3), max_size=9) | st.just("f32"), max_size=3)
    | SCALAR,
).map(list)


@given(
    st.fixed_dictionaries(
        {
            "nodes": st.lists(ROW | SCALAR, max_size=5) | SCALAR,
            "outputs": st.lists(st.integers(-1, 5) | SCALAR, max_size=2) | SCALAR,
        }
    )
)
def test_any_json_makes_a_graph_or_is_refused(value: Any) -> None:
    try:
        graph = Graph.from_json(value)
    except ScellisError as error:
        assert error.code.startswith("SCL-GRAPH-")  # noqa: PT017
    else:
        assert Graph.from_json(graph.to_json()) == graph
