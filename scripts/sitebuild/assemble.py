"""Assemble dist/: the whole site as plain files, the same bytes for the same sources.

index.html  sw.js  build.json  static/  wgsl/  examples/  pyscript/
runtime/    the interpreter, the packages, pyodide-lock.json (for Pyodide), lock.json (for the page)
data/       files that the datasets of examples are made of
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from scellis import ENGINE_VERSION
from scellis.errors import ScellisError
from sitebuild import ROOT
from sitebuild.bundle import bundle_page, bundle_service_worker
from sitebuild.fetch import fetch_runtime
from sitebuild.lock import RuntimeLock, read_lock
from sitebuild.package_lock import OUR_PACKAGE, package_lock
from sitebuild.sources import SourceReader
from sitebuild.wheel import build_wheel

DIST = ROOT / "dist"

SOURCES = ("index.html", "static", "wgsl", "examples", "pyscript", "package-lock.json", "runtime.lock.json")
"""What decides the bytes of the site, beside our wheel and this build itself."""

COPIED = ("index.html", "wgsl", "examples", "pyscript", "static")
BUNDLED_SUFFIXES = (".js", ".css", ".ftl")
PYODIDE_LOCK = "pyodide-lock.json"

NOT_PRECACHED = ("pyscript/", "sw.js", "build.json", "runtime/package.json")
"""PyScript is a host that few open: its page works online and is not part of what everybody downloads."""


def build_site(dist: Path = DIST) -> dict[str, Any]:
    """Build the site into `dist`, replacing what is there only once all of it is made. Returns build.json.

    A site that was built from the same sources and is whole is left as it is.
    """
    lock = read_lock()
    with SourceReader() as read:
        cached = fetch_runtime(lock, read)
    dist.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=dist.parent, prefix=".build-") as folder:
        out = Path(folder) / "site"
        wheel = build_wheel(Path(folder) / "wheel")
        identity = _identity(wheel)
        if (present := _whole_build(dist)) and present["build"] == identity:
            return present
        _copy_sources(out)
        _copy_pyscript(out)
        bundle_page(out, identity)
        _write_runtime(out / "runtime", lock, cached, wheel, identity)
        _write_data(out / "data", lock, cached)
        files = file_table(out)
        bundle_service_worker(out, precache_manifest(files))
        report = {"build": identity, "engine": ENGINE_VERSION, "files": files}
        _write_json(out / "build.json", report)
        _replace(out, dist)
    return report


def _write_runtime(out: Path, lock: RuntimeLock, cached: dict[str, Path], wheel: Path, identity: str) -> None:
    out.mkdir()
    for file in lock.files:
        if file.role != "data":
            shutil.copyfile(cached[file.name], out / file.name)
    shutil.copyfile(wheel, out / wheel.name)
    wheels = [file.name for file in lock.files if file.role == "wheel"] + [wheel.name]
    packages = package_lock(
        (out / PYODIDE_LOCK).read_bytes(),
        [file for file in lock.files if file.role == "package"],
        {name: out / name for name in wheels},
    )
    _write_json(out / PYODIDE_LOCK, packages)
    files = [
        {"name": path.name, "size": path.stat().st_size, "sha256": _sha256(path).hex()}
        for path in sorted(out.iterdir())
    ]
    _write_json(
        out / "lock.json",
        {
            "build": identity,
            "engine": ENGINE_VERSION,
            "pyodide": lock.pyodide,
            "package": OUR_PACKAGE,
            "installs": list(packages["packages"]),
            "files": files,
        },
    )
    # For Node alone (--device oracle-wasm): Pyodide's scripts are no modules, whatever lies above says.
    _write_json(out / "package.json", {"type": "commonjs"})


def _write_data(out: Path, lock: RuntimeLock, cached: dict[str, Path]) -> None:
    out.mkdir()
    for file in lock.files:
        if file.role == "data":
            shutil.copyfile(cached[file.name], out / file.name)


def _whole_build(dist: Path) -> dict[str, Any] | None:
    """The report of the site in `dist`; None when there is none or a file of it is missing or changed."""
    try:
        report: dict[str, Any] = json.loads((dist / "build.json").read_text(encoding="utf-8"))
        whole = all(_sha256(dist / file["path"]).hex() == file["sha256"] for file in report["files"])
        return report if whole and (dist / "sw.js").is_file() else None
    except (OSError, ValueError, KeyError):
        return None


def _identity(wheel: Path) -> str:
    """Names one build: a hash of everything that goes into it."""
    digest = hashlib.sha256(wheel.read_bytes())
    for path in [*_walk(Path(__file__).parent), *(path for name in SOURCES for path in _walk(ROOT / name))]:
        digest.update(f"\0{path.relative_to(ROOT)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _walk(path: Path) -> list[Path]:
    files = [path] if path.is_file() else (item for item in path.rglob("*") if item.is_file())
    return sorted(item for item in files if "__pycache__" not in item.parts)


def _copy_sources(out: Path) -> None:
    for name in COPIED:
        for path in _walk(ROOT / name):
            if name == "static" and path.suffix in BUNDLED_SUFFIXES:
                continue
            target = out / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def _copy_pyscript(out: Path) -> None:
    dist = ROOT / "node_modules" / "@pyscript" / "core" / "dist"
    for path in _walk(dist):
        if path.suffix != ".map":
            target = out / "pyscript" / "core" / path.relative_to(dist)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def file_table(out: Path) -> list[dict[str, Any]]:
    """Path, size and sha256 of every file of a site."""
    return [
        {"path": str(path.relative_to(out)), "size": path.stat().st_size, "sha256": _sha256(path).hex()}
        for path in _walk(out)
    ]


def precache_manifest(files: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What the service worker keeps: Workbox's entries, each held to its hash by the browser itself."""
    return [
        {
            "url": file["path"],
            "revision": file["sha256"],
            "integrity": "sha256-" + base64.b64encode(bytes.fromhex(file["sha256"])).decode(),
        }
        for file in files
        if not file["path"].startswith(NOT_PRECACHED)
    ]


def _sha256(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _replace(out: Path, dist: Path) -> None:
    """Swap the finished folder in; a server that is running never sees half of it."""
    old = out.parent / "old"
    if dist.exists():
        os.rename(dist, old)
    os.rename(out, dist)


def main() -> int:
    """Command line of scripts/build."""
    try:
        report = build_site()
    except ScellisError as error:
        print(f"\n{error.message}\n    {error.remedy} [{error.code}]", file=sys.stderr)
        return 1
    files = report["files"]
    first = sum(file["size"] for file in files if not file["path"].startswith(NOT_PRECACHED))
    print(f"dist/: {len(files)} files, build {report['build']}, first load {first / 1e6:.1f} MB uncompressed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
