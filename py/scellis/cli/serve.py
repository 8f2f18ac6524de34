"""`scellis serve`: the page and the coordinator, from one process."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from scellis.cli.devices import add_site_argument
from scellis.errors import ScellisError
from scellis.pool.host import LEASE_S
from scellis.pool.messages import LEASE_RANGE_S


def add_arguments(commands: Any) -> None:
    """The grammar of `serve`."""
    command: argparse.ArgumentParser = commands.add_parser(
        "serve", help="serve the page and a coordinator for pools"
    )
    command.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: this machine alone)"
    )
    command.add_argument("--port", type=int, default=8000)
    add_site_argument(command, "the built site (scripts/build makes it)")
    command.add_argument("--db", type=Path, default=Path("scellis.db"), help="the coordinator's SQLite file")
    command.add_argument(
        "--lease",
        type=_seconds,
        default=LEASE_S,
        metavar="SECONDS",
        help="silence that ends a lease (default %(default)g: a hidden tab may wake only once a minute)",
    )
    command.set_defaults(act=act)


def _seconds(text: str) -> float:
    """Seconds in the range that a pool's header allows."""
    low, high = LEASE_RANGE_S
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from {low} to {high}")
    return value


async def act(options: argparse.Namespace) -> int:
    """Serve until interrupted."""
    try:
        from scellis_coordinator import serve
    except ImportError as error:
        raise ScellisError(
            "SCL-SERVE-MISSING",
            f"Serving needs more packages ({error}).",
            "Run: pip install 'scellis[serve]'",
        ) from error
    if not (options.site / "index.html").is_file():
        raise ScellisError(
            "SCL-SERVE-SITE",
            f"There is no built site in {options.site}.",
            "Run scripts/build, or pass --site.",
        )
    await serve(host=options.host, port=options.port, site=options.site, db=options.db, lease_s=options.lease)
    return 0
