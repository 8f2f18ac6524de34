"""A GPU as a device, over the port of `port.py`.

This module is pure: it decides what is computed, in what sizes and order; the port only does it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from scellis import ENGINE_VERSION
from scellis.device import tape
from scellis.device.arrays import GpuGraph, PlannedGraph
from scellis.device.pace import Pace
from scellis.device.pipelines import Pipelines
from scellis.device.plans import Asked, Plans
from scellis.device.port import STORAGE_USAGE, UNIFORM_USAGE, Gpu, together
from scellis.device.protocol import Accumulators, Words
from scellis.errors import ScellisError
from scellis.graph import Graph
from scellis.graph.trap import watch
from scellis.kernels.config import GRID_LIMIT, adapter_class, choose_config
from scellis.kernels.decode import decode
from scellis.kernels.sampling import ENTRY_POINT, SampleKernel, lower
from scellis.kernels.spec import SampleSpec
from scellis.kernels.table import kernel_table_address
from scellis.kernels.templates import assemble

IN_FLIGHT = 2
"""Batches handed to the device at a time: one computes while the other's answer is read."""

CAPACITY_SHARDS = 1024
CAPACITY_BYTES = 4 * 1024 * 1024
"""The largest batch: what a sampler holds on a device stays below three times this."""


class GpuDevice:
    """A WebGPU adapter, in a tab (`webgpu`) or of this machine (`native`)."""

    def __init__(
        self,
        kind: str,
        gpu: Gpu,
        *,
        clock: Callable[[], float] = time.perf_counter,
        runtime: str = "",
        plans: Plans | None = None,
    ) -> None:
        self.kind = kind
        self.gpu = gpu
        self.pipelines = Pipelines(gpu)
        """of graphs of arrays, shared by all that are compiled here"""
        self.plans = plans
        """keeps what is planned for the next time that a graph is compiled, where it is given"""
        self._clock = clock
        self._info = gpu.info()
        self.limits: dict[str, int] = dict(self._info["limits"])
        """What graphs of arrays are planned for: the device's own, or lower ones for a trial."""
        self.features: list[str] = list(self._info["features"])
        """The same of features: the device's own, or fewer."""
        self._philox: tuple[int, int] | None = None
        named = [self._info[field] for field in ("description", "device", "architecture", "vendor")]
        self.fingerprint: dict[str, Any] = {
            "kind": kind,
            "engine": ENGINE_VERSION,
            "kernel_table": kernel_table_address(),
            "runtime": runtime,
            "adapter": next((name for name in named if name), "an unnamed adapter"),
            "class": adapter_class(self._info),
            **{
                field: self._info[field]
                for field in ("vendor", "architecture", "device", "features", "limits")
            },
        }

    async def prepare(self, graph: Graph, spec: SampleSpec, tier: str) -> GpuSampler:
        """Lower and compile a program. Raises `SCL-KERNEL-*` and `SCL-GPU-*`."""
        config = choose_config(tier, self._info)
        return await prepare_kernel(
            self.gpu, lower(graph, spec, tier, config), self._info["limits"], self._clock
        )

    async def plan(
        self,
        graph: Graph,
        tier: str,
        carry: Mapping[int, int] | None = None,
        trap: str = "",
        *,
        fused: bool = True,
    ) -> PlannedGraph:
        """Lower a graph of arrays, see `plan_graph`, and make nothing of it yet.

        Raises `SCL-GRAPH-CARRY` and `SCL-KERNEL-*`.
        """
        carry, trapped = dict(carry or {}), watch(graph, trap)
        asked = Asked(
            dict(self.limits),
            tier,
            carry,
            self.fingerprint["class"],
            tuple(self.features),
            len(trapped.watched),
            fused,
        )
        kept = self.plans
        plan = await kept.plan(trapped.graph, asked) if kept else asked.plan(trapped.graph)
        return PlannedGraph(self.gpu, self.pipelines, plan, carry, trapped, asked.limits)

    async def compile(
        self,
        graph: Graph,
        tier: str,
        carry: Mapping[int, int] | None = None,
        trap: str = "",
        *,
        fused: bool = True,
    ) -> GpuGraph:
        """Lower and compile a graph of arrays. Raises what `plan` raises, and `SCL-GPU-*`."""
        return await (await self.plan(graph, tier, carry, trap, fused=fused)).compile()

    async def philox(self, counter: Words, key: tuple[int, int], rounds: int = 10) -> Words:
        """One Philox block, computed on the device."""
        if self._philox is None:
            self._philox = await self._prepare_philox()
        answer = await self.gpu.replay(self._philox[0], [*counter, *key, rounds])
        first, second, third, fourth = np.frombuffer(answer, "<u4").tolist()
        return first, second, third, fourth

    async def _prepare_philox(self) -> tuple[int, int]:
        config = choose_config("prod", self._info)
        wgsl = assemble("philox_words.wgsl", includes={"words": f"words_{config.words}.wgsl"}, puts={})
        pipeline = await self.gpu.pipeline(wgsl, "main", {}, "philox")
        request = await self.gpu.buffer(32, STORAGE_USAGE, "philox request")
        words = await self.gpu.buffer(16, STORAGE_USAGE, "philox words")
        commands = [
            *tape.write(request, 0, 7),
            *tape.dispatch(pipeline, (1, 1, 1), [request, words]),
            *tape.collect(words, 16, 0),
        ]
        return await self.gpu.tape(commands, 16, 1, "philox"), pipeline

    async def close(self) -> None:
        """Give the device back; closing twice is once."""
        await self.gpu.close()


