"""The runtime lock: every file of the interpreter and its packages that the page loads, named by its hash."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePosixPath
from typing import Any

import attrs

from scellis.errors import ScellisError
from sitebuild import ROOT

LOCK_PATH = ROOT / "runtime.lock.json"

SOURCE_KINDS = ("npm", "npm_member", "pypi", "pypi_member", "pyodide_cdn")
"""The places a file may come from, see `sitebuild.sources`. A kind outside this table is refused."""


def _plain_name(_: object, __: object, value: str) -> None:
    if not value or value != PurePosixPath(value).name or value.startswith("."):
        raise ValueError(f"{value!r} is not a plain file name")


def _sha256(_: object, __: object, value: str) -> None:
    if not re.fullmatch(r"[0-9a-f]{64}", value):
        raise ValueError(f"{value!r} is not a sha256 in lower-case hex")


@attrs.frozen
class Source:
    """One place a file may come from: `kind` of `SOURCE_KINDS`, `spec` in that kind's own words."""

    kind: str = attrs.field(validator=attrs.validators.in_(SOURCE_KINDS))
    spec: str = attrs.field(validator=attrs.validators.instance_of(str))


@attrs.frozen
class RuntimeFile:
    """One file of the runtime; `role` says who loads it.

    "interpreter": the boot itself; "package": Pyodide, by its own lock file; "wheel": micropip; "data": the
    datasets of examples, which lie apart.
    """

    name: str = attrs.field(validator=_plain_name)
    role: str = attrs.field(validator=attrs.validators.in_(("interpreter", "package", "wheel", "data")))
    size_bytes: int = attrs.field(validator=attrs.validators.ge(1))
    sha256: str = attrs.field(validator=_sha256)
    sources: tuple[Source, ...] = attrs.field(validator=attrs.validators.min_len(1))


@attrs.frozen
class RuntimeLock:
    """The pinned runtime: Pyodide's version and its files, in the order in which they are installed."""

    pyodide: str
    files: tuple[RuntimeFile, ...]


def parse_lock(text: str) -> RuntimeLock:
    """Read a runtime lock.

    Raises `ScellisError` SCL-RUNTIME-LOCK when it is not JSON, has an unknown field, or names a file twice.
    """
    try:
        raw = json.loads(text)
        _only(raw, {"pyodide", "files"})
        files = tuple(_file(item) for item in raw["files"])
        names = [file.name for file in files]
        if len(set(names)) < len(names):
            raise ValueError("a file is named twice")
        return RuntimeLock(pyodide=str(raw["pyodide"]), files=files)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ScellisError(
            "SCL-RUNTIME-LOCK",
            f"runtime.lock.json cannot be read: {error}.",
            "Take it from version control again: git checkout runtime.lock.json",
        ) from error


def read_lock(path: Path = LOCK_PATH) -> RuntimeLock:
    """Read the project's runtime lock."""
    return parse_lock(path.read_text(encoding="utf-8"))


def _file(raw: dict[str, Any]) -> RuntimeFile:
    _only(raw, {"name", "role", "size_bytes", "sha256", "sources"})
    sources = tuple(Source(kind, spec) for item in raw["sources"] for kind, spec in item.items())
    return RuntimeFile(raw["name"], raw["role"], raw["size_bytes"], raw["sha256"], sources)


def _only(raw: dict[str, Any], fields: set[str]) -> None:
    if set(raw) != fields:
        raise ValueError(f"the fields are {sorted(raw)}, expected {sorted(fields)}")
