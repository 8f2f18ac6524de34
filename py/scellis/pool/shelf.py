"""The states that a device keeps for a pool: many small states in one stored blob, found by their address.

A stored write costs milliseconds whatever its size, and a batch has hundreds of states of 2.5 kB, so a batch
is one write: a magic word, a count, then (digest, length) of each, then their bytes end to end.
"""

from __future__ import annotations

import hashlib
import struct
from collections import OrderedDict
from collections.abc import Sequence

from scellis.content import Store, address
from scellis.errors import ScellisError

_MAGIC = b"SCLSHLF1"
_ENTRY = struct.Struct("<32sI")
CACHE_BYTES = 64 * 1024 * 1024
"""states kept in memory; older ones are read from the store again"""


class Shelf:
    """States by address. What is put is durable when `put` returns, as far as the store is."""

    def __init__(self, store: Store, pool: str) -> None:
        self._store = store
        self._prefix = f"pool-{pool}-shelf-"
        self._index: dict[str, tuple[str, int, int]] = {}
        self._cache: OrderedDict[str, bytes] = OrderedDict()
        self._cached_bytes = 0
        self._next = 0

    async def load(self) -> None:
        """Find what an earlier visit kept; a damaged blob is passed over (its states count as missing)."""
        for name in await self._store.refs(self._prefix):
            self._next = max(self._next, int(name.removeprefix(self._prefix)) + 1)
            blob = (await self._store.get_ref(name) or b"").decode("ascii", "replace")
            try:
                data = await self._store.get(blob)
                for entry, offset, size_bytes in _entries(data or b""):
                    self._index[entry] = (blob, offset, size_bytes)
            except ScellisError:
                continue

    def __contains__(self, name: str) -> bool:
        return name in self._index

    async def put(self, states: Sequence[bytes]) -> list[str]:
        """Keep states; returns their addresses. Those that are kept already are not written again."""
        names = [address(state) for state in states]
        fresh = {name: state for name, state in zip(names, states, strict=True) if name not in self._index}
        if fresh:
            data = _blob(fresh)
            blob = await self._store.put(data)
            await self._store.set_ref(f"{self._prefix}{self._next:08d}", blob.encode("ascii"))
            self._next += 1
            for entry, offset, size_bytes in _entries(data):
                self._index[entry] = (blob, offset, size_bytes)
                self._remember(entry, fresh[entry])
        return names

    def _remember(self, name: str, state: bytes) -> None:
        self._cache[name] = state
        self._cached_bytes += len(state)
        while self._cached_bytes > CACHE_BYTES:
            self._cached_bytes -= len(self._cache.popitem(last=False)[1])

    async def get(self, name: str) -> bytes | None:
        """A state, or None. Raises nothing for a damaged store: what it lost is missing."""
        if name in self._cache:
            return self._cache[name]
        if name not in self._index:
            return None
        blob, offset, size_bytes = self._index[name]
        try:
            data = await self._store.get(blob)
        except ScellisError:
            data = None
        state = b"" if data is None else data[offset : offset + size_bytes]
        if address(state) != name:
            del self._index[name]
            return None
        self._remember(name, state)
        return state

    async def clear(self) -> None:
        """Forget the states: the pool is sealed and its record does not need them here."""
        for name in await self._store.refs(self._prefix):
            await self._store.delete_ref(name)
        self._index.clear()
        self._cache.clear()
        self._cached_bytes = 0


def _blob(states: dict[str, bytes]) -> bytes:
    head = b"".join(_ENTRY.pack(hashlib.sha256(state).digest(), len(state)) for state in states.values())
    return _MAGIC + len(states).to_bytes(4, "little") + head + b"".join(states.values())


def _entries(data: bytes) -> list[tuple[str, int, int]]:
    """Address, offset and length of each state of a blob; empty for what is not one."""
    if not data.startswith(_MAGIC):
        return []
    count = int.from_bytes(data[8:12], "little")
    offset = 12 + count * _ENTRY.size
    if offset > len(data):
        return []
    entries = []
    for digest, size_bytes in _ENTRY.iter_unpack(data[12:offset]):
        entries.append(("sha256:" + digest.hex(), offset, size_bytes))
        offset += size_bytes
    return entries
