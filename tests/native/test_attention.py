"""Attention without stored scores on a GPU, against the oracle: no whole blocks, masks, groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.graph import Value, compute, nn
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.kernels import attention
from support.array_cases import weighed
from support.arrays import Array, numbers, traced

Options = dict[str, Any]


def _operands(batch: int, heads: int, groups: int, s: int, t: int, d: int, e: int) -> list[Array]:
    shapes = [(batch, heads, s, d), (batch, groups, t, d), (batch, groups, t, e)]
    return [numbers(shape, seed) for seed, shape in enumerate(shapes, 1)]


def _window(q: Value, k: Value, v: Value) -> Value:
    """A mask that is computed where it is looked at, with rows that see nothing."""
    row, column = (xp.iota(q, (q.shape[2], k.shape[2]), axis) for axis in (0, 1))
    return nn.scaled_dot_product_attention(q, k, v, (row - column < 5) & (column - row < 9) & (row % 7 != 3))


def _packed(x: Value) -> Value:
    """Query, key and value as parts of one array, as models have them."""
    parts = (x[..., n * 32 : (n + 1) * 32] for n in range(3))
    q, k, v = (xp.permute_dims(xp.reshape(part, (2, 70, 4, 8)), (0, 2, 1, 3)) for part in parts)
    seen = nn.scaled_dot_product_attention(q, k, v, is_causal=True)
    return xp.tanh(xp.reshape(xp.permute_dims(seen, (0, 2, 1, 3)), (2, 70, 32)))


def _attention(**options: Any) -> Callable[..., Value]:
    return lambda q, k, v, *mask: nn.scaled_dot_product_attention(q, k, v, *mask, **options)


CASES: dict[str, tuple[Callable[..., Value], list[Array]]] = {
    "of whole blocks": (_attention(), _operands(1, 2, 2, 128, 128, 64, 64)),
    "of no whole block": (_attention(), _operands(2, 4, 2, 67, 131, 20, 36)),
    "of odd widths": (_attention(scale=0.2), _operands(1, 3, 1, 30, 70, 7, 5)),
    "of wide heads": (_attention(is_causal=True), _operands(1, 2, 1, 70, 70, 96, 128)),
    "causal": (_attention(is_causal=True), _operands(1, 4, 2, 150, 150, 16, 16)),
    "causal, with more keys": (_attention(is_causal=True), _operands(1, 1, 1, 20, 90, 8, 8)),
    "with a mask of numbers": (_attention(), [*_operands(1, 2, 1, 66, 70, 8, 8), numbers((2, 66, 70), 4)]),
    "with a mask that is computed": (_window, _operands(1, 2, 2, 80, 70, 12, 8)),
    "of parts of one array": (_packed, [numbers((2, 70, 96))]),
    "of many blocks": (_attention(), _operands(1, 128, 64, 130, 67, 8, 12)),
    "of one key": (_attention(), _operands(1, 1, 1, 5, 1, 4, 4)),
}


@pytest.mark.parametrize("kind", ["value", "gradient"])
@pytest.mark.parametrize("name", CASES)
async def test_attention_stores_no_scores(
    device: GpuDevice, monkeypatch: pytest.MonkeyPatch, name: str, kind: str
) -> None:
    monkeypatch.setitem(attention.STORED_BYTES, "software", 0)
    function, arrays = CASES[name]
    wanted: Callable[..., Any] = function
    if kind == "gradient":
        wanted = lambda *x: [function(*x), *gradient(weighed(function)(*x), x[:3])]  # noqa: E731
    graph = traced(wanted, *arrays)
    compiled = await device.compile(graph, "prod")
    kernels = [step.kernel.template for step in compiled.plan.steps]
    assert [kernel for kernel in kernels if kernel.startswith("attention")] == [
        "attention_tiles.wgsl",
        *(["attention_by_query.wgsl", "attention_by_key.wgsl"] if kind == "gradient" else []),
    ]
    assert not any(kernel.startswith("matmul") for kernel in kernels)
    found = await compiled.compute(arrays)
    again = await compiled.compute(arrays)
    compiled.close()
    exact = compute(graph, [array.astype(np.float64) for array in arrays], wide=True)
    for result, second, expected in zip(found, again, exact, strict=True):
        assert result.tobytes() == second.tobytes()
        np.testing.assert_allclose(result, expected, 2e-5, 2e-5 * max(1.0, np.abs(expected).max()))


async def test_more_rows_a_thread_change_no_bit(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(attention.STORED_BYTES, "software", 0)
    function, arrays = CASES["of many blocks"]
    graph = traced(function, *arrays)
    found, blocks = [], []
    for enough in (attention.ENOUGH, attention.ENOUGH + 1):
        monkeypatch.setattr(attention, "ENOUGH", enough)
        compiled = await device.compile(graph, "prod")
        blocks.append([step.kernel.workgroups for step in compiled.plan.steps])
        found += await compiled.compute(arrays)
        compiled.close()
    assert blocks[0] != blocks[1]
    assert found[0].tobytes() == found[1].tobytes()
