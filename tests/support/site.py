"""The built site, and a second build of it for tests of updates."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from sitebuild.assemble import build_site, file_table, precache_manifest
from sitebuild.bundle import bundle_service_worker

DIST = Path(__file__).resolve().parents[2] / "dist"


def built_site() -> Path:
    """The site, built from the sources as they are now."""
    build_site(DIST)
    return DIST


def build_identity(site: Path) -> str:
    """The name of a build, as its runtime/lock.json has it."""
    identity: str = json.loads((site / "runtime" / "lock.json").read_text())["build"]
    return identity


def another_build(site: Path, folder: Path) -> Path:
    """What a later deploy would be: the same site under another identity, its manifest made anew.

    Only the scripts and the lock differ; the interpreter and the packages are the same bytes.
    """
    shutil.copytree(site, folder)
    old = build_identity(site)
    new = old[::-1]
    for path in [*(folder / "static").rglob("*.js"), folder / "runtime" / "lock.json"]:
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(old, new), encoding="utf-8")
    for name in ("sw.js", "build.json"):
        (folder / name).unlink()
    files: list[dict[str, Any]] = file_table(folder)
    bundle_service_worker(folder, precache_manifest(files))
    return folder
