"""An event loop whose time is virtual: a wait costs nothing, and the same seed runs the same way."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
EPOCH_S = 1_000_000.0


class _Selector(selectors.SelectSelector):
    """Instead of waiting for `timeout` seconds it moves the loop's time on."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("every task waits for something that nobody will do")
            self.loop.now_s += max(timeout, 0.0)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """Runs everything that can run, then jumps to the next timer."""

    def __init__(self) -> None:
        self.now_s = 0.0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now_s


class VirtualClock:
    """The pool's `Clock` over the running virtual loop; `offset_s` sets it forward or back."""

    def __init__(self) -> None:
        self.offset_s = EPOCH_S

    def now_s(self) -> float:
        return asyncio.get_running_loop().time() + self.offset_s

    async def sleep(self, delay_s: float) -> None:
        await asyncio.sleep(delay_s)


def run_virtual(work: Coroutine[Any, Any, T], limit_s: float = 3600.0) -> T:
    """Run to the end in virtual time; fails when that takes more than `limit_s` virtual seconds."""

    async def limited() -> T:
        async with asyncio.timeout(limit_s):
            return await work

    loop = VirtualLoop()
    try:
        return loop.run_until_complete(limited())
    finally:
        rest = asyncio.all_tasks(loop)
        for task in rest:
            task.cancel()
        loop.run_until_complete(_ended(rest))
        loop.close()


async def _ended(tasks: set[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)
