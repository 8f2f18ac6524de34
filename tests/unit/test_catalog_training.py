"""Optimizers, losses and metrics of the catalog against their papers; an optimizer of one's own."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from scellis.catalog.library import built_in, texts_of
from scellis.errors import ScellisError
from scellis.graph import Value
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from support.arrays import Array, computed, integers, numbers
from support.catalog import (
    Descent,
    called,
    loss_of,
    measured,
)

# ---- optimizers, transcribed from their papers in f64 ----

CENTRE = numbers((4, 3), 5)


def bowl(matrix: Value) -> Value:
    place = xp.iota(matrix, matrix.shape, 0, "f32") * 3.0 + xp.iota(matrix, matrix.shape, 1, "f32")
    return xp.sum(xp.square(matrix - xp.cos(place)) * (1.0 + xp.square(xp.sin(place))))


def slope_of_bowl(matrix: Array) -> Array:
    place = np.arange(12.0).reshape(4, 3)
    return 2.0 * (matrix - np.cos(place)) * (1.0 + np.sin(place) ** 2)


def lion(p: Array, steps: int, lr: float, b1: float, b2: float, decay: float) -> Array:
    """X. Chen et al., 2023, algorithm 2."""
    m = np.zeros_like(p)
    for _ in range(steps):
        g = slope_of_bowl(p)
        c = b1 * m + (1 - b1) * g
        p = p - lr * (np.sign(c) + decay * p)
        m = b2 * m + (1 - b2) * g
    return p


def lamb(p: Array, steps: int, lr: float, b1: float, b2: float, eps: float, decay: float) -> Array:
    """Y. You et al., 2020, algorithm 2."""
    m = v = np.zeros_like(p)
    for t in range(1, steps + 1):
        g = slope_of_bowl(p)
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g**2
        r = (m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t)) + eps) + decay * p
        p = p - lr * np.linalg.norm(p) / np.linalg.norm(r) * r
    return p


@pytest.mark.parametrize("steps", [1, 2, 10, 100])
def test_lion_is_its_paper_s(steps: int) -> None:
    fields = {"lr": 1e-3, "beta1": 0.95, "beta2": 0.98, "weight_decay": 0.1}
    descent = Descent(bowl, [CENTRE], "training/optimizer/lion", fields)
    for _ in range(steps):
        descent.step()
    assert np.allclose(descent.parameters[0], lion(CENTRE, steps, *fields.values()), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("steps", [1, 2, 10, 100])
def test_lamb_is_its_paper_s(steps: int) -> None:
    fields = {"lr": 2e-3, "beta1": 0.9, "beta2": 0.99, "eps": 1e-6, "weight_decay": 0.1}
    descent = Descent(bowl, [CENTRE], "training/optimizer/lamb", fields)
    for _ in range(steps):
        descent.step()
    assert np.allclose(descent.parameters[0], lamb(CENTRE, steps, *fields.values()), rtol=1e-5, atol=1e-6)


def test_the_rate_of_a_step_is_the_one_that_it_is_given() -> None:
    slow, fast = (Descent(bowl, [CENTRE], "training/optimizer/adam", {}) for _ in range(2))
    slow.step(1e-4)
    fast.step(1e-2)
    moved = [one.parameters[0].astype(np.float64) - CENTRE.astype(np.float32) for one in (slow, fast)]
    assert np.allclose(moved[1], 100 * moved[0], rtol=1e-2)


def test_nesterov_without_momentum_is_refused() -> None:
    with pytest.raises(ScellisError, match="momentum above 0") as caught:
        Descent(bowl, [CENTRE], "training/optimizer/sgd", {"nesterov": True})
    assert caught.value.code == "SCL-CATALOG-REFUSED"


# ---- an optimizer of one's own ----

OWN = '''"""Heavy ball: what a ball does that rolls down the loss.

