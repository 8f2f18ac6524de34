"""The Gpu port on this machine's own drivers, through wgpu-py (Vulkan, Metal, Direct3D 12).

Software Vulkan serves too: point VK_DRIVER_FILES at lavapipe's or SwiftShader's icd file.
"""

from __future__ import annotations

import array
import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import attrs
import wgpu  # type: ignore[import-untyped]

from scellis.device import tape as words
from scellis.device.gpu import GpuDevice
from scellis.device.gpu_errors import gpu_error
from scellis.device.plans import Plans
from scellis.device.user_plans import user_plans
from scellis.kernels.assembly import SUBGROUPS_ENABLED

USED_FEATURES = ("shader-f16", "subgroup")
"""What kernels use where the adapter has it."""
OF_SUBGROUPS = ("subgroups", "subgroup_id")
"""WebGPU's names of wgpu's feature `subgroup`. How large they are wgpu-py does not say (as of 0.32)."""
STAGING_USAGE = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
_GONE = ("lost", "destroyed", "invalid device", "parent device")


async def open_native(plans: Plans | bool = True) -> GpuDevice:
    """This machine's GPU. Raises `SCL-GPU-NONE` where there is no adapter.

    `plans` keeps what is planned for the next time: True in this user's folder (`user_plans`), False nowhere.
    """
    try:
        adapter = await wgpu.gpu.request_adapter_async(power_preference="high-performance")
        limits = {
            name: adapter.limits[name]
            for name in (
                "max-buffer-size",
                "max-compute-workgroup-storage-size",
                "max-storage-buffer-binding-size",
                "max-storage-buffers-per-shader-stage",
            )
        }
        features = [name for name in USED_FEATURES if name in adapter.features]
        device = await adapter.request_device_async(required_limits=limits, required_features=features)
    except (RuntimeError, wgpu.GPUError) as error:
        raise gpu_error("SCL-GPU-NONE", str(error)) from error
    keeping = plans if isinstance(plans, Plans) else user_plans() if plans else None
    runtime = f"wgpu-py {wgpu.__version__}"
    return GpuDevice("native", NativeGpu(adapter, device), runtime=runtime, plans=keeping)


def _web_name(name: str) -> str:
    """WebGPU's name of a limit that wgpu-py writes with dashes."""
    head, *tail = name.split("-")
    return head + "".join(part.capitalize() for part in tail)


@attrs.define
class _Tape:
    """Recorded steps and the staging buffers of the answers in flight."""

    steps: list[tuple[int, list[Any]]]
    staging: list[wgpu.GPUBuffer]
    turns: list[asyncio.Lock]
    plays: int = 0


