"""What a sampling kernel is told besides the program."""

from __future__ import annotations

import attrs


@attrs.frozen
class SampleSpec:
    """The numbers of a sampling job that a kernel needs.

    `seed` (u64) and stream `family` number choose the counters; `bins` equal bins over [`low`, `high`) of the
    output; moments are accumulated as z = (y − `pivot`) / `scale`, both exact in f32.
    """

    seed: int
    family: int
    draws_per_shard: int
    bins: int
    low: float
    high: float
    pivot: float
    scale: float
