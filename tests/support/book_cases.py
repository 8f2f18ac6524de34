"""The transformer on a book, `examples/book_transformer.sml`, as PyTorch trained it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from scellis.catalog.library import built_in
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train.data import Dataset

EXAMPLES = Path(__file__).parents[2] / "examples"
STEPS = 10
"""Steps of the short training, which a test goes through."""
_DROPOUT = ("dropout: 0.05", "rate: 0.05")


def record_text() -> str:
    """The example."""
    return (EXAMPLES / "book_transformer.sml").read_text(encoding="utf-8")


def record() -> TrainingRecord:
    return parse_training(record_text(), built_in())


def short_record() -> TrainingRecord:
    """The same model and way of training in small batches and without chance: whose losses are one curve."""
    text = (
        record_text()
        .replace("batch_size: 32", "batch_size: 4")
        .replace("warmup_steps: 50", "warmup_steps: 4")
    )
    for words in _DROPOUT:
        assert words in text
        text = text.replace(words, words.partition(":")[0] + ": 0")
    return parse_training(text, built_in())


def letters() -> Dataset:
    """A text of no sense in which each letter says much of the next one, enough for the short training."""
    rng = np.random.default_rng(11)
    follows = rng.integers(0, 83, (83, 3))
    found = [0]
    for choice in rng.integers(0, 3, 64 * (4 * STEPS + 4)):
        found.append(int(follows[found[-1], choice]))
    return Dataset("moby_dick", 1, {"characters": np.array(found, np.int32)})


def pytorch() -> dict[str, Any]:
    """What tests/fixtures/book.py wrote."""
    found: dict[str, Any] = json.loads((Path(__file__).parents[1] / "fixtures/book.json").read_text())
    return found
