"""A loopback TCP proxy that counts what WebSocket connections carry: every byte, headers included."""

from __future__ import annotations

import socket
import threading

CHUNK = 65536


class Proxy:
    """Forwards to a port of this machine until `close`."""

    def __init__(self, port: int) -> None:
        self.socket_bytes = 0
        self._target = port
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """Where browsers go."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/"

    def close(self) -> None:
        """Take no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed
                return
            server = socket.create_connection(("127.0.0.1", self._target))
            head = client.recv(CHUNK)
            server.sendall(head)
            counted = head.startswith(b"GET /api/pool ")
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self._pump, args=(source, target, counted), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        try:
            while data := source.recv(CHUNK):
                target.sendall(data)
                if counted:
                    with self._lock:
                        self.socket_bytes += len(data)
        except OSError:
            """One end went away, as browsers do."""
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                """It was closed already."""
