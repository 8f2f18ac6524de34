"""Graphs in parts: every case of arrays by the oracle, where cuts go, and what a person is told of them."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.cli.main import main
from scellis.graph import ArrayType, Value, compute, nn, trace
from scellis.graph import functions as xp
from scellis.graph.attention import ATTENTION_OPS
from scellis.graph.autodiff import gradient
from scellis.graph.cuts import boxes, flat_boxes, flat_range, lengths, matched, refined, uncut
from scellis.graph.expand import expand
from scellis.graph.graph import Graph
from scellis.graph.split import Parted, Split, split
from scellis.kernels.fit import LEAST_BINDING_BYTES, array_bytes
from scellis.kernels.plan import ArrayPlan, plan_graph
from support import mlp
from support.arrays import Array, numbers, traced
from support.split_cases import ALL, low_limit

SHAPES = st.lists(st.integers(1, 7), max_size=4).map(tuple)
MADE_UP = ("iota", "random_words")
"""Operations that may stay whole: they are computed where they are read."""


def _cut(array: Array, parted: Parted) -> list[Array]:
    return [array[tuple(itertools.starmap(slice, box))] for box in parted.boxes]


def _computed(parts: Split, arrays: list[Array]) -> list[Array]:
    """The outputs of a graph in parts, put together."""
    inputs = [
        part for array, parted in zip(arrays, parts.inputs, strict=True) for part in _cut(array, parted)
    ]
    found = iter(compute(parts.graph, inputs))
    outputs = []
    for parted in parts.outputs:
        first, *rest = itertools.islice(found, len(parted.boxes))
        whole = np.empty(parted.type.shape, first.dtype)
        for box, part in zip(parted.boxes, [first, *rest], strict=True):
            whole[tuple(itertools.starmap(slice, box))] = part
        outputs.append(whole)
    return outputs


@pytest.mark.parametrize("count", [3, 7])
@pytest.mark.parametrize("name", ALL)
def test_the_oracle_computes_the_same_from_parts(name: str, count: int) -> None:
    function, arrays = ALL[name]
    graph = expand(traced(function, *arrays))
    elements = low_limit(graph, count)
    large = {node for node, found in enumerate(graph.types) if found.size > elements}
    parts = split(graph, elements, large, {})
    for node, found in zip(parts.graph.nodes, parts.graph.types, strict=True):
        assert found.size <= elements or node.op in MADE_UP
    for found, expected in zip(_computed(parts, arrays), compute(graph, arrays), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


ATTENDED = {
    "heads of groups": ((2, 4, 13, 6), 2, 13, ""),
    "many queries": ((1, 3, 21, 6), 3, 9, "bool"),
    "many keys": ((2, 4, 9, 6), 2, 21, "float"),
    "one group": ((1, 4, 13, 6), 1, 13, "float"),
}
"""Shapes of queries, groups of heads, keys, and what the mask is of."""


@pytest.mark.parametrize("elements", [500, 57])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("name", ATTENDED)
def test_attention_in_parts_is_attention(name: str, causal: bool, elements: int) -> None:
    shape, groups, keys, masked = ATTENDED[name]
    arrays = [
        numbers(shape), numbers((shape[0], groups, keys, shape[3]), 2),
        numbers((shape[0], groups, keys, 5), 3), numbers((shape[2], keys), 4),
    ]  # fmt: skip

    def attended(q: Value, k: Value, v: Value, mask: Value) -> list[Value]:
        given = {"": None, "bool": mask > 0.3, "float": mask}[masked]
        found = nn.scaled_dot_product_attention(q, k, v, given, is_causal=causal)
        return [found, *gradient(xp.sum(found * xp.sin(found)), [q, k, v])]

    def stays(graph: Graph, index: int) -> bool:
        return graph.nodes[index].op in ATTENTION_OPS

    graph = expand(traced(attended, *arrays), stays)
    large = {
        node for node, found in enumerate(graph.types)
        if found.size > elements and (graph.nodes[node].op == "input" or stays(graph, node))
    }  # fmt: skip
    parts = split(graph, elements, large, {})
    for node, found in zip(parts.graph.nodes, parts.graph.types, strict=True):
        assert found.size <= elements or node.op not in ATTENTION_OPS
    for result, expected in zip(_computed(parts, arrays), compute(graph, arrays), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-9)


@given(SHAPES, st.integers(1, 60))
def test_parts_cover_an_array_once_and_are_small_enough(shape: tuple[int, ...], elements: int) -> None:
    counted = np.zeros(shape, np.int64)
    ends = 0
    for box in boxes(refined(uncut(shape), elements)):
        counted[tuple(itertools.starmap(slice, box))] += 1
        assert np.prod(lengths(box), dtype=int) <= elements
        start, stop = flat_range(box, shape)
        assert start == ends  # one after the other in memory
        ends = stop
    assert (counted == 1).all()


@given(SHAPES, st.data())
def test_a_range_of_numbers_is_boxes_in_order(shape: tuple[int, ...], data: st.DataObject) -> None:
    counted = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    start = data.draw(st.integers(0, counted.size))
    stop = data.draw(st.integers(start, counted.size))
    taken = [counted[tuple(itertools.starmap(slice, box))].ravel() for box in flat_boxes(shape, start, stop)]
    assert np.concatenate([*taken, np.zeros(0, int)]).tolist() == list(range(start, stop))


def test_axes_that_belong_together_are_matched() -> None:
    found = list(matched((4, 6, 5), (4, 3, 10)))
    assert found == [(range(0, 1), range(0, 1)), (range(1, 3), range(1, 3))]


def _plan(graph: Graph, elements: int, tier: str = "prod", **limits: int) -> ArrayPlan:
    given = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 4 * elements}
    return plan_graph(graph, given | limits, tier)


def test_what_fits_is_left_as_it_is() -> None:
    graph = mlp.step(16, 20, 12, 4)
    plan = _plan(graph, 320)
    assert plan.graph == plan.split.whole
    assert _plan(graph, 319).graph != plan.graph


def test_halves_take_half_of_the_room() -> None:
    graph = trace(lambda x: xp.exp(x) + x, x=ArrayType((10, 60), "f16"))
    limits = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 1200}
    whole, emulated = (plan_graph(graph, limits, features=given) for given in (["shader-f16"], []))
    assert [len(plan.split.outputs[0].boxes) for plan in (whole, emulated)] == [1, 2]
    assert max(whole.sizes) == max(emulated.sizes) == 1200


def test_what_is_not_stored_is_not_cut() -> None:
    graph = traced(lambda x: xp.sum(x[:, None] * x[None, :], 1), numbers((100,)))
    assert len(_plan(graph, 100).steps) == 1


def test_a_chain_over_parts_needs_no_more_kernels_than_parts() -> None:
    graph = traced(lambda x, w: xp.softmax(xp.tanh(x @ w) + 1.0), numbers((640, 20)), numbers((20, 30), 2))
    whole, parts = _plan(graph, 640 * 30), _plan(graph, 640 * 30 // 5)
    assert {len(parted.boxes) for parted in parts.split.outputs} == {5}
    assert len(parts.steps) == 5 * len(whole.steps)
    assert parts.bytes <= 1.1 * whole.bytes


def test_debug_cuts_alike_on_every_device() -> None:
    limits = {"maxStorageBufferBindingSize": 2**31 - 4, "maxBufferSize": 2**32}
    assert array_bytes(limits, "debug") == LEAST_BINDING_BYTES
    assert array_bytes(limits, "prod") == 2**31 - 4
    assert array_bytes(limits | {"maxBufferSize": 2**28}, "prod") == 2**28


def test_every_part_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = trace(lambda x: xp.sum(xp.exp(x)), x=ArrayType((256, 10), "f32"))
    path = tmp_path / "program.json"
    path.write_text(json.dumps(graph.to_json()))
    assert main(["explain", str(path), "--array-bytes", "5200"]) == 0
    said = capsys.readouterr().out
    assert "── Cut into arrays of at most 5,200 bytes ──" in said
    assert "%0 input: (256, 10) f32 in 2 parts of (128, 10)" in said
    assert main(["explain", str(path)]) == 0
    assert "Cut into" not in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["explain", str(path), "--array-bytes", "3"])
