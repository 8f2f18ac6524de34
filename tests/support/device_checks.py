"""What every GPU is checked for, natively, in a tab, in Node and on a machine with a card.

Known answers of Philox; the error of our elementary functions in ulp, over their whole range; the values of
draws against the rounding bound that jobs derive their tolerance from.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.graph import (
    Graph,
    arcsine,
    cos,
    ctrap,
    exp,
    expm1,
    log,
    maximum,
    minimum,
    normal,
    rounding_bound,
    sin,
    sqrt,
    student_t,
    tanh,
    trace,
    uniform,
)
from scellis.graph.precision import F32_LARGEST, F32_SMALLEST
from scellis.kernels.emit import emit_blocks, emit_draw
from scellis.rng import FAMILIES, Stream, draw_words, key_words, uniform_from_words
from support.mapper import Mapper
from support.programs import EXAMPLES, example_plan

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

ONES = 0xFFFFFFFF
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ONES, ONES, ONES, ONES), (ONES, ONES), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
"""Random123, kat_vectors: counter, key, output."""
SEVEN_ROUNDS = (0x5F6FB709, 0x0D893F64, 0x4F121F81, 0x4F730A48)
"""What seven rounds give for zeros."""


def all_uniforms() -> F32:
    """Every value that a uniform takes."""
    return (np.arange(2**23, dtype=np.float64) * 2.0**-23 + 2.0**-24).astype(np.float32)


def bit_patterns(low: float, high: float, count: int = 4_000_000) -> F32:
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
    """One function of wgsl/elementary.wgsl, or of WGSL: its arguments, what is exact, the error allowed."""

    function: str
    arguments: Callable[[], F32]
    exact: Callable[[F64], F64]
    limit_ulp: float = 4.0

    async def errors_ulp(self, mapper: Mapper) -> tuple[F32, F64]:
        """The arguments, and the error of each in units of the last place of the exact value in f32."""
        x = self.arguments()
        found = await mapper("elementary.wgsl", x, x.size, puts={"FUNCTION": f"return {self.function}(x);"})
        return x, ulps(found.view(np.float32), self.exact(x.astype(np.float64)))


def ulps(found: F32, exact: F64) -> F64:
    """|found − exact| in units of the last place of the exact value as f32 has it."""
    spacing = np.spacing(np.maximum(np.abs(exact), F32_SMALLEST).astype(np.float32)).astype(np.float64)
    return np.abs(found.astype(np.float64) - exact) / spacing


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
}

DEGREES = (1, 1.5, 2, 4, 18, 1e4, 1e9)
PROGRAMS: dict[str, Graph] = {
    "uniform": trace(lambda x: x, x=uniform(-3.0, 8.0)),
    "uniform far from zero": trace(lambda x: x, x=uniform(1000.0, 1001.0)),
    "normal": trace(lambda x: x, x=normal(0.0, 1.0)),
    "normal far from zero": trace(lambda x: x, x=normal(1e4, 0.3)),
    **{f"t, {df:g} degrees": trace(lambda x: x, x=student_t(df, 0.0, 1.0)) for df in DEGREES},
    "arcsine": trace(lambda x: x, x=arcsine(-0.5, 0.5)),
    "ctrap": trace(lambda x: x, x=ctrap(-1e-6, 1e-6, 1e-7)),
    "ctrap on one side": trace(lambda x: x, x=ctrap(0.9, 1.1, 0.04)),
    "arithmetic": trace(lambda x, y: (x + y) * (x - 3.0) / (y + 4.0) - -x, x=normal(0, 1), y=uniform(-1, 1)),
    "angles": trace(
        lambda x, y: sin(x) * cos(3.0 * y) + tanh(x - y) * abs(x), x=normal(0, 2), y=uniform(-4, 4)
    ),
    "choices": trace(lambda x, y: minimum(x, y) * maximum(abs(x), 0.5), x=normal(0, 1), y=uniform(-1, 1)),
    "functions": trace(lambda x: log(x) + sqrt(x) * exp(-x) + expm1(x / 7.0), x=uniform(0.01, 20.0)),
    **{name: example_plan(name).job.program for name in EXAMPLES},
}
"""Every draw and every operation, alone or in company."""

STANDARD_DRAWS = {"normal": 4.0, "arcsine": 4.0, "t, 4 degrees": 4.0, "t, 18 degrees": 5.0}
"""Draws about a location of 0, where nothing cancels, and their error allowed in ulp.

The far tails of t with few degrees lose more: graph.draws says how much.
"""

SEED, SHARD, DRAWS_TRIED = 20081009, 7, 200_000


async def draw_values(mapper: Mapper, graph: Graph) -> tuple[F32, F64, F64]:
    """A program's value for each draw of a shard on the device; the exact value; the bound between them."""
    inputs = np.array([*key_words(SEED), SHARD, FAMILIES["shard"]], np.uint32)
    puts = {"BLOCKS": emit_blocks(graph), "DRAW": emit_draw(graph)}
    found = (await mapper("values.wgsl", inputs, DRAWS_TRIED, puts=puts)).view(np.float32)
    words = draw_words(Stream("shard", SHARD), key_words(SEED), 0, DRAWS_TRIED, graph.words)
    exact, bound = rounding_bound(graph, [uniform_from_words(word) for word in words])
    return found, exact, bound
