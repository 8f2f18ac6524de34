"""Data of a training: named arrays under one address, split, shuffled and dealt in batches.

Which examples a step sees is a pure function of seed, epoch and step, so a training that goes on after a stop
needs no more than these numbers.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import cached_property
from typing import Any, Protocol

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.codecs import safetensors
from scellis.content import address, canonical_json, parse_json
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.rng import draw_words, key_words
from scellis.rng.streams import Stream
from scellis.sml.training import Data

DATASET_LIMIT_BYTES = 2**30
"""A tab has 4 GiB in all, and no object of 2 GiB."""
FILES_LIMIT = 200_000
"""Files that one dataset may be made of: a folder of images has many."""
WORDS = "words/"
"""What the bytes of a dataset call its words: no array of a dataset has a / in its name."""
WORDS_LIMIT_BYTES = 2**24
SPLIT = 0
"""Index of the stream `shuffle` that divides a dataset; an epoch's is its number, from 1 on."""

Indices = NDArray[np.int64]


class Lazy(Protocol):
    """Elements that are made when they are asked for, as an array of them would be indexed."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Examples first."""

    @property
    def ndim(self) -> int:
        """The number of lengths in `shape`."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the elements."""

    def __getitem__(self, examples: Indices) -> Array: ...

    def made(self, examples: Indices) -> Generator[None, None, Array]:
        """The same, in pieces."""


Column = Array | Lazy


@attrs.frozen(eq=False, slots=False)
class Dataset:
    """Arrays of one length, f32 or i32, one element of it an example; or one long row of tokens (n,) i32.

    `words` say what the numbers of an array stand for, each in its place: the characters of a text, the names
    of classes.
    """

    name: str
    version: int
    arrays: Mapping[str, Column]
    words: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    source: str = ""
    """the address of the text that it is read by, with the files' own in it; of one from elsewhere none"""

    def __attrs_post_init__(self) -> None:
        lengths = {array.shape[0] if array.ndim else 0 for array in self.arrays.values()}
        if len(lengths) != 1 or not lengths.pop():
            raise ScellisError(
                "SCL-DATA-FORM", f"The arrays of the dataset {self.name} are not of one length above 0."
            )
        for name, array in self.arrays.items():
            if array.dtype not in (np.float32, np.int32):
                raise ScellisError(
                    "SCL-DATA-FORM",
                    f"{self.name}: {name} holds {array.dtype}, where float32 or int32 is read.",
                )

    @property
    def id(self) -> str:
        """Name and version, `digits@1`."""
        return f"{self.name}@{self.version}"

    def to_bytes(self) -> bytes:
        """Canonical safetensors."""
        words = {WORDS + name: _bytes(canonical_json(list(words))) for name, words in self.words.items()}
        arrays = {name: array[np.arange(array.shape[0])] for name, array in self.arrays.items()}
        return safetensors.pack({**arrays, **words})

    @cached_property
    def address(self) -> str:
        """Names all that it holds: the text and files that it is read from, or else its own bytes."""
        return self.source or address(self.to_bytes())

    @classmethod
    def from_bytes(cls, name: str, version: int, data: bytes) -> Dataset:
        """Read a dataset from anyone. Raises `SCL-TENSOR-FORM`, `SCL-DATA-FORM`."""
        found = safetensors.unpack(data, what=f"dataset {name}", limit_bytes=DATASET_LIMIT_BYTES)
        arrays = {key: array for key, array in found.items() if not key.startswith(WORDS)}
        words = {
            key.removeprefix(WORDS): _words(name, array) for key, array in found.items() if key not in arrays
        }
        return cls(name, version, arrays, words)

    def array(self, name: str) -> Column:
        """One of the arrays. Raises `SCL-DATA-ARRAY`."""
        if name not in self.arrays:
            raise ScellisError(
                "SCL-DATA-ARRAY",
                f"{self.id} has no array {name[:80]!r}.",
                f"It has {', '.join(self.arrays)}.",
            )
        return self.arrays[name]


def _bytes(data: bytes) -> Array:
    return np.frombuffer(data, np.uint8)


def _words(name: str, array: Array) -> tuple[str, ...]:
    data = array.tobytes()
    found = parse_json(data, what=f"dataset {name}", limit_bytes=WORDS_LIMIT_BYTES)
    listed = isinstance(found, list) and all(isinstance(word, str) for word in found)
    if not listed or canonical_json(found) != data:
        raise ScellisError(
            "SCL-DATA-FORM", f"The words of the dataset {name} are no canonical list of texts."
        )
    return tuple(found)


def permutation(seed: int, index: int, count: int) -> Indices:
    """The numbers from 0 to before `count`, in the order of two words each of the stream `shuffle/index`."""
    low, high = draw_words(Stream("shuffle", index), key_words(seed), 0, count, 2)
    return np.lexsort((low, high)).astype(np.int64)


