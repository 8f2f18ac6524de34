"""The port to a GPU: ten verbs over integer handles that `browser.py` and `native.py` implement."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from typing import Any, Protocol

UNIFORM_USAGE = 0x40 | 0x08  # UNIFORM, COPY_DST
STORAGE_USAGE = 0x80 | 0x04 | 0x08  # STORAGE, COPY_SRC, COPY_DST


class Gpu(Protocol):
    """The port. Handles are integers; a handle that is freed twice is freed once.

    Every verb but `info`, `free`, `stats` and `close` raises `SCL-GPU-LOST` once the device is gone.
    """

    def info(self) -> dict[str, Any]:
        """What the adapter says of itself: `vendor`, `device`, …, `features`, `limits`, by WebGPU's names.

        Some features have no name there: `subgroups of 32`, say, which is what its info tells of it.
        """

    async def buffer(self, size: int, usage: int, label: str) -> int:
        """A buffer of `size` bytes for `usage` (WebGPU's flags). Raises `SCL-GPU-OOM`."""

    def write(self, buffer: int, offset: int, data: bytes) -> None:
        """Copy bytes, a multiple of four, into a buffer before whatever is submitted next.

        They may wait for that and cross with it; what is wrong is then raised there.
        """

    async def pipeline(self, wgsl: str, entry_point: str, constants: Mapping[str, float], label: str) -> int:
        """Compile a compute pipeline with its overrides. Raises `SCL-GPU-SHADER`."""

    async def tape(self, commands: Sequence[int], size: int, depth: int, label: str) -> int:
        """Record commands (see `tape.py`); `depth` answers of at most `size` bytes may be in flight."""

    async def replay(self, tape: int, arguments: Sequence[int]) -> bytes:
        """Play a tape in one submit and answer with what it collected. One crossing."""

    async def read(self, buffer: int, offset: int, size: int) -> bytes:
        """A part of a buffer, once all work before is done."""

    def free(self, handle: int) -> None:
        """Give up a handle."""

    def stats(self) -> dict[str, int]:
        """Counts since opening: `crossings`, `submits`, `dispatches`; and `handles` now held.

        `bytes` of all buffers that are alive, staging ones too, and `peak_bytes`, the most since opening.
        """

    async def close(self) -> None:
        """Free everything and give the device back."""


async def together(gpu: Gpu, making: Iterable[Coroutine[Any, Any, int]]) -> list[int]:
    """The handles of things that are made at the same time.

    Where one fails, what it raises is raised, and the others are freed; where this is cancelled, all are. A
    device ends what it has begun to make, so each is freed once it is there.
    """
    made = asyncio.gather(*making, return_exceptions=True)
    try:
        found = await asyncio.shield(made)
    except asyncio.CancelledError:
        made.add_done_callback(lambda done: _free(gpu, done.result()))
        raise
    for error in found:
        if isinstance(error, BaseException):
            _free(gpu, found)
            raise error
    return [handle for handle in found if not isinstance(handle, BaseException)]


def _free(gpu: Gpu, found: Iterable[int | BaseException]) -> None:
    for handle in found:
        if not isinstance(handle, BaseException):
            gpu.free(handle)
