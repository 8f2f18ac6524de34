"""Work in pieces, beside what else goes on: natively in a thread; in a tab, which has none, between turns."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

THREADS = sys.platform != "emscripten"


def exhaust(pieces: Generator[None, None, T]) -> T:
    """Do all pieces at once; what they come to."""
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            result: T = end.value
            return result


async def finish(pieces: Generator[None, None, T]) -> T:
    """Do all pieces while others are served; what they come to. A thread that is cancelled ends unheard."""
    if THREADS:
        return await asyncio.to_thread(exhaust, pieces)
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            result: T = end.value
            return result
        await asyncio.sleep(0)
