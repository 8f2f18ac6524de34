"""The bench of a GPU device: checks, kernels against their yardsticks, a whole job. Runs on any Gpu port.

On this machine's driver, through wgpu-py:   python tests/bench/device_bench.py [OPTIONS AS JSON]
In Node, as in a tab (Pyodide and Dawn):      node tests/bench/node/bench.mjs RUNTIME [OPTIONS AS JSON]

`docs/bench/kernels.md` keeps the figures and the commands that made them.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.job import time_job
from bench.kernels import Entry, by_hand, from_graph, table, time_kernels
from scellis.device.gpu import GpuDevice
from scellis.device.oracle import OracleDevice
from scellis.job import compare, prepare_job
from scellis.kernels.config import KERNEL_TABLE, KernelConfig
from scellis.kernels.sampling import TIERS
from support.device_checks import (
    KNOWN_ANSWERS,
    PROGRAMS,
    SEVEN_ROUNDS,
    STANDARD_DRAWS,
    draw_values,
)
from support.mapper import Mapper
from support.programs import EXAMPLES, example_plan
from support.sweeps import SWEEPS, ulps


@attrs.frozen
class Options:
    """What to run. `configs` are further rows to try: [workgroup, draws a thread, words].

    `cpu_time`: time by what this process's threads burn, not by the wall: on a busy machine with a software
    adapter the one figure that means something. A rate is then that of one core.
    """

    checks: bool = True
    kernels: bool = True
    job: bool = True
    shards: int = 4
    dispatches: int = 1
    rounds: int = 10
    job_shards: int | None = 64
    cpu_time: bool = False
    configs: list[tuple[int, int, str]] = attrs.field(factory=list)


def entries(device: GpuDevice, options: Options) -> list[Entry]:
    """The yardsticks and the lowered kernels in this adapter's own layout, then those to try."""
    own = KERNEL_TABLE[device.fingerprint["class"]]
    result = [
        by_hand("polynomial", own),
        by_hand("builtin", own),
        from_graph("prod", own),
        from_graph("fast", own),
    ]
    for row in options.configs:
        result += [from_graph(tier, KernelConfig(*row)) for tier in ("prod", "fast")]
    return result


async def check(device: GpuDevice) -> dict[str, Any]:
    """The known answers, every sweep, every program, shards of the examples. Fails at what is wrong."""
    for counter, key, output in KNOWN_ANSWERS:
        assert await device.philox(counter, key) == output
    assert await device.philox((0, 0, 0, 0), (0, 0), rounds=7) == SEVEN_ROUNDS
    mapper = Mapper(device.gpu, f"words_{KERNEL_TABLE[device.fingerprint['class']].words}.wgsl")
    found: dict[str, Any] = {"philox": "ok", "ulp": {}, "share_of_bound": {}}
    for name, sweep in SWEEPS.items():
        _, errors = await sweep.errors_ulp(mapper)
        found["ulp"][name] = round(float(errors.max()), 3)
        assert errors.max() <= sweep.limit_ulp, (name, errors.max())
    for name, graph in PROGRAMS.items():
        value, exact, bound = await draw_values(mapper, graph)
        found["share_of_bound"][name] = round(float((np.abs(value - exact) / bound).max()), 3)
        assert found["share_of_bound"][name] <= 1.0, name
        if name in STANDARD_DRAWS:
            found["ulp"][name] = round(float(ulps(value, exact).max()), 3)
    for name in EXAMPLES:
        for tier in TIERS:
            job = attrs.evolve(example_plan(name).job, determinism_tier=tier)
            states = [
                await (await prepare_job(job, each)).states(317, 2) for each in (device, OracleDevice())
            ]
            for pair in zip(*states, strict=True):
                assert not compare(*pair, job.tolerance), (name, tier, compare(*pair, job.tolerance))
    found["shards"] = "within the tolerance of their jobs"
    return found


async def bench(
    device: GpuDevice, clock: Callable[[], float], options: Options, say: Callable[[str], None]
) -> None:
    """Run what the options ask for and say each finding."""
    say(f"adapter: {device.fingerprint['adapter']} ({device.fingerprint['class']}, {device.kind})")
    if options.checks:
        say(json.dumps(await check(device)))
    if options.kernels:
        timings = await time_kernels(
            device.gpu, entries(device, options), clock,
            shards=options.shards, dispatches=options.dispatches, rounds=options.rounds,
        )  # fmt: skip
        say(table(timings, 1e6 if device.fingerprint["class"] == "software" else 1e9))
        say(json.dumps([timing.as_json() for timing in timings]))
    if options.job:
        for _ in range(3):
            say(json.dumps(await time_job(device, clock, shards=options.job_shards)))


async def main(options: Options) -> None:
    """On this machine's own driver."""
    from scellis.device.native import open_native

    device = await open_native(plans=False)
    try:
        clock = time.process_time if options.cpu_time else time.perf_counter
        await bench(device, clock, options, print)
    finally:
        await device.close()


if __name__ == "__main__":
    asyncio.run(main(Options(**json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}"))))
