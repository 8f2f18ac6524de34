"""Trainings whose loss curves are held against PyTorch: their records and data, which a script reads too."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from scellis.sml.training import TrainingRecord
from scellis.train.data import Dataset
from support.training_texts import training

STEPS = 100
_FIELDS = {
    "data": "{ dataset: kinds@1, input: x, target: y, validation: 0.2 }",
    "layers": "{ hidden: { block_id: model/layer/linear, out_features: 12 },"
    " active: { block_id: model/layer/relu }, logits: { block_id: model/layer/linear, out_features: 3 } }",
    "epochs": "10",
    "batch_size": "8",
}
_ADAMW = "adamw, lr: 0.01, weight_decay: 0.1"
_CASES = {
    "sgd": ("sgd, lr: 0.1, momentum: 0.9", "constant", "f32"),
    "sgd, clipped": ("sgd, lr: 0.2", "constant", "f32"),
    "sgd, clipped, mixed_f16": ("sgd, lr: 0.2", "constant", "mixed_f16"),
    "adam": ("adam, lr: 0.01", "constant", "f32"),
    "adamw": (_ADAMW, "constant", "f32"),
    "lion": ("lion, lr: 0.002, weight_decay: 0.1", "constant", "f32"),
    "adamw, step": (_ADAMW, "step, step_size: 30, gamma: 0.5", "f32"),
    "adamw, cosine": (_ADAMW, "cosine, min_lr: 0.001", "f32"),
    "adamw, warmup_cosine": (_ADAMW, "warmup_cosine, warmup_steps: 20", "f32"),
    "adamw, one_cycle": (_ADAMW, "one_cycle", "f32"),
    "adamw, plateau": ("adamw, lr: 0.1", "plateau, factor: 0.5, patience: 0", "f32"),
    "adamw, polynomial": (_ADAMW, "polynomial, power: 2.0", "f32"),
    "adamw, mixed_f16": (_ADAMW, "constant", "mixed_f16"),
}
CASES = tuple(_CASES)
BOUND = {name: {"rtol": 1e-3} if "mixed" in name else {"rtol": 2e-5, "atol": 5e-6} for name in CASES}
"""Some hundred roundings of f32; in mixed f16, that a number now and then is rounded to the f16 beside it."""


def pytorch() -> dict[str, list[float]]:
    """The losses that PyTorch finds, by the cases' names."""
    found: dict[str, dict[str, list[float]]] = json.loads(
        (Path(__file__).parents[1] / "fixtures/training.json").read_text()
    )
    return found["curves"]


def record_of(name: str) -> TrainingRecord:
    optimizer, scheduler, precision = _CASES[name]
    return training(
        _FIELDS,
        optimizer=f"{{ block_id: training/optimizer/{optimizer} }}",
        scheduler=f"{{ block_id: training/scheduler/{scheduler} }}",
        precision=f"{{ policy: {precision} }}",
        grad_clip="{ max_norm: 0.3 }" if "clipped" in name else None,
    )


def kinds() -> Dataset:
    """Points around three centres, which overlap."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 100).astype(np.int32)
    x = rng.normal(size=(3, 6))[y] + rng.normal(size=(100, 6))
    return Dataset("kinds", 1, {"x": x.astype(np.float32), "y": y})
