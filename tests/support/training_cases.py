"""What of the catalog is held against PyTorch: the settings and arrays, which a script gives to it too."""

from __future__ import annotations

from typing import Any

import numpy as np

from support.arrays import Array, integers, numbers

Fields = dict[str, Any]

# ---- optimizers: mean square of x · matrix + vector − y ----

X, Y = numbers((8, 4), 1), numbers((8, 3), 2)
MATRIX, VECTOR = numbers((4, 3), 3, -0.5, 0.5), numbers((3,), 4, -0.5, 0.5)
STEPS = (1, 2, 10, 100)
"""Steps after which the parameters are compared. None arrives by then: where the gradient is rounding alone,
a step scaled by its own size leads anywhere."""

_OPTIMIZER = "training/optimizer/"
OPTIMIZERS: dict[str, tuple[str, Fields]] = {
    "sgd": (_OPTIMIZER + "sgd", {"lr": 0.05}),
    "sgd, momentum": (
        _OPTIMIZER + "sgd", {"lr": 0.01, "momentum": 0.9, "dampening": 0.2, "weight_decay": 0.1},
    ),
    "sgd, nesterov": (_OPTIMIZER + "sgd", {"lr": 0.01, "momentum": 0.9, "nesterov": True}),
    "adam": (_OPTIMIZER + "adam", {"lr": 0.01}),
    "adam, decay": (_OPTIMIZER + "adam", {"lr": 0.02, "beta1": 0.8, "beta2": 0.99, "weight_decay": 0.1}),
    "adamw": (_OPTIMIZER + "adamw", {"lr": 0.01, "weight_decay": 0.1}),
    "rmsprop": (_OPTIMIZER + "rmsprop", {"lr": 0.005}),
    "rmsprop, centered": (
        _OPTIMIZER + "rmsprop", {"lr": 0.001, "centered": True, "momentum": 0.8, "weight_decay": 0.1},
    ),
    "adagrad": (_OPTIMIZER + "adagrad", {"lr": 0.1}),
    "adagrad, decay": (
        _OPTIMIZER + "adagrad",
        {"lr": 0.1, "lr_decay": 0.1, "initial_accumulator_value": 0.1, "weight_decay": 0.1},
    ),
    "adafactor": (_OPTIMIZER + "adafactor", {"lr": 0.05}),
    "adafactor, decay": (
        _OPTIMIZER + "adafactor",
        {"lr": 0.004, "beta2_decay": -0.5, "clipping_threshold": 1.5, "weight_decay": 0.1},
    ),
    "muon": (_OPTIMIZER + "muon", {"lr": 0.002, "adjust_lr_fn": "original"}),
    "muon, as AdamW": (
        _OPTIMIZER + "muon", {"lr": 0.01, "adjust_lr_fn": "match_rms_adamw", "weight_decay": 0.0},
    ),
}  # fmt: skip

# ---- schedulers: the rates of so many steps ----

RATE, TOTAL = 0.2, 30
_SCHEDULER = "training/scheduler/"
SCHEDULERS: dict[str, tuple[str, Fields]] = {
    "constant": (_SCHEDULER + "constant", {}),
    "step": (_SCHEDULER + "step", {"step_size": 7, "gamma": 0.5}),
    "cosine": (_SCHEDULER + "cosine", {"min_lr": 0.01}),
    "warmup_cosine": (_SCHEDULER + "warmup_cosine", {"warmup_steps": 6, "min_lr": 0.01}),
    "one_cycle": (
        _SCHEDULER + "one_cycle", {"pct_start": 0.4, "div_factor": 10.0, "final_div_factor": 100.0},
    ),
    "plateau": (_SCHEDULER + "plateau", {"factor": 0.5, "patience": 2, "cooldown": 1, "min_lr": 0.02}),
    "plateau, of more": (
        _SCHEDULER + "plateau", {"mode": "max", "factor": 0.3, "patience": 1, "threshold": 0.05},
    ),
    "polynomial": (_SCHEDULER + "polynomial", {"power": 2.0}),
}  # fmt: skip
FOUND = [1.0, 0.9, 0.95, 0.93, 0.92, 0.91, 0.95, 0.9, 0.9, 0.9, 0.2, *[0.3] * 9, float("nan"), *[1.5] * 9]
"""What validation finds after each step, for a plateau."""

# ---- losses ----

_LOSS = "training/loss/"
_SHARES = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.1, 0.1, 0.8]])
LOSSES: dict[str, tuple[str, Fields, Array, Array]] = {
    "cross_entropy": (_LOSS + "cross_entropy", {}, numbers((2, 3, 5), 1), integers((2, 3), 5)),
    "cross_entropy, smoothed": (
        _LOSS + "cross_entropy", {"label_smoothing": 0.1}, numbers((6, 5), 2, -9, 9), integers((6,), 5),
    ),
    "bce": (_LOSS + "bce", {}, numbers((4, 3), 3, -30, 30), numbers((4, 3), 4, 0, 1)),
    "mse": (_LOSS + "mse", {}, numbers((4, 3), 5), numbers((4, 3), 6)),
    "mae": (_LOSS + "mae", {}, numbers((4, 3), 7), numbers((4, 3), 8)),
    "huber": (_LOSS + "huber", {"delta": 0.7}, numbers((4, 3), 9), numbers((4, 3), 10)),
    "kl": (_LOSS + "kl", {}, numbers((4, 3), 11), _SHARES),
    "contrastive": (_LOSS + "contrastive", {"temperature": 0.2}, numbers((5, 3), 12), numbers((5, 3), 13)),
}  # fmt: skip

