"""The product by matrix units, with the units played by threads: all that a card does but their own work.

No software adapter has the units. A thread computes the matrices of its whole subgroup, from the words that
the kernel brought to shared memory; all else is the kernel's own text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scellis.device import tape
from scellis.device.gpu import GpuDevice
from scellis.device.port import STORAGE_USAGE, Gpu
from scellis.graph import Value
from scellis.graph import functions as xp
from scellis.graph.functions import matrix_transpose as turned
from scellis.kernels.matrices import CONFIGURATION, FEATURES
from scellis.kernels.plan import plan_graph
from support.arrays import Array, halved, numbers, traced

LIMITS = {
    "maxStorageBuffersPerShaderStage": 8,
    "maxStorageBufferBindingSize": 2**27,
    "maxComputeWorkgroupStorageSize": 2**15,
}
UNIT = """
var<private> lane: u32; // only the first thread of a subgroup plays

alias Left = array<f32, 256>;
alias Right = array<f32, 256>;
alias Sums = array<f32, 256>;

fn element(words: vec4<u32>, number: u32) -> f32 {
  return unpack2x16float(words[number / 2u])[number % 2u];
}

fn multiplied(a: Left, b: Right, c: Sums) -> Sums {
  var left = a;
  var right = b;
  var sums = c;
  for (var at = lane * 256u; at < 256u; at += 1u) {
    for (var k = 0u; k < 16u; k += 1u) {
      sums[at] += left[at / 16u * 16u + k] * right[k * 16u + at % 16u];
    }
  }
  return sums;
}
"""
LOAD = """
fn load_TILE(offset: u32, pitch: u32, by_columns: bool) -> array<f32, 256> {
  var found: array<f32, 256>;
  for (var at = lane * 256u; at < 256u; at += 1u) {
    let line = select(at / 16u, at % 16u, by_columns);
    let along = select(at % 16u, at / 16u, by_columns);
    found[at] = element(TILE_tile[offset + line * pitch + along / 8u], along % 8u);
  }
  return found;
}
"""


def played(wgsl: str) -> str:
    """The kernel with threads in the place of its units."""
    wgsl = wgsl[wgsl.index("alias Half") :].replace("alias Half = f16;", "alias Half = f32;")
    wgsl = re.sub(r"alias (Left|Right|Sums) = .*\n", "", wgsl)
    wgsl = wgsl.replace("fn left(", UNIT + LOAD.replace("TILE", "a") + LOAD.replace("TILE", "b") + "fn left(")
    wgsl = re.sub(
        r"subgroupMatrixLoad<\w+, (row|col)_major>\(&(\w)_tile, (.*), (\w_PITCH)\)",
        lambda m: f"load_{m[2]}({m[3]}, {m[4]}, {str(m[1] == 'col').lower()})",
        wgsl,
    )
    wgsl = wgsl.replace("subgroupMatrixMultiplyAccumulate", "multiplied")
    wgsl = wgsl.replace("let subgroup =", "lane = thread % 32u;\n  let subgroup =")
    return re.sub(
        r"subgroupMatrixStore<row_major>\(&passed, (.*), (\w+), 16u\);",
        r"if (lane == 0u) { for (var n = 0u; n < 256u; n += 1u) { passed[\1 + n] = \2[n]; } }",
        wgsl,
    )


C, D = numbers((136, 72)), numbers((72, 264), 2)
PRODUCTS: dict[str, tuple[Callable[..., Value], list[Array]]] = {
    "followed": (lambda a, b: xp.relu(a.astype("f32") @ b.astype("f32") * 0.5 + 1.0), [C, D]),
    "both turned": (
        lambda a, b: turned(a.astype("f32")) @ turned(b).astype("f32"),
        [C.T.copy(), D.T.copy()],
    ),
}


async def _run(gpu: Gpu, wgsl: str, grid: tuple[int, int, int], arrays: list[Array], size: int) -> Array:
    """The f32 numbers that a kernel computes from arrays of f16."""
    handles = [pipeline := await gpu.pipeline(wgsl, "main", {}, "matrices")]
    sizes = [*(array.nbytes for array in arrays), 4 * size]
    handles += (buffers := [await gpu.buffer(nbytes, STORAGE_USAGE, "array") for nbytes in sizes])
    for buffer, array in zip(buffers, arrays, strict=False):
        gpu.write(buffer, 0, array.tobytes())
    commands = [*tape.dispatch(pipeline, grid, buffers), *tape.collect(buffers[-1], 4 * size, 0)]
    handles.append(recorded := await gpu.tape(commands, 4 * size, 1, "matrices"))
    found = await gpu.replay(recorded, [])
    for handle in reversed(handles):
        gpu.free(handle)
    return np.frombuffer(found, np.float32)


@pytest.mark.parametrize("name", PRODUCTS)
async def test_a_product_by_matrix_units(device: GpuDevice, name: str) -> None:
    function, arrays = PRODUCTS[name]
    arrays = halved(arrays)
    graph = traced(lambda *x: [function(*x)], *arrays)
    plan = plan_graph(graph, LIMITS, adapter="gpu", features=(*FEATURES, *CONFIGURATION))
    (step,) = plan.steps
    assert step.kernel.template == "matmul_matrices.wgsl"
    wide = [array.astype(np.float64) for array in arrays]
    expected: Any = {
        "followed": lambda a, b: np.maximum(a @ b * 0.5 + 1.0, 0.0),
        "both turned": lambda a, b: a.T @ b.T,
    }[name](*wide)
    found = await _run(device.gpu, played(step.kernel.wgsl), step.kernel.workgroups, arrays, expected.size)
    np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=1e-5, atol=1e-5)
