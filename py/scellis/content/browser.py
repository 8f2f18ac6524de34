"""The store of a tab, over its database and files (static/store.js)."""

from __future__ import annotations

import asyncio
from typing import Any

from pyodide.ffi import JsException

from js import Uint8Array
from scellis.content.address import address, parse_address
from scellis.content.store import Claim, check_ref
from scellis.errors import ScellisError


class TabStore:
    """Blobs and references in the tab's own database and files. Every write is whole or not there.

    Raises `SCL-STORE-FULL` for what the browser does not write, `SCL-STORE-LOST` for what it does not read.
    """

    durable = True

    def __init__(self, database: Any) -> None:
        self._database = database

    async def get(self, name: str) -> bytes | None:
        data = await self._read(self._database.get(parse_address(name)))
        # A database that a crash has torn gives nothing rather than something else.
        return data if data is not None and address(data) == name else None

    async def put(self, data: bytes) -> str:
        name = address(data)
        await self._write(self._database.put(name, uint8array(data).buffer))
        return name

    async def delete(self, name: str) -> None:
        await self._write(self._database.delete(parse_address(name)))

    async def get_ref(self, name: str) -> bytes | None:
        return await self._read(self._database.getRef(check_ref(name)))

    async def set_ref(self, name: str, data: bytes) -> None:
        await self._write(self._database.setRef(check_ref(name), uint8array(data).buffer))

    async def delete_ref(self, name: str) -> None:
        await self._write(self._database.deleteRef(check_ref(name)))

    async def refs(self, prefix: str = "") -> list[str]:
        return sorted((await self._ask(self._database.refs(prefix))).to_py())

    async def claim(self, name: str) -> Claim | None:
        held = await self._ask(self._database.claim(check_ref(name)))
        return None if held is None else _claim(held)

    async def turn(self, name: str) -> Claim:
        waiting = self._database.turn(check_ref(name))
        try:
            return _claim(await self._ask(waiting.held))
        except asyncio.CancelledError:
            waiting.stop()
            raise

    async def claimed(self, prefix: str = "") -> list[str]:
        return sorted((await self._ask(self._database.claimed(prefix))).to_py())

    async def free_bytes(self) -> int | None:
        free = await self._ask(self._database.freeBytes())
        return None if free is None else int(free)

    async def _read(self, promise: Any) -> bytes | None:
        data = await self._ask(promise)
        return None if data is None else bytes(data.to_bytes())

    async def _ask(self, promise: Any) -> Any:
        try:
            return await promise
        except JsException as error:
            raise ScellisError(
                "SCL-STORE-LOST",
                f"The browser did not read what this page saved: {error}.",
                "Reload the page.",
            ) from error

    async def _write(self, promise: Any) -> None:
        try:
            await promise
        except JsException as error:
            raise ScellisError(
                "SCL-STORE-FULL",
                f"The browser did not keep what the run needs saved: {error}.",
                "Free some space or allow storage for this site; what was saved before is still there.",
            ) from error


def _claim(held: Any) -> Claim:
    return Claim(lambda: held.release())


def uint8array(data: bytes) -> Any:
    """A JavaScript Uint8Array with a copy of `data`, of a buffer of its own."""
    array = Uint8Array.new(len(data))
    array.assign(data)
    return array
