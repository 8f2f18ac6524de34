"""What every GPU is checked for, natively, in a tab, in Node and on a machine with a card.

Known answers of Philox; the values of draws against the rounding bound that jobs derive their tolerance from.
sweeps.py has the error of our elementary functions.
"""

from __future__ import annotations

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
from scellis.kernels.emit import emit_blocks, emit_draw
from scellis.rng import FAMILIES, Stream, draw_words, key_words, uniform_from_words
from support.mapper import Mapper
from support.programs import EXAMPLES, example_plan

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


async def draw_values(mapper: Mapper, graph: Graph) -> tuple[NDArray[np.float32], F64, F64]:
    """A program's value for each draw of a shard on the device; the exact value; the bound between them."""
    inputs = np.array([*key_words(SEED), SHARD, FAMILIES["shard"]], np.uint32)
    puts = {"BLOCKS": emit_blocks(graph), "DRAW": emit_draw(graph)}
    found = (await mapper("values.wgsl", inputs, DRAWS_TRIED, puts=puts)).view(np.float32)
    words = draw_words(Stream("shard", SHARD), key_words(SEED), 0, DRAWS_TRIED, graph.words)
    exact, bound = rounding_bound(graph, [uniform_from_words(word) for word in words])
    return found, exact, bound
