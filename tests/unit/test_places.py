"""Each node of a traced program knows the line that asked for it, through every rung."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scellis.cli.main import main
from scellis.errors import ScellisError
from scellis.graph import ArrayType, Graph, Value, compute, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient, jvp
from scellis.graph.expand import expand
from scellis.graph.fold import fold
from scellis.graph.loops import scan
from scellis.graph.nn import conv2d
from scellis.graph.prune import prune
from scellis.graph.vmap import vmap
from scellis.kernels.plan import plan_graph

LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}
F32 = ArrayType((4,), "f32")


def _line(above: int = 0) -> str:
    """The caller's line, so many lines up."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return f"test_places.py, line {frame.f_back.f_lineno - above}"


def _places(graph: Graph, op: str) -> list[str]:
    return [place for node, place in zip(graph.nodes, graph.places, strict=True) if node.op == op]


def test_a_node_knows_its_line_and_an_input_its_name() -> None:
    graph = trace(lambda weights: xp.softmax(weights), weights=F32)
    assert set(graph.places[1:]) == {_line(1)}
    assert graph.places[0] == f"weights of {_line(2)}"


def test_a_derivative_comes_from_what_it_is_the_derivative_of() -> None:
    lines: list[str] = []

    def backwards(x: Value) -> list[Value]:
        y = xp.sin(x)
        lines.append(_line(1))
        return gradient(xp.sum(y), [x])

    def forwards(x: Value) -> list[Value]:
        y = xp.sin(x)
        lines.append(_line(1))
        return jvp([y], [x], [xp.ones_like(x)])

    for function in (backwards, forwards):
        assert _places(trace(function, x=F32), "cos") == [f"derivative of {lines[-1]}"]

    def twice(x: Value) -> list[Value]:
        return gradient(xp.sum(backwards(x)[0]), [x])

    graph = trace(twice, x=F32)
    assert _places(graph, "sin") == [lines[-1]]
    assert set(_places(graph, "negative")) == {f"derivative of {lines[-1]}"}


def test_vmap_and_scan_keep_the_lines_of_the_function() -> None:
    lines: list[str] = []

    def each(x: Value) -> Value:
        lines.append(_line(-1))
        return xp.exp(x)

    graph = trace(lambda x: vmap(each)(x), x=ArrayType((3, 4), "f32"))
    assert _places(graph, "exp") == [lines[0]]
    graph = trace(
        lambda x: scan(lambda state, parts: ([state[0] + each(parts[0])], [state[0]]), [x[0]], [x])[0],
        x=ArrayType((3, 4), "f32"),
    )
    assert _places(graph, "exp") == [lines[0]] * 3


def test_the_passes_keep_them() -> None:
    def model(x: Value, w: Value) -> list[Value]:
        unused = xp.log(x)
        y = conv2d(x, w, padding=1) * (xp.ones_like(unused) * 2.0)
        return [y]

    graph = trace(model, x=ArrayType((1, 4, 5, 5), "f32"), w=ArrayType((4, 4, 3, 3), "f32"))
    (convolved,), (multiplied, *_) = _places(graph, "convolution"), _places(graph, "multiply")
    assert convolved == multiplied
    changed = expand(prune(fold(graph)))
    assert _places(changed, "log") == []
    assert set(_places(changed, "windows") + _places(changed, "matmul")) == {convolved}
    assert _places(changed, "multiply") == [multiplied]
    assert plan_graph(graph, LIMITS).graph.places == changed.places


def test_no_address_hangs_on_them() -> None:
    first = trace(lambda x: xp.exp(x) * 2.0, x=F32)
    second = trace(lambda x: xp.exp(x) * 2.0, x=F32)
    assert first.places != second.places
    assert first.address == second.address
    assert first == second
    assert first.to_json() == second.to_json()


