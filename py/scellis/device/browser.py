"""The Gpu port in a tab: static/gpu.js, held from Python."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from pyodide.ffi import JsException, JsProxy

from js import Uint32Array
from scellis.content.browser import uint8array
from scellis.device.gpu import GpuDevice
from scellis.device.gpu_errors import coded_gpu_error
from scellis.device.plans import Plans
from scellis.errors import ScellisError


async def open_browser_gpu(bridge: Any, runtime: str = "", plans: Plans | None = None) -> GpuDevice:
    """The tab's GPU. `bridge` is the module static/gpu.js; `runtime` names the interpreter's build.

    `plans` keeps what is planned over a reload. Raises `SCL-GPU-NONE` where there is no adapter.
    """
    try:
        gpu = await bridge.open()
    except JsException as error:
        raise _translated(error) from error
    return GpuDevice("webgpu", BrowserGpu(gpu), runtime=runtime, plans=plans)


def _translated(error: JsException) -> ScellisError:
    return coded_gpu_error(str(error.message))


PACKED_BYTES = 2**20
"""What is written waits for the next replay and crosses with it, as long as it is no more than that."""


class BrowserGpu:
    """Ten held functions. What crosses is numbers, text and bytes; no proxy outlives its call."""

    def __init__(self, gpu: JsProxy) -> None:
        self._gpu: Any = gpu
        self._replay: Any = gpu.replay
        self._waiting: list[tuple[int, int, bytes]] = []
        self._waiting_bytes = 0

    def info(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._gpu.info())
        return found

    async def buffer(self, size: int, usage: int, label: str) -> int:
        return await self._handle(self._gpu.buffer(size, usage, label))

    def write(self, buffer: int, offset: int, data: bytes) -> None:
        self._waiting.append((buffer, offset, data))
        self._waiting_bytes += len(data)
        if self._waiting_bytes > PACKED_BYTES:
            self._write_all()

    def _taken(self) -> list[tuple[int, int, bytes]]:
        """What waited, which from now on waits no more."""
        waiting, self._waiting, self._waiting_bytes = self._waiting, [], 0
        return waiting

    def _write_all(self) -> None:
        """Have everything cross that waits, each on its own."""
        try:
            for buffer, offset, data in self._taken():
                self._gpu.write(buffer, offset, uint8array(data))
        except JsException as error:
            raise _translated(error) from error

    def _packed(self) -> Any:
        """Everything that waits, as static/gpu.js reads it; None where there is nothing."""
        waiting = self._taken()
        head = [len(waiting)]
        for buffer, offset, data in waiting:
            head += (buffer, offset, len(data))
        parts = (array("I", head).tobytes(), *(data for _, _, data in waiting))
        return uint8array(b"".join(parts)) if waiting else None

    async def pipeline(self, wgsl: str, entry_point: str, constants: Mapping[str, float], label: str) -> int:
        return await self._handle(self._gpu.pipeline(wgsl, entry_point, json.dumps(dict(constants)), label))

    async def tape(self, commands: Sequence[int], size: int, depth: int, label: str) -> int:
        words = Uint32Array.new(len(commands))
        words.assign(array("I", commands))
        return await self._handle(self._gpu.tape(words, size, depth, label))

    async def replay(self, tape: int, arguments: Sequence[int]) -> bytes:
        return await self._bytes(self._replay, tape, self._packed(), *arguments)

    async def read(self, buffer: int, offset: int, size: int) -> bytes:
        self._write_all()
        return await self._bytes(self._gpu.read, buffer, offset, size)

    def free(self, handle: int) -> None:
        for write in self._taken():
            if write[0] != handle:
                self.write(*write)
        self._gpu.free(handle)

    def stats(self) -> dict[str, int]:
        found: dict[str, int] = json.loads(self._gpu.stats())
        return found

    def lose(self) -> None:
        """Take the device away, as a driver may at any time: for tests of what happens then."""
        self._gpu.lose()

    async def close(self) -> None:
        if self._gpu is not None:
            self._gpu.close()
            self._gpu = None

    async def _handle(self, promise: Any) -> int:
        try:
            return int(await promise)
        except JsException as error:
            raise _translated(error) from error

    async def _bytes(self, verb: Any, *arguments: Any) -> bytes:
        try:
            answer = await verb(*arguments)
        except JsException as error:
            raise _translated(error) from error
        return bytes(answer.to_bytes())
