"""Entries of the catalog on a GPU against the oracle: what they compute, and their derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from scellis.catalog.library import built_in
from scellis.device.gpu import GpuDevice
from scellis.graph import Value, compute
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from support.arrays import numbers, traced
from support.catalog import (
    Computation,
    Descent,
    applying,
    augmenting,
    begun,
    called,
    initializing,
    model_of,
)
from support.catalog_cases import LAYERS, LOSSES, METRICS
from support.training_cases import MATRIX, OPTIMIZERS, VECTOR

BOUND = {"rtol": 2e-5, "atol": 5e-6}
"""Some hundred roundings of f32."""


async def _check(device: GpuDevice, *computations: Computation) -> None:
    for graph, arrays in computations:
        narrow = [array.astype(np.float32) if array.dtype == np.float64 else array for array in arrays]
        compiled = await device.compile(graph, "prod")
        found = await compiled.compute(narrow)
        compiled.close()
        for ours, exact in zip(found, compute(graph, narrow), strict=True):
            np.testing.assert_allclose(ours, exact, **BOUND)


STEPPED = {**OPTIMIZERS, "lion": ("training/optimizer/lion", {}), "lamb": ("training/optimizer/lamb", {})}


@pytest.mark.parametrize("name", STEPPED)
async def test_an_optimizer(device: GpuDevice, name: str) -> None:
    def loss(matrix: Value, vector: Value) -> Value:
        return xp.sum(xp.square(matrix - 0.3)) + xp.sum(xp.square(vector + 0.2))

    descent = Descent(loss, [MATRIX, VECTOR], *STEPPED[name])
    descent.step()
    descent.steps += 1
    await _check(device, (descent.graph, descent.given()))


@pytest.mark.parametrize("name", LAYERS)
async def test_a_layer(device: GpuDevice, name: str) -> None:
    x, fields, _ = LAYERS[name]
    model = model_of(f"model/layer/{name}", fields)
    parameters, states = begun(model, x)
    await _check(device, applying(model, x, parameters, states, training=True, slopes=True))


@pytest.mark.parametrize("id_", LOSSES)
async def test_a_loss(device: GpuDevice, id_: str) -> None:
    def found(p: Value, t: Value) -> list[Value]:
        losses = called("loss", id_, "loss", p, t)
        return [losses, *gradient(xp.mean(losses), [p])]

    await _check(device, *((traced(found, *arrays), list(arrays)) for arrays in LOSSES[id_]))


@pytest.mark.parametrize("id_", METRICS)
async def test_a_metric(device: GpuDevice, id_: str) -> None:
    arrays = METRICS[id_]
    graph = traced(lambda p, t: called("metric", id_, "measure", p, t), *arrays)
    await _check(device, (graph, list(arrays)))


@pytest.mark.parametrize("entry", [entry.id for entry in built_in().of_kind("initializer")])
async def test_an_initializer(device: GpuDevice, entry: str) -> None:
    fields = {"value": 0.5} if entry.endswith("/constant") else {}
    await _check(device, initializing(entry, (6, 4, 3), (12, 18), fields))


@pytest.mark.parametrize("entry", [entry.id for entry in built_in().of_kind("augmentation")])
async def test_an_augmentation(device: GpuDevice, entry: str) -> None:
    await _check(device, augmenting(entry, numbers((6, 2, 5, 7))))
