"""The append-only log of events: the truth of a pool. Durable before any instruction leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from scellis.content import Store
from scellis.errors import ScellisError
from scellis.pool.events import Event, from_line, to_line


class Log(Protocol):
    """Events of many pools, in order."""

    async def append(self, events: Mapping[str, Sequence[Event]]) -> None:
        """Add events of one or more pools, all or none; durable when it returns."""

    async def read(self, pool: str) -> list[Event]:
        """All events of a pool; empty where there is none. Raises `SCL-POOL-LOG` on damage."""


class MemoryLog:
    """A log that lasts as long as the process. It keeps lines, so that what is read was written and read."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    async def append(self, events: Mapping[str, Sequence[Event]]) -> None:
        """Add events."""
        for pool, more in events.items():
            self._lines.setdefault(pool, []).extend(map(to_line, more))

    async def read(self, pool: str) -> list[Event]:
        """All events of a pool."""
        return [from_line(line) for line in self._lines.get(pool, [])]


class StoreLog:
    """A log in a store (a tab's, or a folder): one named reference an append, written whole or not at all."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._next: dict[str, int] = {}

    async def append(self, events: Mapping[str, Sequence[Event]]) -> None:
        """Add events; of several pools one after the other."""
        for pool, more in events.items():
            if pool not in self._next:
                self._next[pool] = len(await self._store.refs(_prefix(pool)))
            text = "\n".join(map(to_line, more))
            await self._store.set_ref(f"{_prefix(pool)}{self._next[pool]:08d}", text.encode())
            self._next[pool] += 1

    async def read(self, pool: str) -> list[Event]:
        """All events of a pool."""
        names = await self._store.refs(_prefix(pool))
        self._next[pool] = len(names)
        events: list[Event] = []
        for name in names:
            part = await self._store.get_ref(name)
            if part is None:
                raise ScellisError(
                    "SCL-POOL-LOG", f"A part of the pool's log is gone: {name}.", "Start it anew."
                )
            events += map(from_line, part.splitlines())
        return events


def _prefix(pool: str) -> str:
    return f"pool-{pool}-log-"
