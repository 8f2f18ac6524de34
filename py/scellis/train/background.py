"""Work in pieces, beside what else goes on: natively in a thread; in a tab, which has none, between turns."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Generator
from typing import Generic, TypeVar

T = TypeVar("T")

THREADS = sys.platform != "emscripten"


class _Pieces(Generic[T]):
    """A generator to go through with `for`, which would lose what it returns; afterwards that is `result`."""

    result: T

    def __init__(self, pieces: Generator[None, None, T]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Generator[None, None, None]:
        self.result = yield from self._pieces


def exhaust(pieces: Generator[None, None, T]) -> T:
    """Do all pieces at once; what they come to."""
    every = _Pieces(pieces)
    for _ in every:
        pass
    return every.result


async def finish(pieces: Generator[None, None, T]) -> T:
    """Do all pieces while others are served; what they come to. A thread that is cancelled ends unheard."""
    if THREADS:
        return await asyncio.to_thread(exhaust, pieces)
    every = _Pieces(pieces)
    for _ in every:
        await asyncio.sleep(0)
    return every.result
