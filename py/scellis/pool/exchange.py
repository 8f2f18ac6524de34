"""The data plane's protocol over one ordered, reliable channel: bytes asked for and given by address.

Frames are at most 16 KiB. `get`: kind, request, digests. `data`: kind, request, then parts: digest, total
length, offset, length, bytes. `end`: kind, request: whatever was not given is not there. Each object is
checked against its address, so that a fetch can be taken up elsewhere. Small objects share a frame: in a tab
each one crosses two threads.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import struct
from collections.abc import Awaitable, Callable, Sequence

import attrs

from scellis.errors import ScellisError
from scellis.pool.digests import DIGEST_BYTES, address_of, digest_of
from scellis.pool.ports import StateReader

FRAME_BYTES = 16 * 1024
"""the size that every browser sends and receives as one message"""
OBJECT_LIMIT_BYTES = 1024 * 1024
REQUEST_LIMIT = 64
"""requests of a peer that are served at the same time; the next one is out of protocol"""
_logger = logging.getLogger(__name__)
_HEAD = struct.Struct("<BI")
_PART = struct.Struct("<32sIII")
_GET, _DATA, _END = 1, 2, 3
_DIGESTS_A_FRAME = (FRAME_BYTES - _HEAD.size) // DIGEST_BYTES


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
        once = list(dict.fromkeys(addresses))  # two shards may have the same bytes
        try:
            async with asyncio.timeout(timeout_s):
                for at in range(0, len(once), _DIGESTS_A_FRAME):
                    await self._fetch(once[at : at + _DIGESTS_A_FRAME], found)
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
        elif kind == _DATA:
            self._parts(number, memoryview(frame)[_HEAD.size :])
        elif kind == _END:
            request = self._requests.get(number)
            if request is not None and not request.done.done():
                request.done.set_result(None)
        else:
            raise _fault(f"a frame of kind {kind}")

    def _parts(self, number: int, rest: memoryview) -> None:
        request = self._requests.get(number)
        while rest:
            if len(rest) < _PART.size:
                raise _fault("a damaged part")
            digest, total, offset, size_bytes = _PART.unpack_from(rest)
            data, rest = rest[_PART.size : _PART.size + size_bytes], rest[_PART.size + size_bytes :]
            if len(data) != size_bytes:
                raise _fault("a damaged part")
            if request is not None:  # else it is a reply that came too late
                self._part(request, digest, total, offset, data)

    def _part(self, request: _Request, digest: bytes, total: int, offset: int, data: memoryview) -> None:
        if digest not in request.wanted or total > OBJECT_LIMIT_BYTES:
            raise _fault("bytes that nobody asked for")
        part = request.parts.setdefault(digest, bytearray())
        if offset != len(part) or len(part) + len(data) > total:
            raise _fault("parts out of order")
        part += data
        if len(part) == total:
            request.wanted.discard(digest)
            whole = bytes(request.parts.pop(digest))
            if hashlib.sha256(whole).digest() == digest:
                request.found[address_of(digest)] = whole

    def _serve(self, number: int, digests: bytes) -> None:
        if len(digests) % DIGEST_BYTES or len(self._serving) >= REQUEST_LIMIT:
            raise _fault("too many requests, or a damaged one")
        task = asyncio.ensure_future(self._reply(number, digests))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _reply(self, number: int, digests: bytes) -> None:
        head = _HEAD.pack(_DATA, number)
        try:
            frame = bytearray(head)
            for at in range(0, len(digests), DIGEST_BYTES):
                digest = digests[at : at + DIGEST_BYTES]
                data = await self._read(address_of(digest)) or b""
                offset = 0
                while offset < len(data):
                    if FRAME_BYTES - len(frame) <= _PART.size:
                        await self._send(bytes(frame))
                        frame = bytearray(head)
                    part = data[offset : offset + FRAME_BYTES - len(frame) - _PART.size]
                    frame += _PART.pack(digest, len(data), offset, len(part)) + part
                    offset += len(part)
            if len(frame) > len(head):
                await self._send(bytes(frame))
            await self._send(_HEAD.pack(_END, number))
        except Exception as error:
            if not isinstance(error, ScellisError):
                _logger.exception("a member's request met a fault of the program")
            self.close()  # so that the other end does not wait for what never comes

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
