"""Formulas that make draws of uniforms: of sampled programs on NumPy, of random arrays on values of a graph.

`xp` has the functions, numbers or arrays of any kind the parameters. `wgsl/distributions.wgsl` holds those
that a sampled program may draw from.
"""

from __future__ import annotations

import math
from typing import Any

TWO_PI = 2.0 * math.pi


def turned(xp: Any, u: Any) -> Any:
    """The cosine of so many turns."""
    return xp.cos(TWO_PI * u)


def normal_radius(xp: Any, u: Any) -> Any:
    """By `turned`, a standard normal. G. E. P. Box, M. E. Muller, "A note on the generation of random normal
    deviates", 1958."""
    return xp.sqrt(-2.0 * xp.log(u))


def t_radius(xp: Any, df: Any, u: Any) -> Any:
    """By `turned`, a standard t. R. W. Bailey, "Polar generation of random variates with the t-distribution",
    1994, trigonometric form.

    u^(−2/ν) − 1 is written expm1(−2/ν · log u), so that nothing cancels where u is near 1.
    """
    return xp.sqrt(df * xp.expm1((-2.0 / df) * xp.log(u)))


def arcsine(xp: Any, low: Any, high: Any, u: Any) -> Any:
    """JCGM 101:2008, 6.4.6."""
    return (low + high) / 2.0 + (high - low) / 2.0 * xp.sin(TWO_PI * u)


def curvilinear_trapezoid(low: Any, high: Any, d: Any, u0: Any, u1: Any) -> Any:
    """JCGM 101:2008, 6.4.3: a rectangle whose half-width is itself uniform, d about each limit."""
    first = (low - d) + 2.0 * d * u0
    last = (low + high) - first
    return first + (last - first) * u1


def tail(xp: Any, x: Any) -> Any:
    """The probability that a standard normal exceeds x."""
    return 0.5 * xp.erfc(x * math.sqrt(0.5))


def tail_quantile(xp: Any, probability: Any) -> Any:
    """The number that a standard normal exceeds with this probability, from 2^−124 to ½.

    Off by 10^−7 at most: M. Abramowitz, I. A. Stegun, 26.2.23, and a step of Newton's on log erfc.
    """
    t = xp.sqrt(-2.0 * xp.log(probability))
    above = 2.515517 + t * (0.802853 + t * 0.010328)
    near = t - above / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
    found = tail(xp, near)
    density = xp.exp(near * near * -0.5) * (1.0 / math.sqrt(TWO_PI))
    return near + xp.log(found / probability) * (found / density)


def truncated_normal(xp: Any, first: Any, second: Any, u: Any) -> Any:
    """A standard normal between two limits, either None for an infinite one, from uniforms.

    What is left of it and what is right of it are found apart, without cancellation; the less is inverted.
    """
    none, whole = xp.zeros_like(u), xp.ones_like(u)
    below, not_below = (none, whole) if first is None else (tail(xp, -first), tail(xp, first))
    above, not_above = (none, whole) if second is None else (tail(xp, second), tail(xp, -second))
    # On the right the difference of the upper tails is the exact one.
    inside = xp.where(not_below < below, not_below - above, not_above - below)
    left, right = below + inside * u, above + inside * (1.0 - u)
    distance = tail_quantile(xp, xp.clip(xp.minimum(left, right), 2.0**-124, 0.5))
    return xp.where(left < right, -distance, distance)