def test_a_listing_comes_back_and_what_is_none_is_refused() -> None:
    graph = trace(lambda x: xp.exp(x) * 2.0, x=F32)
    listing = json.loads(json.dumps(graph.listing()))
    again = Graph.from_listing(listing)
    assert again == graph
    assert again.places == graph.places
    places = listing["places"]
    for wrong in (places[1:], [*places[1:], None], ["x" * 201, *places[1:]], "x" * len(places), None):
        with pytest.raises(ScellisError, match="SCL-GRAPH-FORM"):
            Graph.from_listing({**listing, "places": wrong})
    with pytest.raises(ScellisError, match="SCL-GRAPH-FORM"):
        Graph.from_listing({"places": places})
    with pytest.raises(ScellisError, match="SCL-GRAPH-FORM"):
        Graph.from_json(listing)


def test_explain_shows_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = trace(lambda x: xp.exp(x) * 2.0, x=F32)
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(graph.listing()))
    assert main(["explain", str(path)]) == 0
    said = capsys.readouterr().out
    assert f"%1 = exp(%0): (4) f32 ({graph.places[1]})" in said
    assert f"   from {graph.places[1]}\n" in said


def test_later_errors_name_them(monkeypatch: pytest.MonkeyPatch) -> None:
    large = trace(lambda x: xp.expand_dims(x, 1) @ xp.expand_dims(x, 0), x=ArrayType((64,), "f32"))
    graph = trace(lambda x: xp.exp(x) @ x, x=ArrayType((64, 64), "f32"))
    monkeypatch.setattr("scellis.graph.split.RULES", {})  # nothing can be cut
    with pytest.raises(ScellisError, match=r"SCL-KERNEL-BUFFER") as caught:
        plan_graph(large, {**LIMITS, "maxStorageBufferBindingSize": 4096})
    assert f"matmul of (64, 64) f32 ({large.places[-1]})" in caught.value.message
    with pytest.raises(ScellisError, match=r"SCL-KERNEL-RANGE") as caught:
        plan_graph(trace(lambda x: x * 1e39, x=F32), LIMITS)
    assert f"constant of () f32 ({_line(1)})" in caught.value.message
    for given in (np.zeros(5), [0.0] * 4, None):
        with pytest.raises(ScellisError, match=r"SCL-GRAPH-INPUT") as caught:
            compute(graph, [given])  # type: ignore[list-item]
        assert f"Input 0 (x of {graph.places[0].removeprefix('x of ')})" in caught.value.message


def _refused(function: Callable[..., Any], **inputs: ArrayType) -> ScellisError:
    with pytest.raises(ScellisError) as caught:
        trace(function, **inputs)
    return caught.value


def test_what_a_function_raises_names_it_with_what_it_was_given() -> None:
    matrix, row = ArrayType((3, 4), "f32"), ArrayType((5,), "f32")
    error = _refused(lambda x: xp.sum(x, 2), x=matrix)
    said = "sum((3, 4) f32, axis=2, keepdims=False, dtype=None): There is no"
    assert error.message.startswith(f"{_line(2)}: {said}")
    error = _refused(lambda x, y: [x + y], x=matrix, y=row)
    assert error.message.startswith(f"{_line(1)}: add((3, 4) f32, (5) f32): ")
    error = _refused(lambda x, y: xp.concat([x, y]), x=matrix, y=row)
    assert error.message.startswith(f"{_line(1)}: concat(values=[(3, 4) f32, (5) f32], axis=0): ")
    error = _refused(lambda x: vmap(lambda row: row @ x)(x), x=matrix)
    assert error.message.startswith(f"{_line(1)}: matmul((4) f32, (3, 4) f32): ")
    assert error.code == "SCL-GRAPH-SHAPE"
    error = _refused(xp.matrix_transpose, x=row)  # traced itself: the line is that of `trace`
    assert ": matrix_transpose((5) f32): " in error.message


def test_what_cannot_be_an_argument_is_refused_and_faults_of_the_program_are_left() -> None:
    error = _refused(lambda x: conv2d(x, None), x=ArrayType((1, 2, 3, 4), "f32"))  # type: ignore[arg-type]
    assert error.code == "SCL-GRAPH-ARGUMENT"
    assert error.message.startswith(f"{_line(2)}: conv2d((1, 2, 3, 4) f32, weight=None, bias=None, ")
    with pytest.raises(ZeroDivisionError):
        trace(lambda x: vmap(lambda row: row * (1 / 0))(x), x=F32)
