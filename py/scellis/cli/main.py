"""Arguments, and the one place where an error becomes an exit status."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence

from scellis import ENGINE_VERSION
from scellis.cli import data, doctor, explain, replay, runs, serve, train
from scellis.cli import run as run_command
from scellis.errors import ScellisError

EXIT_REFUSED = 1
EXIT_INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    """The command's grammar."""
    top = argparse.ArgumentParser(
        prog="scellis", description="Compute with the devices you can reach, from a browser tab or here."
    )
    top.add_argument("--version", action="version", version=f"scellis {ENGINE_VERSION}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (run_command, train, runs, data, replay, serve, explain, doctor):
        module.add_arguments(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 0 only when it did, verified, what was asked."""
    options = parser().parse_args(arguments)
    try:
        return int(asyncio.run(options.act(options)))
    except ScellisError as error:
        if getattr(options, "json", False):
            print(json.dumps({"error": error.as_dict()}))
        else:
            print(f"scellis: {error}", file=sys.stderr)
        return EXIT_REFUSED
    except BrokenPipeError:  # who reads the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_REFUSED
    except KeyboardInterrupt:
        print("scellis: interrupted.", file=sys.stderr)
        return EXIT_INTERRUPTED
