"""Entries of the catalog against PyTorch's values, which tests/fixtures/training.py wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scellis.graph import Value
from scellis.graph import functions as xp
from scellis.graph.creation import asarray
from support.arrays import Array
from support.catalog import Descent, applied, begun, called, initialized, loss_of, model_of
from support.training_cases import (
    FANS,
    FOUND,
    INITIALIZERS,
    LAYERS,
    LOSSES,
    MATRIX,
    OPTIMIZERS,
    RATE,
    SCHEDULERS,
    SHAPE,
    STEPS,
    TOTAL,
    VECTOR,
    X,
    Y,
    parameters_of,
)

PYTORCH: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "fixtures/training.json").read_text()
)


def test_every_case_of_pytorch_is_ours() -> None:
    for part, cases in {
        "optimizers": OPTIMIZERS, "schedulers": SCHEDULERS, "losses": LOSSES,
        "initializers": INITIALIZERS, "layers": LAYERS,
    }.items():  # fmt: skip
        assert set(PYTORCH[part]) == set(cases)


def regression(matrix: Value, vector: Value) -> Value:
    """The problem that the fixture's optimizers are given."""
    return xp.mean(xp.square(asarray(X.tolist()) @ matrix + vector - asarray(Y.tolist())))


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_optimizer_goes_where_pytorch_s_goes(name: str) -> None:
    """In f32 there against f64: over 100 steps, with the bias corrections of the first among them."""
    descent = Descent(regression, [MATRIX, VECTOR], *OPTIMIZERS[name])
    found: list[Array] = []
    for step in range(1, max(STEPS) + 1):
        descent.step()
        if step in STEPS:
            found.append(np.concatenate([array.ravel() for array in descent.parameters]))
    for step, ours, theirs in zip(STEPS, found, PYTORCH["optimizers"][name], strict=True):
        assert np.allclose(ours, theirs, rtol=1e-5, atol=1e-6), (step, np.abs(ours - theirs).max())


@pytest.mark.parametrize("name", SCHEDULERS)
def test_rates_are_pytorch_s(name: str) -> None:
    id_, fields = SCHEDULERS[name]
    plateau = id_.endswith("plateau")
    state = called("scheduler", id_, "start", fields=fields) if plateau else None
    rates = []
    for step in range(TOTAL):
        rates.append(called("scheduler", id_, "rate", step, TOTAL, RATE, state, fields=fields))
        if plateau:
            state = called("scheduler", id_, "watch", FOUND[step], state, fields=fields)
    assert np.allclose(rates, PYTORCH["schedulers"][name], rtol=1e-6)


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_pytorch_s(name: str) -> None:
    id_, fields, prediction, target = LOSSES[name]
    found = loss_of(id_, prediction, target, fields)
    assert np.allclose(found.ravel(), PYTORCH["losses"][name], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", INITIALIZERS)
def test_values_spread_as_pytorch_s(name: str) -> None:
    id_, fields = INITIALIZERS[name]
    found = initialized(id_, SHAPE, FANS, fields)
    spread, greatest = PYTORCH["initializers"][name]
    assert np.std(found) == pytest.approx(spread, rel=0.01)
    bounded = "uniform" in name or name == "truncated_normal"
    assert np.abs(found).max() == pytest.approx(greatest, rel=0.002 if bounded else 0.2)


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_pytorch_s(name: str) -> None:
    id_, fields, x, shapes = LAYERS[name]
    model = model_of(id_, fields)
    own, states = begun(model, x)
    parameters = {f"it/{path}": array for path, array in parameters_of(name).items()}
    assert {path: array.shape for path, array in own.items()} == {
        f"it/{path}": shape for path, shape in shapes.items()
    }
    found, after = applied(model, x, parameters, states, training=bool(states))
    row = np.concatenate([found.ravel(), *(array.ravel() for array in after.values())])
    assert np.allclose(row, PYTORCH["layers"][name], rtol=1e-6, atol=1e-7)
