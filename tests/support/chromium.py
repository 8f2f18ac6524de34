"""Where Chromium is, and how tests start it."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

CHROMIUM_ARGS = [
    "--no-sandbox",
    "--headless=new",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
WEBGPU_ARGS = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"]


def find_chromium() -> str:
    """SCELLIS_CHROMIUM, which scripts/test sets, else the first that is installed."""
    found = os.environ.get("SCELLIS_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "No Chromium was found: run scripts/test, or set SCELLIS_CHROMIUM to its path."
    return found