@attrs.frozen
class Batch:
    """Input and target of a batch, and which of its examples count (batch,) f32: the others fill it up."""

    x: Array
    y: Array
    weight: Array


class Loader:
    """Deals a dataset: batches of `batch_size`, `accumulate` of them a step; a rest that fills none is left.

    Raises `SCL-DATA-SIZE` where there is not one batch to train on.
    """

    def __init__(self, dataset: Dataset, data: Data, batch_size: int, accumulate: int, seed: int) -> None:
        self._batch_size = batch_size
        self._accumulate = accumulate
        self._seed = seed
        self._sequence = data.sequence
        self._x = dataset.array(data.input)
        self._y = self._x if data.sequence else dataset.array(data.target)
        count = self._examples(self._x.shape[0])
        held_out = round(count * data.validation)
        if data.validation and not held_out:
            raise ScellisError(
                "SCL-DATA-SIZE",
                f"{data.validation:g} of the {count} examples of {dataset.id} are none to validate on.",
                "Take a greater share for validation, or 0.",
            )
        # A row of tokens is cut in two, an example apart, for those trained on begin anywhere; others
        # are drawn, for a table may be sorted by its target.
        order = np.arange(count) if data.sequence else permutation(seed, SPLIT, count)
        trained = max(0, count - held_out - (data.sequence is not None and held_out > 0))
        self._train, self._validation = np.sort(order[:trained]), np.sort(order[count - held_out :])
        self._known: tuple[int, Indices] | None = None
        self.steps_per_epoch = len(self._train) // (batch_size * accumulate)
        if not self.steps_per_epoch:
            raise ScellisError(
                "SCL-DATA-SIZE",
                f"{len(self._train)} examples of {dataset.id} make no step of {batch_size * accumulate}.",
                "Take a smaller batch_size, less accumulation or less validation.",
            )

    def _examples(self, length: int) -> int:
        """Examples of so many rows; of tokens as many as have all their targets, wherever they begin."""
        return length if self._sequence is None else max(0, (length - self._sequence) // self._sequence)

    @property
    def example_types(self) -> tuple[tuple[tuple[int, ...], str], tuple[tuple[int, ...], str]]:
        """Shape and element type of an example's input and of its target."""
        found = []
        for array in (self._x, self._y):
            shape = array.shape[1:] if self._sequence is None else (self._sequence, *array.shape[1:])
            found.append((shape, "f32" if array.dtype == np.float32 else "i32"))
        return found[0], found[1]

    @property
    def at_hand(self) -> bool:
        """Whether nothing of it is made only when it is asked for."""
        return isinstance(self._x, np.ndarray) and isinstance(self._y, np.ndarray)

    def batch(self, step: int, part: int) -> Generator[None, None, Batch]:
        """What part `part` of step `step` is trained on, both from 0; made in pieces."""
        epoch, within = divmod(step, self.steps_per_epoch)
        order = self._order(epoch)
        start = (within * self._accumulate + part) * self._batch_size
        return self._taken(self._train[order[start : start + self._batch_size]], self._shift(epoch))

    def _order(self, epoch: int) -> Indices:
        if self._known is None or self._known[0] != epoch:
            self._known = (epoch, permutation(self._seed, epoch + 1, len(self._train)))
        return self._known[1]

    def _shift(self, epoch: int) -> int:
        """Where in an epoch's row of tokens the first example begins: below a sequence's length."""
        if self._sequence is None:
            return 0
        ((word,),) = draw_words(Stream("shuffle", epoch + 1), key_words(self._seed), 2**32 - 1, 1, 1)
        return int(word) * self._sequence >> 32

    @property
    def validations(self) -> int:
        """Batches of what it is not trained on."""
        return -(-len(self._validation) // self._batch_size)

    def validation(self, number: int) -> Generator[None, None, Batch]:
        """One of the batches of what it is not trained on, made in pieces; the last one is filled up."""
        start = number * self._batch_size
        chosen = self._validation[start : start + self._batch_size]
        missing = self._batch_size - len(chosen)
        return self._taken(np.pad(chosen, (0, missing), mode="edge"), 0, len(chosen))

    def _taken(
        self, examples: Indices, shift: int, counted: int | None = None
    ) -> Generator[None, None, Batch]:
        weight = np.ones(self._batch_size, np.float32)
        weight[len(examples) if counted is None else counted :] = 0
        if self._sequence is not None:
            examples = examples[:, None] * self._sequence + np.arange(self._sequence) + shift
        after = examples if self._sequence is None else examples + 1
        x = yield from _cut(self._x, examples)
        y = yield from _cut(self._y, after)
        return Batch(x, y, weight)


def _cut(column: Column, examples: Indices) -> Generator[None, None, Array]:
    if isinstance(column, np.ndarray):
        return column[examples]
    return (yield from column.made(examples))
