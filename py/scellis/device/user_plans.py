"""Plans that are kept natively, without being asked: in a folder of this user, shared by all programs."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

import scellis
from scellis.content import FolderStore
from scellis.content.folders import cache_folder
from scellis.device.plans import ENTRY_BYTES, Plans


def plan_folder() -> Path | None:
    """Where they lie, None where none are kept."""
    folder = cache_folder()
    return None if folder is None else folder / "plans"


def user_plans() -> Plans | None:
    """What keeps them there."""
    folder = plan_folder()
    return None if folder is None else Plans(FolderStore(folder, ENTRY_BYTES), build())


@cache
def build() -> str:
    """The code that plans, and that folds constants: a checkout changes without its version doing so."""
    package = Path(scellis.__file__).parent
    found = hashlib.sha256(np.__version__.encode())
    for file in sorted(package.rglob("*.py")):
        text = file.read_bytes()
        found.update(f"{file.relative_to(package).as_posix()} {len(text)}\n".encode() + text)
    return found.hexdigest()


def size_bytes(folder: Path) -> int:
    """What they take on the disk, as far as it can be read: other programs may take some away meanwhile."""
    size = 0
    for file in folder.rglob("*"):
        with suppress(OSError):
            size += file.stat().st_size if file.is_file() else 0
    return size
