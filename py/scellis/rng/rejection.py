"""Draws by rejection, decided in integers: the same bits on every device.

A draw tries pairs of words in turn, each round its own pair, and takes the first that passes. The rounds are
bounded; all of them fail with a probability below 10^−12. `wgsl/random_*.wgsl` hold the same functions;
`docs/randomness.md` says which words a round takes.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.rng.philox import U32, philox4x32
from scellis.rng.soft_float import I64, ONE, U64, Soft, Truth, excess, log, root

ROUNDS = 26
BLOCKS = ROUNDS // 2
"""Blocks of four words that these rounds take; what a draw needs besides stands in the block after them."""


@attrs.frozen(eq=False)
class Counters:
    """Where each draw finds its words: arrays `(n,) u32`, and the family and first block of all."""

    key: tuple[U32, U32]
    index: U32
    draw: U32
    family: int
    block: int

    def words(self, offset: int, at: NDArray[np.intp]) -> tuple[U32, U32, U32, U32]:
        """The words of one block, of the draws `at`."""
        counter = (self.draw[at], self.block + offset, self.index[at], self.family)
        return philox4x32(counter, (self.key[0][at], self.key[1][at]))


def first_accepted(
    counters: Counters,
    at: NDArray[np.intp],
    test: Callable[[NDArray[np.intp], U64, U64], tuple[Truth, I64]],
    otherwise: I64,
) -> I64:
    """The value of the first pair of words that `test(at, u, v)` accepts, of the draws `at` alone."""
    found = otherwise.copy()
    for number in range(ROUNDS):
        lane = number % 2 * 2
        words = counters.words(number // 2, at)
        accepted, value = test(at, words[lane].astype(np.uint64), words[lane + 1].astype(np.uint64))
        found[at[accepted]] = value[accepted]
        at = at[~accepted]
        if not at.size:
            break
    return found


def odd_uniform(word: U64) -> Soft:
    """A uniform in (0, 1), 31 bits in the middle of their cells."""
    return Soft.scaled(word | np.uint64(1), -32)


# ---- below a bound ----


def below(counters: Counters, bound: U32) -> U32:
    """Integers from 0 to before `bound`, each equally likely; 0 for a bound of 0.

    Source: D. Lemire, "Fast random integer generation in an interval", 2019. One word a round: the rounds
    all fail, and the last counts all the same, with a probability of 2^−52 at most.
    """
    wide = bound.astype(np.uint64)
    least = (2**32 - wide) % np.maximum(wide, 1)
    found = np.zeros(bound.shape, np.uint64)
    at = np.arange(bound.size)
    for number in range(2 * ROUNDS):
        product = counters.words(number // 4, at)[number % 4].astype(np.uint64) * wide[at]
        found[at] = product >> np.uint64(32)
        at = at[(product & np.uint64(0xFFFFFFFF)) < least[at]]
        if not at.size:
            break
    return found.astype(np.uint32)


# ---- gamma ----


def gamma_words(counters: Counters, a: Soft) -> U32:
    """The word u of the first pair accepted: a draw is a · exp(log(u / (1 − u)) / √(2a − 1)).

    `a` ≥ 1 is the shape. Source: R. C. H. Cheng, "The generation of gamma variables with non-integral shape
    parameter", 1977, GB. Its test, r ≥ log z, is a (exp x − 1 − x) ≤ −log(4u(1 − u)w) written out, in which
    nothing cancels for a large shape; x is the exponent above. It accepts 68 % at a = 1, 89 % at infinity.
    """
    spread = root(a.times_power(1) - ONE)

    def test(at: NDArray[np.intp], u: U64, w: U64) -> tuple[Truth, I64]:
        middle = (u & np.uint64(0xFFFFFE00)) | np.uint64(0x100)
        first, rest = Soft.scaled(middle, -32), Soft.scaled(np.uint64(2**32) - middle, -32)
        lost = a[at] * excess(log(first / rest) / spread[at])
        passed = lost + log((first * rest * odd_uniform(w)).times_power(2))
        return passed.is_at_most_zero, middle.astype(np.int64)

    size = counters.draw.size
    half = np.full(size, 0x80000100, np.int64)
    return first_accepted(counters, np.arange(size), test, half).astype(np.uint32)
