"""A record to begin with for a dataset: a small model that fits its arrays, for a person to change."""

from __future__ import annotations

import numpy as np

from scellis.errors import ScellisError
from scellis.sml.dataset import DatasetText
from scellis.train.data import Column, Dataset

BATCH = 32
HIDDEN = 64
SEQUENCE = 32


def starting_record(text: DatasetText, dataset: Dataset) -> str:
    """The SML text of a training on it. Raises `SCL-DATA-DRAFT` where there is no input or no target."""
    if text.format == "text":
        return _of_letters(text, dataset)
    arrays = dict(dataset.arrays)
    inputs = [name for name, array in arrays.items() if array.dtype == np.float32]
    classes = [name for name, array in arrays.items() if array.dtype == np.int32 and array.ndim == 1]
    targets = classes or inputs[1:]
    if not inputs or not targets:
        raise ScellisError(
            "SCL-DATA-DRAFT",
            f"{text.id} has the arrays {', '.join(arrays)}: a training wants an input and a target.",
            "Give the dataset's text (.sml) with its files, which says what is what.",
        )
    return _of_examples(text, inputs[0], arrays[inputs[0]], targets[0], arrays[targets[0]])


def _of_examples(text: DatasetText, input_: str, x: Column, target: str, y: Column) -> str:
    held_out, batch_size = _sizes(x.shape[0])
    first = "scale: { block_id: model/layer/batch_norm }"
    if x.ndim > 2:
        first = "flat: { block_id: model/layer/flatten }"
    if y.dtype == np.int32:
        out = int(y[np.arange(y.shape[0])].max()) + 1
        loss, metric = "cross_entropy", "accuracy"
    else:
        out = int(np.prod(y.shape[1:]))
        loss, metric = "mse", "mae"
    return _record(
        text, f"input: {input_}, target: {target}, validation: {held_out}", batch_size, loss, metric,
        first,
        f"hidden: {{ block_id: model/layer/linear, out_features: {HIDDEN} }}",
        "active: { block_id: model/layer/relu }",
        f"out: {{ block_id: model/layer/linear, out_features: {out} }}",
    )  # fmt: skip


def _of_letters(text: DatasetText, dataset: Dataset) -> str:
    ((name, tokens),) = dataset.arrays.items()
    letters = len(dataset.words[name])
    length = max(1, min(SEQUENCE, tokens.shape[0] // 8))
    held_out, batch_size = _sizes(tokens.shape[0] // length)
    return _record(
        text, f"input: {name}, sequence: {length}, validation: {held_out}", batch_size, "cross_entropy",
        "perplexity",
        f"embedding: {{ block_id: model/layer/embedding, num_embeddings: {letters}, embedding_dim: 64 }}",
        f"position: {{ block_id: model/layer/position, max_length: {length} }}",
        "block: { block_id: model/layer/transformer_block, num_heads: 4, causal: true }",
        f"out: {{ block_id: model/layer/linear, out_features: {letters} }}",
    )  # fmt: skip


def _sizes(count: int) -> tuple[float, int]:
    """The share held out, and a batch that a few steps of an epoch are made of."""
    held_out = 0.2 if count >= 10 else 0.0
    return held_out, max(1, min(BATCH, round(count * (1 - held_out)) // 4))


def _record(text: DatasetText, data: str, batch_size: int, loss: str, metric: str, *layers: str) -> str:
    return "\n".join(
        [
            "sml: 1",
            f"model: user/me/{text.name}@1",
            f"data: {{ dataset: {text.id}, {data} }}",
            "layers:",
            *(f"  {layer}" for layer in layers),
            "optimizer: { block_id: training/optimizer/adamw, lr: 3.0e-3 }",
            "scheduler: { block_id: training/scheduler/constant }",
            f"loss: {{ block_id: training/loss/{loss} }}",
            f"metrics: [{{ block_id: training/metric/{metric} }}]",
            "epochs: 20",
            f"batch_size: {batch_size}",
            "determinism_tier: prod",
            "seed: 42",
            "",
        ]
    )
