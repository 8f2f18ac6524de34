"""When two results of one shard are the same: the tolerance class of a job, and the comparison."""

from __future__ import annotations

import attrs
import numpy as np

from scellis.errors import Finding
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


def compare(found: ShardState, expected: ShardState, tolerance: Tolerance) -> list[Finding]:
    """What differs beyond the tolerance; an empty list where nothing does.

    The count, the nonfinite draws and the sum of all bins must be equal; mean and m2 within their bounds;
    bins may differ by the draws that cross an edge, at most `moved` of all or `MOVED_LEAST`. The comparison
    is symmetric.
    """
    findings: list[Finding] = []
    if found.bins.shape != expected.bins.shape:
        sizes = found.bins.size, expected.bins.size
        message = f"{sizes[0]} bins instead of {sizes[1]}"
        return [Finding("finding-bins", message, {"found": sizes[0], "expected": sizes[1]})]
    if (found.count, found.nonfinite) != (expected.count, expected.nonfinite):
        findings.append(
            Finding(
                "finding-count",
                f"{found.count} finite and {found.nonfinite} other draws "
                f"instead of {expected.count} and {expected.nonfinite}",
                {
                    "finite": found.count,
                    "other": found.nonfinite,
                    "finite_expected": expected.count,
                    "other_expected": expected.nonfinite,
                },
            )
        )
    if found.binned != expected.binned:
        findings.append(
            Finding(
                "finding-binned",
                f"bins hold {found.binned} draws instead of {expected.binned}",
                {"found": found.binned, "expected": expected.binned},
            )
        )
    # Written so that a NaN, which is neither more nor less than anything, is a finding.
    for name, ours, theirs, allowed in (
        ("mean", found.mean, expected.mean, tolerance.mean),
        ("m2", found.m2, expected.m2, tolerance.m2),
    ):
        if not abs(ours - theirs) <= allowed:
            far = {"by": f"{ours - theirs:.3g}", "allowed": f"{allowed:.3g}"}
            message = f"{name} differs by {far['by']}, {far['allowed']} is allowed"
            findings.append(Finding(f"finding-{name}", message, {**far}))
    moved = (
        int(np.abs(found.bins - expected.bins).sum())
        + abs(found.underflow - expected.underflow)
        + abs(found.overflow - expected.overflow)
    ) / 2
    may_move = max(int(tolerance.moved * expected.draws), MOVED_LEAST)
    if moved > may_move:
        message = f"{moved:g} draws lie in other bins, {may_move} may"
        findings.append(Finding("finding-moved", message, {"moved": moved, "allowed": may_move}))
    return findings
