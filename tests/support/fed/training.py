"""View models of a training as Python sends them: digits by a perceptron, at some step."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

SML = (Path(__file__).parents[3] / "examples" / "digits_mlp.sml").read_text(encoding="utf-8")
TRAININGS = [
    {
        "id": "digits_mlp",
        "model": "user/ada/digits_mlp@1",
        "about": "Handwritten digits, 8 by 8 pixels, by a perceptron of two layers.",
        "dataset": "digits@1",
    }
]
EACH, EPOCHS = 45, 20
TOTAL = EACH * EPOCHS


MEMORY = {
    "bytes": 157_920,
    "kinds": {
        "parameters": 19_240, "master": 0, "optimizer": 38_484, "gradients": 28_416, "activations": 12,
        "batch": 8_336, "workspace": 9_600, "validation": 37_444, "reading": 16_388,
    },
    "capacity": {"bytes": 170_000, "source": "set", "at_least": False},
    "verdict": "yellow",
    "hopeless": False,
    "remedies": [
        {"name": "accumulate", "fields": "batch_size: 16, accumulate: 2", "saves": 29_072},
        {"name": "rematerialise", "fields": "rematerialise: { every_layers: 2 }", "saves": 4_096},
    ],
}  # fmt: skip


def _loss(step: int) -> float:
    return 0.55 + 1.8 * math.exp(-step / 60) + 0.05 * math.sin(step * 1.7)


def _accuracy(row: dict[str, Any]) -> float:
    return float(row["values"]["accuracy"])


def training(state: str, step: int, **more: Any) -> dict[str, Any]:
    """The training in `state` after `step` steps."""
    steps = range(0, step, 2)
    epochs = step // EACH
    measures = [
        {
            "epoch": epoch,
            "step": epoch * EACH,
            "values": {
                "loss": _loss(epoch * EACH) + 0.04,
                "accuracy": 0.985 - 0.4 * math.exp(-epoch / 2) - 0.004 * (epoch % 3),
            },
        }
        for epoch in range(1, epochs + 1)
    ]
    return {
        **{key: TRAININGS[0][key] for key in ("model", "about")},
        "example": "digits_mlp",
        "sml": SML,
        "record": "sha256:" + "9c1e" * 16,
        "dataset": {
            "id": "digits@1",
            "address": "sha256:" + "07d4" * 16,
            "about": "1797 handwritten digits of 43 people, 8 by 8 pixels of 17 grey levels.",
            "licence": "CC BY 4.0",
        },
        "determinism_tier": "prod",
        "seed": "42",
        "device": "webgpu",
        "slow": False,
        "parameters": 4810,
        "memory": MEMORY,
        "state": state,
        "step": step,
        "total": TOTAL,
        "steps_per_epoch": EACH,
        "epochs": EPOCHS,
        "kept": epochs * EACH or None,
        "resumed": 0,
        "skipped": 0,
        "rate": 92.7 if state == "running" else None,
        "left_s": (TOTAL - step) / 92.7 if state == "running" else None,
        "curve": [[at, _loss(at)] for at in steps],
        "lr": [[at, 3e-3 * min(1, at / 50) * (0.5 + 0.5 * math.cos(math.pi * at / TOTAL))] for at in steps],
        "gradient_norm": None,
        "loss_scale": None,
        "measures": measures,
        "best_epoch": max(measures, key=_accuracy)["epoch"] if measures else None,
        **more,
    }


def scaled(state: str, step: int, **more: Any) -> dict[str, Any]:
    """The same in mixed precision, with clipped gradients."""
    steps = range(0, step, 2)
    curves = {
        "gradient_norm": [[at, 0.3 + math.exp(-at / 40) + 0.1 * math.sin(at)] for at in steps],
        "loss_scale": [[at, 2.0 ** (16 - at // 300)] for at in steps],
    }
    return training(state, step, **curves, skipped=3, **more)
