"""From a standard deviation and a wished standard error to draws and shards."""

from __future__ import annotations

import math

from scellis.errors import ScellisError


def draws_needed(std: float, standard_error: float) -> int:
    """The draws whose mean has the wished standard error: ⌈(σ/e)²⌉. Raises `SCL-PLAN-ERROR` unless e > 0."""
    if not standard_error > 0:
        raise ScellisError("SCL-PLAN-ERROR", "The wished standard error must be positive.")
    return max(1, math.ceil((std / standard_error) ** 2))


def shards_needed(std: float, standard_error: float, draws_per_shard: int) -> int:
    """The whole shards that hold so many draws."""
    return -(-draws_needed(std, standard_error) // draws_per_shard)
