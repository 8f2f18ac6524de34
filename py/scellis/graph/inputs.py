"""The random inputs of a program, by their distributions."""

from __future__ import annotations

from scellis.graph.trace import Draw


def uniform(low: float, high: float) -> Draw:
    """The rectangular distribution on [low, high)."""
    return Draw("draw_uniform", {"low": low, "high": high})


def normal(loc: float, scale: float) -> Draw:
    """The normal distribution with mean `loc` and standard deviation `scale`."""
    return Draw("draw_normal", {"loc": loc, "scale": scale})


def student_t(df: float, loc: float, scale: float) -> Draw:
    """Student's t with `df` degrees of freedom, shifted by `loc` and scaled by `scale`."""
    return Draw("draw_t", {"df": df, "loc": loc, "scale": scale})


def arcsine(low: float, high: float) -> Draw:
    """The arcsine (U-shaped) distribution on [low, high]."""
    return Draw("draw_arcsine", {"low": low, "high": high})


def ctrap(low: float, high: float, d: float) -> Draw:
    """The curvilinear trapezoid: a rectangle on [low, high] whose limits are known to within ±d."""
    return Draw("draw_ctrap", {"low": low, "high": high, "d": d})
