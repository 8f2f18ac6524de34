"""Draws and operations on a device: every value within the bound that jobs derive their tolerance from."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scellis.graph import (
    DRAWS,
    ELEMENTWISE,
    Graph,
    arcsine,
    ctrap,
    exp,
    expm1,
    log,
    normal,
    rounding_bound,
    sqrt,
    student_t,
    trace,
    uniform,
)
from scellis.kernels.emit import EMITTED, emit_blocks, emit_draw
from scellis.rng import FAMILIES, Stream, draw_words, key_words, uniform_from_words
from support.programs import EXAMPLES, example_plan

SEED, SHARD, DRAWS_TRIED = 20081009, 7, 200_000

PROGRAMS: dict[str, Graph] = {
    "uniform": trace(lambda x: x, x=uniform(-3.0, 8.0)),
    "uniform far from zero": trace(lambda x: x, x=uniform(1000.0, 1001.0)),
    "normal": trace(lambda x: x, x=normal(0.0, 1.0)),
    "normal far from zero": trace(lambda x: x, x=normal(1e4, 0.3)),
    **{
        f"t with {df:g} degrees": trace(lambda x: x, x=student_t(df, 0.0, 1.0))
        for df in (1, 1.5, 2, 4, 18, 1e4, 1e9)
    },
    "arcsine": trace(lambda x: x, x=arcsine(-0.5, 0.5)),
    "ctrap": trace(lambda x: x, x=ctrap(-1e-6, 1e-6, 1e-7)),
    "ctrap on one side": trace(lambda x: x, x=ctrap(0.9, 1.1, 0.04)),
    "arithmetic": trace(lambda x, y: (x + y) * (x - 3.0) / (y + 4.0) - -x, x=normal(0, 1), y=uniform(-1, 1)),
    "functions": trace(lambda x: log(x) + sqrt(x) * exp(-x) + expm1(x / 7.0), x=uniform(0.01, 20.0)),
    **{name: example_plan(name).job.program for name in EXAMPLES},
}


async def values(mapper, graph: Graph) -> NDArray[np.float32]:
    inputs = np.array([*key_words(SEED), SHARD, FAMILIES["shard"]], np.uint32)
    puts = {"BLOCKS": emit_blocks(graph), "DRAW": emit_draw(graph)}
    return (await mapper("values.wgsl", inputs, DRAWS_TRIED, puts=puts)).view(np.float32)


@pytest.mark.parametrize("name", PROGRAMS)
async def test_every_value_is_within_its_bound(mapper, name: str) -> None:
    graph = PROGRAMS[name]
    found = await values(mapper, graph)
    words = draw_words(Stream("shard", SHARD), key_words(SEED), 0, DRAWS_TRIED, graph.words)
    exact, bound = rounding_bound(graph, [uniform_from_words(word) for word in words])
    share = np.abs(found - exact) / bound
    print(f"{name}: worst error is {share.max():.2f} of its bound")
    assert share.max() <= 1.0


def test_what_lowers_is_the_op_set() -> None:
    assert {*DRAWS, *ELEMENTWISE, "constant"} == EMITTED
    assert {node.op for graph in PROGRAMS.values() for node in graph.nodes} == EMITTED


@pytest.mark.parametrize(
    ("program", "limit"),
    [("normal", 4.0), ("arcsine", 4.0), ("t with 4 degrees", 4.0), ("t with 18 degrees", 4.5)],
)
async def test_error_of_standard_draws_in_ulp(mapper, program: str, limit: float) -> None:
    # About a location of 0, where nothing cancels. Far tails of t with few degrees lose more; graph.draws
    # says how much.
    graph = PROGRAMS[program]
    found = (await values(mapper, graph)).astype(np.float64)
    words = draw_words(Stream("shard", SHARD), key_words(SEED), 0, DRAWS_TRIED, graph.words)
    exact, _ = rounding_bound(graph, [uniform_from_words(word) for word in words])
    ulps = np.abs(found - exact) / np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
    print(f"{program}: worst error {ulps.max():.2f} ulp")
    assert ulps.max() <= limit
