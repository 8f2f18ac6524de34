"""The pool's ports in a tab: WebSocket and keys in the worker, data channels by way of the main thread."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pyodide.ffi import JsException, create_proxy
from pyodide.http import pyfetch

from js import navigator
from scellis.content import Store, canonical_json, parse_json
from scellis.content.browser import uint8array
from scellis.errors import ScellisError
from scellis.pool import wire
from scellis.pool.exchange import FRAME_BYTES, Exchange
from scellis.pool.identity import Signer
from scellis.pool.label import device_label
from scellis.pool.local import kept
from scellis.pool.messages import OpenRequest, PoolHeader
from scellis.pool.ports import Connect, DataPlane, StateReader, Transport, connection_lost

UNDER_WAY_BYTES = 1024 * 1024
"""bytes handed to the main thread and not yet in the channel's own buffer"""
CONNECT_S = 15.0
"""as long as static/rtc.js gives a connection to open"""
HEADER_LIMIT_BYTES = 16 * 1024


class TabNetwork:
    """This tab's way to the page's coordinator and to other members. Made by `open`."""

    def __init__(self, bridge: Any, signer: Signer, store_id: str, label: str) -> None:
        self.signer = signer
        self.store_id = store_id
        self.label = label
        self._bridge = bridge

    @classmethod
    async def open(cls, bridge: Any, store: Store) -> TabNetwork:
        """With this device's key pair, which is made on the first visit."""
        signer = TabSigner(await bridge.keys.openKeys(bridge.scope))
        store_id = (await kept(store, "store-id", os.urandom(16))).hex()
        return cls(bridge, signer, store_id, device_label(str(navigator.userAgent)))

    async def open_pool(self, request: OpenRequest, signature: str) -> PoolHeader:
        """Have the coordinator make a pool.

        Raises `SCL-POOL-NONE` where the page was served without one, and what the coordinator refuses.
        """
        body = canonical_json({"request": wire.to_json(request), "signature": signature}).decode()
        try:
            response = await pyfetch(f"{self._bridge.scope}api/pools", method="POST", body=body)
            answer = await response.bytes()
        except (JsException, OSError) as error:
            raise _no_coordinator() from error
        try:
            value = parse_json(answer, what="coordinator's answer", limit_bytes=HEADER_LIMIT_BYTES)
            if response.status != 201:
                refused = value["error"]
                raise ScellisError(refused["code"], refused["message"], refused["remedy"])
            return wire.structure(value["header"], PoolHeader)
        except (KeyError, TypeError, ValueError) as fault:
            raise _no_coordinator() from fault
        except ScellisError as fault:
            if fault.code in ("SCL-CONTENT-JSON", "SCL-CONTENT-SIZE"):  # a static host's page of its own
                raise _no_coordinator() from fault
            raise

    def connect(self) -> Connect:
        """Opens connections to the coordinator."""
        url = self._bridge.scope.replace("http", "ws", 1) + "api/pool"

        async def connect() -> Transport:
            return await TabSocket.open(self._bridge.socket, url)

        return connect

    def data_plane(self) -> DataPlane:
        """Connections to other members."""
        return RtcPlane(self._bridge)

    def link(self, pool: str, invite: str) -> str:
        """The invitation's URL: what is behind the `#` reaches no server."""
        return f"{self._bridge.scope}#pool={pool}.{invite}"


def _no_coordinator() -> ScellisError:
    return ScellisError(
        "SCL-POOL-NONE",
        "This page was served without a coordinator, or it cannot be reached.",
        "Serve the page with 'scellis serve'.",
    )


class TabSigner:
    """The device's key pair (static/keys.js); the private key never comes here."""

    def __init__(self, keys: Any) -> None:
        self._keys = keys
        self.key = str(keys.key)

    async def sign(self, message: bytes) -> str:
        """The signature, 128 hexadecimal digits."""
        return str(await self._keys.sign(uint8array(message)))


class TabSocket:
    """The pool's `Transport` over a WebSocket (static/socket.js)."""

    def __init__(self, sockets: Any) -> None:
        self._sockets = sockets
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._proxy = create_proxy(self._heard)
        self._closed = False
        self._handle = 0

    @classmethod
    async def open(cls, sockets: Any, url: str) -> TabSocket:
        """Connect. Raises `SCL-POOL-LOST`."""
        socket = cls(sockets)
        socket._handle = sockets.open(url, socket._proxy)
        try:
            await socket._opened
        except asyncio.CancelledError:
            await socket.close()
            raise
        return socket

    def _heard(self, event: str, text: str) -> None:
        if event == "open" and not self._opened.done():  # else nobody waits for it any more
            self._opened.set_result(None)
        elif event == "message":
            self._inbox.put_nowait(text)
        else:
            self._closed = True
            self._inbox.put_nowait(None)
            if not self._opened.done():
                self._opened.set_exception(connection_lost())
            # Destroyed after this call has returned, which runs through the proxy itself.
            asyncio.get_running_loop().call_soon(self._proxy.destroy)

    async def send(self, text: str) -> None:
        """Send one message."""
        if self._closed or not self._sockets.send(self._handle, text):
            raise connection_lost()

    async def receive(self) -> str:
        """The next message."""
        text = await self._inbox.get()
        if text is None:
            self._inbox.put_nowait(None)
            raise connection_lost()
        return text

    async def close(self) -> None:
        """Close; what JavaScript still holds is freed when the browser says that it is closed."""
        self._sockets.close(self._handle)


