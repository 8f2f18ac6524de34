"""Initializers, layers and augmentations of the catalog by what must hold of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scellis.catalog.library import built_in
from scellis.catalog.model import Layer, Model
from scellis.errors import ScellisError
from support.arrays import Array, numbers
from support.catalog import (
    applied,
    augmented,
    begun,
    initialized,
    model_of,
)

# ---- initializers ----


@pytest.mark.parametrize("shape", [(24, 24), (10, 40), (40, 10), (6, 3, 2, 2)])
def test_an_orthogonal_matrix_is_orthogonal(shape: tuple[int, ...]) -> None:
    found = initialized("model/initializer/orthogonal", shape, (1, 1), {"gain": 2.0})
    matrix = found.reshape(shape[0], -1).astype(np.float64)
    product = matrix @ matrix.T if matrix.shape[0] <= matrix.shape[1] else matrix.T @ matrix
    assert np.allclose(product, 4 * np.eye(len(product)), atol=2e-5)


def test_a_constant_has_to_be_given() -> None:
    with pytest.raises(ScellisError, match="'value' is missing"):
        initialized("model/initializer/constant", (2,), (1, 1), {})


# ---- layers ----


def test_dropout_leaves_out_a_share_while_training_alone() -> None:
    model, x = model_of("model/layer/dropout", {"rate": 0.25}), np.ones((200, 100))
    kept, _ = applied(model, x, {}, training=True)
    assert np.unique(kept).tolist() == pytest.approx([0.0, 1 / 0.75])
    assert np.mean(kept == 0) == pytest.approx(0.25, abs=0.01)
    assert np.array_equal(applied(model, x, {})[0], x)


def test_batch_norm_takes_what_it_has_kept_when_it_is_not_trained() -> None:
    model, x = model_of("model/layer/batch_norm"), numbers((4, 3, 5))
    parameters, states = begun(model, x)
    states["it/running_mean"], states["it/running_var"] = np.full(3, 0.5), np.full(3, 4.0)
    found, after = applied(model, x, parameters, states)
    assert np.allclose(found, (x - 0.5) / np.sqrt(4.0 + 1e-5))
    assert all(np.array_equal(after[path], states[path]) for path in states)


def test_causal_attention_sees_nothing_that_comes_later() -> None:
    fields = {"num_heads": 4, "num_kv_heads": 2, "causal": True, "rotary": True}
    model, x = model_of("model/layer/attention", fields), numbers((1, 6, 16))
    parameters, _ = begun(model, x)
    later = x.copy()
    later[:, 4:] += 1.0
    one, other = (applied(model, given, parameters)[0] for given in (x, later))
    assert np.allclose(one[:, :4], other[:, :4])
    assert not np.allclose(one[:, 4:], other[:, 4:])


def test_shared_heads_of_keys_are_heads_written_twice() -> None:
    fields = {"num_heads": 4, "num_kv_heads": 2}
    shared, x = model_of("model/layer/attention", fields), numbers((2, 5, 8))
    parameters, _ = begun(shared, x)

    def twice(rows: Array) -> Array:
        queries, keys, values = rows[:8], rows[8:12], rows[12:]
        doubled = [np.repeat(part.reshape(2, 2, *part.shape[1:]), 2, 0) for part in (keys, values)]
        return np.concatenate([queries, *(part.reshape(8, *rows.shape[1:]) for part in doubled)])

    whole = {path: twice(array) if "in_proj" in path else array for path, array in parameters.items()}
    apart = model_of("model/layer/attention", {"num_heads": 4})
    assert np.allclose(applied(shared, x, parameters)[0], applied(apart, x, whole)[0])


def test_positions_are_added_and_no_longer_sequence_is_taken() -> None:
    model = model_of("model/layer/position", {"max_length": 5})
    parameters, _ = begun(model, numbers((2, 5, 3)))
    found, _ = applied(model, np.zeros((2, 4, 3)), parameters)
    assert np.array_equal(found, np.stack([parameters["it/weight"][:4]] * 2))
    with pytest.raises(ScellisError, match="longer than max_length"):
        applied(model, np.zeros((2, 6, 3)), parameters)


def test_layers_of_several_arrays() -> None:
    def wired(id_: str, fields: dict[str, Any]) -> Array:
        relu = Layer("relu", "model/layer/relu", {}, ("input",))
        model = Model((relu, Layer("out", id_, fields, ("input", "relu"))), built_in())
        return applied(model, x, {})[0]

    x = numbers((2, 3))
    assert np.allclose(wired("model/layer/add", {}), x + np.maximum(x, 0))
    both = wired("model/layer/concat", {"axis": -1})
    assert np.array_equal(both, np.concatenate([x, np.maximum(x, 0)], -1))


@pytest.mark.parametrize(
    ("id_", "fields", "shape", "said"),
    [
        ("attention", {"num_heads": 3}, (2, 5, 8), "multiple of num_heads"),
        ("attention", {"num_heads": 4, "num_kv_heads": 3}, (2, 5, 8), "multiple of num_kv_heads"),
        ("attention", {}, (5, 8), "batch, length, features"),
        ("conv2d", {"out_channels": 4, "groups": 3}, (1, 4, 6, 6), "multiple of groups"),
        ("conv2d", {"out_channels": 4}, (1, 4, 6), "height, width"),
        ("conv1d", {"out_channels": 4}, (1, 4), "batch, channels, length"),
    ],
)
def test_what_a_layer_cannot_take_is_refused(
    id_: str, fields: dict[str, Any], shape: tuple[int, ...], said: str
) -> None:
    with pytest.raises(ScellisError, match=said) as caught:
        begun(model_of(f"model/layer/{id_}", fields), numbers(shape))
    assert caught.value.code == "SCL-CATALOG-REFUSED"


# ---- augmentations ----

PICTURES = numbers((40, 2, 6, 7), 1, 1.0, 2.0)


def test_a_flip_turns_some_examples_round() -> None:
    found = augmented("data/augmentation/flip", PICTURES)
    turned = [np.array_equal(one, other[..., ::-1]) for one, other in zip(found, PICTURES, strict=True)]
    same = [np.array_equal(one, other) for one, other in zip(found, PICTURES, strict=True)]
    assert all(a != b for a, b in zip(turned, same, strict=True))
    assert 8 < sum(turned) < 32
    with pytest.raises(ScellisError, match="that of examples"):
        augmented("data/augmentation/flip", PICTURES, {"axis": 0})


def test_a_shift_moves_whole_pixels_and_leaves_zeros() -> None:
    found, seen = augmented("data/augmentation/shift", PICTURES, {"most": 2}), set()
    around = np.pad(PICTURES, ((0, 0), (0, 0), (2, 2), (2, 2)))
    for one, whole in zip(found, around, strict=True):
        places = [
            (a, b) for a in range(5) for b in range(5) if np.array_equal(one, whole[:, a : a + 6, b : b + 7])
        ]
        assert len(places) == 1
        seen.add(places[0])
    assert {a for a, _ in seen} == {b for _, b in seen} == set(range(5))


def test_a_cutout_is_a_square_of_zeros() -> None:
    found = augmented("data/augmentation/cutout", PICTURES, {"size": 3})
    for one, other in zip(found, PICTURES, strict=True):
        gone = one == 0
        assert np.array_equal(one[~gone], other[~gone])
        assert np.array_equal(gone[0], gone[1])
        rows, columns = np.nonzero(gone[0].any(1))[0], np.nonzero(gone[0].any(0))[0]
        assert 2 <= len(rows) <= 3
        assert 2 <= len(columns) <= 3
        assert gone[0].sum() == len(rows) * len(columns)


def test_noise_has_the_deviation_that_is_asked_for() -> None:
    found = augmented("data/augmentation/noise", np.zeros((50, 100)), {"std": 0.3})
    assert np.std(found) == pytest.approx(0.3, rel=0.05)
    assert abs(np.mean(found)) < 0.02
