"""The shortest coverage interval of a histogram, with what the bins leave unknown."""

from __future__ import annotations

import attrs
import numpy as np

from scellis.graph.op import F64
from scellis.job.state import ShardState

REFUSALS = {
    "no-draws": "no draws yet",
    "few-draws": "too few draws for the coverage: at least ten are to lie outside",
    "range-narrow": "the range frozen by the pilot holds less than the coverage",
    "end-outside": "an end may lie among draws outside the range frozen by the pilot",
}
"""Why a histogram has no interval to show."""


@attrs.frozen
class Interval:
    """The shortest interval at a coverage, in the output's unit.

    `error` is what either end may be off by because draws were binned: one bin's width. Rounded outwards to
    edges, the interval covers what it says; it is longer than the unbinned sample's by at most twice `error`.
    Where the interval cannot be told from the histogram, `low` and `high` are None and `refusal` is one of
    `REFUSALS`.
    """

    low: float | None
    high: float | None
    coverage: float
    error: float
    refusal: str = ""


def shortest_interval(state: ShardState, low: float, high: float, coverage: float) -> Interval:
    """The shortest interval holding `coverage` of the draws, their distribution taken linear in each bin.

    Source: JCGM 101:2008, 7.7 and 5.3.4. A piecewise linear distribution function has its shortest interval
    with one end on an edge, so the edges are searched. Refused where the sample is empty, and where an end
    may lie among the draws below or above the bins, whose places were not kept.
    """
    width = (high - low) / state.bins.size

    def refuse(why: str) -> Interval:
        return Interval(None, None, coverage, width, why)

    if state.count == 0:
        return refuse("no-draws")
    edges = np.linspace(low, high, state.bins.size + 1)
    mass = (np.concatenate([[0], np.cumsum(state.bins)]) + state.underflow) / state.count
    if mass[-1] - mass[0] < coverage:
        return refuse("range-narrow")
    starts = edges[mass + coverage <= mass[-1]]
    ends = _first_reaching(mass, edges, mass[mass + coverage <= mass[-1]] + coverage)
    stops = edges[mass - coverage >= mass[0]]
    begins = np.interp(mass[mass - coverage >= mass[0]] - coverage, mass, edges)
    lows, highs = np.concatenate([starts, begins]), np.concatenate([ends, stops])
    best = int(np.argmin(highs - lows))
    # An interval that began among the draws below could not end before the coverage is reached, nor could one
    # that ended among those above begin later than this; where either might be as short, nobody can tell.
    first_end = _first_reaching(mass, edges, np.array([coverage]))[0]
    last_start = np.interp(1.0 - coverage, mass, edges)
    length = highs[best] - lows[best]
    if (state.underflow and first_end - low <= length) or (state.overflow and high - last_start <= length):
        return refuse("end-outside")
    return Interval(float(lows[best]), float(highs[best]), coverage, width)


def _first_reaching(mass: F64, edges: F64, levels: F64) -> F64:
    """The least point at which the distribution function reaches each level, before any empty bins.

    `np.interp` alone gives the greatest, which is what the lower end wants.
    """
    return -np.interp(-levels, -mass[::-1], -edges[::-1])