# ---- initializers: how far the values of many spread, and the greatest one ----

SHAPE, FANS = (128, 32, 3, 3), (288, 1152)
_INITIALIZER = "model/initializer/"
INITIALIZERS: dict[str, tuple[str, Fields]] = {
    "uniform": (_INITIALIZER + "uniform", {"low": -0.3, "high": 0.3}),
    "normal": (_INITIALIZER + "normal", {"std": 0.2}),
    "truncated_normal": (_INITIALIZER + "truncated_normal", {"std": 0.2, "bound": 1.5}),
    "xavier_uniform": (_INITIALIZER + "xavier_uniform", {"gain": 1.5}),
    "xavier_normal": (_INITIALIZER + "xavier_normal", {}),
    "kaiming_uniform": (_INITIALIZER + "kaiming_uniform", {}),
    "kaiming_uniform, outputs": (_INITIALIZER + "kaiming_uniform", {"a": 0.0, "mode": "fan_out"}),
    "kaiming_normal": (_INITIALIZER + "kaiming_normal", {"a": 0.1}),
    "orthogonal": (_INITIALIZER + "orthogonal", {"gain": 1.2}),
}

# ---- layers, with the shapes of their parameters ----

IMAGE, SEQUENCE = numbers((2, 4, 6, 5), 1), numbers((2, 5, 8), 2)
_LAYER = "model/layer/"
_NORM = {"weight": (4,), "bias": (4,)}
_ATTENTION = {
    "in_proj_weight": (24, 8), "in_proj_bias": (24,), "out_proj/weight": (8, 8), "out_proj/bias": (8,),
}  # fmt: skip
_BLOCK = {
    "norm1/weight": (8,), "norm1/bias": (8,), "norm2/weight": (8,), "norm2/bias": (8,),
    **{f"self_attn/{path}": shape for path, shape in _ATTENTION.items()},
    "feed_forward/linear1/weight": (12, 8), "feed_forward/linear1/bias": (12,),
    "feed_forward/linear2/weight": (8, 12), "feed_forward/linear2/bias": (8,),
}  # fmt: skip
LAYERS: dict[str, tuple[str, Fields, Array, dict[str, tuple[int, ...]]]] = {
    "linear": (_LAYER + "linear", {"out_features": 3}, SEQUENCE, {"weight": (3, 8), "bias": (3,)}),
    "conv1d": (
        _LAYER + "conv1d", {"out_channels": 4, "padding": 1, "dilation": 2}, SEQUENCE,
        {"weight": (4, 5, 3), "bias": (4,)},
    ),
    "conv2d": (
        _LAYER + "conv2d", {"out_channels": 6, "stride": 2, "padding": 1, "groups": 2}, IMAGE,
        {"weight": (6, 2, 3, 3), "bias": (6,)},
    ),
    "max_pool2d": (_LAYER + "max_pool2d", {"kernel_size": 3, "stride": 2, "padding": 1}, IMAGE, {}),
    "avg_pool2d": (_LAYER + "avg_pool2d", {}, IMAGE, {}),
    "layer_norm": (_LAYER + "layer_norm", {}, SEQUENCE, {"weight": (8,), "bias": (8,)}),
    "rms_norm": (_LAYER + "rms_norm", {"eps": 1e-5}, SEQUENCE, {"weight": (8,)}),
    "group_norm": (_LAYER + "group_norm", {"num_groups": 2}, IMAGE, _NORM),
    "batch_norm": (_LAYER + "batch_norm", {"momentum": 0.3}, IMAGE, _NORM),
    "attention": (_LAYER + "attention", {"num_heads": 2}, SEQUENCE, _ATTENTION),
    "attention, causal": (_LAYER + "attention", {"num_heads": 4, "causal": True}, SEQUENCE, _ATTENTION),
    "transformer_block": (
        _LAYER + "transformer_block", {"num_heads": 2, "hidden_features": 12}, SEQUENCE, _BLOCK,
    ),
    "transformer_block, causal": (
        _LAYER + "transformer_block",
        {"num_heads": 4, "hidden_features": 12, "activation": "relu", "causal": True}, SEQUENCE, _BLOCK,
    ),
}  # fmt: skip


def parameters_of(name: str) -> dict[str, Array]:
    """The parameters of a layer, by their paths."""
    shapes = LAYERS[name][3]
    return {path: numbers(shape, 20 + n, -0.5, 0.5) for n, (path, shape) in enumerate(shapes.items())}
