"""WebSockets: bytes in and out of the pool's host, with the bounds of `limits`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from scellis.errors import ScellisError
from scellis.pool.host import Connection, Host
from scellis.pool.ports import Clock
from scellis.pool.wire import MESSAGE_LIMIT_BYTES, protocol_error
from scellis_coordinator import limits

CLOSE_POLICY = 1008
"""the close code of a connection that is refused; the message before it says why"""
CLOSE_LATER = 1013
FAREWELL_S = 1.0
_GONE = (WebSocketDisconnect, RuntimeError)
"""what Starlette raises where the other end has gone"""
_logger = logging.getLogger(__name__)


class SocketLink:
    """The host's end of one WebSocket: a bounded queue, and a task that empties it."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._queue: deque[str] = deque()
        self._queued_bytes = 0
        self._wake = asyncio.Event()
        self._reason: str | None = None
        self.dropped = False
        """whether the peer read too slowly"""

    def send(self, text: str) -> None:
        """Queue a message; where too much is queued the connection is dropped."""
        self._queue.append(text)
        self._queued_bytes += len(text)
        if self._queued_bytes > limits.SEND_LIMIT_BYTES:
            self.dropped = True
            self._queue.clear()
            self._reason = "SCL-POOL-SLOW"
        self._wake.set()

    def close(self, reason: str) -> None:
        """Close after what is queued."""
        self._reason = self._reason or reason
        self._wake.set()

    async def pump(self) -> None:
        """Send what is queued until the link is closed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                text = self._queue.popleft()
                await self._socket.send_text(text)
                self._queued_bytes -= len(text)
            if self._reason is not None:
                await self._socket.close(CLOSE_POLICY, self._reason)
                return


class Sockets:
    """All WebSockets of a coordinator."""

    def __init__(self, host: Host, clock: Clock) -> None:
        self._host = host
        self._clock = clock
        self.open = 0
        self.strangers: set[WebSocket] = set()
        """those that have not proved a key yet"""

    async def serve(self, socket: WebSocket) -> None:
        """One connection, from its opening to its end."""
        if self.open >= limits.SOCKETS_LIMIT or len(self.strangers) >= limits.STRANGERS_LIMIT:
            await socket.close(CLOSE_LATER)
            return
        self.open += 1
        self.strangers.add(socket)  # before anything is awaited, so that the limit holds
        try:
            await self._serve(socket)
        finally:
            self.open -= 1
            self.strangers.discard(socket)

    async def _serve(self, socket: WebSocket) -> None:
        try:
            await socket.accept()
        except _GONE:
            return
        link = SocketLink(socket)
        connection = self._host.connect(link)
        pump = asyncio.ensure_future(link.pump())
        read = asyncio.ensure_future(self._read(socket, connection))
        try:
            await asyncio.wait({pump, read}, return_when=asyncio.FIRST_COMPLETED)
            if read.done():
                connection.lost()
                await asyncio.wait({pump}, timeout=FAREWELL_S)  # the refusal, if there is one
        finally:
            connection.lost()
            for task in (pump, read):
                task.cancel()
            for fault in await asyncio.gather(pump, read, return_exceptions=True):
                if isinstance(fault, Exception) and not isinstance(fault, _GONE):
                    _logger.error("a connection ended by a fault", exc_info=fault)
            if socket.client_state == socket.application_state == WebSocketState.CONNECTED:
                with contextlib.suppress(RuntimeError):
                    await socket.close()

    async def _read(self, socket: WebSocket, connection: Connection) -> None:
        messages = limits.Bucket(limits.MESSAGES_A_S, limits.MESSAGES_BURST)
        amount = limits.Bucket(limits.BYTES_A_S, limits.BYTES_BURST)
        try:
            deadline_s = self._clock.now_s() + limits.HANDSHAKE_S
            while not connection.closed:
                strange = socket in self.strangers
                wait_s = deadline_s - self._clock.now_s() if strange else limits.IDLE_S
                async with asyncio.timeout(max(wait_s, 0.0)):
                    frame = await socket.receive()
                if frame["type"] == "websocket.disconnect":
                    return
                text = frame.get("text")
                if text is None:
                    connection.refuse(protocol_error("a binary frame"), final=True)
                    return
                if len(text) > MESSAGE_LIMIT_BYTES:
                    error = protocol_error(f"a message of more than {MESSAGE_LIMIT_BYTES} characters")
                    connection.refuse(error, final=True)
                    return
                if not self._within(len(text), messages, amount):
                    error = ScellisError("SCL-POOL-RATE", "This device sends more than a peer has to say.")
                    connection.refuse(error, final=True)
                    return
                await connection.receive(text)
                if connection.room is not None:
                    self.strangers.discard(socket)
        except TimeoutError:
            connection.close("SCL-POOL-SILENT")
        except _GONE:
            return

    def _within(self, size: int, messages: limits.Bucket, amount: limits.Bucket) -> bool:
        now_s = self._clock.now_s()
        return messages.take(1, now_s) and amount.take(size, now_s)
