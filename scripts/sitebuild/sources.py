"""Where the bytes of a runtime file may come from. Nothing here is trusted: `fetch` checks every hash.

| kind        | spec                          | what happens                                              |
| ----------- | ----------------------------- | --------------------------------------------------------- |
| npm         | package@version/path          | read from node_modules, which scripts/install filled       |
| npm_member  | package@version/path          | `npm pack` of a package that is not installed, no script run |
| pypi        | name==version                 | `pip download` of that wheel, its file name the lock's      |
| pypi_member | name==version/path in wheel   | `pip download` of a wheel that carries the file inside it   |
| pyodide_cdn | version/file                  | Pyodide's own file server                                   |
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from pathlib import Path
from typing import IO, Self

from tqdm import tqdm

from sitebuild import ROOT
from sitebuild.lock import RuntimeFile, Source

PYODIDE_CDN = "https://cdn.jsdelivr.net/pyodide"
CONNECT_TIMEOUT_S = 20
READ_CHUNK_BYTES = 1 << 18


class SourceError(Exception):
    """A source did not yield the file; the message says why, in one line."""


class SourceReader:
    """Reads sources; a wheel that carries several files is downloaded once. Use it as a context manager."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="scellis-wheels-")
        self._wheels: dict[str, Path] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def __call__(self, source: Source, file: RuntimeFile) -> bytes:
        """The bytes that one source offers for `file`, unchecked. Raises `SourceError`."""
        match source.kind:
            case "npm":
                return _npm(source.spec)
            case "npm_member":
                return self._npm_member(source.spec, file)
            case "pypi":
                return self._pypi(source.spec, file)
            case "pypi_member":
                return self._pypi_member(source.spec)
            case _:
                return _pyodide_cdn(source.spec, file)

    def _npm_member(self, spec: str, file: RuntimeFile) -> bytes:
        package, version, member = _npm_spec(spec)
        folder = tempfile.mkdtemp(dir=self._folder.name)
        return _member(_pack(f"{package}@{version}", Path(folder)), f"package/{member}", file)

    def _pypi(self, spec: str, file: RuntimeFile) -> bytes:
        wheel = self._wheel(spec)
        if wheel.name != file.name:
            raise SourceError(f"PyPI offers {wheel.name}, not {file.name}")
        return wheel.read_bytes()

    def _pypi_member(self, spec: str) -> bytes:
        requirement, _, member = spec.partition("/")
        wheel = self._wheel(requirement)
        try:
            with zipfile.ZipFile(wheel) as archive:
                return archive.read(member)
        except (KeyError, zipfile.BadZipFile) as error:
            raise SourceError(f"{wheel.name} holds no {member}") from error

    def _wheel(self, requirement: str) -> Path:
        if requirement not in self._wheels:
            folder = tempfile.mkdtemp(dir=self._folder.name)
            self._wheels[requirement] = _download_wheel(requirement, Path(folder))
        return self._wheels[requirement]


def _npm_spec(spec: str) -> tuple[str, str, str]:
    """Package, version and path of `package@version/path`; a package's own name may begin with an @."""
    package, _, rest = spec.rpartition("@")
    version, _, path = rest.partition("/")
    return package, version, path


def _npm(spec: str) -> bytes:
    package, version, path = _npm_spec(spec)
    folder = ROOT / "node_modules" / package
    try:
        installed = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
        if installed != version:
            raise SourceError(f"node_modules has {package} {installed}, not {version}")
        return (folder / path).read_bytes()
    except OSError as error:
        raise SourceError(f"{spec} is not in node_modules: {error.strerror}") from error


def _pack(requirement: str, folder: Path) -> Path:
    command = ["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", str(folder), requirement]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    packed = list(folder.glob("*.tgz"))
    if done.returncode or len(packed) != 1:
        last = (done.stderr.strip().splitlines() or ["no package came"])[-1]
        raise SourceError(f"npm pack {requirement}: {last}")
    return packed[0]


def _member(packed: Path, member: str, file: RuntimeFile) -> bytes:
    """A file in a package of npm. One byte past the locked size already proves it wrong."""
    try:
        with tarfile.open(packed) as archive:
            found = archive.extractfile(member)
            if found is None:
                raise SourceError(f"{member} of {packed.name} is no file")
            return found.read(file.size_bytes + 1)
    except (KeyError, tarfile.TarError, OSError) as error:
        raise SourceError(f"{packed.name} holds no {member}") from error


def _download_wheel(requirement: str, folder: Path) -> Path:
    # The page's Python is 3.13 whatever runs this, and only wheels are taken: no build runs.
    command = [
        sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps",
        "--only-binary=:all:", "--python-version", "3.13", "--dest", str(folder), requirement,
    ]  # fmt: skip
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        last = (done.stderr.strip().splitlines() or ["no wheel came"])[-1]
        raise SourceError(f"pip download {requirement}: {last}")
    return wheels[0]


def _pyodide_cdn(spec: str, file: RuntimeFile) -> bytes:
    version, _, name = spec.partition("/")
    url = f"{PYODIDE_CDN}/v{version}/full/{name}"
    try:
        with urllib.request.urlopen(url, timeout=CONNECT_TIMEOUT_S) as response:
            return _read_with_progress(response, file)
    except OSError as error:
        raise SourceError(f"{url}: {error}") from error


def _read_with_progress(response: IO[bytes], file: RuntimeFile) -> bytes:
    data = bytearray()
    with tqdm(total=file.size_bytes, desc=file.name, unit="B", unit_scale=True) as bar:
        # One byte past the locked size already proves the file wrong: a source cannot fill the disk.
        while len(data) <= file.size_bytes and (chunk := response.read(READ_CHUNK_BYTES)):
            data += chunk
            bar.update(len(chunk))
    return bytes(data)
