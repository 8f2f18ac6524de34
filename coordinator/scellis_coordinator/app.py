"""The coordinator over HTTP: health, pools, the page; and the process that serves it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket as sockets
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute

from scellis import ENGINE_VERSION
from scellis.content import parse_json
from scellis.errors import ScellisError
from scellis.pool import wire
from scellis.pool.host import LEASE_S, Host
from scellis.pool.messages import PROTOCOL, OpenRequest
from scellis.pool.ports import Clock, SystemClock
from scellis.pool.wire import MESSAGE_LIMIT_BYTES
from scellis_coordinator import limits
from scellis_coordinator.log_sqlite import SqliteLog
from scellis_coordinator.signatures import Ed25519Verifier
from scellis_coordinator.sockets import Sockets
from scellis_coordinator.static import Site

BACKLOG = 2048
_logger = logging.getLogger(__name__)
_STATUS = {
    "SCL-POOL-SIGNATURE": 403,
    "SCL-POOL-RATE": 429,
    "SCL-CONTENT-SIZE": 413,
    "SCL-SERVE-DB": 503,
}


class Api:
    """What answers under /api."""

    def __init__(self, host: Host, log: SqliteLog, sockets: Sockets, clock: Clock) -> None:
        self._host = host
        self._log = log
        self._sockets = sockets
        self._clock = clock
        self._opens = limits.Bucket(limits.OPEN_A_S, limits.OPEN_BURST)

    async def health(self, request: Request) -> Response:
        """Whether a coordinator is here, and how it is."""
        return JSONResponse(
            {
                "service": "scellis",
                "ok": True,
                "engine": ENGINE_VERSION,
                "protocol": PROTOCOL,
                "pools": len(self._host.rooms),
                "sockets": self._sockets.open,
                "database_bytes": await self._log.size_bytes(),
            }
        )

    async def open_pool(self, request: Request) -> Response:
        """Make a pool: `{"request": …, "signature": …}`, signed by the owner's key; answers its header."""
        value = parse_json(
            await _body(request, limits.OPEN_LIMIT_BYTES),
            what="request for a pool",
            limit_bytes=limits.OPEN_LIMIT_BYTES,
        )
        if not isinstance(value, dict) or set(value) != {"request", "signature"}:
            raise wire.protocol_error("a request for a pool has a request and a signature")
        signature = value["signature"]
        if not isinstance(signature, str) or len(signature) != 128:
            raise wire.protocol_error("a signature has 128 hexadecimal digits", field="signature")
        wanted = wire.structure(value["request"], OpenRequest)
        self._bound()  # what is no request costs no other its turn
        header = await self._host.open(wanted, signature)
        return JSONResponse({"header": wire.to_json(header)}, 201)

    def _bound(self) -> None:
        if not self._opens.take(1, self._clock.now_s()):
            raise ScellisError(
                "SCL-POOL-RATE", "This coordinator is asked too often.", "Try again in a minute."
            )


async def _body(request: Request, limit_bytes: int) -> bytes:
    """The request's body, read no further than its limit. Raises `SCL-CONTENT-SIZE`, `SCL-CONTENT-LATE`."""
    body = bytearray()
    try:
        async with asyncio.timeout(limits.HANDSHAKE_S):
            async for part in request.stream():
                body += part
                if len(body) > limit_bytes:
                    raise ScellisError(
                        "SCL-CONTENT-SIZE",
                        f"The request has more than {limit_bytes} bytes.",
                        limit_bytes=limit_bytes,
                    )
    except (TimeoutError, ClientDisconnect) as error:
        raise ScellisError("SCL-CONTENT-LATE", "The request did not come whole.", "Send it again.") from error
    return bytes(body)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, ScellisError)
    return JSONResponse({"error": error.as_dict()}, _STATUS.get(error.code, 400))


def create_app(
    log: SqliteLog,
    site: Path | None,
    *,
    clock: Clock | None = None,
    entropy: Callable[[int], bytes] = os.urandom,
    lease_s: float = LEASE_S,
    on_fault: Callable[[BaseException], None],
) -> Starlette:
    """The application over a log; `site` is the folder of the built page, None for a coordinator alone.

    `on_fault` is called should the host's loop end by itself: nothing is answered any more.
    """
    time = clock or SystemClock()
    host = Host(
        log,
        verifier=Ed25519Verifier(),
        clock=time,
        engine=ENGINE_VERSION,
        entropy=entropy,
        lease_s=lease_s,
    )
    sockets_ = Sockets(host, time)
    api = Api(host, log, sockets_, time)

    def ended(running: asyncio.Future[None]) -> None:
        if not running.cancelled() and (fault := running.exception()) is not None:
            _logger.critical("the coordinator's loop has ended", exc_info=fault)
            on_fault(fault)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        running = asyncio.ensure_future(host.run())
        running.add_done_callback(ended)
        try:
            yield
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            log.close()

    # Any static host may serve the page, so any origin may ask; nothing here goes by cookies or addresses.
    cors = Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["GET", "POST"], allow_headers=["*"])
    routes: list[Any] = [
        Mount(
            "/api",
            routes=[
                Route("/health", api.health),
                Route("/pools", api.open_pool, methods=["POST"]),
                WebSocketRoute("/pool", sockets_.serve),
            ],
            middleware=[cors],
        )
    ]
    if site is not None:
        routes.append(Mount("/", Site(directory=site, html=True)))
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={ScellisError: _refused})


async def serve(host: str, port: int, site: Path | None, db: Path, lease_s: float = LEASE_S) -> None:
    """Serve until interrupted (Ctrl-C or SIGTERM); port 0 takes a free one. The address is printed.

    Raises `SCL-SERVE-PORT` where the port is taken, `SCL-SERVE-DB` where the database cannot be used,
    `SCL-SERVE-FAULT` where the coordinator meets a fault of its own: started again, it goes on from its log.
    """
    listener = _listen(host, port)
    log = SqliteLog(db)
    faults: list[BaseException] = []

    def stop(fault: BaseException) -> None:
        faults.append(fault)
        server.should_exit = True

    config = uvicorn.Config(
        create_app(log, site, lease_s=lease_s, on_fault=stop),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=4 * MESSAGE_LIMIT_BYTES,  # UTF-8 has up to four bytes a character
        ws_ping_interval=None,  # a stopped process answers no ping, and 60 s of silence kill no lease
        ws_per_message_deflate=False,  # hashes do not compress
        timeout_graceful_shutdown=5,
    )
    shown = f"[{host}]" if ":" in host else host
    print(f"Scellis serves at http://{shown}:{listener.getsockname()[1]}/ (database {db})", flush=True)
    server = uvicorn.Server(config)
    await server.serve([listener])
    if faults:
        raise ScellisError(
            "SCL-SERVE-FAULT",
            f"The coordinator met a fault of its own: {type(faults[0]).__name__}.",
            "Please report it; started again, it goes on where it was.",
        )


def _listen(host: str, port: int) -> sockets.socket:
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    listener = sockets.socket(family)
    try:
        listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)  # before the address is printed: whoever reads it may connect
    except (OSError, OverflowError) as error:  # no such port is an overflow
        listener.close()
        reason = str(error).rstrip(".")
        raise ScellisError(
            "SCL-SERVE-PORT",
            f"The address {host}:{port} cannot be used: {reason}.",
            "Choose another with --port.",
        ) from error
    return listener
