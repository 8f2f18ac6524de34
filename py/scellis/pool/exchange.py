"""The data plane's protocol over one ordered, reliable channel: bytes asked for and given by address.

Frames are at most 16 KiB. `get`: kind, request, digests. `part`: kind, request, digest, total length,
offset, bytes. `end`: kind, request: whatever was not given is not there. Each piece is checked against its
address, so that a fetch can be taken up elsewhere.
"""

from __future__ import annotations

import asyncio
import hashlib
import struct
from collections.abc import Awaitable, Callable, Sequence

import attrs

from scellis.errors import ScellisError
from scellis.pool.digests import address_of, digest_of
from scellis.pool.ports import StateReader

FRAME_BYTES = 16 * 1024
"""the size that every browser sends and receives as one message"""
OBJECT_LIMIT_BYTES = 1024 * 1024
REQUEST_LIMIT = 64
"""requests of a peer that are served at the same time; the next one is out of protocol"""
_HEAD = struct.Struct("<BI")
_PART = struct.Struct("<BI32sII")
_GET, _DATA, _END = 1, 2, 3
_DIGESTS_A_FRAME = (FRAME_BYTES - _HEAD.size) // 32


@attrs.define(eq=False)
class _Request:
    wanted: set[bytes]
    done: asyncio.Future[None]
    parts: dict[bytes, bytearray] = attrs.field(factory=dict)
    found: dict[str, bytes] = attrs.field(factory=dict)


class Exchange:
    """One channel's two ends are each an `Exchange`. `send` waits while the channel's buffer is full."""

    def __init__(self, send: Callable[[bytes], Awaitable[None]], read: StateReader) -> None:
        self._send = send
        self._read = read
        self._requests: dict[int, _Request] = {}
        self._serving: set[asyncio.Task[None]] = set()
        self._last = 0
        self.closed = False

    async def fetch(self, addresses: Sequence[str], timeout_s: float) -> dict[str, bytes]:
        """Bytes by address; what the other end lacks, forged or did not send in time is left out."""
        found: dict[str, bytes] = {}
        try:
            async with asyncio.timeout(timeout_s):
                for at in range(0, len(addresses), _DIGESTS_A_FRAME):
                    await self._fetch(addresses[at : at + _DIGESTS_A_FRAME], found)
        except (TimeoutError, ScellisError):
            pass
        return found

    async def _fetch(self, addresses: Sequence[str], found: dict[str, bytes]) -> None:
        if self.closed:
            return
        self._last += 1
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        request = _Request(set(map(digest_of, addresses)), done, found=found)
        number, self._requests[self._last] = self._last, request
        try:
            await self._send(_HEAD.pack(_GET, number) + b"".join(map(digest_of, addresses)))
            await request.done
        finally:
            self._requests.pop(number, None)

    def receive(self, frame: bytes) -> None:
        """Take a frame in. Raises `SCL-POOL-CHANNEL` for what no honest peer sends: close the channel."""
        if not _HEAD.size <= len(frame) <= FRAME_BYTES:
            raise _fault(f"a frame of {len(frame)} bytes")
        kind, number = _HEAD.unpack_from(frame)
        if kind == _GET:
            self._serve(number, frame[_HEAD.size :])
        elif kind == _DATA and len(frame) >= _PART.size:
            self._part(number, frame)
        elif kind == _END:
            request = self._requests.get(number)
            if request is not None and not request.done.done():
                request.done.set_result(None)
        else:
            raise _fault(f"a frame of kind {kind}")

    def _part(self, number: int, frame: bytes) -> None:
        request = self._requests.get(number)
        if request is None:
            return  # a reply that came too late
        _, _, digest, total, offset = _PART.unpack_from(frame)
        if digest not in request.wanted or total > OBJECT_LIMIT_BYTES:
            raise _fault("bytes that nobody asked for")
        part = request.parts.setdefault(digest, bytearray())
        if offset != len(part) or len(part) + len(frame) - _PART.size > total:
            raise _fault("parts out of order")
        part += frame[_PART.size :]
        if len(part) == total:
            request.wanted.discard(digest)
            data = bytes(request.parts.pop(digest))
            if hashlib.sha256(data).digest() == digest:
                request.found[address_of(digest)] = data

    def _serve(self, number: int, digests: bytes) -> None:
        if len(digests) % 32 or len(self._serving) >= REQUEST_LIMIT:
            raise _fault("too many requests, or a damaged one")
        task = asyncio.ensure_future(self._reply(number, digests))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _reply(self, number: int, digests: bytes) -> None:
        try:
            for at in range(0, len(digests), 32):
                digest = digests[at : at + 32]
                data = await self._read(address_of(digest))
                if data is not None:
                    await self._give(number, digest, data)
            await self._send(_HEAD.pack(_END, number))
        except ScellisError:
            self.close()

    async def _give(self, number: int, digest: bytes, data: bytes) -> None:
        room = FRAME_BYTES - _PART.size
        for offset in range(0, max(len(data), 1), room):
            head = _PART.pack(_DATA, number, digest, len(data), offset)
            await self._send(head + data[offset : offset + room])

    def close(self) -> None:
        """The channel is gone: open requests end with what they have."""
        self.closed = True
        for request in self._requests.values():
            if not request.done.done():
                request.done.set_result(None)
        for task in self._serving:
            task.cancel()


def _fault(what: str) -> ScellisError:
    return ScellisError("SCL-POOL-CHANNEL", f"A peer sent {what} over its data channel.")
