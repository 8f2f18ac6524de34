"""What can go wrong when a page fetches a file of somebody else's, in words that say what to do."""

from __future__ import annotations

from urllib.parse import urlsplit

from scellis.errors import ScellisError
from scellis.train.data import DATASET_LIMIT_BYTES

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def check_url(url: str) -> str:
    """`url`, if a page may fetch data from it: https, or this machine. Raises `SCL-DATA-URL`."""
    try:
        parts = urlsplit(url)
        safe = parts.scheme == "https" or (parts.scheme == "http" and _host(url) in LOOPBACK)
        whole = bool(parts.hostname) and not parts.username and len(url) <= 2000
    except ValueError:
        safe = whole = False
    if not safe or not whole:
        raise ScellisError(
            "SCL-DATA-URL",
            f"{url[:200]!r} is no URL that is fetched here.",
            "Give one that begins with https://, without a user's name in it.",
        )
    return url


def fetch_fault(url: str, origin: str, why: str, status: int) -> ScellisError:
    """The error of a fetch that failed.

    `why` is the word of static/fetching.js: `cors`, `policy`, `status`, `size`, `cut` or `unreachable`;
    `origin` the page's own, which the host would have to allow.
    """
    host = _host(url)
    if why == "cors":
        return ScellisError(
            "SCL-DATA-CORS",
            f"{host} answers, but does not let pages of {origin} read it: its answer lacks the header "
            f"Access-Control-Allow-Origin (CORS), by which a host says whose pages may.",
            f"Download the file and drop it here. {host} may be made to send Access-Control-Allow-Origin: *.",
            host=host, origin=origin,
        )  # fmt: skip
    if why == "policy":
        return ScellisError(
            "SCL-DATA-POLICY",
            f"The security policy that this page was served with does not let it ask {host}.",
            "Download the file and drop it here, or have connect-src for static/worker.js allow it.",
            host=host,
        )
    if why == "status":
        return ScellisError(
            "SCL-DATA-STATUS", f"{host} answers {status} for {url[:300]}.", "Look at the address.",
            host=host, status=status,
        )  # fmt: skip
    if why == "size":
        return ScellisError("SCL-DATA-SIZE", f"{url[:300]} has more than {DATASET_LIMIT_BYTES} bytes.")
    return ScellisError(
        "SCL-DATA-UNREACHABLE",
        f"{host} did not answer" + (" to the end." if why == "cut" else "."),
        "Look at the address and the connection, or download the file and drop it here.",
        host=host,
    )


def _host(url: str) -> str:
    """The host of a URL, without user and port."""
    return urlsplit(url).hostname or ""
