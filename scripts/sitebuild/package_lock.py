"""The lock file that Pyodide and micropip read: Pyodide's own, cut to what we serve, with our wheels added.

With every package and its dependencies in it, `micropip.install("scellis")` asks no index, each file is
loaded from beside the interpreter, and Pyodide checks its sha256.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scellis.errors import ScellisError
from sitebuild.lock import RuntimeFile
from sitebuild.wheel import WheelFacts, read_wheel

OUR_PACKAGE = "scellis"


def package_lock(pyodide_lock: bytes, known: list[RuntimeFile], wheels: Mapping[str, Path]) -> dict[str, Any]:
    """The lock for one build.

    `pyodide_lock` is Pyodide's own lock file, `known` the files taken over from it, `wheels` file name →
    path of the wheels that it does not list, ours among them.

    Raises `ScellisError` SCL-BUILD-LOCK when Pyodide names another hash, or a dependency is in neither.
    """
    theirs = json.loads(pyodide_lock)
    by_file = {entry["file_name"]: entry for entry in theirs["packages"].values()}
    packages: dict[str, Any] = {}
    for file in known:
        entry = by_file.get(file.name)
        if entry is None or entry["sha256"] != file.sha256:
            raise _fault(f"Pyodide's lock file does not name {file.name} with the hash of runtime.lock.json")
        packages[entry["name"]] = entry
    for name, path in wheels.items():
        facts = read_wheel(path)
        packages[facts.name] = _entry(facts, name, path)
    for entry in packages.values():
        missing = set(entry["depends"]) - set(packages)
        if missing:
            raise _fault(f"{entry['name']} needs {', '.join(sorted(missing))}, which runtime.lock.json lacks")
    return {"info": theirs["info"], "packages": dict(sorted(packages.items()))}


def _entry(facts: WheelFacts, file_name: str, path: Path) -> dict[str, Any]:
    return {
        "name": facts.name,
        "version": facts.version,
        "file_name": file_name,
        "install_dir": "site",
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": list(facts.imports),
        "depends": list(facts.depends),
        "unvendored_tests": False,
    }


def _fault(what: str) -> ScellisError:
    remedy = "Bring runtime.lock.json and pyproject.toml into agreement."
    return ScellisError("SCL-BUILD-LOCK", f"{what}.", remedy)
