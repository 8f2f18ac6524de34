"""The distributions a program may draw from, each from a fixed number of uniforms.

A fixed number makes draw i a pure function of its counter: no draw depends on how many the one before it
took. `wgsl/distributions.wgsl` holds the same formulas in f32.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import attrs
import numpy as np

from scellis.errors import ScellisError
from scellis.graph import transforms
from scellis.graph.op import F64
from scellis.graph.precision import F32_LARGEST

DF_LIMIT = 1e9
"""The most degrees of freedom: long before, t differs from the normal by less than f32 can tell."""


@attrs.frozen
class Distribution:
    """One distribution.

    `parameters`: names in order. `words`: uniforms taken a draw. `sample(parameters, uniforms) -> (n,) f64`.
    `mean` and `std` are exact; `std` is infinite where the variance does not exist. `check` says what is
    wrong with parameters, or nothing. `rounding(parameters, values) -> (n,) f64` bounds |f32 value − f64
    value| of each draw in unit roundoffs, given that every constant is computed in f64 and rounded once, that
    an elementary function errs by at most 8 (4 ulp), a square root by 9, and that the angle of a cosine is
    reduced exactly, in turns, before it is multiplied by 2π, so that cos 2πu errs by 10 in all.
    """

    parameters: tuple[str, ...]
    words: int
    sample: Callable[[Mapping[str, float], Sequence[F64]], F64]
    mean: Callable[[Mapping[str, float]], float]
    std: Callable[[Mapping[str, float]], float]
    check: Callable[[Mapping[str, float]], str]
    rounding: Callable[[Mapping[str, float], F64], F64]


def _uniform(p: Mapping[str, float], u: Sequence[F64]) -> F64:
    return p["low"] + (p["high"] - p["low"]) * u[0]


def _normal(p: Mapping[str, float], u: Sequence[F64]) -> F64:
    found: F64 = p["loc"] + p["scale"] * transforms.normal_radius(np, u[0]) * transforms.turned(np, u[1])
    return found


def _t(p: Mapping[str, float], u: Sequence[F64]) -> F64:
    radius = transforms.t_radius(np, p["df"], u[0])
    found: F64 = p["loc"] + p["scale"] * radius * transforms.turned(np, u[1])
    return found


def _arcsine(p: Mapping[str, float], u: Sequence[F64]) -> F64:
    found: F64 = transforms.arcsine(np, p["low"], p["high"], u[0])
    return found


def _ctrap(p: Mapping[str, float], u: Sequence[F64]) -> F64:
    found: F64 = transforms.curvilinear_trapezoid(p["low"], p["high"], p["d"], u[0], u[1])
    return found


def _rounding_about(centre: float, factor: float, values: F64) -> F64:
    """The bound for `centre + deviation`, where the deviation alone carries `factor` unit roundoffs."""
    return np.abs(values) + abs(centre) + factor * np.abs(values - centre)


def _t_rounding(p: Mapping[str, float], values: F64) -> F64:
    # expm1 multiplies the 10 roundoffs of its argument x by at most 1 + x; x is largest at u = 2^−24.
    largest = (2.0 / p["df"]) * 24.0 * math.log(2.0)
    return _rounding_about(p["loc"], 32.0 + 5.0 * largest, values)


def _ctrap_rounding(p: Mapping[str, float], values: F64) -> F64:
    # Both limits are computed from low + high, so what they lose does not shrink with their distance.
    limit = max(abs(p["low"]), abs(p["high"])) + p["d"]
    return np.abs(values) + 9.0 * limit + 12.0 * p["d"] + 2.0 * (p["high"] - p["low"] + 2.0 * p["d"])


def _middle(p: Mapping[str, float]) -> float:
    return (p["low"] + p["high"]) / 2.0


def _ordered(p: Mapping[str, float]) -> str:
    return "" if p["low"] < p["high"] else "low must be less than high"


def _scaled(p: Mapping[str, float]) -> str:
    return "" if p["scale"] > 0 else "scale must be positive"


def _t_check(p: Mapping[str, float]) -> str:
    return _scaled(p) or ("" if 1 <= p["df"] <= DF_LIMIT else f"df must lie between 1 and {DF_LIMIT:g}")


def _ctrap_check(p: Mapping[str, float]) -> str:
    if wrong := _ordered(p):
        return wrong
    return "" if 0 <= p["d"] < (p["high"] - p["low"]) / 2.0 else "d must lie between 0 and half of high - low"


DRAWS: dict[str, Distribution] = {
    "draw_uniform": Distribution(
        parameters=("low", "high"),
        words=1,
        sample=_uniform,
        mean=_middle,
        std=lambda p: (p["high"] - p["low"]) / math.sqrt(12.0),
        check=_ordered,
        rounding=lambda p, values: _rounding_about(p["low"], 2, values),
    ),
    "draw_normal": Distribution(
        parameters=("loc", "scale"),
        words=2,
        sample=_normal,
        mean=lambda p: p["loc"],
        std=lambda p: p["scale"],
        check=_scaled,
        rounding=lambda p, values: _rounding_about(p["loc"], 26, values),
    ),
    "draw_t": Distribution(
        parameters=("df", "loc", "scale"),
        words=2,
        sample=_t,
        mean=lambda p: p["loc"] if p["df"] > 1 else math.nan,
        std=lambda p: p["scale"] * math.sqrt(p["df"] / (p["df"] - 2.0)) if p["df"] > 2 else math.inf,
        check=_t_check,
        rounding=_t_rounding,
    ),
    "draw_arcsine": Distribution(
        parameters=("low", "high"),
        words=1,
        sample=_arcsine,
        mean=_middle,
        std=lambda p: (p["high"] - p["low"]) / math.sqrt(8.0),
        check=_ordered,
        rounding=lambda p, values: _rounding_about(_middle(p), 12, values),
    ),
    "draw_ctrap": Distribution(
        parameters=("low", "high", "d"),
        words=2,
        sample=_ctrap,
        mean=_middle,
        std=lambda p: math.sqrt((p["high"] - p["low"]) ** 2 / 12.0 + p["d"] ** 2 / 9.0),
        check=_ctrap_check,
        rounding=_ctrap_rounding,
    ),
}
"""By operation name. The set grows here, in `kernels.emit` and in `wgsl/distributions.wgsl`."""


def check_parameters(op: str, parameters: Mapping[str, float]) -> None:
    """Raise `SCL-GRAPH-PARAMETER` unless `parameters` are what distribution `op` takes."""
    distribution = DRAWS[op]
    if set(parameters) != set(distribution.parameters):
        raise ScellisError(
            "SCL-GRAPH-PARAMETER",
            f"{op} takes {', '.join(distribution.parameters)} and nothing else.",
        )
    if not all(abs(value) <= F32_LARGEST for value in parameters.values()):
        raise ScellisError("SCL-GRAPH-PARAMETER", f"A parameter of {op} is no number that f32 can hold.")
    if wrong := distribution.check(parameters):
        raise ScellisError("SCL-GRAPH-PARAMETER", f"{op}: {wrong}.")