Source: B. T. Polyak, "Some methods of speeding up the convergence of iteration methods", 1964.
"""

from scellis.catalog.language import number, xp

KIND = "optimizer"
FIELDS = {
    "lr": number(0.02, above=0, about="Learning rate."),
    "friction": number(0.2, above=0, most=1, about="Share of its speed that the ball loses in a step."),
}


def state(parameter, fields):
    return {"before": xp.zeros_like(parameter), "moving": xp.zeros_like(parameter)}


def update(parameter, gradient, state, step, lr, fields):
    speed = state["moving"] * (parameter - state["before"])
    found = parameter + (1 - fields.friction) * speed - lr * gradient
    return found, {"before": parameter, "moving": xp.ones_like(parameter)}
'''


def test_a_file_that_a_person_brings_is_an_optimizer_like_any_other(tmp_path: Path) -> None:
    folder = tmp_path / "ada"
    folder.mkdir()
    (folder / "heavy_ball.py").write_text(OWN, encoding="utf-8")
    library = built_in().with_texts(texts_of(folder))
    entry = library.get("user/ada/heavy_ball", "optimizer")
    assert entry in library.of_kind("optimizer")
    assert (entry.title, entry.fields["friction"].expected()) == (
        "Heavy ball: what a ball does that rolls down the loss",
        "a number above 0 to 1",
    )
    descent = Descent(bowl, [CENTRE], entry.id, {"friction": 0.3}, library)
    losses = [descent.step() for _ in range(80)]
    assert losses[-1] < 1e-3 * losses[0]


# ---- losses ----


def test_smoothing_leaves_the_right_class_ahead() -> None:
    logits, target = numbers((1, 4)), np.array([2], np.int32)
    share = np.full(4, 0.05) + np.array([0, 0, 0.8, 0])
    log = logits[0] - np.log(np.sum(np.exp(logits[0])))
    found = loss_of("training/loss/cross_entropy", logits, target, {"label_smoothing": 0.2})
    assert found[0] == pytest.approx(-np.sum(share * log))


def test_bce_has_its_derivative_at_0() -> None:
    def total(p: Value, t: Value) -> Value:
        return xp.sum(called("loss", "training/loss/bce", "loss", p, t))

    zeros, target = np.zeros(3), np.array([0.0, 0.25, 1.0])
    (slope,) = computed(lambda p, t: gradient(total(p, t), [p]), zeros, target)
    assert slope.tolist() == [0.5, 0.25, -0.5]


def test_huber_is_half_the_square_and_then_straight() -> None:
    errors = np.array([0.0, 0.5, 2.0, -3.0])
    found = loss_of("training/loss/huber", errors, np.zeros(4), {"delta": 2.0})
    assert found.tolist() == [0.0, 0.125, 2.0, 4.0]


def test_a_symmetric_contrast_is_the_mean_of_both_ways() -> None:
    id_, one, other = "training/loss/contrastive", numbers((5, 3), 1), numbers((5, 3), 2)
    both = loss_of(id_, one, other, {"symmetric": True})
    assert np.allclose(both, (loss_of(id_, one, other) + loss_of(id_, other, one)) / 2)


def test_contrast_by_labels_is_its_paper_s() -> None:
    """P. Khosla et al., 2020, equation 2, written out."""
    x, labels = numbers((6, 3)), np.array([0, 1, 0, 2, 1, 0], np.int32)
    z = x / np.linalg.norm(x, axis=1, keepdims=True)
    wanted = []
    for i in range(6):
        others = [a for a in range(6) if a != i]
        alike = [p for p in others if labels[p] == labels[i]]
        log = math.log(sum(math.exp(z[i] @ z[a] / 0.2) for a in others))
        wanted.append(-sum(z[i] @ z[p] / 0.2 - log for p in alike) / max(len(alike), 1))
    found = loss_of("training/loss/supervised_contrastive", x, labels, {"temperature": 0.2})
    assert np.allclose(found, wanted)
    assert found[3] == 0


@pytest.mark.parametrize("id_", ["training/loss/mse", "training/loss/bce", "training/loss/huber"])
def test_a_target_of_another_shape_is_not_broadcast(id_: str) -> None:
    with pytest.raises(ScellisError, match="not of one shape") as caught:
        loss_of(id_, numbers((4,)), numbers((4, 1)))
    assert caught.value.code == "SCL-CATALOG-REFUSED"


def test_cross_entropy_takes_numbers_of_classes() -> None:
    with pytest.raises(ScellisError, match="numbers of classes"):
        loss_of("training/loss/cross_entropy", numbers((4, 3)), numbers((4, 3)))


# ---- metrics ----


def test_accuracies_count_what_is_right() -> None:
    logits, target = numbers((50, 7)), integers((50,), 7)
    order = np.argsort(-logits, axis=-1)
    wanted = [float(place in row[:3]) for row, place in zip(order, target, strict=True)]
    assert measured("training/metric/top_k_accuracy", logits, target, {"k": 3}).tolist() == wanted
    right = (order[:, 0] == target).astype(float)
    assert measured("training/metric/accuracy", logits, target).tolist() == right.tolist()
    assert measured("training/metric/top_k_accuracy", logits, target, {"k": 1}).tolist() == right.tolist()


def test_a_model_that_finds_all_alike_or_nothing_is_not_right() -> None:
    target = np.arange(4, dtype=np.int32)
    alike = measured("training/metric/top_k_accuracy", np.zeros((4, 4)), target, {"k": 1})
    assert alike.tolist() == [1, 0, 0, 0]
    none = measured("training/metric/top_k_accuracy", np.full((4, 4), np.nan), target, {"k": 2})
    assert none.tolist() == [0, 0, 0, 0]


def test_metrics_that_finish_with_something_else_than_the_mean() -> None:
    assert called("metric", "training/metric/rmse", "finish", 9.0) == 3.0
    assert called("metric", "training/metric/perplexity", "finish", math.log(7)) == pytest.approx(7)
    assert called("metric", "training/metric/perplexity", "finish", 1e5) == math.inf
    uniform = measured("training/metric/perplexity", np.zeros((2, 5)), np.array([0, 3], np.int32))
    assert uniform.tolist() == pytest.approx([math.log(5)] * 2)
