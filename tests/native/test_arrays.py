"""Graphs of arrays on a GPU against the oracle: every operation, every gradient, and fused chains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.errors import ScellisError
from scellis.graph import Graph, Value, compute
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from support.array_cases import COMPOSED, DIFFERENTIABLE, FUNCTIONS, weighed
from support.arrays import Array, integers, numbers, traced

F32_BOUND = {"rtol": 2e-5, "atol": 2e-6}
"""Some hundred roundings of f32, and what they leave where sums cancel."""
LONG_BOUND = {"rtol": 2e-5, "atol": 2e-4}
"""The same of a thousand terms."""
F16_BOUND = {"rtol": 2e-3, "atol": 2e-3}

CASES: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    **{name: (function, arrays) for name, function, _, arrays in FUNCTIONS},
    **{f"value of {name}": case for name, case in (DIFFERENTIABLE | COMPOSED).items()},
    **{
        f"gradient of {name}": (lambda *x, f=function: gradient(weighed(f)(*x), x), arrays)
        for name, (function, arrays) in (DIFFERENTIABLE | COMPOSED).items()
    },
}
LARGE: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    "a sum over many rows": (lambda x: xp.sum(x, 0), [numbers((1000, 130))]),
    "a sum of many elements": (lambda x: [xp.sum(x), xp.max(x), xp.argmax(x, 0)], [numbers((70_001,))]),
    "rows longer than a workgroup": (xp.softmax, [numbers((5, 1000))]),
    "more workgroups than one dimension holds": (lambda x: x + 1.0, [numbers((65_536 * 64 + 3,))]),
    "a product of no whole tiles": (
        lambda a, b: xp.tanh(a @ b + 1.0), [numbers((67, 129)), numbers((129, 35), 2)],
    ),
    "a product of transposes": (
        lambda a, b: xp.matrix_transpose(a) @ xp.matrix_transpose(b),
        [numbers((40, 33)), numbers((50, 40), 2)],
    ),
    "a row and a column": (lambda x, y: x * y + x, [numbers((300, 1)), numbers((1, 200), 2)]),
    "an embedding": (lambda x, n: xp.take(x, n), [numbers((50, 8)), integers((7, 3), 50)]),
}  # fmt: skip


def _exact(graph: Graph, arrays: list[Array]) -> list[Array]:
    """The outputs in f64 of what f32 holds of the inputs."""
    return compute(
        graph, [array.astype(np.float32) if array.dtype == np.float64 else array for array in arrays]
    )


@pytest.mark.parametrize("name", [*CASES, *LARGE])
async def test_what_the_oracle_gives(device: GpuDevice, name: str) -> None:
    function, arrays = (CASES | LARGE)[name]
    graph = traced(function, *arrays)
    compiled = await device.compile(graph, "prod")
    found = await compiled.compute(arrays)
    again = await compiled.compute(arrays)
    compiled.close()
    bound = F16_BOUND if "astype" in name else LONG_BOUND if name in LARGE else F32_BOUND
    for result, second, expected in zip(found, again, _exact(graph, arrays), strict=True):
        assert result.shape == expected.shape
        assert result.tobytes() == second.tobytes()
        np.testing.assert_allclose(result.astype(np.float64), expected.astype(np.float64), **bound)


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
    assert device.gpu.stats()["handles"] > before
    compiled.close()
    compiled.close()
    assert device.gpu.stats()["handles"] == before


async def test_an_array_beyond_what_the_device_binds_is_named(device: GpuDevice) -> None:
    device._info["limits"] = {**device._info["limits"], "maxStorageBufferBindingSize": 4096}
    with pytest.raises(ScellisError, match=r"SCL-KERNEL-BUFFER") as caught:
        await device.compile(traced(lambda x: xp.exp(x) @ x, numbers((64, 64))), "prod")
    assert "(64, 64) f32" in caught.value.message


async def test_inputs_of_another_shape_are_refused(device: GpuDevice) -> None:
    compiled = await device.compile(traced(xp.exp, numbers((3,))), "prod")
    with pytest.raises(ScellisError, match="SCL-GRAPH-INPUT"):
        await compiled.compute([numbers((4,))])
    with pytest.raises(ScellisError, match="SCL-GRAPH-INPUT"):
        await compiled.compute([])
    compiled.close()
