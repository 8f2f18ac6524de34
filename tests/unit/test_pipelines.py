"""Pipelines by hash: made once, shared, and the last ones kept; on a port that only counts."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from scellis.device.pipelines import Pipelines
from scellis.errors import ScellisError


class Port:
    """Makes handles of texts; `refused` are those it does not take, `slow` those that wait for an event."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.freed: list[str] = []
        self.refused: set[str] = set()
        self.slow: dict[str, asyncio.Event] = {}

    async def pipeline(self, wgsl: str, *_: Any) -> int:
        if wgsl in self.slow:
            await self.slow[wgsl].wait()
        if wgsl in self.refused:
            raise ScellisError("SCL-GPU-SHADER", f"{wgsl} is refused.")
        self.made.append(wgsl)
        return len(self.made) - 1

    def free(self, handle: int) -> None:
        self.freed.append(self.made[handle])


def texts(*names: str) -> dict[str, tuple[str, str]]:
    return {name: (name, "a label") for name in names}


@pytest.fixture
def port() -> Port:
    return Port()


async def test_one_text_is_one_pipeline_while_it_is_used_and_after(port: Port) -> None:
    pipelines: Any = Pipelines(port, kept=2)  # type: ignore[arg-type]
    first = await pipelines.take(texts("a", "b"))
    second = await pipelines.take(texts("b", "c"))
    assert port.made == ["a", "b", "c"]
    assert first["b"] == second["b"]
    pipelines.give_back(first)
    pipelines.give_back(second)
    # The first whose last user went makes room.
    assert (port.freed, len(pipelines)) == (["a"], 2)
    await pipelines.take(texts("c", "a"))
    assert port.made == ["a", "b", "c", "a"]


async def test_what_is_in_use_is_never_freed(port: Port) -> None:
    pipelines: Any = Pipelines(port, kept=0)  # type: ignore[arg-type]
    for _ in range(2):
        await pipelines.take(texts("a"))
    pipelines.give_back(["a"])
    assert port.freed == []
    pipelines.give_back(["a"])
    assert (port.freed, len(pipelines)) == (["a"], 0)


async def test_a_text_that_is_refused_takes_none(port: Port) -> None:
    pipelines: Any = Pipelines(port)  # type: ignore[arg-type]
    await pipelines.take(texts("a"))
    port.refused = {"c"}
    with pytest.raises(ScellisError, match="c is refused"):
        await pipelines.take(texts("a", "b", "c", "d"))
    assert (port.freed, len(pipelines)) == (["b", "d"], 1)
    port.refused = set()
    await pipelines.take(texts("a", "b", "c"))
    assert port.made == ["a", "b", "d", "b", "c"]


async def test_what_waits_for_others_to_be_made_is_not_forgotten_meanwhile(port: Port) -> None:
    pipelines: Any = Pipelines(port, kept=0)  # type: ignore[arg-type]
    first = await pipelines.take(texts("a"))
    taking = asyncio.ensure_future(pipelines.take(texts("a", "b")))
    await asyncio.sleep(0)
    pipelines.give_back(first)
    assert (await taking)["a"] == first["a"]
    assert port.freed == []


async def _everything_else() -> None:
    """Let all tasks go on that can."""
    for _ in range(9):
        await asyncio.sleep(0)


async def test_who_is_cancelled_leaves_nothing_behind(port: Port) -> None:
    pipelines: Any = Pipelines(port)  # type: ignore[arg-type]
    port.slow = {"b": asyncio.Event()}
    taking = asyncio.ensure_future(pipelines.take(texts("a", "b")))
    await _everything_else()
    assert port.made == ["a"]
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    port.slow["b"].set()  # a device that compiles goes on
    await _everything_else()
    assert (sorted(port.freed), len(pipelines)) == (["a", "b"], 0)
    await pipelines.take(texts("a", "b"))
    assert sorted(port.made) == ["a", "a", "b", "b"]
