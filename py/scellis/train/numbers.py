"""Whether a model has a place for each number of a dataset: classes of its loss, rows of its first table."""

from __future__ import annotations

from typing import Any

import numpy as np

from scellis.catalog.model import INPUT
from scellis.errors import ScellisError
from scellis.sml.training import TrainingRecord
from scellis.train.data import Dataset


def check_numbers(record: TrainingRecord, dataset: Dataset, classes: Any) -> None:
    """Look at all of them, once. `classes`: how many the model tells apart, where its loss takes classes.

    Raises `SCL-DATA-RANGE`, naming the example: a kernel would read past its table, or learn from no class.
    """
    data = record.data
    for layer in record.network.layers:
        entry = record.library.get(layer.id, "layer")
        if layer.of == (INPUT,) and "numbers" in entry.module:
            most = _counted(layer.id, entry.call("numbers", fields=layer.fields))
            _check(dataset, data.input, most, f"the layer {layer.name} has a row for")
    if classes is not None:
        _check(dataset, data.target or data.input, _counted(record.loss.id, classes), "the model tells apart")


def _counted(id_: str, found: Any) -> int:
    """How many numbers an entry says there are."""
    if type(found) is not int or found < 1:
        raise ScellisError("SCL-CATALOG-VALUE", f"{id_} says how many numbers it takes by {found!r:.80}.")
    return found


def _check(dataset: Dataset, name: str, most: int, who: str) -> None:
    numbers = dataset.array(name)
    if not isinstance(numbers, np.ndarray) or numbers.dtype != np.int32:
        return  # what wants whole numbers says so itself
    odd = np.argwhere((numbers < 0) | (numbers >= most))
    if len(odd):
        place = tuple(map(int, odd[0]))
        raise ScellisError(
            "SCL-DATA-RANGE",
            f"{name} of {dataset.id} is {numbers[place]} at example {place[0]}, where {who} 0 to {most - 1}.",
            f"Make the record's layers as many as there are numbers, at least {int(numbers.max()) + 1}; "
            "or count them from 0, in the dataset's text with classes: true.",
        )
