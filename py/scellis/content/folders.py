"""The folder in which Scellis keeps, for this user, what it can make again."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "SCELLIS_CACHE"
"""The variable of the environment that names another folder."""
NOWHERE = "none"
"""What it says where nothing is to be kept."""


def cache_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path | None:
    """Where a system has such folders; but for macOS and Windows by the XDG base directory specification.

    None where nothing is to be kept, or this user has no home.
    """
    named = environment.get(VARIABLE, "")
    if named:
        return None if named == NOWHERE else Path(named)
    given = environment.get({"win32": "LOCALAPPDATA", "darwin": ""}.get(platform, "XDG_CACHE_HOME"), "")
    if given and Path(given).is_absolute():  # what is not, the specification has ignored
        return Path(given) / "scellis"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    within = {"win32": "AppData/Local", "darwin": "Library/Caches"}.get(platform, ".cache")
    return home / within / "scellis"
