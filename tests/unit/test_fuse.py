"""Which nodes share a kernel, and the buffers that kernels share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from scellis.graph import OPS, Graph, Value
from scellis.graph import functions as xp
from scellis.graph.attention import ATTENTION_OPS
from scellis.graph.elementwise import ELEMENTWISE_OPS
from scellis.graph.expand import EXPANSIONS
from scellis.graph.fuse import CORES, ELEMENTS, SOURCES, VIEWS, WORK_LIMIT, Group, fuse
from scellis.graph.prune import prune
from scellis.kernels.expressions import EXPRESSED
from scellis.kernels.merge import merge
from scellis.kernels.plan import plan_graph
from support.arrays import Array, numbers, traced

LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 1 << 27}
X, Y = numbers((6, 8)), numbers((6, 8), 2)


def _cores(graph: Graph, groups: Sequence[Group]) -> list[str]:
    """The cores of each kernel, or 'map'."""
    return ["+".join(graph.nodes[core].op for core in group.cores) or "map" for group in groups]


def _kernels(function: Callable[..., Any], *arrays: Array) -> list[str]:
    graph = prune(traced(function, *arrays))
    return _cores(graph, fuse(graph, 8))


def test_every_operation_is_fused_in_one_way() -> None:
    kinds = [*CORES, *ELEMENTS, *VIEWS, *SOURCES, "take", "input", "convolution"]
    assert sorted(kinds) == sorted(op for op in OPS if not op.startswith("draw_"))
    assert set(EXPANSIONS) == {"convolution", "stop_gradient", *ATTENTION_OPS}
    assert set(ELEMENTWISE_OPS) == EXPRESSED


@pytest.mark.parametrize(
    ("function", "kernels"),
    [
        (lambda x: xp.exp(x * 2 + 1), ["map"]),
        (lambda x: xp.sum(xp.exp(x), 1), ["sum"]),
        (lambda x: xp.log(xp.sum(xp.exp(x), 1)) + 1, ["sum"]),
        (lambda x: xp.mean(x, 1, keepdims=True), ["sum"]),
        (lambda x: x @ xp.matrix_transpose(x), ["matmul"]),
        (lambda x: xp.relu(x @ xp.matrix_transpose(x) + 1), ["matmul"]),
        (lambda x: xp.exp(x) @ xp.matrix_transpose(x), ["map", "matmul"]),
        (lambda x: xp.softmax(x), ["max", "map", "sum", "map"]),
        (lambda x: xp.sum(x, 0) + xp.sum(x * x, 0), ["sum", "sum"]),
        (lambda x: xp.cumulative_sum(x, 1) * 2, ["cumulative_sum"]),
        (lambda x: [xp.exp(x), xp.exp(x) + 1], ["map", "map"]),
        (lambda x: xp.permute_dims(xp.reshape(x, (2, 3, 8)), (1, 0, 2))[0], ["map"]),
        (lambda x: x, []),
    ],
)
def test_kernels_of(function: Callable[..., Any], kernels: list[str]) -> None:
    assert _kernels(function, X) == kernels


def _norm(x: Value, scale: Value) -> Value:
    centred = x - xp.mean(x, 1, keepdims=True)
    return centred / xp.sqrt(xp.mean(centred * centred, 1, keepdims=True) + 1e-5) * scale


def _moments(g: Value, m: Value, v: Value) -> list[Value]:
    m = 0.9 * m + 0.1 * g
    v = 0.99 * v + 0.01 * g * g
    return [m / (xp.sqrt(v) + 1e-8), m, v]


def _apart(x: Value, y: Value) -> list[Value]:
    """Two maps of one size with a reduction of the first between them."""
    first = xp.exp(x)
    return [first, xp.flip(first, 0) * xp.sum(first, 0)]


@pytest.mark.parametrize(
    ("function", "kernels"),
    [
        (xp.softmax, ["max+sum"]),
        (xp.log_softmax, ["max+sum"]),
        (lambda x: [xp.softmax(x), xp.logsumexp(x, 1), xp.argmax(x, 1)], ["max+sum+argmax"]),
        (lambda x: xp.softmax(xp.reshape(x, (2, 3, 8))), ["max+sum"]),
        (lambda x: xp.softmax(x, 0), ["max", "map", "sum", "map"]),
        (lambda x: xp.sum(xp.softmax(x), 0), ["max+sum", "sum"]),
        (lambda x: xp.softmax(x) - xp.flip(xp.softmax(x), 0), ["max+sum", "map"]),
    ],
)
def test_kernels_of_rows(function: Callable[..., Any], kernels: list[str]) -> None:
    graph = prune(traced(function, X))
    assert sorted(_cores(graph, merge(graph, fuse(graph, 8), 8))) == sorted(kernels)


@pytest.mark.parametrize(
    ("function", "arrays", "kernels"),
    [
        (_norm, [X, numbers((8,), 3)], ["sum+sum"]),
        (_moments, [X, Y, X + 3], ["map"]),
        (lambda x, y: [x + 1, y * 2], [X, Y], ["map"]),
        (_apart, [X, Y], ["map", "sum", "map"]),
    ],
)
def test_kernels_of_several_results(
    function: Callable[..., Any], arrays: list[Array], kernels: list[str]
) -> None:
    graph = prune(traced(function, *arrays))
    groups = merge(graph, fuse(graph, 8), 8)
    assert _cores(graph, groups) == kernels
    known = set(graph.inputs)
    for group in groups:
        assert known.issuperset(group.reads)
        known.update(group.roots)


def test_what_no_output_hangs_on_is_not_computed() -> None:
    def wasteful(x: Value, y: Value) -> Value:
        xp.exp(y)
        return x + 1

    graph = prune(traced(wasteful, X, Y))
    assert [node.op for node in graph.nodes].count("input") == 2
    assert _kernels(wasteful, X, Y) == ["map"]


def _many(*x: Value) -> Value:
    total = x[0]
    for value in x[1:]:
        total = total * 0.5 + value
    return total


def test_a_kernel_binds_no_more_than_it_may() -> None:
    graph = traced(_many, *[X] * 20)
    for bindings in (3, 8):
        groups = fuse(graph, bindings)
        assert max(len(group.reads) + 1 for group in groups) <= bindings
    assert len(fuse(graph, 8)) < len(fuse(graph, 3))


def _long(x: Value) -> Value:
    for step in range(3000):
        x = xp.sin(x) + step
    return x


def _order(graph: Graph, bindings: int) -> None:
    """Each group reads what is there when it is computed."""
    known = set(graph.inputs)
    for group in fuse(graph, bindings):
        assert known.issuperset(group.reads)
        known.update(group.roots)
    assert known.issuperset(graph.outputs)


def test_a_long_chain_is_cut_and_takes_two_buffers() -> None:
    graph = traced(_long, X)
    _order(graph, 8)
    plan = plan_graph(graph, LIMITS)
    assert len(plan.steps) == pytest.approx(6000 / WORK_LIMIT, abs=3)
    assert len(plan.sizes) == 3  # the input, and two by turns


def test_no_kernel_writes_what_it_reads() -> None:
    plan = plan_graph(
        traced(lambda x, y: [xp.softmax(x @ xp.matrix_transpose(y)), xp.sum(x * y)], X, Y), LIMITS
    )
    for step in plan.steps:
        *reads, written = step.buffers
        assert written not in reads
        assert written not in plan.inputs
