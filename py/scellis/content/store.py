"""Stores: immutable blobs by address, and small named references to them.

The Protocol is asynchronous because a tab's store is: `content.browser` has the one over IndexedDB.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Protocol

from scellis.content.address import address, parse_address
from scellis.errors import ScellisError

_REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")


class Store(Protocol):
    """Where artefacts are kept."""

    durable: bool
    """Whether what is put here outlives the process."""

    async def get(self, name: str) -> bytes | None:
        """The bytes at an address, or None. What comes back hashes to its address.

        Of a damaged blob a folder says so (`SCL-STORE-DAMAGED`: a person can delete the file); a tab's
        database, which only the browser can mend, gives None.
        """

    async def put(self, data: bytes) -> str:
        """Keep `data` durably; returns its address. Putting twice is once."""

    async def delete(self, name: str) -> None:
        """Forget the bytes at an address; forgetting twice is once."""

    async def get_ref(self, name: str) -> bytes | None:
        """The value of a named reference, or None."""

    async def set_ref(self, name: str, data: bytes) -> None:
        """Set a named reference atomically."""

    async def delete_ref(self, name: str) -> None:
        """Forget a named reference; forgetting twice is once."""

    async def refs(self, prefix: str = "") -> list[str]:
        """The names of references that start with `prefix`, sorted."""


def check_ref(name: str) -> str:
    """`name`, checked to be usable as a file name anywhere. Raises `SCL-STORE-NAME`."""
    if not _REF.fullmatch(name):
        raise ScellisError("SCL-STORE-NAME", f"{name[:80]!r} cannot name a stored reference.")
    return name


class MemoryStore:
    """A store that lasts as long as the process."""

    durable = False

    def __init__(self) -> None:
        self._blobs: dict[str, bytes] = {}
        self._refs: dict[str, bytes] = {}

    async def get(self, name: str) -> bytes | None:
        return self._blobs.get(parse_address(name))

    async def put(self, data: bytes) -> str:
        name = address(data)
        self._blobs.setdefault(name, bytes(data))
        return name

    async def delete(self, name: str) -> None:
        self._blobs.pop(parse_address(name), None)

    async def get_ref(self, name: str) -> bytes | None:
        return self._refs.get(check_ref(name))

    async def set_ref(self, name: str, data: bytes) -> None:
        self._refs[check_ref(name)] = bytes(data)

    async def delete_ref(self, name: str) -> None:
        self._refs.pop(check_ref(name), None)

    async def refs(self, prefix: str = "") -> list[str]:
        return sorted(name for name in self._refs if name.startswith(prefix))


class FolderStore:
    """A store in a folder: `blobs/ab/<hex>` and `refs/<name>`, each written, fsynced and renamed.

    Of a reference no more than `ref_bytes` are read, if that is given: `SCL-STORE-DAMAGED` for what has more.
    """

    durable = True

    def __init__(self, root: Path, ref_bytes: int | None = None) -> None:
        self._root = root
        self._ref_bytes = ref_bytes

    def _blob(self, name: str) -> Path:
        digest = parse_address(name).removeprefix("sha256:")
        return self._root / "blobs" / digest[:2] / digest

    async def get(self, name: str) -> bytes | None:
        path = self._blob(name)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        if address(data) != name:
            raise ScellisError(
                "SCL-STORE-DAMAGED",
                f"The stored file {path} no longer matches its address.",
                "Delete the file; what it held is computed or fetched again.",
                path=str(path),
            )
        return data

    async def put(self, data: bytes) -> str:
        name = address(data)
        path = self._blob(name)
        if not (path.exists() and path.read_bytes() == data):  # a damaged file is put right
            write_atomically(path, data)
        return name

    async def delete(self, name: str) -> None:
        self._blob(name).unlink(missing_ok=True)

    async def get_ref(self, name: str) -> bytes | None:
        path = self._root / "refs" / check_ref(name)
        most = self._ref_bytes
        try:
            with path.open("rb") as file:
                data = file.read(-1 if most is None else most + 1)
        except FileNotFoundError:
            return None
        if most is not None and len(data) > most:
            raise ScellisError(
                "SCL-STORE-DAMAGED",
                f"The stored file {path} has more than {most} bytes.",
                "Delete the file; what it held is computed again.",
                path=str(path),
            )
        return data

    async def set_ref(self, name: str, data: bytes) -> None:
        write_atomically(self._root / "refs" / check_ref(name), data)

    async def delete_ref(self, name: str) -> None:
        (self._root / "refs" / check_ref(name)).unlink(missing_ok=True)

    async def refs(self, prefix: str = "") -> list[str]:
        folder = self._root / "refs"
        if not folder.is_dir():
            return []
        # What a crash between write and rename left there has a name that no reference can have.
        names = (path.name for path in folder.iterdir())
        return sorted(name for name in names if name.startswith(prefix) and _REF.fullmatch(name))


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` so that `path` holds the old bytes or the new ones: write, fsync, rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
