"""Every loss, metric and layer of the catalog with arrays that it is tried on."""

from __future__ import annotations

import numpy as np

from support.arrays import Array, integers, numbers

CLASSES = (numbers((5, 4)), integers((5,), 4))
PLACES = (numbers((2, 3, 4)), integers((2, 3), 4))
PAIRS = (numbers((4, 3)), numbers((4, 3), 2))
LOSSES: dict[str, list[tuple[Array, Array]]] = {
    "training/loss/cross_entropy": [CLASSES, PLACES],
    "training/loss/bce": [
        (numbers((4, 3)), integers((4, 3), 2).astype(np.float64)),
        (np.array([[0.0], [40], [-40]]), np.array([1, 0, 1], np.int32)),
    ],
    "training/loss/mse": [PAIRS, (numbers((4, 1)), numbers((4,), 2))],
    "training/loss/mae": [PAIRS],
    "training/loss/huber": [PAIRS],
    "training/loss/kl": [(numbers((4, 3)), np.array([[0.2, 0.3, 0.5], [1, 0, 0], [0, 0.5, 0.5], [0, 0, 1]]))],
    "training/loss/contrastive": [PAIRS],
    "training/loss/supervised_contrastive": [(numbers((6, 3)), np.array([0, 1, 0, 2, 1, 0], np.int32))],
}
METRICS: dict[str, tuple[Array, Array]] = {
    "training/metric/accuracy": PLACES,
    "training/metric/binary_accuracy": (numbers((4, 1)), integers((4,), 2)),
    "training/metric/top_k_accuracy": PLACES,
    "training/metric/perplexity": PLACES,
    "training/metric/mae": PAIRS,
    "training/metric/rmse": PAIRS,
}

ROWS, SEQUENCE, IMAGE = numbers((3, 8)), numbers((2, 5, 8)), numbers((2, 4, 6, 6))
LAYERS: dict[str, tuple[Array, dict[str, object], tuple[int, ...]]] = {
    "linear": (SEQUENCE, {"out_features": 3}, (2, 5, 3)),
    "embedding": (integers((2, 5), 7), {"num_embeddings": 7, "embedding_dim": 3}, (2, 5, 3)),
    "conv1d": (SEQUENCE, {"out_channels": 4, "padding": 1, "stride": 2}, (2, 4, 4)),
    "conv2d": (IMAGE, {"out_channels": 6, "groups": 2}, (2, 6, 4, 4)),
    "max_pool2d": (IMAGE, {}, (2, 4, 3, 3)),
    "avg_pool2d": (IMAGE, {"kernel_size": 3, "stride": 1, "padding": 1}, (2, 4, 6, 6)),
    "flatten": (IMAGE, {}, (2, 144)),
    "reshape": (ROWS, {"shape": [2, -1]}, (3, 2, 4)),
    **{
        name: (ROWS, {}, (3, 8))
        for name in ("relu", "gelu", "silu", "tanh", "sigmoid", "leaky_relu", "softmax", "dropout")
    },
    "layer_norm": (SEQUENCE, {}, (2, 5, 8)),
    "rms_norm": (SEQUENCE, {}, (2, 5, 8)),
    "group_norm": (IMAGE, {"num_groups": 2}, (2, 4, 6, 6)),
    "batch_norm": (IMAGE, {}, (2, 4, 6, 6)),
    "position": (SEQUENCE, {"max_length": 9}, (2, 5, 8)),
    "attention": (SEQUENCE, {"num_heads": 4, "num_kv_heads": 2, "rotary": True}, (2, 5, 8)),
    "feed_forward": (SEQUENCE, {"gated": True, "activation": "silu"}, (2, 5, 8)),
    "transformer_block": (SEQUENCE, {"num_heads": 2, "norm": "rms_norm", "causal": True}, (2, 5, 8)),
    "mean_pool": (SEQUENCE, {}, (2, 8)),
}
