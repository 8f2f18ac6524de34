"""When two results of one shard are the same: the tolerance class of a job, and the comparison."""

from __future__ import annotations

import attrs
import numpy as np

from scellis.job.state import ShardState

MOVED_LIMIT = 1e-3
"""The largest share of draws that may lie in another bin: those that f32 rounding carries over an edge."""

MOVED_LEAST = 4
"""Draws that may lie in another bin however small the shard: chance makes clusters; so few shift nothing."""


@attrs.frozen
class Tolerance:
    """How far two honest results of one shard may lie apart.

    `mean` in the output's unit, `m2` in its square, both derived from the program's arithmetic by
    `planner.pilot`; `moved` is a share of the shard's draws.
    """

    mean: float
    m2: float
    moved: float = MOVED_LIMIT


def compare(found: ShardState, expected: ShardState, tolerance: Tolerance) -> list[str]:
    """What differs beyond the tolerance, as sentences; an empty list where nothing does.

    The count, the nonfinite draws and the sum of all bins must be equal; mean and m2 within their bounds;
    bins may differ by the draws that cross an edge, at most `moved` of all or `MOVED_LEAST`. The comparison
    is symmetric.
    """
    findings: list[str] = []
    if found.bins.shape != expected.bins.shape:
        return [f"{found.bins.size} bins instead of {expected.bins.size}"]
    if (found.count, found.nonfinite) != (expected.count, expected.nonfinite):
        findings.append(
            f"{found.count} finite and {found.nonfinite} other draws "
            f"instead of {expected.count} and {expected.nonfinite}"
        )
    if found.binned != expected.binned:
        findings.append(f"bins hold {found.binned} draws instead of {expected.binned}")
    # Written so that a NaN, which is neither more nor less than anything, is a finding.
    if not abs(found.mean - expected.mean) <= tolerance.mean:
        findings.append(f"mean differs by {found.mean - expected.mean:.3g}, {tolerance.mean:.3g} is allowed")
    if not abs(found.m2 - expected.m2) <= tolerance.m2:
        findings.append(f"m2 differs by {found.m2 - expected.m2:.3g}, {tolerance.m2:.3g} is allowed")
    moved = (
        int(np.abs(found.bins - expected.bins).sum())
        + abs(found.underflow - expected.underflow)
        + abs(found.overflow - expected.overflow)
    ) / 2
    may_move = max(int(tolerance.moved * expected.draws), MOVED_LEAST)
    if moved > may_move:
        findings.append(f"{moved:g} draws lie in other bins, {may_move} may")
    return findings
