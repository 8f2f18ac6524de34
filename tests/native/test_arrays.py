"""Graphs of arrays on a GPU against the oracle: every operation, every gradient, and fused chains."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.device.oracle import OracleDevice
from scellis.errors import ScellisError
from scellis.graph import ArrayType, Value, compute, nn, scatter, sorting, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.functions import matrix_transpose as turned
from scellis.graph.random import Generator
from scellis.graph.vmap import vmap
from scellis.kernels import matmul
from scellis.kernels.plan import plan_graph
from support import mlp
from support.api_cases import API
from support.array_cases import COMPOSED, DIFFERENTIABLE, FUNCTIONS, square_root, weighed
from support.arrays import Array, exact, integers, numbers, traced
from support.nn_cases import NN, OURS

F32_BOUND = {"rtol": 2e-5, "atol": 2e-6}
"""Some hundred roundings of f32, and what they leave where sums cancel."""
LONG_BOUND = {"rtol": 2e-5, "atol": 2e-4}
"""The same of a thousand terms."""
F16_BOUND = {"rtol": 2e-3, "atol": 2e-3}

VARIED = DIFFERENTIABLE | COMPOSED | NN | OURS
CASES: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    **{name: (function, arrays) for name, function, _, arrays in FUNCTIONS + API},
    **{f"value of {name}": case for name, case in VARIED.items()},
    **{
        f"gradient of {name}": (lambda *x, f=function: gradient(weighed(f)(*x), x), arrays)
        for name, (function, arrays) in VARIED.items()
    },
}
LARGE: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    "a sum over many rows": (lambda x: xp.sum(x, 0), [numbers((1000, 130))]),
    "a sum of many elements": (lambda x: [xp.sum(x), xp.max(x), xp.argmax(x, 0)], [numbers((70_001,))]),
    "fours of a map": (
        lambda x, y, b: [xp.exp(x) + y, xp.where(xp.flip(x, 1) > 0, x, y) * b, x > y],
        [numbers((64, 128)), numbers((64, 128), 2), numbers((128,), 3)],
    ),
    "fours of rows": (
        lambda x, y, n: [xp.softmax(x + y), xp.argmax(x, 1), xp.sum(xp.where(n > 5, x, 0.0), 1)],
        [numbers((7, 256)), numbers((7, 1), 2), integers((7, 256), 10)],
    ),
    "rows longer than a workgroup": (xp.softmax, [numbers((5, 1000))]),
    "more workgroups than one dimension holds": (lambda x: x + 1.0, [numbers((65_536 * 64 + 3,))]),
    "a product of no whole tiles": (
        lambda a, b: xp.tanh(a @ b + 1.0), [numbers((67, 129)), numbers((129, 35), 2)],
    ),
    "a product of transposes": (
        lambda a, b: xp.matrix_transpose(a) @ xp.matrix_transpose(b),
        [numbers((40, 33)), numbers((50, 40), 2)],
    ),
    **{
        f"a product of fours, {name}": (function, [numbers(a), numbers(b, 2)])
        for name, function, a, b in (
            ("plain", xp.matmul, (2, 68, 36), (2, 36, 132)),
            ("left turned", lambda a, b: turned(a) @ b, (2, 36, 68), (2, 36, 132)),
            ("right turned", lambda a, b: a @ turned(b), (2, 68, 36), (2, 132, 36)),
            ("both turned", lambda a, b: turned(a) @ turned(b), (36, 68), (132, 36)),
            ("few", lambda a, b: a @ b + b[0], (12, 40), (40, 20)),
            ("by itself", lambda a, b: [a @ turned(a), a @ b], (64, 36), (36, 8)),
            ("turned by itself", lambda a, b: [turned(a) @ a, a @ b], (64, 36), (36, 8)),
            ("few, turned by itself", lambda a, b: [turned(a) @ a, a @ b], (2, 12), (12, 8)),
            ("terms in no fours", xp.matmul, (68, 37), (37, 64)),
            ("rows in no fours", lambda a, b: turned(a) @ b, (36, 67), (36, 132)),
        )
    },
    "a row and a column": (lambda x, y: x * y + x, [numbers((300, 1)), numbers((1, 200), 2)]),
    "an embedding": (lambda x, n: xp.take(x, n), [numbers((50, 8)), integers((7, 3), 50)]),
    **{
        f"updates added up, {width} next to each other": (
            lambda x, n: x.builder.apply("scatter_add", x, n, axis=0, length=50) + 1.0,
            [numbers((70, width)), integers((70,), 50)],
        )
        for width in (24, 12, 7)
    },
}  # fmt: skip


@pytest.mark.parametrize("name", [*CASES, *LARGE])
async def test_what_the_oracle_gives(device: GpuDevice, name: str) -> None:
    function, arrays = (CASES | LARGE)[name]
    graph = traced(function, *arrays)
    compiled = await device.compile(graph, "prod")
    found = await compiled.compute(arrays)
    again = await compiled.compute(arrays)
    compiled.close()
    bound = F16_BOUND if "astype" in name else LONG_BOUND if name in LARGE else F32_BOUND
    for result, second, expected in zip(found, again, exact(graph, arrays), strict=True):
        assert result.shape == expected.shape
        assert result.tobytes() == second.tobytes()
        wide = expected.astype(np.float64)
        finite = np.abs(wide[np.isfinite(wide)])
        # A sum that cancels keeps the roundings of its largest terms, as large as the results are.
        atol = bound["atol"] + 5e-7 * finite.max(initial=0.0)
        np.testing.assert_allclose(result.astype(np.float64), wide, bound["rtol"], atol)


async def test_the_fast_tier_has_the_same_functions(device: GpuDevice) -> None:
    graph = traced(
        lambda x: [xp.log1p(x), xp.log2(x), xp.log10(x), xp.exp2(x), xp.erf(x) + xp.lgamma(x) + x**x],
        numbers((50,), low=0.5),
    )
    arrays = [numbers((50,), low=0.5)]
    compiled = await device.compile(graph, "fast")
    for result, expected in zip(await compiled.compute(arrays), exact(graph, arrays), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-2, atol=1e-2)
    compiled.close()


@pytest.mark.parametrize("dtype", ["f32", "f16", "i32"])
async def test_additions_by_many_indices_are_those_by_few_to_the_bit(
    device: GpuDevice, monkeypatch: pytest.MonkeyPatch, dtype: str
) -> None:
    arrays = [numbers((3, 1500, 2)), integers((1500,), 90) - 5]  # out of range too; some rows have no index

    def added(x: Value, n: Value) -> Value:
        given = (x * 1e4).astype(dtype)
        return x.builder.apply("scatter_add", given, n, axis=1, length=100) + 1

    graph = traced(added, *arrays)
    found = {}
    for name, many in (("sorted", range(2**62)), ("looked through", range(0))):
        monkeypatch.setattr(scatter, "MANY", many)
        compiled = await device.compile(graph, "debug")
        kernels = [step.kernel.template for step in compiled.plan.steps]
        assert ("scatter_add_in_order.wgsl" in kernels) == (name == "sorted")
        (result,) = await compiled.compute(arrays)
        found[name] = result.tobytes()
        compiled.close()
    assert found["sorted"] == found["looked through"]


async def test_a_long_row_is_sorted(device: GpuDevice) -> None:
    x = np.round(numbers((2, 70_000)) * 5000).astype(np.float32)  # with equals, and more than three steps
    x[:, ::1000] = np.nan
    compiled = await device.compile(
        traced(lambda x: [sorting.argsort(x), sorting.sort(x, axis=1)], x), "prod"
    )
    order, values = await compiled.compute([x])
    compiled.close()
    np.testing.assert_array_equal(order, np.argsort(x, 1, stable=True))
    np.testing.assert_array_equal(values, np.sort(x, 1))


TILED: dict[str, tuple[Callable[..., Value], list[Array], int]] = {
    "plain": (xp.matmul, [numbers((140, 37)), numbers((37, 131), 2)], 0),
    "of no terms": (lambda a, b: a @ b + 1.0, [numbers((4, 0)), numbers((0, 8))], 0),
    "turned": (lambda a, b: turned(a) @ turned(b), [numbers((37, 141)), numbers((131, 37), 2)], 0),
    "batched": (xp.matmul, [numbers((2, 140, 37)), numbers((2, 37, 131), 2)], 0),
    "followed": (lambda a, b: xp.relu(a @ b + 1.0), [numbers((140, 37)), numbers((37, 131), 2)], 0),
    "fours": (xp.matmul, [numbers((131, 36)), numbers((36, 140), 2)], 2),
    "left in fours": (xp.matmul, [numbers((131, 36)), numbers((36, 141), 2)], 1),
    "turned fours": (lambda a, b: turned(a) @ turned(b), [numbers((37, 132)), numbers((131, 36 + 1), 2)], 1),
    "both turned": (lambda a, b: turned(a) @ turned(b), [numbers((44, 132)), numbers((131, 44), 2)], 2),
    "one for all": (xp.matmul, [numbers((3, 35, 36)), numbers((36, 68), 2)], 2),
    "heads": (
        lambda a, b: xp.permute_dims(a, (1, 0, 2)) @ xp.permute_dims(b, (1, 2, 0)),
        [numbers((33, 3, 8)), numbers((70, 3, 8), 2)],
        2,
    ),
    "itself": (lambda a: a @ turned(a), [numbers((140, 36))], 1),
    "read besides": (lambda a, b: a @ b + a, [numbers((72, 72)), numbers((72, 72), 2)], 1),
    "flipped": (lambda a, b: xp.flip(a) @ b, [numbers((70, 36)), numbers((36, 72), 2)], 1),
}
"""A product, its factors, and how many of them are read in fours."""


@pytest.mark.parametrize("tile", matmul.TILES, ids=str)
@pytest.mark.parametrize("name", TILED)
async def test_the_product_in_tiles(
    device: GpuDevice, monkeypatch: pytest.MonkeyPatch, name: str, tile: matmul.Tile
) -> None:
    monkeypatch.setattr(matmul, "TILES", (tile,))
    device.fingerprint["class"] = "gpu"
    function, arrays, fours = TILED[name]
    graph = traced(function, *arrays)
    compiled = await device.compile(graph, "prod")
    assert [step.kernel.template for step in compiled.plan.steps] == ["matmul_tiles.wgsl"]
    assert compiled.plan.steps[0].kernel.wgsl.count("array<vec4<f32>>") == fours
    (found,) = await compiled.compute(arrays)
    compiled.close()
    np.testing.assert_allclose(found, exact(graph, arrays)[0], **LONG_BOUND)


LONG: dict[str, tuple[Callable[..., Value], list[Array], int]] = {
    "plain": (xp.matmul, [numbers((40, 2048)), numbers((2048, 24), 2)], 8),
    "turned": (lambda a, b: turned(a) @ b, [numbers((1024, 40)), numbers((1024, 24), 2)], 4),
    "batched": (
        lambda a, b: xp.relu(a @ turned(b) + 1.0),
        [numbers((3, 9, 512)), numbers((3, 7, 512), 2)],
        2,
    ),
    "odd": (xp.matmul, [numbers((40, 2047)), numbers((2047, 24), 2)], 1),
    "short": (xp.matmul, [numbers((40, 256)), numbers((256, 24), 2)], 1),
}
"""A product, its factors, and how many parts its terms are added in."""


@pytest.mark.parametrize("name", LONG)
async def test_many_terms_are_added_in_parts(device: GpuDevice, name: str) -> None:
    device.fingerprint["class"] = "gpu"
    function, arrays, parts = LONG[name]
    graph = traced(function, *arrays)
    compiled = await device.compile(graph, "prod")
    products = [node for node in compiled.plan.graph.nodes if node.op == "matmul"]
    shape = compiled.plan.graph.types[compiled.plan.graph.nodes.index(products[0])].shape
    assert len(shape) == len(arrays[0].shape) + (parts > 1)
    assert parts == 1 or shape[-3] == parts
    if parts > 1:
        kernel = compiled.plan.steps[0].kernel
        assert kernel.template == "matmul_tiles.wgsl"
        assert kernel.wgsl.count("array<vec4<f32>>") == 2
    (found,) = await compiled.compute(arrays)
    compiled.close()
    (expected,) = exact(graph, arrays)
    np.testing.assert_allclose(found, expected, **LONG_BOUND)


async def _trained(device: Any, steps: int) -> tuple[list[float], Array]:
    """The losses of some steps of training, and the first weights after them."""
    size = (16, 20, 12, 4)
    x, y, *state = mlp.start(*size)
    compiled = await device.compile(mlp.step(*size), "prod", mlp.CARRY)
    losses = []
    given: list[Array | None] = list(state)
    for t in range(1, steps + 1):
        loss, *rest = await compiled.compute([x, y, *mlp.corrections(t), *given])
        assert rest == [None] * 12
        losses.append(float(loss))
        given = [None] * 12
    weights = await compiled.read(4)
    compiled.close()
    return losses, weights


async def test_training_carries_its_state_on_the_device(device: GpuDevice) -> None:
    found, weights = await _trained(device, 30)
    expected, exact = await _trained(OracleDevice(), 30)
    assert expected[-1] < 0.5 * expected[0]
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    np.testing.assert_allclose(weights, exact, rtol=1e-3, atol=1e-5)
    again, same = await _trained(device, 30)
    assert again == found
    assert same.tobytes() == weights.tobytes()


async def test_a_training_step_writes_its_state_in_place_and_makes_nothing(device: GpuDevice) -> None:
    size = (16, 20, 12, 4)
    x, y, *state = mlp.start(*size)
    compiled = await device.compile(mlp.step(*size), "prod", mlp.CARRY)
    assert compiled.plan.copies == ()
    assert len(compiled.plan.steps) <= (
        12 if device.gpu.info()["limits"]["maxStorageBuffersPerShaderStage"] >= 10 else 15
    )
    await compiled.compute([x, y, *mlp.corrections(1), *state])
    before = device.gpu.stats()
    await compiled.compute([x, y, *mlp.corrections(2), *[None] * 12])
    after = device.gpu.stats()
    assert after["submits"] - before["submits"] == 1
    assert after["handles"] == before["handles"]
    assert after["dispatches"] - before["dispatches"] == len(compiled.plan.steps)
    compiled.close()


def test_debug_takes_the_same_kernels_on_every_device() -> None:
    graph = mlp.step(32, 20, 16, 10)
    plans = [
        plan_graph(
            graph,
            {"maxStorageBuffersPerShaderStage": bindings, "maxStorageBufferBindingSize": 2**27},
            tier,
            mlp.CARRY,
            adapter,
        )
        for tier in ("debug", "prod")
        for bindings, adapter in ((8, "software"), (10, "gpu"))
    ]
    kernels = [[step.kernel.address for step in plan.steps] for plan in plans]
    assert kernels[0] == kernels[1]
    assert kernels[2] != kernels[3]


async def test_rows_are_written_over_themselves(device: GpuDevice) -> None:
    arrays = [numbers((6, 300)), numbers((40, 9), 2)]
    graph = traced(lambda x, y: [xp.softmax(x), xp.log_softmax(y), xp.sum(x)], *arrays)
    compiled = await device.compile(graph, "prod", {0: 0, 1: 1})
    assert compiled.plan.copies == ()  # the sum reads x before the softmax of it is written there
    await compiled.compute(arrays)
    expected = exact(graph, arrays)
    for place in (0, 1):
        np.testing.assert_allclose(await compiled.read(place), expected[place], **F32_BOUND)
    compiled.close()


async def test_results_that_turn_out_to_be_one_are_carried_each(device: GpuDevice) -> None:
    arrays = [numbers((5, 3)), numbers((5, 3), 2)]
    graph = traced(lambda x, y: [x * (xp.ones_like(x) / 2.0), x * 0.5, xp.sum(y)], *arrays)
    compiled = await device.compile(graph, "prod", {0: 0, 1: 1})
    await compiled.compute(arrays)
    for place in (0, 1):
        np.testing.assert_allclose(await compiled.read(place), arrays[0] * 0.5, rtol=1e-6)
    compiled.close()


async def test_random_arrays_are_the_same_bits(device: GpuDevice) -> None:
    def drawn(key: Value, index: Value) -> list[Value]:
        generator = Generator(key, index, "dropout")
        return [
            *generator.words((5, 70), 4),
            generator.uniform((1000,)),
            generator.bernoulli(0.3, (33, 9)),
            xp.sum(vmap(lambda n: Generator(key, n, "init").words((6,))[0])(xp.stack([index, index + 1])), 0),
        ]

    graph = trace(drawn, key=ArrayType((2,), "u32"), index=ArrayType((), "u32"))
    compiled = await device.compile(graph, "prod")
    for index in (0, 2**32 - 2):
        inputs = [np.array([7, 2**31 + 5], np.uint32), np.array(index, np.uint32)]
        for found, expected in zip(
            await compiled.compute(inputs), compute(graph, inputs, wide=False), strict=True
        ):
            np.testing.assert_array_equal(found, expected)
    compiled.close()


async def test_a_loop_of_fixed_trips(device: GpuDevice) -> None:
    root = partial(square_root, close=1e-5, trips=12)
    x = np.array([3.0, 2.0, 1e3, 0.01])
    compiled = await device.compile(
        traced(lambda x: [vmap(root)(x), *gradient(xp.sum(root(x)), [x])], x), "prod"
    )
    found, slope = await compiled.compute([x])
    compiled.close()
    np.testing.assert_allclose(found, np.sqrt(x), rtol=1e-4)
    np.testing.assert_allclose(slope, 0.5 / np.sqrt(x), rtol=1e-2)


def _turned(x: Value, y: Value) -> list[Value]:
    """An input that cannot be written over: its elements go elsewhere, or are read again later."""
    return [xp.flip(x, 0) + y, y * 2.0, xp.sum(x * y)]


async def test_what_is_carried_elsewhere_is_copied(device: GpuDevice) -> None:
    arrays = [numbers((5, 3)).astype(np.float32), numbers((5, 3), 2).astype(np.float32)]
    graph = traced(_turned, *arrays)
    compiled = await device.compile(graph, "prod", {0: 0, 1: 1})
    oracle = await OracleDevice().compile(graph, "prod", {0: 0, 1: 1})
    for inputs in (arrays, [None, None], [None, arrays[1]]):
        found, expected = await compiled.compute(inputs), await oracle.compute(inputs)
        assert found[0] is found[1] is None
        np.testing.assert_allclose(found[2], expected[2], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(await compiled.read(0), await oracle.read(0), rtol=1e-5, atol=1e-5)
    compiled.close()


async def test_a_product_is_not_written_over_its_factor(device: GpuDevice) -> None:
    arrays = [numbers((40, 40)), numbers((40, 40), 2)]
    graph = traced(lambda a, b: [a @ b], *arrays)
    compiled = await device.compile(graph, "prod", {0: 0})
    assert len(compiled.plan.copies) == 1
    await compiled.compute(arrays)
    np.testing.assert_allclose(await compiled.read(0), exact(graph, arrays)[0], **LONG_BOUND)
    compiled.close()


@pytest.mark.parametrize("carry", [{0: 5}, {9: 0}, {2: 0}, {0: 0, 1: 0}])
async def test_what_cannot_be_carried_is_refused(device: GpuDevice, carry: dict[int, int]) -> None:
    graph = traced(_turned, numbers((5, 3)), numbers((5, 3), 2))
    for where in (device, OracleDevice()):
        with pytest.raises(ScellisError, match="SCL-GRAPH-CARRY"):
            await where.compile(graph, "prod", carry)


async def test_a_chain_is_one_kernel(device: GpuDevice) -> None:
    def chain(x: Value, w: Value, b: Value) -> Value:
        return xp.tanh(x @ w + b) * 2.0 - 1.0

    arrays = [numbers((9, 8)), numbers((8, 7), 2), numbers((7,), 3)]
    compiled = await device.compile(traced(chain, *arrays), "prod")
    assert len(compiled.plan.steps) == 1
    compiled.close()


async def test_what_was_made_for_a_graph_is_given_back(device: GpuDevice) -> None:
    before = device.gpu.stats()["handles"]
    compiled = await device.compile(traced(xp.softmax, numbers((3, 4))), "prod")
    assert device.gpu.stats()["handles"] > before + len(device.pipelines)
    compiled.close()
    compiled.close()
    assert device.gpu.stats()["handles"] == before + len(device.pipelines)


async def test_inputs_of_another_shape_are_refused(device: GpuDevice) -> None:
    compiled = await device.compile(traced(xp.exp, numbers((3,))), "prod")
    with pytest.raises(ScellisError, match="SCL-GRAPH-INPUT"):
        await compiled.compute([numbers((4,))])
    with pytest.raises(ScellisError, match="SCL-GRAPH-INPUT"):
        await compiled.compute([])
    compiled.close()


ROWED: dict[str, Callable[..., Value]] = {
    "softmax": xp.softmax,
    "layer norm": nn.layer_norm,
    "range": lambda x: (x - xp.min(x, axis=-1, keepdims=True)) / xp.max(x, axis=-1, keepdims=True),
    "place": lambda x: x - xp.expand_dims(xp.argmax(x, axis=-1), -1).astype("f32") + xp.mean(x),
    "of integers": lambda x: xp.sum(i := (x * 9.0).astype("i32"), axis=-1, keepdims=True) - i,
    "of truths": lambda x: xp.where(xp.any(x > 1.5, axis=-1, keepdims=True), x, xp.sum(x, -1, keepdims=True)),
    "slope": lambda x: gradient(xp.sum(xp.softmax(x) * nn.layer_norm(x)), [x])[0],
    "halves": lambda x: nn.layer_norm(x.astype("f16")),
}


@pytest.mark.parametrize("length", [128, 516, 3072, 20480])
@pytest.mark.parametrize("name", ROWED)
async def test_rows_are_kept_in_registers(device: GpuDevice, name: str, length: int) -> None:
    device.fingerprint["class"] = "gpu"
    arrays = [numbers((3, length))]
    graph = traced(ROWED[name], *arrays)
    compiled = await device.compile(graph, "prod")
    texts = [step.kernel.wgsl for step in compiled.plan.steps if step.kernel.template == "rows.wgsl"]
    assert any("var kept" in text for text in texts) == (length in (128, 3072))
    (found,) = await compiled.compute(arrays)
    compiled.close()
    (expected,) = exact(graph, arrays)
    assert found is not None
    bound = F16_BOUND if name == "halves" else LONG_BOUND
    np.testing.assert_allclose(found.astype(np.float64), expected, **bound)
