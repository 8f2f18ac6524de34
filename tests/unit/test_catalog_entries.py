"""The built-in entries: what must hold of every one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scellis.catalog.library import built_in
from scellis.graph import Value
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from support.arrays import computed, numbers
from support.catalog import (
    Descent,
    applied,
    augmented,
    begun,
    called,
    initialized,
    loss_of,
    measured,
    model_of,
)
from support.catalog_cases import LAYERS, LOSSES, METRICS

BUILT_IN = {entry.id: entry for entry in built_in()}
DOCS = Path(__file__).parents[2] / "docs/catalog.md"
TRIVIAL = {
    "data/augmentation/flip", "data/augmentation/noise", "model/layer/concat", "model/layer/flatten",
    "model/layer/linear", "model/layer/max_pool2d", "model/layer/avg_pool2d", "model/layer/mean_pool",
    "model/layer/reshape", "model/layer/sigmoid", "model/layer/softmax", "model/layer/tanh",
    "training/scheduler/constant",
    *(f"model/initializer/{name}" for name in ("zeros", "ones", "constant", "uniform", "normal")),
    "model/initializer/truncated_normal",
    *(f"training/metric/{name}" for name in ("accuracy", "binary_accuracy", "top_k_accuracy", "mae", "rmse")),
    "training/loss/mae",
}  # fmt: skip
"""Entries of which nobody is the author."""


def ids(kind: str) -> list[str]:
    return [entry.id for entry in built_in().of_kind(kind)]


@pytest.mark.parametrize("id_", BUILT_IN)
def test_an_entry_says_what_it_is_and_where_it_is_from(id_: str) -> None:
    entry = BUILT_IN[id_]
    assert entry.title
    assert "\n" not in entry.title
    assert len(entry.title) <= 110
    assert bool(entry.source) == (id_ not in TRIVIAL)
    assert id_.split("/")[-2] == entry.kind


def table() -> str:
    """The table of docs/catalog.md."""
    rows = [f"| `{entry.id}` | {entry.title} | {', '.join(entry.fields)} |" for entry in BUILT_IN.values()]
    return "\n".join(["| id | what it is | fields |", "| --- | --- | --- |", *rows])


def test_the_documentation_lists_every_entry() -> None:
    text = DOCS.read_text(encoding="utf-8")
    found = text[text.index("| id | what it is") :].strip()
    assert found == table(), "docs/catalog.md ends with:\n" + table()


# ---- optimizers ----

MATRIX, VECTOR = numbers((4, 3), 1), numbers((3,), 2)


def square(matrix: Value, vector: Value) -> Value:
    """A valley that is steeper in some directions, with its least value, 0, at 0.5."""
    weight = xp.iota(matrix, matrix.shape, 1, "f32") + 1.0
    return xp.mean(xp.square(matrix - 0.5) * weight) + xp.mean(xp.square(vector - 0.5))


@pytest.mark.parametrize("id_", ids("optimizer"))
def test_an_optimizer_descends(id_: str) -> None:
    descent = Descent(square, [MATRIX, VECTOR], id_, {"lr": 0.02})
    keys = [list(state) for state in descent.states]
    losses = [descent.step() for _ in range(60)]
    assert [list(state) for state in descent.states] == keys
    assert losses[1] < losses[0]
    assert losses[-1] < 0.9 * losses[0]


@pytest.mark.parametrize("id_", ids("optimizer"))
def test_an_optimizer_stays_finite_where_nothing_is_to_do(id_: str) -> None:
    def flat(matrix: Value, vector: Value) -> Value:
        return xp.sum(matrix * 0.0) + xp.sum(vector * 0.0)

    descent = Descent(flat, [np.zeros((2, 3)), np.zeros(3)], id_, {})
    for _ in range(3):
        descent.step()
    assert all(np.all(array == 0) for array in descent.parameters)


@pytest.mark.parametrize("shape", [(), (1,), (2, 3, 2, 2)])
@pytest.mark.parametrize("id_", ids("optimizer"))
def test_an_optimizer_takes_arrays_of_any_rank(id_: str, shape: tuple[int, ...]) -> None:
    descent = Descent(lambda p: xp.sum(xp.square(p - 2.0)), [np.full(shape, 0.5)], id_, {"lr": 0.01})
    losses = [descent.step() for _ in range(20)]
    assert losses[-1] < losses[0]
    assert descent.parameters[0].shape == shape


# ---- schedulers ----


@pytest.mark.parametrize("id_", ids("scheduler"))
def test_a_rate_is_a_positive_number_up_to_the_one_asked_for(id_: str) -> None:
    has_state = "start" in BUILT_IN[id_].module
    state = called("scheduler", id_, "start") if has_state else None
    for total in (1, 2, 7, 300):
        rates = [called("scheduler", id_, "rate", step, total, 0.1, state) for step in range(total)]
        assert all(0 < rate <= 0.1 + 1e-12 for rate in rates), (total, rates)


# ---- losses and metrics ----


def test_every_loss_and_metric_is_tried() -> None:
    assert sorted(LOSSES) == ids("loss")
    assert sorted(METRICS) == ids("metric")


@pytest.mark.parametrize(("id_", "case"), [(id_, n) for id_ in LOSSES for n in range(len(LOSSES[id_]))])
def test_a_loss_is_of_each_example_and_has_a_derivative(id_: str, case: int) -> None:
    prediction, target = LOSSES[id_][case]
    found = loss_of(id_, prediction, target)
    assert np.all(np.isfinite(found))
    assert np.all(found >= 0)
    assert found.shape[0] == prediction.shape[0]

    def total(p: Value, t: Value) -> Value:
        return xp.mean(called("loss", id_, "loss", p, t))

    (slope,) = computed(lambda p, t: gradient(total(p, t), [p]), prediction, target)
    for place in np.ndindex(*prediction.shape):
        apart = np.zeros(prediction.shape)
        apart[place] = 1e-6
        one, other = (computed(total, prediction + side * apart, target)[0] for side in (1, -1))
        assert slope[place] == pytest.approx(float(one - other) / 2e-6, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("id_", METRICS)
def test_a_metric_is_of_each_example(id_: str) -> None:
    prediction, target = METRICS[id_]
    found = measured(id_, prediction, target)
    assert found.shape[: target.ndim] == target.shape
    assert np.all(np.isfinite(found))
    if "finish" in BUILT_IN[id_].module:
        assert isinstance(called("metric", id_, "finish", float(found.mean())), float)


# ---- initializers ----


@pytest.mark.parametrize("id_", ids("initializer"))
def test_an_initializer_gives_finite_values_of_its_shape(id_: str) -> None:
    fields = {"value": 0.5} if id_.endswith("/constant") else {}
    found = initialized(id_, (6, 4, 3), (12, 18), fields)
    assert found.shape == (6, 4, 3)
    assert found.dtype == np.float32
    assert np.all(np.isfinite(found))


# ---- layers ----

OF_SEVERAL = {"add", "concat"}


def test_every_layer_is_tried() -> None:
    assert sorted(f"model/layer/{name}" for name in {*LAYERS, *OF_SEVERAL}) == ids("layer")


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_begins_finite_and_gives_the_shape_that_is_expected(name: str) -> None:
    x, fields, shape = LAYERS[name]
    model = model_of(f"model/layer/{name}", fields)
    parameters, states = begun(model, x)
    assert all(np.all(np.isfinite(array)) for array in [*parameters.values(), *states.values()])
    for training in (False, True):
        found, after = applied(model, x, parameters, states, training=training)
        assert found.shape == shape
        assert np.all(np.isfinite(found))
        assert {path: array.shape for path, array in after.items()} == {
            path: array.shape for path, array in states.items()
        }


# ---- augmentations ----


@pytest.mark.parametrize("id_", ids("augmentation"))
def test_an_augmentation_changes_a_batch_and_keeps_its_shape(id_: str) -> None:
    x = numbers((6, 2, 5, 7))
    found = augmented(id_, x)
    assert found.shape == x.shape
    assert not np.array_equal(found, x)
