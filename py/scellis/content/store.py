"""Stores: immutable blobs by address, and small named references to them.

The Protocol is asynchronous because a tab's store is: `content.browser` has it, and `content.folder`
that of a folder.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Protocol

from scellis.content.address import address, parse_address
from scellis.errors import ScellisError

_REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")


class Claim:
    """A name that is held alone, until it is released or its holder dies."""

    def __init__(self, release: Callable[[], None]) -> None:
        self._release: Callable[[], None] | None = release

    def release(self) -> None:
        """Let others have it; releasing twice is once."""
        if self._release is not None:
            self._release()
            self._release = None

    def __enter__(self) -> Claim:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class Store(Protocol):
    """Where artefacts are kept. Raises `SCL-STORE-FULL` for what cannot be written."""

    durable: bool
    """Whether what is put here outlives the process."""

    async def get(self, name: str) -> bytes | None:
        """The bytes at an address, or None. What comes back hashes to its address.

        Of a damaged blob a folder says so (`SCL-STORE-DAMAGED`: a person can delete the file); a tab's
        database, which only the browser can mend, gives None.
        """

    async def put(self, data: bytes) -> str:
        """Keep `data` durably; returns its address. Putting twice is once."""

    async def delete(self, name: str) -> None:
        """Forget the bytes at an address; forgetting twice is once."""

    async def get_ref(self, name: str) -> bytes | None:
        """The value of a named reference, or None."""

    async def set_ref(self, name: str, data: bytes) -> None:
        """Set a named reference atomically."""

    async def delete_ref(self, name: str) -> None:
        """Forget a named reference; forgetting twice is once."""

    async def refs(self, prefix: str = "") -> list[str]:
        """The names of references that start with `prefix`, sorted."""

    async def claim(self, name: str) -> Claim | None:
        """Hold a name among all that use this store, other tabs and processes too; None where one has it."""

    async def turn(self, name: str) -> Claim:
        """The same, once nobody else has it."""

    async def claimed(self, prefix: str = "") -> list[str]:
        """The names that start with `prefix` and that somebody holds now."""

    async def free_bytes(self) -> int | None:
        """How much more can be kept; None where that is not known."""


def is_ref(name: str) -> bool:
    """Whether `name` can name a reference."""
    return _REF.fullmatch(name) is not None


def check_ref(name: str) -> str:
    """`name`, checked to be usable as a file name anywhere. Raises `SCL-STORE-NAME`."""
    if not is_ref(name):
        raise ScellisError("SCL-STORE-NAME", f"{name[:80]!r} cannot name a stored reference.")
    return name


class MemoryStore:
    """A store that lasts as long as the process."""

    durable = False

    def __init__(self) -> None:
        self._blobs: dict[str, bytes] = {}
        self._refs: dict[str, bytes] = {}
        self._held: dict[str, asyncio.Lock] = {}

    async def get(self, name: str) -> bytes | None:
        return self._blobs.get(parse_address(name))

    async def put(self, data: bytes) -> str:
        name = address(data)
        self._blobs.setdefault(name, bytes(data))
        return name

    async def delete(self, name: str) -> None:
        self._blobs.pop(parse_address(name), None)

    async def get_ref(self, name: str) -> bytes | None:
        return self._refs.get(check_ref(name))

    async def set_ref(self, name: str, data: bytes) -> None:
        self._refs[check_ref(name)] = bytes(data)

    async def delete_ref(self, name: str) -> None:
        self._refs.pop(check_ref(name), None)

    async def refs(self, prefix: str = "") -> list[str]:
        return sorted(name for name in self._refs if name.startswith(prefix))

    async def claim(self, name: str) -> Claim | None:
        held = self._held.get(check_ref(name))
        return None if held is not None and held.locked() else await self.turn(name)

    async def turn(self, name: str) -> Claim:
        held = self._held.setdefault(check_ref(name), asyncio.Lock())
        await held.acquire()
        return Claim(held.release)

    async def claimed(self, prefix: str = "") -> list[str]:
        return sorted(name for name, held in self._held.items() if name.startswith(prefix) and held.locked())

    async def free_bytes(self) -> int | None:
        return None
