"""A real coordinator process, and peers' connections to it over real WebSockets."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import attrs
import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from scellis.pool.host import LEASE_S
from scellis.pool.ports import connection_lost

ANNOUNCED = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@attrs.define
class Coordinator:
    """`scellis serve` in a process of its own, which can be killed and started again on its port and file."""

    folder: Path
    site: Path | None = None
    """the built site; without it a page of one line stands in, for tests that open none"""
    port: int = 0
    lease_s: float = LEASE_S
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        site = self.site
        if site is None:
            site = self.folder / "site"
            site.mkdir(exist_ok=True)
            (site / "index.html").write_text("<title>page</title>")
        command = [sys.executable, "-c", "from scellis.cli.main import main; main()", "serve"]
        command += ["--port", str(self.port), "--site", str(site), "--db", str(self.folder / "pools.db")]
        command += ["--lease", str(self.lease_s)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = ANNOUNCED.search(line)
        if not found:
            self.kill()
        assert found, f"the coordinator said {line!r}"
        self.port = int(found.group(1))

    def kill(self) -> None:
        """SIGKILL: no time to write anything."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    async def post(self, path: str, body: bytes) -> httpx.Response:
        async with httpx.AsyncClient() as client:
            return await client.post(self.url + path, content=body)


class WebSocketTransport:
    """The pool's `Transport` over the `websockets` package."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.sent_bytes = self.received_bytes = 0

    @classmethod
    async def open(cls, url: str) -> WebSocketTransport:
        try:
            return cls(
                await connect(url.replace("http", "ws") + "/api/pool", compression=None, max_size=2**24)
            )
        except OSError as error:
            raise connection_lost() from error

    async def send(self, text: str) -> None:
        try:
            await self._socket.send(text)
        except ConnectionClosed as error:
            raise connection_lost() from error
        self.sent_bytes += len(text.encode())

    async def receive(self) -> str:
        try:
            text = await self._socket.recv()
        except ConnectionClosed as error:
            raise connection_lost() from error
        assert isinstance(text, str)
        self.received_bytes += len(text.encode())
        return text

    async def close(self) -> None:
        await self._socket.close()
