"""The example programs, their jobs, and states of their shards from the oracle and from f32."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scellis.device.oracle import OracleDevice
from scellis.graph import DRAWS, Graph
from scellis.job import Job, Plan, ShardState, plan_job, prepare_job
from scellis.rng import Stream, draw_words, key_words, uniform_from_words

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

EXAMPLES = ("gauge_block", "saturating")
_FOLDER = Path(__file__).parents[2] / "examples"


def example_text(name: str, **fields: object) -> str:
    """The SML of an example, with fields of one line given other values: `example_text(name, seed=1)`."""
    text = (_FOLDER / f"{name}.sml").read_text(encoding="utf-8")
    for field, value in fields.items():
        text, found = re.subn(rf"\b{field}: [^,}}\n]*", f"{field}: {value}", text)
        assert found == 1, f"{field} stands {found} times in {name}"
    return text


@cache
def example_plan(name: str) -> Plan:
    """The plan of an example as it stands."""
    return plan_job(example_text(name))


def uniforms(graph: Graph, draws: int, seed: int = 1, stream: Stream = Stream("shard")) -> list[F64]:  # noqa: B008
    """The uniforms of the first draws of a stream, one array a word."""
    words = draw_words(stream, key_words(seed), 0, draws, graph.words)
    return [uniform_from_words(word) for word in words]


def oracle_states(job: Job, first: int, count: int) -> list[ShardState]:
    """States of consecutive shards, in f64."""

    async def run() -> list[ShardState]:
        return await (await prepare_job(job, OracleDevice())).states(first, count)

    return asyncio.run(run())


def evaluate_f32(graph: Graph, words: list[F64]) -> F32:
    """The graph in f32 as a GPU has it: constants folded in f64 and rounded once, angles reduced in turns."""
    values: list[F32] = []
    with np.errstate(all="ignore"):
        for index, node in enumerate(graph.nodes):
            if node.op in DRAWS:
                first = graph.draws[index]
                u = [word.astype(np.float32) for word in words[first : first + DRAWS[node.op].words]]
                values.append(_DRAWS_F32[node.op](node.params, *u))
            elif node.op == "constant":
                values.append(np.full(words[0].shape, node.params["value"], np.float32))
            else:
                values.append(getattr(np, node.op)(*(values[argument] for argument in node.args)))
    assert all(value.dtype == np.float32 for value in values)
    return values[graph.output]


def _sin2pi(u: F32) -> F32:
    quarter = np.abs(np.abs(u - np.float32(0.25)) - np.float32(0.5)) - np.float32(0.25)  # exact
    return np.sin(np.float32(2.0 * np.pi) * quarter)


def _cos2pi(u: F32) -> F32:
    return np.sin(np.float32(2.0 * np.pi) * (np.abs(u - np.float32(0.5)) - np.float32(0.25)))


def _normal(p: dict[str, float], u: F32, v: F32) -> F32:
    radius = np.sqrt(np.float32(-2.0) * np.log(u))
    return np.float32(p["loc"]) + np.float32(p["scale"]) * (radius * _cos2pi(v))


def _t(p: dict[str, float], u: F32, v: F32) -> F32:
    radius = np.sqrt(np.float32(p["df"]) * np.expm1(np.float32(-2.0 / p["df"]) * np.log(u)))
    return np.float32(p["loc"]) + np.float32(p["scale"]) * (radius * _cos2pi(v))


def _ctrap(p: dict[str, float], u: F32, v: F32) -> F32:
    low = np.float32(p["low"] - p["d"]) + np.float32(2.0 * p["d"]) * u
    high = np.float32(p["low"] + p["high"]) - low
    return low + (high - low) * v


_DRAWS_F32 = {
    "draw_uniform": lambda p, u: np.float32(p["low"]) + np.float32(p["high"] - p["low"]) * u,
    "draw_normal": _normal,
    "draw_t": _t,
    "draw_arcsine": lambda p, u: (
        np.float32((p["low"] + p["high"]) / 2.0) + np.float32((p["high"] - p["low"]) / 2.0) * _sin2pi(u)
    ),
    "draw_ctrap": _ctrap,
}


def state_f32(job: Job, shard: int) -> ShardState:
    """One shard as an honest GPU computes it: f32 throughout, sums in 256 chains, one after the other."""
    reduction = job.reduction
    y = evaluate_f32(
        job.program, uniforms(job.program, job.partition.draws_per_shard, job.seed, Stream("shard", shard))
    )
    finite = y[np.isfinite(y)]
    z = (finite - np.float32(reduction.pivot)) * np.float32(1.0 / reduction.scale)
    mean = _sum_f32(z) / np.float32(z.size)
    place = np.floor(
        (finite - np.float32(reduction.low)) * np.float32(reduction.bins / (reduction.high - reduction.low))
    )
    counts = np.bincount(
        np.clip(place, -1, reduction.bins).astype(np.int64) + 1, minlength=reduction.bins + 2
    )
    return ShardState(
        count=finite.size,
        mean=reduction.pivot + reduction.scale * float(mean),
        m2=reduction.scale**2 * float(_sum_f32((z - mean) ** 2)),
        bins=counts[1:-1],
        underflow=int(counts[0]),
        overflow=int(counts[-1]),
        nonfinite=y.size - finite.size,
    )


def _sum_f32(values: F32) -> np.float32:
    chains = np.zeros(256, np.float32)
    whole = values.size - values.size % 256
    for row in values[:whole].reshape(-1, 256):
        chains += row
    chains[: values.size - whole] += values[whole:]
    return np.add.reduce(chains)
