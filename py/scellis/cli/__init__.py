"""The `scellis` command."""

from scellis.cli.main import main

__all__ = ["main"]
