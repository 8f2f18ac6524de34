"""Get the runtime files into .cache/runtime, each accepted by its hash alone.

A file lies in the cache under its sha256, so that a second run has nothing to do and two checkouts may share
one cache. What is damaged on disk is thrown away by name and fetched again; what a source offers with another
hash is refused by name, and the next source is asked.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path

from scellis.content.folder import write_atomically
from scellis.errors import ScellisError
from sitebuild import ROOT
from sitebuild.lock import RuntimeFile, RuntimeLock, Source, read_lock
from sitebuild.sources import SourceError, SourceReader

CACHE = ROOT / ".cache" / "runtime"

ReadSource = Callable[[Source, RuntimeFile], bytes]
Say = Callable[[str], None]


def fetch_runtime(
    lock: RuntimeLock, read: ReadSource, cache: Path = CACHE, say: Say = print
) -> dict[str, Path]:
    """Make every file of the lock present and whole; returns name → path in the cache.

    Raises `ScellisError` SCL-RUNTIME-REFUSED when no source yields a file with the locked hash.
    """
    cache.mkdir(parents=True, exist_ok=True)
    return {file.name: _ensure(file, cache, read, say) for file in lock.files}


def find_fault(file: RuntimeFile, data: bytes) -> str | None:
    """What is wrong with bytes that should be `file`, as a phrase; None when they are it."""
    if len(data) != file.size_bytes:
        return f"{len(data)} bytes instead of {file.size_bytes}"
    found = hashlib.sha256(data).hexdigest()
    return None if found == file.sha256 else f"sha256 {found} instead of {file.sha256}"


def _ensure(file: RuntimeFile, cache: Path, read: ReadSource, say: Say) -> Path:
    path = cache / file.sha256
    if path.exists():
        fault = find_fault(file, path.read_bytes())
        if fault is None:
            return path
        say(f"{file.name}: the cached copy is damaged ({fault}); fetching it again")
        path.unlink()
    tried = []
    for source in file.sources:
        say(f"{file.name}: from {source.kind} {source.spec}")
        try:
            data = read(source, file)
        except SourceError as error:
            tried.append(f"{source.kind}: {error}")
            continue
        fault = find_fault(file, data)
        if fault is None:
            write_atomically(path, data)
            return path
        say(f"{file.name}: refused, {fault}")
        tried.append(f"{source.kind}: refused, {fault}")
    raise ScellisError(
        "SCL-RUNTIME-REFUSED",
        f"The runtime file {file.name} could not be had. " + "; ".join(tried) + ".",
        "Check the network and run scripts/install again. If a hash differs, the file was changed on its way "
        "or at its source: do not use it, and compare runtime.lock.json with version control.",
        name=file.name,
    )


def main() -> int:
    """Command line of scripts/install: fetch everything, or say which file is refused and what to do."""
    try:
        lock = read_lock()
        with SourceReader() as read:
            fetch_runtime(lock, read)
    except ScellisError as error:
        print(f"\n{error.message}\n    {error.remedy} [{error.code}]", file=sys.stderr)
        return 1
    total = sum(file.size_bytes for file in lock.files)
    print(f"Runtime: {len(lock.files)} files, {total / 1e6:.1f} MB, every hash as locked.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
