"""Philox4x32, vectorised over counters.

Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
SC11 (2011). `wgsl/philox.wgsl` holds the same function; both are tested on the same known answers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

U32 = NDArray[np.uint32]

MULTIPLIER_0 = np.uint64(0xD2511F53)
MULTIPLIER_1 = np.uint64(0xCD9E8D57)
WEYL_0 = np.uint64(0x9E3779B9)  # golden ratio
WEYL_1 = np.uint64(0xBB67AE85)  # sqrt(3) - 1
ROUNDS = 10  # the number that passes BigCrush with a margin; 7 is the least that passes

_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)


def philox4x32(
    counter: tuple[U32 | int, U32 | int, U32 | int, U32 | int],
    key: tuple[U32 | int, U32 | int],
    rounds: int = ROUNDS,
) -> tuple[U32, U32, U32, U32]:
    """Four words for each counter.

    `counter` and `key`: four and two words, each an integer or an array `(n,) u32`, broadcast together.
    Returns four arrays `(n,) u32` in the order of the reference implementation.
    """
    c0, c1, c2, c3 = (np.asarray(word, dtype=np.uint64) for word in np.broadcast_arrays(*counter))
    k0, k1 = (np.asarray(word, dtype=np.uint64) for word in key)
    for _ in range(rounds):
        product_0 = MULTIPLIER_0 * c0
        product_1 = MULTIPLIER_1 * c2
        c0 = (product_1 >> _SHIFT) ^ c1 ^ k0
        c1 = product_1 & _LOW
        c2 = (product_0 >> _SHIFT) ^ c3 ^ k1
        c3 = product_0 & _LOW
        k0 = (k0 + WEYL_0) & _LOW
        k1 = (k1 + WEYL_1) & _LOW
    return (c0.astype(np.uint32), c1.astype(np.uint32), c2.astype(np.uint32), c3.astype(np.uint32))
