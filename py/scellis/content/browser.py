"""The store of a tab, over IndexedDB (static/store.js)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyodide.ffi import JsException, to_js

from js import Uint8Array
from scellis.content.address import address, parse_address
from scellis.content.store import check_ref
from scellis.errors import ScellisError


class TabStore:
    """Blobs and references in the tab's own database. Every write is one durable transaction."""

    durable = True

    def __init__(self, database: Any) -> None:
        self._database = database

    async def get(self, name: str) -> bytes | None:
        data = await self._database.get(parse_address(name))
        if data is None:
            return None
        value = bytes(data.to_bytes())
        # A database that a crash has torn gives nothing rather than something else.
        return value if address(value) == name else None

    async def put(self, data: bytes) -> str:
        return (await self.put_many([data]))[0]

    async def put_many(self, blobs: Sequence[bytes]) -> list[str]:
        """Keep several blobs in one transaction; returns their addresses."""
        names = [address(data) for data in blobs]
        rows = to_js([[name, _buffer(data)] for name, data in zip(names, blobs, strict=True)])
        await self._write(self._database.put(rows))
        return names

    async def get_ref(self, name: str) -> bytes | None:
        data = await self._database.getRef(check_ref(name))
        return None if data is None else bytes(data.to_bytes())

    async def set_ref(self, name: str, data: bytes) -> None:
        await self._write(self._database.setRef(check_ref(name), _buffer(data)))

    async def delete_ref(self, name: str) -> None:
        await self._database.deleteRef(check_ref(name))

    async def refs(self, prefix: str = "") -> list[str]:
        return sorted((await self._database.refs(prefix)).to_py())

    async def _write(self, promise: Any) -> None:
        try:
            await promise
        except JsException as error:
            raise ScellisError(
                "SCL-STORE-FULL",
                f"The browser did not keep what the run needs saved: {error}.",
                "Free some space or allow storage for this site; the run goes on, but is not saved.",
            ) from error


def _buffer(data: bytes) -> Any:
    """A JavaScript ArrayBuffer of its own with a copy of `data`."""
    array = Uint8Array.new(len(data))
    array.assign(data)
    return array.buffer