class _Way:
    """One connection to a member: its exchange, and how much is under way to the main thread."""

    def __init__(self, plane: RtcPlane, no: int) -> None:
        self.opened: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.under_way = 0
        self.room = asyncio.Event()
        self.room.set()
        self.exchange = Exchange(self._send, plane.read)
        self._plane = plane
        self._no = no

    async def _send(self, frame: bytes) -> None:
        while self.under_way + len(frame) > UNDER_WAY_BYTES and not self.exchange.closed:
            self.room.clear()
            await self.room.wait()
        if self.exchange.closed:
            raise ScellisError("SCL-POOL-CHANNEL", f"The data channel to member {self._no} is closed.")
        self.under_way += len(frame)
        self._plane.tell({"op": "send", "peer": self._no}, frame)

    def sent(self, size: int) -> None:
        self.under_way -= size
        self.room.set()

    def close(self) -> None:
        self.exchange.close()
        self.room.set()
        if not self.opened.done():
            self.opened.set_result(False)


class RtcPlane:
    """The pool's `DataPlane` over the main thread's RTCPeerConnections (static/rtc.js)."""

    def __init__(self, bridge: Any) -> None:
        self._bridge = bridge
        self._no = 0
        self._read: StateReader | None = None
        self._signal: Callable[[int, str], Awaitable[None]] | None = None
        self._ways: dict[int, _Way] = {}
        self._tasks: set[asyncio.Future[None]] = set()
        self._proxy: Any = None

    def open(self, no: int, read: StateReader, signal: Callable[[int, str], Awaitable[None]]) -> None:
        """This device is member `no`."""
        self._no, self._read, self._signal = no, read, signal
        if self._proxy is None:
            self._proxy = create_proxy(self._heard)
            self._bridge.listen("rtc", self._proxy)
            self.tell({"op": "reset"})  # what an interpreter before this one left open

    async def read(self, name: str) -> bytes | None:
        """What others may have of this device."""
        return await self._read(name) if self._read is not None else None

    def tell(self, message: dict[str, Any], frame: bytes | None = None) -> None:
        """A message to the main thread; the frame's copy is transferred."""
        self._bridge.send("rtc", json.dumps(message), None if frame is None else uint8array(frame))

    def _heard(self, text: str, data: Any = None) -> None:
        message = json.loads(text)
        no, operation = message["peer"], message["op"]
        way = self._ways.get(no)
        if operation == "signal" and self._signal is not None:
            task = asyncio.ensure_future(self._signal(no, message["data"]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif operation == "opened":
            way = self._ways.setdefault(no, way or _Way(self, no))
            if not way.opened.done():
                way.opened.set_result(True)
        elif operation == "closed" and way is not None:
            del self._ways[no]
            way.close()
        elif operation == "sent" and way is not None:
            way.sent(message["size"])
        elif operation == "message" and way is not None:
            self._received(no, way, bytes(data.to_bytes()))

    def _received(self, no: int, way: _Way, frame: bytes) -> None:
        try:
            way.exchange.receive(frame[: FRAME_BYTES + 1])
        except ScellisError:
            self.tell({"op": "close", "peer": no})

    async def signalled(self, sender: int, data: str) -> None:
        """A word of signalling arrived; its form is checked here, its content by the browser."""
        if isinstance(parse_json(data, what="signal", limit_bytes=len(data)), dict):
            self.tell({"op": "signal", "peer": sender, "data": data})

    async def fetch(self, no: int, addresses: Sequence[str], timeout_s: float) -> dict[str, bytes]:
        """Bytes of `addresses` from member `no`, each checked; what is not there is left out."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + timeout_s
        way = self._ways.get(no)
        if way is None:
            way = self._ways[no] = _Way(self, no)
            self.tell({"op": "open", "peer": no, "offer": self._no < no})
        try:
            async with asyncio.timeout(min(timeout_s, CONNECT_S)):
                opened = await asyncio.shield(way.opened)
        except TimeoutError:
            opened = False
            if self._ways.get(no) is way:  # nobody answered: the next fetch begins anew
                del self._ways[no]
                way.close()
                self.tell({"op": "close", "peer": no})
        return await way.exchange.fetch(addresses, end_s - loop.time()) if opened else {}

    async def close(self) -> None:
        """Close all connections and free what JavaScript holds of this object."""
        if self._proxy is not None:
            self._bridge.listen("rtc", None)
            self.tell({"op": "reset"})
            self._proxy.destroy()
            self._proxy = None
        for way in self._ways.values():
            way.close()
        self._ways.clear()