class NativeGpu:
    """Ten verbs over wgpu-py, which raises what WebGPU's error scopes would catch."""

    def __init__(self, adapter: wgpu.GPUAdapter, device: wgpu.GPUDevice) -> None:
        self._device = device
        self._adapter = adapter
        self._things: dict[int, Any] = {}
        self._last_handle = 0
        self._counts = {"crossings": 0, "submits": 0, "dispatches": 0}
        self._bytes = self._peak_bytes = 0
        self._waiting: set[asyncio.Future[None]] = set()

    def info(self) -> dict[str, Any]:
        found = self._adapter.info
        features = {*self._adapter.features}
        if "subgroup" in features:
            features.update(OF_SUBGROUPS)
        return {
            # wgpu-native calls the driver the vendor, as Vulkan's fields fall into WebGPU's.
            **{
                field: str(found.get(field, ""))
                for field in ("vendor", "architecture", "device", "description")
            },
            "fallback": found.get("adapter_type") == "CPU",
            "features": sorted(features),
            "limits": {_web_name(name): int(value) for name, value in sorted(self._device.limits.items())},
        }

    async def buffer(self, size: int, usage: int, label: str) -> int:
        with self._reporting("SCL-GPU-OOM", label):
            return self._keep(self._buffer(size, usage, label))

    def write(self, buffer: int, offset: int, data: bytes) -> None:
        with self._reporting("SCL-GPU-SHADER", "write"):
            self._device.queue.write_buffer(self._things[buffer], offset, data)

    async def pipeline(self, wgsl: str, entry_point: str, constants: Mapping[str, float], label: str) -> int:
        wgsl = wgsl.replace(SUBGROUPS_ENABLED, "")  # which wgpu's WGSL has without, and does not know
        with self._reporting("SCL-GPU-SHADER", label):
            module = self._device.create_shader_module(code=wgsl, label=label)
            compute = {"module": module, "entry_point": entry_point, "constants": dict(constants)}
            return self._keep(
                self._device.create_compute_pipeline(layout="auto", compute=compute, label=label)
            )

    async def tape(self, commands: Sequence[int], size: int, depth: int, label: str) -> int:
        with self._reporting("SCL-GPU-SHADER", label):
            steps = list(self._steps(commands))
        staging: list[wgpu.GPUBuffer] = []
        with self._reporting("SCL-GPU-OOM", label):
            staging.extend(
                self._buffer(size, STAGING_USAGE, f"{label} answer {number}") for number in range(depth)
            )
        return self._keep(_Tape(steps, staging, [asyncio.Lock() for _ in range(depth)]))

    async def replay(self, tape: int, arguments: Sequence[int]) -> bytes:
        recorded: _Tape = self._things[tape]
        place = recorded.plays % len(recorded.staging)
        recorded.plays += 1
        async with recorded.turns[place]:
            return await self._play(recorded.steps, recorded.staging[place], arguments)

    async def read(self, buffer: int, offset: int, size: int) -> bytes:
        with self._reporting("SCL-GPU-OOM", "read"):
            staging = self._buffer(size, STAGING_USAGE, "read")
        try:
            return await self._play([(words.COLLECT, [self._things[buffer], offset, size, 0])], staging, [])
        finally:
            self._destroy(staging)

    def free(self, handle: int) -> None:
        thing = self._things.pop(handle, None)
        if isinstance(thing, wgpu.GPUBuffer):
            self._destroy(thing)
        elif isinstance(thing, _Tape):
            for buffer in thing.staging:
                self._destroy(buffer)

    def stats(self) -> dict[str, int]:
        held = {"handles": len(self._things), "bytes": self._bytes, "peak_bytes": self._peak_bytes}
        return {**self._counts, **held}

    def lose(self) -> None:
        """Take the device away, as a driver may at any time: for tests of what happens then."""
        self._device.destroy()
        for ended in self._waiting:  # to whom wgpu-py will never answer
            if not ended.done():
                ended.set_exception(RuntimeError("the device was destroyed"))

    async def close(self) -> None:
        for handle in sorted(self._things, reverse=True):
            self.free(handle)
        self.lose()

    def _buffer(self, size: int, usage: int, label: str) -> wgpu.GPUBuffer:
        made = self._device.create_buffer(size=size, usage=usage, label=label)
        self._bytes += size
        self._peak_bytes = max(self._peak_bytes, self._bytes)
        return made

    def _destroy(self, buffer: wgpu.GPUBuffer) -> None:
        self._bytes -= buffer.size
        buffer.destroy()

    def _keep(self, thing: Any) -> int:
        self._last_handle += 1
        self._things[self._last_handle] = thing
        return self._last_handle

    @contextmanager
    def _reporting(self, code: str, label: str) -> Iterator[None]:
        self._counts["crossings"] += 1
        try:
            yield
        except (wgpu.GPUError, RuntimeError) as error:
            gone = any(word in str(error).lower() for word in _GONE)
            raise gpu_error("SCL-GPU-LOST" if gone else code, f"{label}: {error}") from error

    def _steps(self, commands: Sequence[int]) -> Iterator[tuple[int, list[Any]]]:
        rest = iter(commands)
        take: Callable[[int], list[Any]] = lambda count: [next(rest) for _ in range(count)]  # noqa: E731
        for op in rest:
            if op == words.DISPATCH:
                handle, x, y, z, count = take(5)
                pipeline = self._things[handle]
                entries = [
                    {"binding": binding, "resource": {"buffer": self._things[buffer]}}
                    for binding, buffer in enumerate(take(count))
                ]
                layout = pipeline.get_bind_group_layout(0)
                group = self._device.create_bind_group(layout=layout, entries=entries)
                yield op, [pipeline, group, x, y, z]
            else:
                buffer, *operands = take(
                    {words.CLEAR: 3, words.WRITE: 4, words.COLLECT: 4, words.COPY: 3}[op]
                )
                if op == words.COPY:
                    operands[0] = self._things[operands[0]]
                yield op, [self._things[buffer], *operands]

    async def _play(
        self, steps: list[tuple[int, list[Any]]], staging: wgpu.GPUBuffer, arguments: Sequence[int]
    ) -> bytes:
        with self._reporting("SCL-GPU-SHADER", "replay"):
            size = self._submit(steps, staging, arguments)
            await self._mapped(staging, size)
            answer = bytes(staging.read_mapped(0, size))
            staging.unmap()
        return answer

    async def _mapped(self, staging: wgpu.GPUBuffer, size: int) -> None:
        """Wait for the bytes of an answer, or for the end of the device."""
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        mapped = asyncio.ensure_future(staging.map_async(wgpu.MapMode.READ, 0, size))
        self._waiting.add(ended)
        try:
            await asyncio.wait((mapped, ended), return_when=asyncio.FIRST_COMPLETED)
            await (mapped if mapped.done() else ended)
        finally:
            self._waiting.discard(ended)
            mapped.cancel()

    def _submit(
        self, steps: list[tuple[int, list[Any]]], staging: wgpu.GPUBuffer, arguments: Sequence[int]
    ) -> int:
        def value(word: int) -> int:
            return arguments[word - words.ARGUMENT] if word >= words.ARGUMENT else word

        encoder = self._device.create_command_encoder()
        computing = None
        collected = 0
        for op, operands in steps:
            if op != words.DISPATCH and computing is not None:
                computing.end()
                computing = None
            if op == words.CLEAR:
                buffer, offset, size = operands
                encoder.clear_buffer(buffer, value(offset), value(size))
            elif op == words.WRITE:
                buffer, offset, first, count = operands
                self._device.queue.write_buffer(
                    buffer, offset, array.array("I", arguments[first : first + count])
                )
            elif op == words.DISPATCH:
                pipeline, group, x, y, z = operands
                computing = computing or encoder.begin_compute_pass()
                computing.set_pipeline(pipeline)
                computing.set_bind_group(0, group)
                computing.dispatch_workgroups(value(x), value(y), value(z))
                self._counts["dispatches"] += 1
            elif op == words.COPY:
                source, target, size = operands
                encoder.copy_buffer_to_buffer(source, 0, target, 0, size)
            else:
                buffer, offset, size, position = operands
                encoder.copy_buffer_to_buffer(buffer, value(offset), staging, value(position), value(size))
                collected = max(collected, value(position) + value(size))
        if computing is not None:
            computing.end()
        self._device.queue.submit([encoder.finish()])
        self._counts["submits"] += 1
        return collected
