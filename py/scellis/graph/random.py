"""Random arrays within a graph, from the named streams of `scellis.rng`."""

from __future__ import annotations

import math

from scellis.errors import ScellisError
from scellis.graph import functions
from scellis.graph.trace import Value
from scellis.graph.types import F32, Shape
from scellis.rng.streams import Stream


class Generator:
    """Draws arrays from one stream: `key` (2,) u32 of the root seed, `index` () u32, for instance the step.

    The arrays are numbered in the order in which they are asked for, so a graph has the same ones whenever it
    is traced, and one index gives them anew whenever it is computed. Words, uniforms, truths and categories
    are the same bits on every device. Raises `SCL-RNG-STREAM` for an unknown family.
    """

    def __init__(self, key: Value, index: Value, family: str) -> None:
        self._key = key
        self._index = index
        self._family = Stream(family).number
        self._arrays = 0

    def words(self, shape: Shape, count: int = 1) -> tuple[Value, ...]:
        """Arrays of random words, u32: up to four of one block."""
        block, self._arrays = self._arrays, self._arrays + 1
        return tuple(
            self._key.builder.apply(
                "random_words", self._key, self._index,
                shape=tuple(shape), family=self._family, block=block, lane=lane,
            )
            for lane in range(count)
        )  # fmt: skip

    def uniform(self, shape: Shape, low: float = 0.0, high: float = 1.0) -> Value:
        """Uniform between `low` and `high`, neither included for 0 and 1; f32."""
        (word,) = self.words(shape)
        unit = _unit(word)
        return unit if (low, high) == (0.0, 1.0) else unit * (high - low) + low

    def bernoulli(self, chance: float, shape: Shape) -> Value:
        """True with a chance that is rounded to a multiple of 2^−32; bool. Raises `SCL-GRAPH-PARAMETER`."""
        if not 0.0 <= chance <= 1.0:
            raise ScellisError("SCL-GRAPH-PARAMETER", f"{chance} is no chance: that is from 0 to 1.")
        (word,) = self.words(shape)
        below = round(chance * 2.0**32)
        return functions.full_like(word, 1) == 1 if below == 2**32 else word < below

    def normal(self, shape: Shape) -> Value:
        """Standard normal; f32. Source: G. E. P. Box, M. E. Muller, 1958."""
        radius, angle = map(_unit, self.words(shape, 2))
        return functions.sqrt(functions.log(radius) * -2.0) * functions.cos(angle * (2.0 * math.pi))


def _unit(word: Value) -> Value:
    """Uniforms in (0, 1) from the top 23 bits: odd multiples of 2^−24, exact in f32."""
    return ((word & 0xFFFFFE00) | 0x100).astype(F32) * 2.0**-32
