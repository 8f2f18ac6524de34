"""Arrays beyond what a device binds: every case with a limit that cuts it, and one beyond the real limit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.device.oracle import OracleDevice
from scellis.errors import ScellisError
from scellis.graph import ArrayType, Value, compute, nn, split_rules, trace
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.random import Generator
from scellis.kernels import attention
from scellis.kernels.fit import ELEMENT_BYTES, LEAST_BINDING_BYTES
from support import mlp
from support.arrays import Array, exact, integers, numbers, traced
from support.split_cases import FEW, low_limit

F32_BOUND = {"rtol": 2e-5, "atol": 2e-6}


def _bind_at_most(device: GpuDevice, elements: int) -> None:
    device.limits["maxStorageBufferBindingSize"] = elements * ELEMENT_BYTES


@pytest.mark.parametrize("name", FEW)
async def test_parts_give_what_the_whole_gives(device: GpuDevice, name: str) -> None:
    function, arrays = FEW[name]
    graph = traced(function, *arrays)
    elements = low_limit(graph, 3)
    _bind_at_most(device, elements)
    compiled = await device.compile(graph, "prod")
    assert max(compiled.plan.sizes) <= elements * ELEMENT_BYTES
    found = await compiled.compute(arrays)
    again = await compiled.compute(arrays)
    compiled.close()
    for result, second, expected in zip(found, again, exact(graph, arrays), strict=True):
        assert result.shape == expected.shape
        assert result.tobytes() == second.tobytes()
        wide = expected.astype(np.float64)
        bound = 2e-3 if "astype" in name else 2e-5
        atol = bound / 10 + 5e-7 * np.abs(wide[np.isfinite(wide)]).max(initial=0.0)
        np.testing.assert_allclose(result.astype(np.float64), wide, bound, atol)


@pytest.mark.parametrize("causal", [False, True])
async def test_attention_stores_no_scores_in_parts(
    device: GpuDevice, monkeypatch: pytest.MonkeyPatch, causal: bool
) -> None:
    monkeypatch.setitem(attention.STORED_BYTES, "software", 0)
    arrays = [numbers((1, 4, 70, 8)), numbers((1, 2, 90, 8), 2), numbers((1, 2, 90, 5), 3)]

    def attended(q: Value, k: Value, v: Value) -> list[Value]:
        found = nn.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return [found, *gradient(xp.sum(found * found), [q, k, v])]

    graph = traced(attended, *arrays)
    _bind_at_most(device, 700)
    compiled = await device.compile(graph, "prod")
    assert max(compiled.plan.sizes) <= 700 * ELEMENT_BYTES
    kernels = [step.kernel.template for step in compiled.plan.steps]
    assert kernels.count("attention_tiles.wgsl") > 4
    assert not any(kernel.startswith("matmul") for kernel in kernels)
    for result, expected in zip(await compiled.compute(arrays), exact(graph, arrays), strict=True):
        np.testing.assert_allclose(result, expected, 2e-5, 2e-5 * max(1.0, np.abs(expected).max()))
    compiled.close()


async def test_training_carries_parts_in_place(device: GpuDevice) -> None:
    size = (16, 20, 12, 4)
    x, y, *state = mlp.start(*size)
    weights: dict[str, Array] = {}
    for name, elements in (("whole", 2**20), ("parts", 50)):
        _bind_at_most(device, elements)
        compiled = await device.compile(mlp.step(*size), "prod", mlp.CARRY)
        assert compiled.plan.copies == ()
        assert (len(compiled.plan.split.inputs[4].boxes) > 1) == (name == "parts")
        given: Sequence[Array | None] = state
        for t in range(1, 11):
            await compiled.compute([x, y, *mlp.corrections(t), *given])
            given = [None] * 12
        weights[name] = await compiled.read(4)
        compiled.close()
    np.testing.assert_allclose(weights["parts"], weights["whole"], rtol=1e-3, atol=1e-5)


async def test_parts_that_change_places_are_carried(device: GpuDevice) -> None:
    arrays = [numbers((8, 5)).astype(np.float32), numbers((6, 4), 2).astype(np.float32)]
    graph = traced(lambda x, y: [xp.roll(x, 2, 0), xp.flip(y) + y, xp.sum(x * x, 1), x], *arrays)
    _bind_at_most(device, 10)
    compiled = await device.compile(graph, "prod", {0: 0, 1: 1})
    oracle = await OracleDevice().compile(graph, "prod", {0: 0, 1: 1})
    for inputs in (arrays, [None, None], [None, arrays[1]]):
        found, expected = await compiled.compute(inputs), await oracle.compute(inputs)
        assert found[0] is found[1] is None
        for place in (2, 3):
            np.testing.assert_allclose(found[place], expected[place], rtol=1e-5, atol=1e-5)
    for place in (0, 1):
        np.testing.assert_allclose(await compiled.read(place), await oracle.read(place), rtol=1e-5)
    compiled.close()


async def test_an_input_that_is_given_back_is_so_before_another_is_carried_over_it(
    device: GpuDevice,
) -> None:
    x = numbers((5, 3)).astype(np.float32)
    for elements in (2**20, 6):
        _bind_at_most(device, elements)
        compiled = await device.compile(traced(lambda x: [xp.flip(x, 0), x], x), "prod", {0: 0})
        assert ((await compiled.compute([x]))[1] == x).all()
        assert ((await compiled.compute([None]))[1] == x[::-1]).all()
        compiled.close()


async def test_random_words_of_parts_are_the_same_bits(device: GpuDevice) -> None:
    def drawn(key: Value, index: Value, x: Value) -> list[Value]:
        generator = Generator(key, index, "dropout")
        kept = generator.bernoulli(0.3, (33, 9))
        words = generator.words((5, 70), 4)
        return [*words, xp.where(kept, x, 0.0), xp.sum(x * kept.astype("f32"), 0) > 0]

    graph = trace(drawn, key=ArrayType((2,), "u32"), index=ArrayType((), "u32"), x=ArrayType((33, 9), "f32"))
    _bind_at_most(device, 40)
    compiled = await device.compile(graph, "prod")
    inputs = [np.array([7, 2**31 + 5], np.uint32), np.array(3, np.uint32), np.ones((33, 9), np.float32)]
    for found, expected in zip(
        await compiled.compute(inputs), compute(graph, inputs, wide=False), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
    compiled.close()


async def test_products_of_more_matrices_than_a_grid_has_workgroups(device: GpuDevice) -> None:
    arrays = [numbers((70_000, 2, 3)), numbers((70_000, 3, 2), 2)]
    graph = traced(lambda a, b: [xp.sum(a @ b, 0), a @ b], *arrays)
    compiled = await device.compile(graph, "prod")
    found = await compiled.compute(arrays)
    compiled.close()
    for result, expected in zip(found, exact(graph, arrays), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=2e-2)


async def test_more_results_than_one_answer_holds_are_read_apart(device: GpuDevice) -> None:
    arrays = [numbers((40,), n).astype(np.float32) for n in range(4)]
    graph = traced(lambda *x: [x[1] + 1.0, xp.flip(x[0]), *(v * 2.0 for v in x), x[0]], *arrays)
    device.limits["maxBufferSize"] = 100 * ELEMENT_BYTES
    compiled = await device.compile(graph, "prod", {1: 0})
    first = await compiled.compute(arrays)
    second = await compiled.compute([None] * 4)
    compiled.close()
    for found, x in ((first, arrays[0]), (second, arrays[0][::-1])):
        np.testing.assert_allclose(found[0], arrays[1] + 1.0)
        np.testing.assert_allclose(found[2], x * 2.0)
        np.testing.assert_allclose(found[5], arrays[3] * 2.0)
        np.testing.assert_array_equal(found[6], x)


async def test_arrays_beyond_the_least_limit_of_webgpu(device: GpuDevice) -> None:
    """Two arrays of 160 MiB, bound 128 MiB at a time."""
    shape = (40 * 1024, 1024)
    _bind_at_most(device, LEAST_BINDING_BYTES // ELEMENT_BYTES)
    graph = trace(
        lambda x, n: [x * 2.0 + xp.take(x, n)[0, 0], xp.sum(x, 1), xp.max(x)],
        x=ArrayType(shape, "f32"), n=ArrayType((1,), "i32"),
    )  # fmt: skip
    compiled = await device.compile(graph, "prod", {0: 0})
    assert [len(parted.boxes) for parted in compiled.plan.split.inputs] == [2, 1]
    assert compiled.plan.copies == ()
    x = np.arange(shape[0] * shape[1], dtype=np.float32).reshape(shape) % 977
    row = shape[0] - 1
    _, sums, largest = await compiled.compute([x, np.array([row], np.int32)])
    np.testing.assert_array_equal(sums, x.sum(1, dtype=np.float64))
    assert largest == 976
    np.testing.assert_array_equal(await compiled.read(0), x * 2 + x[row, 0])
    compiled.close()


async def test_what_cannot_be_cut_is_named(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {op: rule for op, rule in split_rules.RULES.items() if op != "matmul"}
    monkeypatch.setattr(split_rules, "RULES", rules)
    monkeypatch.setattr("scellis.graph.split.RULES", rules)
    _bind_at_most(device, 1024)
    with pytest.raises(ScellisError, match=r"SCL-KERNEL-BUFFER") as caught:
        await device.compile(traced(lambda x: xp.exp(x) @ x, numbers((64, 64))), "prod")
    assert "matmul of (64, 64) f32" in caught.value.message
    assert "16384 bytes" in caught.value.message


async def test_an_embedding_in_parts_is_looked_up_and_added_to(device: GpuDevice) -> None:
    arrays = [numbers((50, 8)), integers((7, 3), 60) - 5]
    _bind_at_most(device, 60)
    graph = traced(
        lambda w, n: [
            xp.take(w, n),
            w.builder.apply("scatter_add", w[:21], xp.reshape(n, (21,)), axis=0, length=50),
        ],
        *arrays,
    )
    compiled = await device.compile(graph, "prod")
    for found, expected in zip(await compiled.compute(arrays), exact(graph, arrays), strict=True):
        np.testing.assert_allclose(found, expected, **F32_BOUND)
    compiled.close()
