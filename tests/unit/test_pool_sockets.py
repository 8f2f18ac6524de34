"""The bounds of one socket: slow readers, floods, half-open connections, binary frames."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.websockets import WebSocketState

from scellis.pool.host import Host
from scellis.pool.log import MemoryLog
from scellis_coordinator import limits
from scellis_coordinator.limits import Bucket
from scellis_coordinator.signatures import Ed25519Verifier
from scellis_coordinator.sockets import CLOSE_LATER, SocketLink, Sockets
from support.virtual import VirtualClock, run_virtual


class FakeSocket:
    """A WebSocket whose other end does what the test says; only the wire is replaced."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.closed: tuple[int, str] | None = None
        self.reading = asyncio.Event()
        self.reading.set()
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.client_state = self.application_state = WebSocketState.CONNECTED

    async def accept(self) -> None:
        return None

    async def receive(self) -> dict[str, Any]:
        return await self.inbox.get()

    async def send_text(self, text: str) -> None:
        await self.reading.wait()
        self.sent.append(text)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        self.closed = self.closed or (code, reason)
        self.application_state = WebSocketState.DISCONNECTED


def _sockets() -> Sockets:
    clock = VirtualClock()
    host = Host(MemoryLog(), verifier=Ed25519Verifier(), clock=clock, engine="test", entropy=bytes)
    return Sockets(host, clock)


def test_a_slow_reader_is_dropped_and_costs_no_more_memory() -> None:
    async def play() -> None:
        socket = FakeSocket()
        socket.reading.clear()
        link = SocketLink(socket)  # type: ignore[arg-type]
        pump = asyncio.ensure_future(link.pump())
        text = "x" * 65_536
        for _ in range(200):
            link.send(text)
            await asyncio.sleep(0)
        assert link.dropped
        socket.reading.set()
        await pump
        assert socket.closed is not None
        assert socket.closed[1] == "SCL-POOL-SLOW"
        assert len(socket.sent) < 5

    run_virtual(play())


def test_a_half_open_socket_is_closed_after_its_time() -> None:
    async def play() -> None:
        sockets, socket = _sockets(), FakeSocket()
        before_s = asyncio.get_running_loop().time()
        await sockets.serve(socket)  # type: ignore[arg-type]
        assert asyncio.get_running_loop().time() - before_s <= limits.HANDSHAKE_S + 1.5
        assert socket.closed is not None
        assert sockets.open == len(sockets.strangers) == 0

    run_virtual(play())


def test_strangers_beyond_the_limit_are_asked_to_come_later() -> None:
    async def play() -> None:
        sockets = _sockets()
        crowd = [FakeSocket() for _ in range(limits.STRANGERS_LIMIT)]
        late = FakeSocket()
        # All at once: none has been read from when the next one comes.
        serving = [asyncio.ensure_future(sockets.serve(socket)) for socket in [*crowd, late]]  # type: ignore[arg-type]
        await asyncio.sleep(1)
        assert len(sockets.strangers) == limits.STRANGERS_LIMIT
        assert late.closed == (CLOSE_LATER, "")
        await asyncio.gather(*serving)
        assert sockets.open == len(sockets.strangers) == 0

    run_virtual(play())


def test_a_bucket_lets_through_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(rate=10.0, burst=20.0)
    assert sum(bucket.take(1, 0.0) for _ in range(50)) == 20
    assert sum(bucket.take(1, 1.0) for _ in range(50)) == 10
    assert sum(bucket.take(1, 0.5) for _ in range(50)) == 0  # a clock that is set back gives nothing
    assert sum(bucket.take(1, 100.0) for _ in range(50)) == 20
