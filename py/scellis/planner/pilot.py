"""The pilot: a small run on the oracle, from a stream of its own, that freezes what a job fixes beforehand.

Its draws are never folded into a result. It finds the spread and the range of the histogram, and derives from
the program's arithmetic how far two honest devices may lie apart; a program that f32 cannot hold is refused
here, before anybody computes it.
"""

from __future__ import annotations

import math

import attrs
import numpy as np

from scellis.errors import ScellisError
from scellis.graph import Graph, chunks, rounding_bound
from scellis.graph.op import F64
from scellis.graph.precision import F32_LARGEST, F32_SMALLEST, UNIT_ROUNDOFF
from scellis.rng import Stream, draw_words, key_words, uniform_from_words
from scellis.rng.streams import INDEX_LIMIT

PILOT_DRAWS = 32_768
"""Enough for σ to about 0.4 % and the 0.1 % quantiles to some 30 draws; under 50 ms on the slowest oracle."""

TAIL = 1e-3
"""The pilot's quantile from which the histogram reaches as far again beyond the median."""

SIGNIFICANT_DIGITS = 3
"""Digits kept of every frozen number, so that two oracles that differ in a last bit freeze the same job."""

ACCUMULATION_DEPTH = 512
"""The longest chain of f32 additions between a draw and a kernel's output; kernels keep below it by test."""

SAFETY = 2.5
"""Two devices may err in opposite directions (2); the pilot's averages are estimates themselves (1.25)."""

RESOLUTION = 0.05
"""The largest share of a shard's standard error that rounding may move its mean by, so that a shift by a
tenth is told from rounding."""


@attrs.frozen
class Pilot:
    """What the pilot froze, in the output's unit.

    `mean` and `std` of the pilot's draws; `low`, `high` the histogram's range; `pivot`, `scale` the numbers
    that kernels centre and scale by, exact in f32; `tolerance_mean` and `tolerance_m2` of one shard;
    `rounding` bounds what f32 moves a draw by, on average.
    """

    mean: float
    std: float
    low: float
    high: float
    pivot: float
    scale: float
    tolerance_mean: float
    tolerance_m2: float
    rounding: float


def run_pilot(
    graph: Graph, seed: int, draws_per_shard: int, *, fast: bool = False, draws: int = PILOT_DRAWS
) -> Pilot:
    """Run the pilot of a program for shards of `draws_per_shard` draws.

    `fast`: the tier computes with built-in functions, whose error is allowed to be so large that a shard's
    mean is not resolved; the tolerance then says so, and nothing is refused for it.

    Raises `SCL-PLAN-DRAWS` for shards of no draws, `SCL-PLAN-NONFINITE` when the program leaves the real
    numbers, `SCL-PLAN-RANGE` when it leaves those of f32, `SCL-PLAN-CONSTANT` when its output does not vary,
    `SCL-PLAN-CANCELLATION` when f32 cannot resolve it.
    """
    if not 1 <= draws_per_shard <= INDEX_LIMIT:
        raise ScellisError("SCL-PLAN-DRAWS", "A shard has from 1 to 2^32 draws.")
    values, bounds = np.empty(draws), np.empty(draws)
    for start, size in chunks(graph, draws, draws):
        words = draw_words(Stream("pilot"), key_words(seed), start, size, graph.words)
        part = slice(start, start + size)
        values[part], bounds[part] = rounding_bound(
            graph, [uniform_from_words(word) for word in words], built_ins=fast
        )
    bad = int(np.count_nonzero(~np.isfinite(values)))
    if bad:
        raise ScellisError(
            "SCL-PLAN-NONFINITE",
            f"{bad} of {draws} pilot draws of the program are not finite numbers.",
            "Look for a logarithm or root of what may be negative, or a division by what may be zero.",
            bad=bad,
            draws=draws,
        )
    bad = int(np.count_nonzero(~np.isfinite(bounds)))
    if bad:
        raise _out_of_range(f"{bad} of {draws} pilot draws of the program cannot be computed in f32")
    mean, std = float(values.mean()), float(values.std(ddof=1))
    if not std > F32_SMALLEST:
        raise ScellisError(
            "SCL-PLAN-CONSTANT", "The program's output does not vary: f32 has nothing to sample."
        )
    low, median, high = (float(value) for value in np.quantile(values, [TAIL, 0.5, 1.0 - TAIL]))
    step = 10.0 ** (math.floor(math.log10(std)) - SIGNIFICANT_DIGITS + 1)
    pivot = float(np.float32(_round(median, step)))
    scale = 2.0 ** round(math.log2(std))
    tolerance_mean, tolerance_m2 = _tolerance(values, bounds, pivot, draws_per_shard)
    pilot = Pilot(
        mean=mean,
        std=std,
        low=_round(2.0 * low - median, step),
        high=_round(2.0 * high - median, step),
        pivot=pivot,
        scale=scale,
        tolerance_mean=_significant(tolerance_mean),
        tolerance_m2=_significant(tolerance_m2),
        rounding=float(np.mean(bounds)),
    )
    if not fast:
        _check_resolution(pilot, draws_per_shard)
    if not max(abs(pilot.low), abs(pilot.high), pilot.scale) < F32_LARGEST:
        raise _out_of_range("The program's output cannot be held in f32")
    return pilot


def _out_of_range(what: str) -> ScellisError:
    return ScellisError(
        "SCL-PLAN-RANGE",
        f"{what}: a number on the way lies beyond 3.4e38, or its rounding error has no bound.",
        "Choose other units, and look for a root of what may be zero.",
    )


def _tolerance(values: F64, bounds: F64, pivot: float, draws_per_shard: int) -> tuple[float, float]:
    """Bounds on the difference of one shard's mean and m2 between two honest devices.

    Each draw errs by its rounding bound and by centring; sums err by the depth of their chain times the sum
    of absolute terms (Higham 2002, 4.2).
    """
    deviations = np.abs(values - pivot)
    errors = bounds + UNIT_ROUNDOFF * deviations + F32_SMALLEST
    chain = ACCUMULATION_DEPTH * UNIT_ROUNDOFF
    mean = float(np.mean(errors) + chain * np.mean(deviations))
    squares = float(np.mean(2.0 * deviations * errors + errors**2) + 2.0 * chain * np.mean(deviations**2))
    centring = 2.0 * abs(float(np.mean(values)) - pivot) * mean
    return SAFETY * mean, SAFETY * draws_per_shard * (squares + centring)


def _check_resolution(pilot: Pilot, draws_per_shard: int) -> None:
    error = pilot.std / math.sqrt(draws_per_shard)
    if pilot.tolerance_mean > RESOLUTION * error:
        raise ScellisError(
            "SCL-PLAN-CANCELLATION",
            f"In f32, rounding may move a shard's mean by {pilot.tolerance_mean:.2g}, more than a twentieth "
            f"of its standard error {error:.2g}: a wrong result could not be told from an honest one.",
            "Write the program in deviations from nominal values, so that large numbers do not cancel, "
            "or take fewer draws a shard.",
            rounding=pilot.tolerance_mean,
            standard_error=error,
        )


def _round(value: float, step: float) -> float:
    """`value` to a multiple of `step`, a power of ten, as the shortest decimal has it."""
    return round(value, -round(math.log10(step)))


def _significant(value: float) -> float:
    """`value` rounded up to two significant digits."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(math.ceil(value / step) * step, -round(math.log10(step)))
