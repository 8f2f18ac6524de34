"""A folder as one file: a ZIP whose bytes hang on nothing but paths and contents."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

_UNIX = 3
_EPOCH = (1980, 1, 1, 0, 0, 0)


def hidden(path: str) -> bool:
    """Whether a file is what systems leave in folders, and none of the data."""
    parts = path.split("/")
    return "__MACOSX" in parts or any(part.startswith(".") for part in parts) or parts[-1] == "Thumbs.db"


def pack_folder(files: Mapping[str, bytes]) -> bytes:
    """The folder of these files, by their paths in it, divided by /; hidden ones are left out."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(files):
            if not hidden(path):
                member = zipfile.ZipInfo(path, _EPOCH)
                member.create_system = _UNIX
                archive.writestr(member, files[path])
    return out.getvalue()


def pack_path(folder: Path) -> bytes:
    """The folder at a path, as `pack_folder` packs it."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return pack_folder({name: path.read_bytes() for name, path in files.items() if not hidden(name)})
