"""The store in a folder."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scellis.content.address import address, parse_address
from scellis.content.store import Claim, check_ref, is_ref
from scellis.errors import ScellisError

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class FolderStore:
    """A store in a folder: `blobs/ab/<hex>` and `refs/<name>`, each written, fsynced and renamed.

    What is held lies in `claims/`, locked: the system lets go of it with the process. Raises `SCL-STORE-FULL`
    for what it cannot write, `SCL-STORE-LOST` for what it cannot read. Of a reference no more than
    `ref_bytes` are read, if that is given: `SCL-STORE-DAMAGED` for what has more.
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
            with _reading(path):
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
        with _writing(path):
            if not (path.exists() and path.read_bytes() == data):  # a damaged file is put right
                write_atomically(path, data)
        return name

    async def delete(self, name: str) -> None:
        path = self._blob(name)
        with _writing(path):
            path.unlink(missing_ok=True)

    async def get_ref(self, name: str) -> bytes | None:
        path = self._root / "refs" / check_ref(name)
        most = self._ref_bytes
        try:
            with _reading(path), path.open("rb") as file:
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
        path = self._root / "refs" / check_ref(name)
        with _writing(path):
            write_atomically(path, data)

    async def delete_ref(self, name: str) -> None:
        path = self._root / "refs" / check_ref(name)
        with _writing(path):
            path.unlink(missing_ok=True)

    async def refs(self, prefix: str = "") -> list[str]:
        folder = self._root / "refs"
        if not folder.is_dir():
            return []
        # What a crash between write and rename left there has a name that no reference can have.
        with _reading(folder):
            names = [path.name for path in folder.iterdir()]
        return sorted(name for name in names if name.startswith(prefix) and is_ref(name))

    async def claim(self, name: str) -> Claim | None:
        return self._lock(check_ref(name), wait=False)

    async def turn(self, name: str) -> Claim:
        waiting = asyncio.ensure_future(asyncio.to_thread(self._lock, check_ref(name), wait=True))

        def let_go(waited: asyncio.Future[Claim | None]) -> None:
            if found := waited.result():
                found.release()

        try:
            found = await asyncio.shield(waiting)
        except asyncio.CancelledError:
            waiting.add_done_callback(let_go)  # a thread cannot be called back
            raise
        assert found is not None
        return found

    async def claimed(self, prefix: str = "") -> list[str]:
        folder = self._root / "claims"
        names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
        found = []
        for name in names:
            if name.startswith(prefix):
                claim = self._lock(name, wait=False)
                if claim is None:
                    found.append(name)
                else:
                    claim.release()
        return found

    async def free_bytes(self) -> int | None:
        there = next(folder for folder in (self._root, *self._root.parents) if folder.exists())
        with _reading(there):
            return shutil.disk_usage(there).free

    def _lock(self, name: str, *, wait: bool) -> Claim | None:
        import fcntl  # Windows and browsers have none, and their processes no folder in common

        path = self._root / "claims" / name
        with _writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                os.close(handle)
                return None
            except BaseException:
                os.close(handle)
                raise
        return Claim(lambda: os.close(handle))  # which unlocks it


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What the system does not write, as an error that says what to do."""
    try:
        yield
    except OSError as error:
        remedy = (
            "Make room there, or name another folder"
            if error.errno in _NO_ROOM
            else "Let this user write there, or name another folder"
        )
        raise ScellisError(
            "SCL-STORE-FULL",
            f"{path} cannot be written: {error.strerror or error}.",
            f"{remedy}; what was kept before is as it was.",
            path=str(path),
        ) from error


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """What the system does not read, as an error that says what to do; a file that is missing stays that."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ScellisError(
            "SCL-STORE-LOST",
            f"{path} cannot be read: {error.strerror or error}.",
            "Let this user read it, or name another folder.",
            path=str(path),
        ) from error


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
