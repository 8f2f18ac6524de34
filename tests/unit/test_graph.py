"""The op graph: what forms one, its JSON from strangers, its address."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.content import canonical_json, parse_json
from scellis.errors import ScellisError
from scellis.graph import DRAWS, ELEMENTWISE, Graph, Node, evaluate
from scellis.graph.graph import NODE_LIMIT, WORD_LIMIT
from support.programs import example_plan, uniforms

UNIFORM = Node("draw_uniform", (), {"low": 0, "high": 1})
ONE = Node("constant", (), {"value": 1})


def test_the_example_programs_have_their_addresses() -> None:
    # A change here is a change of what is computed: every job, record and kernel has another name then.
    assert (
        example_plan("gauge_block").job.program.address
        == "sha256:2d0c09c64b8a95119ed493bc09c86bfe1dac07119ccf8c9ce3c221d4ca7a23ac"
    )
    assert (
        example_plan("saturating").job.program.address
        == "sha256:d826f3b246fc1e480a5b18bd8b6c47385250abcf312577f24718c75eab43b61c"
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
    graph = Graph((UNIFORM, Node("constant", (), {"value": 0}), Node("divide", (0, 1))), 2)
    assert np.isinf(evaluate(graph, [np.array([0.5])])).all()


REFUSED: list[tuple[str, tuple[Node, ...], int]] = [
    ("SCL-GRAPH-SIZE", (), 0),
    ("SCL-GRAPH-SIZE", (UNIFORM,) * (NODE_LIMIT + 1), 0),
    ("SCL-GRAPH-SIZE", (UNIFORM,) * (WORD_LIMIT + 1), 0),
    ("SCL-GRAPH-OUTPUT", (UNIFORM,), 1),
    ("SCL-GRAPH-OUTPUT", (UNIFORM,), -1),
    ("SCL-GRAPH-CONSTANT", (ONE,), 0),
    ("SCL-GRAPH-OP", (UNIFORM, Node("tan", (0,))), 1),
    ("SCL-GRAPH-OP", (UNIFORM, Node("__class__", (0,))), 1),
    ("SCL-GRAPH-ARITY", (UNIFORM, Node("add", (0,))), 1),
    ("SCL-GRAPH-ARITY", (UNIFORM, Node("exp", (0, 0))), 1),
    ("SCL-GRAPH-ARITY", (Node("draw_uniform", (0,), {"low": 0, "high": 1}),), 0),
    ("SCL-GRAPH-ARITY", (UNIFORM, Node("constant", (0,), {"value": 1})), 1),
    ("SCL-GRAPH-ORDER", (UNIFORM, Node("exp", (1,))), 1),
    ("SCL-GRAPH-ORDER", (UNIFORM, Node("exp", (2,)), ONE), 1),
    ("SCL-GRAPH-ORDER", (UNIFORM, Node("exp", (-1,))), 1),
    ("SCL-GRAPH-PARAMETER", (UNIFORM, Node("constant", (), {"value": float("inf")})), 1),
    ("SCL-GRAPH-PARAMETER", (UNIFORM, Node("constant", (), {"value": float("nan")})), 1),
    ("SCL-GRAPH-PARAMETER", (UNIFORM, Node("constant")), 1),
    ("SCL-GRAPH-PARAMETER", (UNIFORM, Node("exp", (0,), {"base": 2})), 1),
    ("SCL-GRAPH-PARAMETER", (Node("draw_uniform", (), {"low": 1, "high": 0}),), 0),
]


@pytest.mark.parametrize(("code", "nodes", "output"), REFUSED)
def test_what_forms_no_graph_is_refused(code: str, nodes: tuple[Node, ...], output: int) -> None:
    with pytest.raises(ScellisError, match=code):
        Graph(nodes, output)


def test_a_graph_comes_back_from_its_json() -> None:
    for name in ("gauge_block", "saturating"):
        graph = example_plan(name).job.program
        data = canonical_json(graph.to_json())
        again = Graph.from_json(parse_json(data, what="graph", limit_bytes=1 << 16))
        assert again.address == graph.address
        assert again == graph
        assert evaluate(again, uniforms(again, 9)).tolist() == evaluate(graph, uniforms(graph, 9)).tolist()


GOOD = ["draw_uniform", [], {"low": 0, "high": 1}]


@pytest.mark.parametrize(
    "value",
    [
        *(None, 1, "graph", b"graph", [], {}, {"nodes": []}, {"nodes": {}, "output": 0}),
        {"nodes": [GOOD], "output": 0, "code": "print()"},
        *({"nodes": [GOOD], "output": output} for output in (None, "0", 0.0, True, [0], 10**400, -1)),
        *({"nodes": [row], "output": 0} for row in (None, 1, "abc", [], GOOD[:2], [*GOOD, 1], {"op": 1})),
        *({"nodes": [[op, [], {}]], "output": 0} for op in (None, 1, [], "", "eval", "\ud800", "x" * 10**6)),
        *(
            {"nodes": [GOOD, ["exp", args, {}]], "output": 1}
            for args in (None, {}, "0", [0.0], ["0"], [True])
        ),
        *({"nodes": [GOOD, ["exp", args, {}]], "output": 1} for args in ([None], [[0]], [10**400], [0] * 5)),
        *(
            {"nodes": [["draw_uniform", [], p]], "output": 0}
            for p in (None, [], [["low", 0]], {}, {"low": "0"})
        ),
        *(
            {"nodes": [["draw_uniform", [], {"low": low, "high": 1}]], "output": 0}
            for low in (None, True, "0", [0], 10**400, -(10**400), float("nan"), float("-inf"), 1j)
        ),
        {"nodes": [GOOD] * (NODE_LIMIT + 1), "output": 0},
    ],
    ids=lambda value: repr(value)[:60],
)
def test_json_that_is_no_graph_is_refused(value: Any) -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-") as caught:
        Graph.from_json(value)
    assert len(caught.value.message) < 300


SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
OP = st.sampled_from([*DRAWS, *ELEMENTWISE, "constant", "eval"])
ROW = st.tuples(
    OP | SCALAR,
    st.lists(st.integers(-1, 4) | SCALAR, max_size=3) | SCALAR,
    st.dictionaries(st.sampled_from(["low", "high", "loc", "scale", "df", "d", "value"]), SCALAR, max_size=3)
    | SCALAR,
).map(list)


@given(
    st.fixed_dictionaries(
        {"nodes": st.lists(ROW | SCALAR, max_size=5) | SCALAR, "output": st.integers(-1, 5) | SCALAR}
    )
)
def test_any_json_makes_a_graph_or_is_refused(value: Any) -> None:
    try:
        graph = Graph.from_json(value)
    except ScellisError as error:
        assert error.code.startswith("SCL-GRAPH-")  # noqa: PT017
    else:
        assert Graph.from_json(graph.to_json()) == graph
