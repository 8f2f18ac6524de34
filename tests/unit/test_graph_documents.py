"""Graphs of arrays from documents that strangers changed: each is a graph, or is refused by name."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scellis.errors import ScellisError
from scellis.graph import OPS, ArrayType, Graph, Value, compute, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.movement import NUMPY_TYPES
from scellis.graph.nn import conv2d, max_pool2d
from scellis.kernels.plan import plan_graph

LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}


def _model(x: Value, w: Value, labels: Value) -> list[Value]:
    seen = max_pool2d(conv2d(x, w, padding=1), 2)
    rows = xp.reshape(seen, (seen.shape[0], -1))
    loss = xp.cross_entropy(rows, labels) + xp.sum(xp.cumulative_sum(xp.take(rows, labels), 1))
    return [loss, *gradient(loss, [w]), xp.argmax(rows, 1), rows > 0.0]


def _document() -> dict[str, Any]:
    graph = trace(
        _model,
        x=ArrayType((2, 1, 4, 4), "f32"),
        w=ArrayType((1, 1, 3, 3), "f32"),
        labels=ArrayType((2,), "i32"),
    )
    found: dict[str, Any] = json.loads(json.dumps(graph.to_json()))
    return found


DOCUMENT = _document()
OP_OF = [row[0] for row in DOCUMENT["nodes"]]
ADD = OP_OF.index("add")
EXP = OP_OF.index("exp")
SUM = OP_OF.index("sum")
INPUT = OP_OF.index("input")


def _with(node: int, place: int, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(DOCUMENT)
    changed["nodes"][node][place] = value
    return changed


@pytest.mark.parametrize(
    ("code", "document", "says"),
    [
        ("SCL-GRAPH-ORDER", _with(ADD, 1, [ADD, 0]), f"Node {ADD}, add, refers"),
        ("SCL-GRAPH-ORDER", _with(ADD, 1, [0, len(OP_OF) - 1]), f"Node {ADD}, add, refers"),
        ("SCL-GRAPH-ORDER", _with(ADD, 1, [0, 2**64]), f"Node {ADD}, add, refers"),
        ("SCL-GRAPH-OP", _with(ADD, 0, "added"), f"Node {ADD}: there is no operation 'added'"),
        ("SCL-GRAPH-ARITY", _with(ADD, 1, [0]), f"Node {ADD}, add, takes 2 arguments, not 1"),
        ("SCL-GRAPH-PARAMETER", _with(SUM, 2, {}), f"Node {SUM}, sum: "),
        ("SCL-GRAPH-PARAMETER", _with(SUM, 2, {"axes": "0"}), f"Node {SUM}, sum: "),
        ("SCL-GRAPH-PARAMETER", _with(SUM, 2, {"axes": [0], "axis": 0}), f"Node {SUM}, sum: "),
        ("SCL-GRAPH-SHAPE", _with(SUM, 2, {"axes": [9]}), f"Node {SUM}, sum: "),
        ("SCL-GRAPH-PARAMETER", _with(INPUT, 2, {"shape": [2], "dtype": "f64"}), f"Node {INPUT}, input: "),
        ("SCL-GRAPH-SHAPE", _with(INPUT, 2, {"shape": [2**31, 2], "dtype": "f32"}), f"Node {INPUT}, input: "),
        ("SCL-GRAPH-SHAPE", _with(INPUT, 2, {"shape": [1] * 9, "dtype": "f32"}), f"Node {INPUT}, input: "),
        ("SCL-GRAPH-PARAMETER", _with(INPUT, 2, {"shape": [1] * 65, "dtype": "f32"}), "shape is a short"),
        ("SCL-GRAPH-DTYPE", _with(EXP, 1, [OP_OF.index("input", 2)]), f"Node {EXP}, exp: "),
        ("SCL-GRAPH-FORM", _with(ADD, 1, [0.0, 1]), f"node {ADD}, add"),
        ("SCL-GRAPH-FORM", _with(ADD, 1, None), f"node {ADD} is"),
        ("SCL-GRAPH-OUTPUT", {**DOCUMENT, "outputs": [0, len(OP_OF)]}, "Output 1"),
        ("SCL-GRAPH-FORM", {**DOCUMENT, "outputs": [True]}, "outputs"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_node_and_operation(code: str, document: Any, says: str) -> None:
    with pytest.raises(ScellisError) as caught:
        Graph.from_json(document)
    assert caught.value.code == code
    assert says in caught.value.message


SCALAR = (
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.integers()
    | st.floats()
    | st.sampled_from([*OPS, "bool", "i32", "f16", "f32", "axes", "shape", "dtype"])
    | st.text(max_size=4)
)
ANYTHING = st.recursive(SCALAR, lambda inner: st.lists(inner, max_size=3), max_leaves=4)


def _mutate(value: Any, draw: Any) -> Any:
    """A document with one place in it changed: another value, one more, one less, or two exchanged."""
    inside = isinstance(value, (list, dict)) and len(value) > 0
    if not inside or draw(st.integers(0, 5)) == 0:
        return draw(ANYTHING)
    if isinstance(value, dict):
        key = draw(st.sampled_from(sorted(value)))
        kind = draw(st.sampled_from(["change", "change", "change", "drop", "name"]))
        rest = {name: item for name, item in value.items() if name != key}
        if kind == "change":
            return {**rest, key: _mutate(value[key], draw)}
        return rest if kind == "drop" else {**rest, draw(st.text(max_size=4)): value[key]}
    at = draw(st.integers(0, len(value) - 1))
    kind = draw(st.sampled_from(["change", "change", "change", "drop", "twice", "exchange"]))
    if kind == "change":
        return [*value[:at], _mutate(value[at], draw), *value[at + 1 :]]
    if kind == "drop":
        return [*value[:at], *value[at + 1 :]]
    if kind == "twice":
        return [*value[:at], value[at], *value[at:]]
    other = draw(st.integers(0, len(value) - 1))
    changed = list(value)
    changed[at], changed[other] = changed[other], changed[at]
    return changed


@settings(max_examples=300)
@given(st.data())
def test_a_changed_document_is_a_graph_or_is_refused(data: st.DataObject) -> None:
    document = copy.deepcopy(DOCUMENT)
    for _ in range(data.draw(st.integers(1, 3))):
        document = _mutate(document, data.draw)
    try:
        graph = Graph.from_json(document)
    except ScellisError as error:
        assert error.code.startswith("SCL-GRAPH-")  # noqa: PT017
        assert len(error.message) < 300  # noqa: PT017
        return
    assert Graph.from_json(graph.to_json()) == graph
    if sum(type_.size for type_ in graph.types) < 10**6:
        given_types = [graph.types[node] for node in graph.inputs]
        compute(graph, [np.zeros(type_.shape, NUMPY_TYPES[type_.dtype]) for type_ in given_types])
    try:
        plan = plan_graph(graph, LIMITS)
    except ScellisError as error:
        assert error.code in ("SCL-KERNEL-BUFFER", "SCL-KERNEL-RANGE")  # noqa: PT017
    else:
        assert len(plan.outputs) == len(graph.outputs)
