"""ZIPs from anyone: what can be wrong with them, and what of them is read."""

from __future__ import annotations

import struct
import zipfile
import zlib

from scellis.train.files import DataFile
from scellis.train.folders import hidden

FAULTS = (zipfile.BadZipFile, zlib.error, struct.error, ValueError, OSError, EOFError, RuntimeError)
"""What `zipfile` raises for one that is damaged, encrypted or of a later form."""


def files_in(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Its files, without folders and what systems leave in them."""
    return [row for row in archive.infolist() if not row.is_dir() and not hidden(row.filename)]


def check_packing(file: DataFile, name: str, member: zipfile.ZipInfo) -> None:
    """Raises `SCL-DATA-FORM` for a member, called `name`, that not every reader can unpack."""
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise file.fault(f"{name} is compressed in a way that is not read")
