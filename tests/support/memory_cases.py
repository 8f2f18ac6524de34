"""A corpus of trainings whose memory is planned: models by what takes most of it, in tiles and precisions."""

from __future__ import annotations

_WIDE = (
    "{ hidden: { block_id: model/layer/linear, out_features: 300 }, active: { block_id: model/layer/gelu },"
    " logits: { block_id: model/layer/linear, out_features: 2 } }"
)
_DEEP = (
    "{ hidden: { block_id: model/layer/linear, out_features: 24 }, active: { block_id: model/layer/gelu },"
    " again: { block_id: model/layer/linear, out_features: 24, repeat: 6 },"
    " drop: { block_id: model/layer/dropout, rate: 0.2 },"
    " logits: { block_id: model/layer/linear, out_features: 2 } }"
)
MEMORY_CASES: dict[str, dict[str, str]] = {
    "small": {},
    "wide": {"layers": _WIDE, "batch_size": "16"},
    "wide, by sgd": {"layers": _WIDE, "optimizer": "{ block_id: training/optimizer/sgd, lr: 0.01 }"},
    "wide, in parts": {"layers": _WIDE, "batch_size": "2", "accumulate": "4"},
    "wide, mixed f16": {"layers": _WIDE, "precision": "{ policy: mixed_f16 }"},
    "deep": {"layers": _DEEP, "batch_size": "16"},
    "deep, rematerialised": {"layers": _DEEP, "batch_size": "16", "rematerialise": "{ every_layers: 3 }"},
    "deep, clipped, averaged": {
        "layers": _DEEP,
        "grad_clip": "{ max_norm: 1.0 }",
        "determinism_tier": "prod",
    },
}
