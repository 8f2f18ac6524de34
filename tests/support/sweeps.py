"""Our elementary functions over their whole range: what each GPU is tried on, and what is exact there.

The reference is NumPy in f64, and scellis.graph.special where NumPy has no such function.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.graph import special
from scellis.graph.precision import F32_LARGEST, F32_SMALLEST
from support.mapper import Mapper

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
MANY = 4_000_000
FEW = 100_000


def all_uniforms() -> F32:
    """Every value that a uniform takes."""
    return (np.arange(2**23, dtype=np.float64) * 2.0**-23 + 2.0**-24).astype(np.float32)


def bit_patterns(low: float, high: float, count: int = MANY) -> F32:
    """About `count` f32 from `low` to `high`, of one sign, evenly spread over their bit patterns."""
    start, stop = sorted(np.array([low, high], np.float32).view(np.uint32).tolist())
    step = max(1, (stop - start) // count)
    return np.append(np.arange(start, stop, step, dtype=np.uint32), np.uint32(stop)).view(np.float32)


def sin2pi(turns: F64) -> F64:
    """sin 2πt with the angle reduced in turns, so that it is as good near its zeros as elsewhere."""
    folded = turns - np.round(turns)
    folded = np.where(np.abs(folded) > 0.25, np.copysign(0.5, folded) - folded, folded)
    return np.sin(2.0 * np.pi * folded)


@attrs.frozen
class Sweep:
    """One function of a file of wgsl/, or of WGSL: its arguments, what is exact, the error allowed.

    `scale` is what the error is relative to, where that is more than the exact value. Arguments of a function
    of two are pairs, `(n, 2) f32`.
    """

    function: str
    arguments: Callable[[], F32]
    exact: Callable[..., F64]
    limit_ulp: float = 4.0
    file: str = "elementary.wgsl"
    scale: Callable[..., F64] | None = None

    async def errors_ulp(self, mapper: Mapper) -> tuple[F32, F64]:
        """The arguments, and the error of each in units of the last place of the exact value in f32."""
        x = self.arguments()
        found = await apply(mapper, self.file, self.function, x)
        columns = x.astype(np.float64).T if x.ndim == 2 else [x.astype(np.float64)]
        with np.errstate(all="ignore"):
            exact = self.exact(*columns)
            scale = np.abs(exact) if self.scale is None else np.maximum(np.abs(exact), self.scale(*columns))
        held = np.where(np.abs(exact) > F32_LARGEST, np.copysign(np.inf, exact), exact)
        same = (held == found) | (np.isnan(held) & np.isnan(found))
        same |= (np.abs(exact) < F32_SMALLEST) & (found == 0.0)
        return x, np.where(same, 0.0, ulps(found, np.where(same, 0.0, exact), scale))


async def apply(mapper: Mapper, file: str, function: str, x: F32) -> F32:
    """A function of a file of wgsl/ on numbers `(n,)`, or on pairs of them `(n, 2)`."""
    kernel, call = ("elementary.wgsl", "x") if x.ndim == 1 else ("elementary_pairs.wgsl", "x, y")
    puts = {"FUNCTION": f"return {function}({call});"}
    found = await mapper(kernel, x, x.shape[0], includes={"functions": file}, puts=puts)
    return found.view(np.float32)


def ulps(found: F32, exact: F64, scale: F64 | None = None) -> F64:
    """|found − exact| in units of the last place of the exact value, or of `scale`, as f32 has it."""
    size = np.clip(np.abs(exact if scale is None else scale), F32_SMALLEST, 2.0**127)
    spacing = np.spacing(size.astype(np.float32)).astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.abs(found.astype(np.float64) - exact) / spacing


def few(low: float, high: float) -> Callable[[], F32]:
    """Arguments for a function that is of one piece there."""
    return lambda: bit_patterns(low, high, FEW)


def both(low: float, high: float) -> Callable[[], F32]:
    """The same of either sign."""
    return lambda: np.concatenate([bit_patterns(low, high, FEW), -bit_patterns(low, high, FEW)])


def pairs(low: float, high: float, second: Callable[[F64, F64], F64]) -> Callable[[], F32]:
    """`FEW` pairs: numbers, and what `second` makes of each and of a random number in (0, 1)."""

    def made() -> F32:
        random = np.random.default_rng(6)
        x = random.permutation(bit_patterns(low, high, FEW)).astype(np.float64)
        y = second(x, random.random(x.size))
        return np.stack([x, y], 1).astype(np.float32)

    return made


def _spread(x: F64, u: F64) -> F64:
    """Another number within 2^±40 of x, of either sign."""
    return np.clip(x * 2.0 ** (160.0 * np.abs(u - 0.5) - 40.0), F32_SMALLEST, F32_LARGEST) * np.sign(u - 0.5)


def _exponent(x: F64, u: F64) -> F64:
    """A power to which x is between 2^-126 and 2^128."""
    return (254.0 * u - 126.0) / np.where(np.log2(x) == 0.0, 1.0, np.log2(x))


def _terms_of_lgamma(x: F64) -> F64:
    first = np.abs(special.lgamma(-x))
    return np.maximum(np.maximum(first, np.abs(special.lgamma(x) + special.lgamma(-x))), 0.5)


def _terms_of_digamma(x: F64) -> F64:
    first = special.digamma(1.0 - x)
    return np.maximum(first, np.abs(special.digamma(x) - first))


SWEEPS: dict[str, Sweep] = {
    "log of every uniform": Sweep("log_unit", all_uniforms, np.log),
    "log of the whole range": Sweep("log_f32", lambda: bit_patterns(F32_SMALLEST, 3.4e38), np.log),
    "log about 1": Sweep("log_f32", lambda: bit_patterns(0.5, 2.0), np.log),
    "sin 2πu of every uniform": Sweep("sin2pi", all_uniforms, sin2pi),
    "cos 2πu of every uniform": Sweep("cos2pi", all_uniforms, lambda u: sin2pi(u + 0.25)),
    "expm1 from 0 to 40": Sweep("expm1_moderate", lambda: bit_patterns(1e-30, 40.0), np.expm1),
    "expm1 of positive": Sweep("expm1_f32", lambda: bit_patterns(1e-30, 88.72283), np.expm1),
    "expm1 of negative": Sweep("expm1_f32", lambda: bit_patterns(-1e-30, -110.0), np.expm1),
    "exp of positive": Sweep("exp_f32", lambda: bit_patterns(1e-30, 88.72283), np.exp),
    "exp of negative": Sweep("exp_f32", lambda: bit_patterns(-1e-30, -87.33654), np.exp),
    "sin of small": Sweep("sin_f32", lambda: bit_patterns(1e-30, 100.0), np.sin),
    "sin of large": Sweep("sin_f32", lambda: bit_patterns(100.0, F32_LARGEST), np.sin),
    "sin of negative": Sweep("sin_f32", lambda: bit_patterns(-1e-30, -F32_LARGEST), np.sin),
    "cos of small": Sweep("cos_f32", lambda: bit_patterns(1e-30, 100.0), np.cos),
    "cos of large": Sweep("cos_f32", lambda: bit_patterns(100.0, F32_LARGEST), np.cos),
    "tanh of positive": Sweep("tanh_f32", lambda: bit_patterns(1e-30, 20.0), np.tanh),
    "tanh of negative": Sweep("tanh_f32", lambda: bit_patterns(-1e-30, -20.0), np.tanh),
    # Not ours but WGSL's; graph.draws counts on nine unit roundoffs.
    "WGSL's sqrt": Sweep("sqrt", lambda: bit_patterns(1e-30, 1e30), np.sqrt, limit_ulp=4.5),
    "tan of small": Sweep("tan_f32", both(1e-30, 100.0), np.tan, file="tangent.wgsl"),
    "tan of large": Sweep("tan_f32", both(100.0, F32_LARGEST), np.tan, file="tangent.wgsl"),
    "log1p": Sweep("log1p_f32", few(1e-30, F32_LARGEST), np.log1p, file="logarithms.wgsl"),
    "log1p of negative": Sweep("log1p_f32", few(-1e-30, -0.99999994), np.log1p, file="logarithms.wgsl"),
    "log2": Sweep("log2_f32", few(F32_SMALLEST, F32_LARGEST), np.log2, file="logarithms.wgsl"),
    "log2 about 1": Sweep("log2_f32", few(0.5, 2.0), np.log2, file="logarithms.wgsl"),
    "log10": Sweep("log10_f32", few(F32_SMALLEST, F32_LARGEST), np.log10, file="logarithms.wgsl"),
    "log10 about 1": Sweep("log10_f32", few(0.5, 2.0), np.log10, file="logarithms.wgsl"),
    "exp2 of positive": Sweep("exp2_f32", few(1e-30, 127.99999), np.exp2, file="logarithms.wgsl"),
    "exp2 of negative": Sweep("exp2_f32", few(-1e-30, -126.0), np.exp2, file="logarithms.wgsl"),
    "asin": Sweep("asin_f32", both(1e-30, 1.0), np.arcsin, file="inverse_trigonometry.wgsl"),
    "acos": Sweep("acos_f32", both(1e-30, 1.0), np.arccos, file="inverse_trigonometry.wgsl"),
    "acos about 1": Sweep("acos_f32", both(0.4, 1.0), np.arccos, file="inverse_trigonometry.wgsl"),
    "atan": Sweep("atan_f32", both(1e-30, F32_LARGEST), np.arctan, file="inverse_trigonometry.wgsl"),
    "atan about 1": Sweep("atan_f32", both(0.1, 10.0), np.arctan, file="inverse_trigonometry.wgsl"),
    "atan2 in front": Sweep(
        "atan2_f32", pairs(F32_SMALLEST, F32_LARGEST, _spread), np.arctan2, file="inverse_trigonometry.wgsl"
    ),
    "atan2 behind": Sweep(
        "atan2_f32", pairs(-1e-30, -1e30, lambda x, u: 8.0 * x * (u - 0.5)), np.arctan2,
        file="inverse_trigonometry.wgsl",
    ),
    "sinh": Sweep("sinh_f32", both(1e-30, 89.41598), np.sinh, file="hyperbolic.wgsl"),
    "cosh": Sweep("cosh_f32", both(1e-30, 89.41598), np.cosh, file="hyperbolic.wgsl"),
    "asinh": Sweep("asinh_f32", both(1e-30, F32_LARGEST), np.arcsinh, file="hyperbolic.wgsl"),
    "asinh about 1": Sweep("asinh_f32", both(0.1, 10.0), np.arcsinh, file="hyperbolic.wgsl"),
    "acosh": Sweep("acosh_f32", few(1.0, F32_LARGEST), np.arccosh, file="hyperbolic.wgsl"),
    "acosh about 1": Sweep("acosh_f32", few(1.0, 2.0), np.arccosh, file="hyperbolic.wgsl"),
    "atanh": Sweep("atanh_f32", both(1e-30, 0.99999994), np.arctanh, file="hyperbolic.wgsl"),
    "atanh about 1": Sweep("atanh_f32", both(0.1, 0.99999994), np.arctanh, file="hyperbolic.wgsl"),
    "hypot": Sweep("hypot_f32", pairs(F32_SMALLEST, F32_LARGEST, _spread), np.hypot, file="hypot.wgsl"),
    "pow to the whole range": Sweep(
        "pow_f32", pairs(F32_SMALLEST, F32_LARGEST, _exponent), np.power, file="pow.wgsl"
    ),
    "pow of numbers about 1": Sweep("pow_f32", pairs(0.5, 2.0, _exponent), np.power, file="pow.wgsl"),
    "pow to small powers": Sweep(
        "pow_f32", pairs(F32_SMALLEST, F32_LARGEST, lambda x, u: 6.0 * u - 3.0), np.power, file="pow.wgsl"
    ),
    "pow to whole powers": Sweep(
        "pow_f32", pairs(-0.01, -100.0, lambda x, u: np.round(36.0 * u - 18.0)), np.power, file="pow.wgsl"
    ),
    "erf": Sweep("erf_f32", both(1e-30, 6.0), special.erf, file="error_function.wgsl"),
    "erf about 1": Sweep("erf_f32", both(0.1, 4.0), special.erf, file="error_function.wgsl"),
    "erfc": Sweep("erfc_f32", both(1e-30, 9.1945), special.erfc, file="error_function.wgsl"),
    "erfc about 1": Sweep("erfc_f32", both(0.2, 9.1945), special.erfc, file="error_function.wgsl"),
    "erfinv": Sweep("erfinv_f32", both(1e-30, 0.99999994), special.erfinv, file="error_function.wgsl"),
    "erfinv about 1": Sweep("erfinv_f32", few(0.1, 0.99999994), special.erfinv, file="error_function.wgsl"),
    "lgamma": Sweep("lgamma_f32", few(F32_SMALLEST, 4e36), special.lgamma, file="gamma.wgsl"),
    "lgamma up to 10": Sweep("lgamma_f32", few(0.1, 10.0), special.lgamma, file="gamma.wgsl"),
    "lgamma next to 0": Sweep("lgamma_f32", few(-1e-30, -0.3), special.lgamma, file="gamma.wgsl"),
    "lgamma of negative": Sweep(
        "lgamma_f32", few(-0.3, -2000.0), special.lgamma, 6.0, "gamma.wgsl", scale=_terms_of_lgamma
    ),
    "digamma": Sweep("digamma_f32", few(1e-37, F32_LARGEST), special.digamma, file="digamma.wgsl"),
    "digamma up to 10": Sweep("digamma_f32", few(0.1, 10.0), special.digamma, file="digamma.wgsl"),
    "digamma about its zero": Sweep("digamma_f32", few(1.46, 1.463), special.digamma, file="digamma.wgsl"),
    "digamma of negative": Sweep(
        "digamma_f32", few(-1e-30, -2000.0), special.digamma, 6.0, "digamma.wgsl", scale=_terms_of_digamma
    ),
    "trigamma": Sweep("trigamma_f32", few(1e-18, 8e37), special.trigamma, file="digamma.wgsl"),
    "trigamma up to 10": Sweep("trigamma_f32", few(0.1, 10.0), special.trigamma, file="digamma.wgsl"),
    "trigamma of negative": Sweep(
        "trigamma_f32", few(-1e-18, -2000.0), special.trigamma, file="digamma.wgsl"
    ),
}  # fmt: skip
