"""The coordinator's SQLite file: the append-only log of events.

WAL mode with full synchronisation: what a call acknowledged is on the disk, whatever kills the process next.
One connection on one thread; a batch of events is one transaction.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from scellis.errors import ScellisError
from scellis.pool.events import Event, from_line, to_line

T = TypeVar("T")
SCHEMA_VERSION = 1
BUSY_TIMEOUT_S = 10.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
    pool TEXT NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (pool, number)
) WITHOUT ROWID;
"""


class SqliteLog:
    """The log in one file, made where there is none.

    Raises `SCL-SERVE-DB` for a file that is no database or of another schema.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            self._database = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if version not in (0, SCHEMA_VERSION):
                raise ScellisError(
                    "SCL-SERVE-DB",
                    f"The database {path} has schema {version}; this coordinator reads {SCHEMA_VERSION}.",
                    "Start it with the version that made it, or choose another file with --db.",
                )
            self._database.executescript(_SCHEMA)
            self._database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            self._database.commit()
        except sqlite3.Error as error:
            raise ScellisError(
                "SCL-SERVE-DB",
                f"The file {path} cannot be used as a database: {error}.",
                "Choose another with --db.",
            ) from error
        self._next: dict[str, int] = {}

    async def _in_thread(self, work: Callable[[], T]) -> T:
        def locked() -> T:
            with self._lock:
                return work()

        try:
            return await asyncio.to_thread(locked)
        except sqlite3.Error as error:
            raise ScellisError("SCL-SERVE-DB", f"The coordinator's database failed: {error}.") from error

    async def append(self, events: Mapping[str, Sequence[Event]]) -> None:
        """Add events of one or more pools in one transaction."""
        lines = {pool: list(map(to_line, more)) for pool, more in events.items()}

        def write() -> None:
            with self._database:
                for pool, more in lines.items():
                    first = self._number(pool)
                    rows = [(pool, first + at, line) for at, line in enumerate(more)]
                    self._database.executemany("INSERT INTO event VALUES (?, ?, ?)", rows)
            for pool, more in lines.items():
                self._next[pool] = self._number(pool) + len(more)

        await self._in_thread(write)

    def _number(self, pool: str) -> int:
        if pool not in self._next:
            row = self._database.execute("SELECT max(number) FROM event WHERE pool = ?", (pool,)).fetchone()
            self._next[pool] = 0 if row[0] is None else row[0] + 1
        return self._next[pool]

    async def read(self, pool: str) -> list[Event]:
        """All events of a pool."""

        def select() -> list[tuple[str]]:
            query = "SELECT line FROM event WHERE pool = ? ORDER BY number"
            return self._database.execute(query, (pool,)).fetchall()

        return [from_line(line) for (line,) in await self._in_thread(select)]

    async def size_bytes(self) -> int:
        """The size of the file, for the health report."""

        def select() -> int:
            (pages,) = self._database.execute("PRAGMA page_count").fetchone()
            (page_bytes,) = self._database.execute("PRAGMA page_size").fetchone()
            return int(pages) * int(page_bytes)

        return await self._in_thread(select)

    def close(self) -> None:
        """Close the file, after what is being written; closing twice is once."""
        with self._lock:
            self._database.close()
