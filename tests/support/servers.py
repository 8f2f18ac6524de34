"""Real servers of the built site, each on a free loopback port and under our control."""

from __future__ import annotations

import functools
import http.server
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import attrs

START_TIMEOUT_S = 20
SITE_ROOT = Path(__file__).resolve().parents[2]


@attrs.define
class StaticServer:
    """A static file server that can be stopped and started again on its port, and that can misbehave.

    `folder` may be replaced while it runs: that is a deploy. `mount` is the path the site lies under.
    `headers` go with every answer. `corrupt` maps a path below the mount to a function over the file's bytes,
    `missing` holds paths that are not found. `requests` lists the paths that were answered with a body,
    `sent_bytes` their size.
    """

    folder: Path
    mount: str = "/"
    headers: Mapping[str, str] = attrs.field(factory=dict)
    corrupt: dict[str, Callable[[bytes], bytes]] = attrs.field(factory=dict)
    missing: set[str] = attrs.field(factory=set)
    requests: list[str] = attrs.field(factory=list)
    sent_bytes: int = 0
    _held: str | None = None
    _released: threading.Event = attrs.field(factory=threading.Event)
    _server: http.server.ThreadingHTTPServer | None = None
    _port: int = 0

    @property
    def url(self) -> str:
        """The page's address, which stays the same over a restart."""
        return f"http://127.0.0.1:{self._port}{self.mount}"

    def start(self) -> None:
        """Listen; the first start chooses the port."""
        handler = functools.partial(_Handler, self)
        self._server = _Listener(("127.0.0.1", self._port), handler)
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Close the port: from now on the site cannot be reached."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def hold(self, path: str) -> None:
        """Let requests for one file wait until `release`: a slow network that ends when the test says so."""
        self._held = path
        self._released.clear()

    def release(self) -> None:
        """Answer what was held."""
        self._released.set()

    def change(self, path: str) -> Callable[[bytes], bytes] | None:
        """What to do to a file before it is sent; waits while the file is held."""
        if path == self._held:
            self._released.wait(START_TIMEOUT_S)
        return self.corrupt.get(path)

    def asked_for(self, path: str) -> int:
        """How often a file was sent."""
        return self.requests.count(self.mount + path)


class _Listener(http.server.ThreadingHTTPServer):
    request_queue_size = 128  # a page asks for more at once than the five that wait by default


class _Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, owner: StaticServer, *args: object) -> None:
        self._owner = owner
        super().__init__(*args, directory=str(owner.folder))  # type: ignore[arg-type]

    def translate_path(self, path: str) -> str:
        mount = self._owner.mount
        inside = path.startswith(mount)
        return super().translate_path("/" + path[len(mount) :] if inside else "/outside-of-the-mount")

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        inner = path.removeprefix(self._owner.mount)
        if inner in self._owner.missing:
            self.send_error(404)
            return
        change = self._owner.change(inner)
        if change is None:
            super().do_GET()
            return
        data = change(Path(self.translate_path(path)).read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self._owner.sent_bytes += len(data)

    def end_headers(self) -> None:
        for name, value in self._owner.headers.items():
            self.send_header(name, value)
        super().end_headers()

    def log_request(self, code: object = "-", size: object = "-") -> None:
        if code == 200:
            self._owner.requests.append(self.path.split("?")[0])

    def log_message(self, *_: object) -> None:
        """Quiet: what a test wants to know is in `requests`."""

    def copyfile(self, source: object, outputfile: object) -> None:
        try:
            super().copyfile(source, outputfile)  # type: ignore[misc]
            self._owner.sent_bytes += source.tell()  # type: ignore[attr-defined]
        except (BrokenPipeError, ConnectionResetError):
            """The browser went away in mid-file, as browsers do."""


def free_port() -> int:
    """A loopback port that was free a moment ago, for servers that cannot choose one themselves."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def python_http_server(folder: Path) -> Iterator[str]:
    """`python -m http.server` on a folder; yields its address."""
    command = [
        sys.executable,
        "-u",
        "-m",
        "http.server",
        "0",
        "--bind",
        "127.0.0.1",
        "--directory",
        str(folder),
    ]
    with _process(command, re.compile(r"port (\d+)")) as port:
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def npm_http_server(folder: Path) -> Iterator[str]:
    """npm's `http-server` on a folder; yields its address."""
    tool = SITE_ROOT / "node_modules" / "http-server" / "bin" / "http-server"
    command = ["node", str(tool), str(folder), "-a", "127.0.0.1", "-p", str(free_port())]
    with _process(command, re.compile(r"http://127\.0\.0\.1:\D*(\d+)")) as port:
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def _process(command: list[str], announced: re.Pattern[str]) -> Iterator[str]:
    """Run a server until the block ends; yields what its announcement names (the port)."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # A server that says nothing is ended, and reading its output then ends too.
    watchdog = threading.Timer(START_TIMEOUT_S, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        seen = ""
        for line in process.stdout:
            seen += line
            if found := announced.search(line):
                break
        else:
            raise AssertionError(f"{command[0]} did not announce its port:\n{seen}")
        watchdog.cancel()
        # What it says from now on is read away, so that its pipe cannot fill and stop it.
        reader = threading.Thread(target=process.stdout.read, daemon=True)
        reader.start()
        yield found.group(1)
    finally:
        watchdog.cancel()
        process.terminate()
        process.wait()
        process.stdout and process.stdout.close()
