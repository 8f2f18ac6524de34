"""From a standard deviation and a wished standard error to draws and shards."""

from __future__ import annotations

import math

from scellis.errors import ScellisError

RATIO_LIMIT = 2.0**26
"""The largest σ/e: its square, 2^52 draws, is still an exact integer in every number format on the way."""


def draws_needed(std: float, standard_error: float) -> int:
    """The draws whose mean has the wished standard error: ⌈(σ/e)²⌉.

    Raises `SCL-PLAN-ERROR` unless e is positive and large enough to be reached.
    """
    if not standard_error > 0:
        raise ScellisError("SCL-PLAN-ERROR", "The wished standard error must be positive.")
    if not std / standard_error < RATIO_LIMIT:
        raise ScellisError(
            "SCL-PLAN-ERROR",
            f"No run reaches a standard error of {standard_error:.2g} from a std of {std:.2g}.",
            "Wish for a larger standard error.",
        )
    return max(1, math.ceil((std / standard_error) ** 2))


def shards_needed(std: float, standard_error: float, draws_per_shard: int) -> int:
    """The whole shards that hold so many draws."""
    return -(-draws_needed(std, standard_error) // draws_per_shard)
