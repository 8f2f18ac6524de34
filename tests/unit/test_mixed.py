"""Mixed precision: what is rounded to f16 and what is not, and steps that overflow."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scellis.cli.main import main
from scellis.errors import ScellisError
from scellis.graph import ArrayType, Graph, Value, compute, nn, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.loss_scale import LossScaler
from scellis.graph.mixed import PRODUCTS, apply_precision
from scellis.kernels.plan import plan_graph
from support import mixed
from support.arrays import Array, numbers, traced

LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 1 << 27}
SIZE = (64, 20, 32, 4)


def _mixed(function: Callable[..., Any], *arrays: Array) -> Graph:
    return apply_precision(traced(function, *arrays), "mixed_f16")


def _ops(graph: Graph, op: str, dtype: str) -> list[int]:
    return [i for i, node in enumerate(graph.nodes) if node.op == op and graph.types[i].dtype == dtype]


def test_products_read_f16_and_the_rest_is_f32() -> None:
    graph = apply_precision(mixed.step(*SIZE), "mixed_f16")
    assert graph.nodes != mixed.step(*SIZE).nodes
    for node, type_ in zip(graph.nodes, graph.types, strict=True):
        if node.op in PRODUCTS:
            assert type_.dtype == "f32"
        if type_.dtype == "f16":  # casts, and what only moves
            assert node.op in ("astype", "permute_dims", "reshape", "broadcast_to")
    assert [graph.types[node] for node in graph.inputs] == [
        mixed.step(*SIZE).types[node] for node in mixed.step(*SIZE).inputs
    ]
    # x, both weights, the hidden layer, and the cotangents of either product: each once.
    assert len(_ops(graph, "astype", "f16")) == 6
    assert apply_precision(mixed.step(*SIZE), "f32") == mixed.step(*SIZE)


def test_a_product_of_rounded_factors_keeps_its_digits() -> None:
    a, b = (numbers(shape).astype(np.float32) for shape in ((6, 50), (50, 4)))
    (found,) = compute(_mixed(xp.matmul, a, b), [a, b], wide=False)
    exact = a.astype(np.float16).astype(float) @ b.astype(np.float16).astype(float)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, exact, rtol=1e-5)


CASES: dict[str, tuple[Callable[..., Any], list[Array], int]] = {
    "a weight used twice": (lambda x, w: (x @ w) @ w, [numbers((3, 4)), numbers((4, 4), 2)], 3),
    "a result that is given back": (
        lambda x, w: [h := xp.exp(x), h @ w], [numbers((3, 4)), numbers((4, 4), 2)], 2,
    ),
    "convolution": (
        lambda x, w: nn.conv2d(x, w, padding=1), [numbers((2, 4, 5, 6)), numbers((8, 4, 3, 3), 2)], 2,
    ),
    "attention": (
        nn.scaled_dot_product_attention, [numbers((1, 2, 5, 4), seed) for seed in (1, 2, 3)], 3,
    ),
    "what is f16 already": (
        lambda x, w: x.astype("f16").astype("f32") @ w, [numbers((3, 4)), numbers((4, 4), 2)], 2,
    ),
    "parts of a factor": (
        lambda x, w: [(h := xp.tanh(x))[:2] @ w, xp.concat([h, h], 0) @ w],
        [numbers((3, 4)), numbers((4, 4), 2)], 2,
    ),
    "no product": (lambda x: nn.layer_norm(x), [numbers((3, 4))], 0),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_each_factor_is_rounded_once(name: str) -> None:
    function, arrays, rounded = CASES[name]
    graph = _mixed(function, *arrays)
    assert len(_ops(graph, "astype", "f16")) == rounded
    whole = traced(function, *arrays)
    arrays = [array.astype(np.float32) for array in arrays]
    for found, expected in zip(compute(graph, arrays, wide=False), compute(whole, arrays), strict=True):
        assert found.dtype == np.float32
        largest = np.abs(expected).max()
        np.testing.assert_allclose(found, expected, rtol=4e-3, atol=2e-3 * largest)
        assert rounded == 0 or name == "a result that is given back" or (found != expected).any()


def test_an_output_keeps_all_its_digits() -> None:
    x, w = numbers((3, 4)).astype(np.float32), numbers((4, 4), 2).astype(np.float32)
    graph = _mixed(lambda x, w: [h := xp.exp(x), h @ w], x, w)
    np.testing.assert_array_equal(compute(graph, [x, w], wide=False)[0], np.exp(x))


def test_what_products_read_takes_half_the_bytes() -> None:
    """A net of three layers with its gradients: what it holds besides parameters."""
    rows, width = 256, 64

    def layers(x: Value, a: Value, b: Value, c: Value) -> list[Value]:
        loss = xp.sum(xp.square(xp.relu(xp.relu(xp.relu(x @ a) @ b) @ c)))
        return [loss, *gradient(loss, [a, b, c])]

    graph = trace(
        layers, x=ArrayType((rows, width), "f32"), **dict.fromkeys("abc", ArrayType((width,) * 2, "f32"))
    )
    sizes = {}
    for precision in ("f32", "mixed_f16"):
        plan = plan_graph(apply_precision(graph, precision), LIMITS, adapter="gpu", features=["shader-f16"])
        stored = {root for step in plan.steps for root in step.kernel.roots}
        made = [root for root in stored if plan.graph.types[root].size == rows * width]
        sizes[precision] = [plan.size_bytes(root) // (rows * width) for root in sorted(made)]
    # Three layers and their cotangents. Only the last layer is not read by a product; x is rounded besides.
    assert sorted(sizes["f32"]) == [4] * 6
    assert sorted(sizes["mixed_f16"]) == [2] * 6 + [4]


def _run(graph: Graph, given: list[Array], steps: int) -> tuple[list[float], list[Array]]:
    x, y, *state = given
    losses = []
    for _ in range(steps):
        loss, *state = compute(graph, [x, y, *state], wide=False)
        losses.append(float(loss))
    return losses, state


def test_training_comes_near_to_that_in_f32() -> None:
    whole, _ = _run(mixed.step(*SIZE), mixed.start(*SIZE), 300)
    graph = apply_precision(mixed.step(*SIZE), "mixed_f16")
    found, other = _run(graph, mixed.start(*SIZE), 300)
    assert whole[-1] < 0.05 * whole[0]
    assert abs(found[-1] - whole[-1]) < 0.1 * whole[-1]
    assert found != whole
    assert other[-2] == 65536.0
    assert other[-1] == 300
    assert all(array.dtype == np.float32 for array in other[:-1])


def test_a_step_that_overflows_is_left_out_and_the_scale_goes_down() -> None:
    graph = apply_precision(mixed.step(*SIZE), "mixed_f16")
    x, y, *state = mixed.start(*SIZE, scale=2.0**24)
    scales = []
    for _ in range(12):
        before = state
        _, *state = compute(graph, [x, y, *state], wide=False)
        scales.append(float(state[-2]))
        left_out = scales[-1] < before[-2]
        assert left_out == all(np.array_equal(a, b) for a, b in zip(state[:-2], before[:-2], strict=True))
        assert (state[-1] == 0) == left_out
    assert scales[0] == 2.0**23
    assert scales[-1] == scales[-4] > 1.0
    assert all(np.isfinite(array).all() for array in state)


def test_the_scale_grows_after_steps_without_overflow() -> None:
    graph = apply_precision(mixed.step(*SIZE, interval=3), "mixed_f16")
    x, y, *state = mixed.start(*SIZE, scale=4.0)
    found = []
    for _ in range(7):
        _, *state = compute(graph, [x, y, *state], wide=False)
        found.append((float(state[-2]), int(state[-1])))
    assert found == [(4, 1), (4, 2), (8, 0), (8, 1), (8, 2), (16, 0), (16, 1)]


def test_a_scale_stays_finite() -> None:
    def update(scale: Value, steps: Value, finite: Value) -> tuple[Value, Value]:
        return LossScaler(scale, steps, interval=1).update(finite)

    graph = trace(
        update, scale=ArrayType((), "f32"), steps=ArrayType((), "i32"), finite=ArrayType((), "bool")
    )
    scale, _ = compute(
        graph, [np.float32(2.0**127).reshape(()), np.array(0, np.int32), np.array(True)], wide=False
    )
    assert scale == 2.0**127


def test_small_gradients_live_by_the_scale() -> None:
    """Cotangents below what f16 holds: gone without a scale, there with one."""

    def slope(x: Value, w: Value, scale: Value, steps: Value) -> Value:
        loss = xp.sum(xp.square(x @ w)) * 1e-9
        ((found,), _) = LossScaler(scale, steps).gradient(loss, [w])
        return found

    x, w = numbers((4, 3)).astype(np.float32), numbers((3, 2), 2).astype(np.float32)
    for scale, share in ((1.0, 0.0), (65536.0, 1.0)):
        given = [x, w, np.array(scale, np.float32), np.array(0, np.int32)]
        (found,) = compute(_mixed(slope, *given), given, wide=False)
        (exact,) = compute(traced(slope, *given), given)
        np.testing.assert_allclose(found, share * exact, rtol=1e-2)


def test_another_precision_is_refused() -> None:
    with pytest.raises(ScellisError, match="SCL-GRAPH-PRECISION"):
        apply_precision(mixed.step(*SIZE), "bf16")


def test_explain_shows_it_as_a_rung(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "step.json"
    path.write_text(json.dumps(mixed.step(*SIZE).to_json()))
    for more in ([], ["--feature", "shader-f16"]):
        assert main(["explain", str(path), "--precision", "mixed_f16", *more]) == 0
        said = capsys.readouterr().out
        assert "── In the precision mixed_f16 ──" in said
        assert ("f16 emulated: this adapter has no shader-f16" in said) == (not more)
    assert main(["explain", str(path)]) == 0
    assert " f16" not in capsys.readouterr().out
