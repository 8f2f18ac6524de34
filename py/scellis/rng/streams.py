"""Named streams, disjoint by construction.

A stream is `family/index`. Philox maps a 128-bit counter under a 64-bit key to a block of four words, a
bijection for each key, so under one seed two draws take the same block only where they share a counter. Each
part of the name has counter bits of its own:

    key      = (seed mod 2^32, seed div 2^32)        the root seed, any unsigned 64-bit integer
    counter  = (draw, block, index, family)           four 32-bit words
               draw    which draw of the stream, 0 ... 2^32 - 1
               block   which four words of that draw: word w stands in block w div 4, lane w mod 4
               index   which member of the family, for instance the shard
               family  the family's number below

Two different streams differ in `index` or `family`, hence in every counter; two seeds differ in the key. A
name without an index means index 0. Family numbers are part of the engine's contract: they are added, never
changed.
"""

from __future__ import annotations

import re

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.errors import ScellisError
from scellis.rng.philox import U32, philox4x32

FAMILIES: dict[str, int] = {
    "shard": 1,
    "pilot": 2,
    "admit": 3,
    "dropout": 16,
    "shuffle": 17,
    "augment": 18,
    "init": 19,
}
SEED_LIMIT = 2**64
INDEX_LIMIT = 2**32

_NAME = re.compile(r"([a-z]+)(?:/(0|[1-9][0-9]{0,9}))?")


def key_words(seed: int) -> tuple[int, int]:
    """The Philox key of a root seed, its low and its high 32 bits. Raises `SCL-RNG-SEED` outside u64."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < SEED_LIMIT:
        raise ScellisError(
            "SCL-RNG-SEED", "This is not a root seed.", "A seed is an integer from 0 to 2^64 - 1."
        )
    return seed & 0xFFFFFFFF, seed >> 32


@attrs.frozen
class Stream:
    """One named stream of a root seed."""

    family: str
    index: int = 0

    def __attrs_post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise ScellisError(
                "SCL-RNG-STREAM",
                f"There is no stream family {self.family!r}.",
                f"Known: {', '.join(FAMILIES)}.",
            )
        if not 0 <= self.index < INDEX_LIMIT:
            raise ScellisError("SCL-RNG-STREAM", f"Stream index {self.index} is outside 0 ... 2^32 - 1.")

    @classmethod
    def named(cls, name: str) -> Stream:
        """The stream called `family` or `family/index`. Raises `SCL-RNG-STREAM`."""
        match = _NAME.fullmatch(name)
        if match is None:
            raise ScellisError(
                "SCL-RNG-STREAM", f"{name[:80]!r} names no stream.", "Write it as family/index."
            )
        return cls(match[1], int(match[2] or 0))

    @property
    def number(self) -> int:
        """The family's counter word."""
        return FAMILIES[self.family]


def stream_of(number: int, index: int) -> Stream:
    """The stream of a family number, as kernels and devices carry it. Raises `SCL-RNG-STREAM`."""
    for family, known in FAMILIES.items():
        if known == number:
            return Stream(family, index)
    raise ScellisError("SCL-RNG-STREAM", f"There is no stream family number {number}.")


def draw_words(stream: Stream, key: tuple[int, int], first: int, count: int, words: int) -> list[U32]:
    """The random words of draws `first … first + count − 1` of a stream.

    Returns `words` arrays `(count,) u32`, word w of every draw in the w-th. Raises `SCL-RNG-COUNT` where a
    draw would lie beyond the 2^32 that a stream has.
    """
    if first < 0 or count < 0 or first + count > INDEX_LIMIT:
        raise ScellisError("SCL-RNG-COUNT", f"Draws {first} to {first + count} exceed the 2^32 of a stream.")
    index = np.arange(first, first + count, dtype=np.uint32)
    result: list[U32] = []
    for block in range(-(-words // 4)):
        result.extend(philox4x32((index, block, stream.index, stream.number), key))
    return result[:words]


def uniform_from_words(words: U32) -> NDArray[np.float64]:
    """Uniforms in the open interval (0, 1) from the top 23 bits of each word: (w div 2^9 + 1/2) · 2^−23.

    Each value needs 24 significant bits, so it is exact in f32 as in f64; the grid is symmetric about 1/2 and
    never touches 0 or 1. What lies beyond a probability of 2^−24 in either tail is not sampled.
    """
    return ((words >> np.uint32(9)).astype(np.float64) + 0.5) * 2.0**-23