async def prepare_kernel(
    gpu: Gpu, kernel: SampleKernel, limits: Mapping[str, int], clock: Callable[[], float]
) -> GpuSampler:
    """Compile a kernel and make every buffer that its sampler will use: none is made later."""
    capacity = _capacity(kernel, limits)
    made = await together(
        gpu,
        (
            gpu.pipeline(kernel.wgsl, ENTRY_POINT, kernel.constants, "sample"),
            gpu.buffer(16, UNIFORM_USAGE, "batch"),
            gpu.buffer(capacity * kernel.moments_bytes, STORAGE_USAGE, "moments"),
            gpu.buffer(capacity * kernel.histogram_bytes, STORAGE_USAGE, "histogram"),
        ),
    )
    pipeline, batch, moments, histogram = made
    first, groups, across, down, moments_bytes, histogram_bytes = range(6)
    assert groups == first + 1  # the two words of the uniform
    commands = [
        *tape.write(batch, first, 2),
        *tape.clear(moments, tape.argument(moments_bytes)),
        *tape.clear(histogram, tape.argument(histogram_bytes)),
        *tape.dispatch(
            pipeline, (tape.argument(across), tape.argument(down), 1), [batch, moments, histogram]
        ),
        *tape.collect(moments, tape.argument(moments_bytes), 0),
        *tape.collect(histogram, tape.argument(histogram_bytes), tape.argument(moments_bytes)),
    ]
    size = capacity * (kernel.moments_bytes + kernel.histogram_bytes)
    try:
        (recorded,) = await together(gpu, [gpu.tape(commands, size, IN_FLIGHT, "sample")])
    except BaseException:
        for handle in reversed(made):
            gpu.free(handle)
        raise
    return GpuSampler(gpu, kernel, recorded, [*made, recorded], Pace(clock, capacity))


def _capacity(kernel: SampleKernel, limits: Mapping[str, int]) -> int:
    """Shards that one submit may hold. Raises `SCL-GPU-LIMIT` where this adapter cannot bind one."""
    largest = max(kernel.moments_bytes, kernel.histogram_bytes)
    bindable = int(limits["maxStorageBufferBindingSize"]) // largest
    grid = GRID_LIMIT * GRID_LIMIT // kernel.groups_per_shard
    capacity = min(
        CAPACITY_SHARDS, CAPACITY_BYTES // (kernel.moments_bytes + kernel.histogram_bytes), bindable, grid
    )
    if capacity < 1:
        raise ScellisError(
            "SCL-GPU-LIMIT",
            "One shard's result is larger than a buffer that this GPU can bind.",
            "Take fewer draws a shard or fewer bins.",
        )
    return capacity


class GpuSampler:
    """One kernel, compiled, with its buffers and its tape. Made by `prepare_kernel`."""

    def __init__(self, gpu: Gpu, kernel: SampleKernel, recorded: int, handles: list[int], pace: Pace) -> None:
        self._gpu = gpu
        self._kernel = kernel
        self._tape = recorded
        self._handles = handles
        self._pace = pace

    @property
    def batch_shards(self) -> int:
        """Shards of one submit, from the time that the last one took."""
        return self._pace.batch_shards

    async def run(self, first: int, count: int) -> Accumulators:
        """The accumulators of shards `first … first + count − 1`, in as many submits as the pace asks for."""
        end = first + count
        flying: deque[asyncio.Task[dict[str, Any]]] = deque()
        parts: list[dict[str, Any]] = []
        shard = first
        try:
            while shard < end or flying:
                while shard < end and len(flying) < IN_FLIGHT:
                    size = min(self._pace.batch_shards, end - shard)
                    flying.append(asyncio.ensure_future(self._batch(shard, size)))
                    shard += size
                parts.append(await flying[0])
                flying.popleft()
        finally:
            # After a fault the others fail too; each is waited for, so that none fails unheard.
            await asyncio.gather(*flying, return_exceptions=True)
        if not parts:
            parts.append(decode(self._kernel, b"", 0))
        return Accumulators(
            first, **{name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        )

    async def _batch(self, first: int, shards: int) -> dict[str, Any]:
        kernel = self._kernel
        groups = shards * kernel.groups_per_shard
        across = min(groups, GRID_LIMIT)
        arguments = [
            first, groups, across, -(-groups // across),
            shards * kernel.moments_bytes, shards * kernel.histogram_bytes,
        ]  # fmt: skip
        self._pace.start()
        try:
            answer = await self._gpu.replay(self._tape, arguments)
        except ScellisError:
            self._pace.abandon()
            raise
        self._pace.finish(shards)
        return decode(kernel, answer, shards)

    def close(self) -> None:
        """Free what the sampler holds on the device; closing twice is once."""
        for handle in reversed(self._handles):
            self._gpu.free(handle)
        self._handles = []
