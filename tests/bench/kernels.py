"""Draws a second of the lowered kernels and of the yardsticks written by hand, on any Gpu port."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs

from scellis.device import tape
from scellis.device.port import STORAGE_USAGE, UNIFORM_USAGE, Gpu
from scellis.kernels.config import KernelConfig
from scellis.kernels.decode import decode
from scellis.kernels.sampling import ENTRY_POINT, SampleKernel, lower
from scellis.kernels.spec import SampleSpec
from scellis.kernels.templates import expand
from support.programs import example_plan

HERE = Path(__file__).parent
SPEC = SampleSpec(
    seed=1, family=1, draws_per_shard=65_536, bins=256, low=659.0, high=1018.0, pivot=838.0, scale=32.0
)
MEAN, STD = 837.997, 35.801
"""The gauge block's answer, from 4 million independent draws: every kernel timed must have computed it."""


@attrs.frozen
class Entry:
    """A kernel to time, by a name that says what it is."""

    name: str
    kernel: SampleKernel


def by_hand(elementary: str, config: KernelConfig) -> Entry:
    """The yardstick with `elementary` "builtin" or "polynomial"."""
    groups = config.groups_per_shard(SPEC.draws_per_shard)
    text = (HERE / "gauge_by_hand.wgsl").read_text()
    puts = {
        "CONSTANTS": f"const WORKGROUP = {config.workgroup}u;\nconst GROUPS = {groups}u;",
        "ELEMENTARY": (HERE / f"gauge_by_hand_{elementary}.wgsl").read_text(),
    }
    lowered = lower(example_plan("gauge_block").job.program, SPEC, "prod", config)
    constants = {name: value for name, value in lowered.constants.items() if name != "FAMILY"}
    kernel = SampleKernel(expand(text, includes={}, puts=puts), constants, SPEC, groups)
    return Entry(f"by hand, {elementary} {config.workgroup}×{config.draws_per_thread}", kernel)


def from_graph(tier: str, config: KernelConfig) -> Entry:
    """The kernel lowered from the example's graph."""
    kernel = lower(example_plan("gauge_block").job.program, SPEC, tier, config)
    return Entry(f"lowered, {tier} {config.workgroup}×{config.draws_per_thread} {config.words}", kernel)


@attrs.define
class Timing:
    """One kernel prepared on a device, and what it took: draws a second of each round, and its answer."""

    name: str
    handles: list[int]
    tape: int
    groups: int
    mean: float
    std: float
    seconds_to_compile: float
    rates: list[float] = attrs.field(factory=list)

    @property
    def best(self) -> float:
        """Draws a second of the best round: on a shared machine the one that others disturbed least."""
        return max(self.rates)

    @property
    def median(self) -> float:
        """Draws a second of the middle round."""
        return sorted(self.rates)[len(self.rates) // 2]

    def as_json(self) -> dict[str, Any]:
        """A row of the report."""
        return {
            "kernel": self.name,
            "best": self.best,
            "median": self.median,
            "mean": self.mean,
            "std": self.std,
            "seconds_to_compile": self.seconds_to_compile,
        }


async def time_kernels(
    gpu: Gpu,
    entries: Sequence[Entry],
    clock: Callable[[], float],
    *,
    shards: int,
    dispatches: int,
    rounds: int,
) -> list[Timing]:
    """Time every entry in turn, `rounds` times over, so that a slow moment falls on all alike.

    One submit holds `dispatches` dispatches of `shards` shards, so that what a submit costs in itself weighs
    little. Fails where an answer is not the gauge block's.
    """
    timings = [await _prepare(gpu, entry, clock, shards, dispatches) for entry in entries]
    draws = shards * dispatches * SPEC.draws_per_shard
    for _ in range(rounds):
        for timing in timings:
            start = clock()
            await gpu.replay(timing.tape, [1, timing.groups])
            timing.rates.append(draws / (clock() - start))
    for timing in timings:
        for handle in timing.handles:
            gpu.free(handle)
    return timings


async def _prepare(
    gpu: Gpu, entry: Entry, clock: Callable[[], float], shards: int, dispatches: int
) -> Timing:
    kernel = entry.kernel
    start = clock()
    pipeline = await gpu.pipeline(kernel.wgsl, ENTRY_POINT, kernel.constants, entry.name)
    compiled = clock() - start
    groups = shards * kernel.groups_per_shard
    moments_bytes, histogram_bytes = shards * kernel.moments_bytes, shards * kernel.histogram_bytes
    batch = await gpu.buffer(16, UNIFORM_USAGE, "batch")
    moments = await gpu.buffer(moments_bytes, STORAGE_USAGE, "moments")
    histogram = await gpu.buffer(histogram_bytes, STORAGE_USAGE, "histogram")
    begin = [*tape.write(batch, 0, 2), *tape.clear(histogram, histogram_bytes)]
    dispatch = tape.dispatch(pipeline, (groups, 1, 1), [batch, moments, histogram])
    answer = [
        *tape.collect(moments, moments_bytes, 0),
        *tape.collect(histogram, histogram_bytes, moments_bytes),
    ]
    once = await gpu.tape([*begin, *dispatch, *answer], moments_bytes + histogram_bytes, 1, entry.name)
    often = await gpu.tape([*begin, *(dispatches * dispatch), *tape.collect(moments, 4, 0)], 4, 1, entry.name)
    # The first play warms up, and its answer is checked.
    found = decode(kernel, await gpu.replay(once, [1, groups]), shards)
    mean, std = _check(entry.name, found, shards)
    return Timing(
        entry.name, [often, once, histogram, moments, batch, pipeline], often, groups, mean, std, compiled
    )


def _check(name: str, found: dict[str, Any], shards: int) -> tuple[float, float]:
    """Mean and standard deviation of all draws, once they are seen to be the gauge block's."""
    count = int(found["count"].sum())
    mean = float((found["mean"] * found["count"]).sum()) / count
    spread = found["m2"] + found["count"] * (found["mean"] - mean) ** 2
    std = math.sqrt(float(spread.sum()) / count)
    binned = int(found["bins"].sum() + found["underflow"].sum() + found["overflow"].sum())
    assert binned == count == shards * SPEC.draws_per_shard, name
    for value, published in ((mean, MEAN), (std, STD)):
        assert abs(value - published) < 6 * STD / math.sqrt(count) + 0.05, (name, value)
    return mean, std


def table(timings: Sequence[Timing], unit: float = 1e9) -> str:
    """The report as Markdown; `unit` is 1e9 for GPUs, 1e6 for processors."""
    name = {1e9: "G", 1e6: "M"}[unit]
    head = ["kernel", f"best, {name} draws/s", "median", "mean", "std", "compiled in s"]
    rows = [head, ["---"] * len(head)]
    for timing in timings:
        figures = (
            timing.best / unit,
            timing.median / unit,
            timing.mean,
            timing.std,
            timing.seconds_to_compile,
        )
        rows.append([timing.name, *(f"{figure:.2f}" for figure in figures)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
