"""The built site: the right types, so that WebAssembly streams and modules load; never stale."""

from __future__ import annotations

from os import PathLike, stat_result

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".ftl": "text/plain; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".sml": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".wgsl": "text/plain; charset=utf-8",
    ".whl": "application/zip",
    ".zip": "application/zip",
}
"""Whatever the machine's own list of types says: Python's guess depends on files in /etc."""

WORKERS = ("static/worker.js", "sw.js")
WORKER_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
    "connect-src 'self' https: http://localhost:* http://127.0.0.1:*"
)
"""The page's own policy is in its `<meta>`; a worker obeys only what comes with its script.

A person may have it fetch a dataset from any host: by https, or from this machine.
"""


class Site(StaticFiles):
    """Static files, `index.html` for a folder."""

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """One file. The service worker keeps the site: a second cache beside it would hold old versions."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        name = str(full_path)
        suffix = name[name.rfind(".") :].lower()
        if suffix in TYPES and status_code == 200:
            response.headers["content-type"] = TYPES[suffix]
        if name.endswith(WORKERS):
            response.headers["content-security-policy"] = WORKER_POLICY
        response.headers["cache-control"] = "no-cache"
        response.headers["x-content-type-options"] = "nosniff"
        response.headers["referrer-policy"] = "no-referrer"
        return response
