"""The states that a device keeps for a pool: many small states in one stored blob, found by their address.

A stored write costs milliseconds whatever its size, and a batch has hundreds of states of 2.5 kB, so a batch
is one blob, its states end to end, and one reference that names it: the blob's address, then (digest, length)
of each state. Opening a shelf reads the references alone, all at the same time.
"""

from __future__ import annotations

import asyncio
import struct
from collections import OrderedDict
from collections.abc import Sequence

from scellis.content import Store, address, is_address
from scellis.errors import ScellisError
from scellis.pool.digests import digest_of

_ADDRESS_CHARACTERS = len("sha256:") + 64
_ENTRY = struct.Struct("<32sI")
CACHE_BYTES = 64 * 1024 * 1024
"""states kept in memory; older ones are read from the store again"""


class Shelf:
    """States by address. What is put is durable when `put` returns, as far as the store is."""

    def __init__(self, store: Store, pool: str) -> None:
        self._store = store
        self._prefix = f"pool-{pool}-shelf-"
        self._index: dict[str, tuple[str, int, int]] = {}
        self._blobs: dict[str, dict[str, tuple[str, int, int]]] = {}
        self._cache: OrderedDict[str, bytes] = OrderedDict()
        self._cached_bytes = 0
        self._next = 0

    async def load(self) -> None:
        """Find what an earlier visit kept; of a damaged reference the states count as missing."""
        names = await self._store.refs(self._prefix)
        for value in await asyncio.gather(*map(self._store.get_ref, names)):
            self._enter(value or b"")
        self._next = 1 + max((int(name.removeprefix(self._prefix)) for name in names), default=-1)

    def _enter(self, value: bytes) -> None:
        entries = _entries(value)
        self._index.update(entries)
        for blob, _, _ in entries.values():
            self._blobs[blob] = entries

    async def put(self, states: Sequence[bytes]) -> list[str]:
        """Keep states; returns their addresses. Those that are kept already are not written again."""
        names = [address(state) for state in states]
        fresh = {name: state for name, state in zip(names, states, strict=True) if name not in self._index}
        if fresh:
            blob = await self._store.put(b"".join(fresh.values()))
            rows = [_ENTRY.pack(digest_of(name), len(state)) for name, state in fresh.items()]
            value = blob.encode("ascii") + b"".join(rows)
            number, self._next = self._next, self._next + 1
            await self._store.set_ref(f"{self._prefix}{number:08d}", value)
            self._enter(value)
            for name, state in fresh.items():
                self._remember(name, state)
        return names

    def _remember(self, name: str, state: bytes) -> None:
        if name not in self._cache:
            self._cached_bytes += len(state)
        self._cache[name] = state
        while self._cached_bytes > CACHE_BYTES:
            self._cached_bytes -= len(self._cache.popitem(last=False)[1])

    async def get(self, name: str) -> bytes | None:
        """A state, or None. Raises nothing for a damaged store: what it lost is missing."""
        if name in self._cache:
            return self._cache[name]
        if name not in self._index:
            return None
        return await self._read(self._index[name][0], name)

    async def _read(self, blob: str, wanted: str) -> bytes | None:
        """Read a blob whole: who needs one state of a batch needs its neighbours next."""
        found = None
        try:
            data = await self._store.get(blob) or b""
        except ScellisError:
            data = b""
        for name, (_, offset, size_bytes) in list(self._blobs.get(blob, {}).items()):
            state = data[offset : offset + size_bytes]
            if address(state) != name:
                self._index.pop(name, None)
                continue
            self._remember(name, state)
            found = state if name == wanted else found
        return found

    async def clear(self) -> None:
        """Forget the states: the pool is sealed and its record does not need them here."""
        await self.load()
        for blob in self._blobs:
            await self._store.delete(blob)
        for name in await self._store.refs(self._prefix):
            await self._store.delete_ref(name)
        self._index.clear()
        self._blobs.clear()
        self._cache.clear()
        self._cached_bytes = 0


def _entries(value: bytes) -> dict[str, tuple[str, int, int]]:
    """Blob, offset and length of each state that a reference names, by address; empty for what is none."""
    blob, rows = value[:_ADDRESS_CHARACTERS].decode("ascii", "replace"), value[_ADDRESS_CHARACTERS:]
    if not is_address(blob) or len(rows) % _ENTRY.size:
        return {}
    entries, offset = {}, 0
    for digest, size_bytes in _ENTRY.iter_unpack(rows):
        entries["sha256:" + digest.hex()] = (blob, offset, size_bytes)
        offset += size_bytes
    return entries
