"""The state of one shard: moments and a histogram of constant size, and how two states become one."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeVar

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.codecs import pack, unpack
from scellis.errors import ScellisError
from scellis.kernels.sampling import BINS_LIMIT

I64 = NDArray[np.int64]
Number = TypeVar("Number", float, Fraction)

STATE_LIMIT_BYTES = 8 * (BINS_LIMIT + 64)
"""The longest encoded state that is read from a peer."""


def merge_moments(a: tuple[int, Number, Number], b: tuple[int, Number, Number]) -> tuple[int, Number, Number]:
    """Count, mean and sum of squared deviations of two samples taken together.

    Source: T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae and a pairwise algorithm for computing
    sample variances", 1979. The formula divides by the joint count, so empty states are taken apart first.
    Exact over `Fraction`; over floats the relative error is a few unit roundoffs a merge.
    """
    (count_a, mean_a, m2_a), (count_b, mean_b, m2_b) = a, b
    if count_b == 0:
        return a
    if count_a == 0:
        return b
    count = count_a + count_b
    delta = mean_b - mean_a
    mean = mean_a + delta * count_b / count
    m2 = m2_a + m2_b + delta * delta * count_a * count_b / count
    return count, mean, m2


@attrs.frozen(eq=False)
class ShardState:
    """What a shard leaves of its draws.

    `count` finite draws with `mean` and `m2` = Σ(y − mean)², in the output's unit; `bins (b,) i64` counts
    over [low, high) of the job, `underflow` and `overflow` beside them; `nonfinite` draws, which enter
    nothing else.
    """

    count: int
    mean: float
    m2: float
    bins: I64
    underflow: int
    overflow: int
    nonfinite: int

    @classmethod
    def empty(cls, bins: int) -> ShardState:
        """The identity of `merge`."""
        return cls(0, 0.0, 0.0, np.zeros(bins, np.int64), 0, 0, 0)

    @property
    def draws(self) -> int:
        """All draws, finite or not."""
        return self.count + self.nonfinite

    @property
    def binned(self) -> int:
        """Draws in the bins and beside them, added without the limits of i64."""
        return sum(map(int, self.bins)) + self.underflow + self.overflow

    def merge(self, other: ShardState) -> ShardState:
        """Both samples taken together."""
        count, mean, m2 = merge_moments((self.count, self.mean, self.m2), (other.count, other.mean, other.m2))
        return ShardState(
            count,
            mean,
            m2,
            self.bins + other.bins,
            self.underflow + other.underflow,
            self.overflow + other.overflow,
            self.nonfinite + other.nonfinite,
        )

    def to_bytes(self) -> bytes:
        """The canonical bytes: safetensors of `bins`, `counts` and `moments`.

        `counts` holds count, underflow, overflow, nonfinite; `moments` mean and m2.
        """
        return pack(
            {
                "bins": self.bins,
                "counts": np.array([self.count, self.underflow, self.overflow, self.nonfinite], np.int64),
                "moments": np.array([self.mean, self.m2], np.float64),
            }
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> ShardState:
        """Read a state from a stranger. Raises `SCL-TENSOR-FORM` or `SCL-JOB-STATE`."""
        tensors = unpack(data, what="shard state", limit_bytes=STATE_LIMIT_BYTES)
        shapes = {name: (array.dtype.str, array.shape) for name, array in tensors.items()}
        bins = tensors.get("bins", np.zeros(0, np.int64))
        if shapes != {"bins": ("<i8", (bins.size,)), "counts": ("<i8", (4,)), "moments": ("<f8", (2,))}:
            raise ScellisError(
                "SCL-JOB-STATE", "A shard state has other tensors than bins, counts and moments."
            )
        count, underflow, overflow, nonfinite = (int(number) for number in tensors["counts"])
        mean, m2 = (float(number) for number in tensors["moments"])
        state = cls(count, mean, m2, bins, underflow, overflow, nonfinite)
        if wrong := state._inconsistency():
            raise ScellisError("SCL-JOB-STATE", f"A shard state contradicts itself: {wrong}.")
        return state

    def is_of(self, draws: int, bins: int) -> bool:
        """Whether the state has `bins` bins over exactly `draws` draws."""
        return self.draws == draws and self.bins.size == bins

    def _inconsistency(self) -> str:
        if min(self.count, self.underflow, self.overflow, self.nonfinite, int(self.bins.min(initial=0))) < 0:
            return "a count is negative"
        if not (math.isfinite(self.mean) and math.isfinite(self.m2) and self.m2 >= 0):
            return "its moments are not finite"
        if self.binned != self.count:
            return "its bins do not add up to its count"
        return ""
