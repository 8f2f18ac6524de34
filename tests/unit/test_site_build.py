"""The package lock that the page's interpreter reads, and what the build promises."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scellis import ENGINE_VERSION
from scellis.errors import ScellisError
from sitebuild import ROOT
from sitebuild.assemble import build_site
from sitebuild.lock import RuntimeFile, Source
from sitebuild.package_lock import package_lock
from sitebuild.wheel import build_wheel, read_wheel

PYODIDE_LOCK: dict[str, Any] = {
    "info": {"version": "0.28.0.dev0"},
    "packages": {
        "numpy": {"name": "numpy", "file_name": "numpy.whl", "sha256": "a" * 64, "depends": []},
        "pandas": {"name": "pandas", "file_name": "pandas.whl", "sha256": "b" * 64, "depends": ["numpy"]},
    },
}


def wheel(folder: Path, name: str, *requires: str) -> Path:
    """A wheel that consists of its metadata and one module."""
    path = folder / f"{name}-1.0-py3-none-any.whl"
    needs = [f"Requires-Dist: {text}" for text in requires]
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {name}",
        "Version: 1.0",
        *needs,
    ]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}-1.0.dist-info/METADATA", "\n".join(lines) + "\n")
        archive.writestr(f"{name}/__init__.py", "")
    return path


def numpy_file(sha256: str = "a" * 64) -> RuntimeFile:
    return RuntimeFile("numpy.whl", "package", 1, sha256, (Source("npm", "x"),))


def test_requirements_are_judged_for_the_page_not_for_the_builder(tmp_path: Path) -> None:
    facts = read_wheel(
        wheel(
            tmp_path,
            "ours",
            "Ruamel.YAML>=0.19",
            "tqdm; sys_platform != 'emscripten'",
            "exceptiongroup; python_version < '3.11'",
            "pytest; extra == 'test'",
        )
    )
    assert facts.depends == ("ruamel-yaml",)
    assert facts.imports == ("ours",)


def test_the_lock_is_pyodides_cut_to_what_is_served_with_ours_added(tmp_path: Path) -> None:
    path = wheel(tmp_path, "ours", "numpy")
    lock = package_lock(json.dumps(PYODIDE_LOCK).encode(), [numpy_file()], {path.name: path})
    assert list(lock["packages"]) == ["numpy", "ours"]
    assert lock["packages"]["ours"]["depends"] == ["numpy"]
    assert lock["info"] == PYODIDE_LOCK["info"]


def test_a_dependency_that_is_not_served_stops_the_build(tmp_path: Path) -> None:
    path = wheel(tmp_path, "ours", "numpy", "scipy")
    with pytest.raises(ScellisError, match="ours needs scipy") as caught:
        package_lock(json.dumps(PYODIDE_LOCK).encode(), [numpy_file()], {path.name: path})
    assert caught.value.code == "SCL-BUILD-LOCK"


def test_a_hash_that_pyodide_does_not_name_stops_the_build() -> None:
    with pytest.raises(ScellisError, match=r"numpy\.whl"):
        package_lock(json.dumps(PYODIDE_LOCK).encode(), [numpy_file("c" * 64)], {})


def test_our_wheel_is_the_same_bytes_each_time_and_carries_the_kernels(tmp_path: Path) -> None:
    first, second = build_wheel(tmp_path / "1"), build_wheel(tmp_path / "2")
    assert first.read_bytes() == second.read_bytes()
    assert read_wheel(first).version == ENGINE_VERSION
    kernels = {f"scellis/kernels/wgsl/{path.name}" for path in (ROOT / "wgsl").iterdir()}
    assert kernels <= set(zipfile.ZipFile(first).namelist())


def test_the_site_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    first, second = build_site(tmp_path / "1"), build_site(tmp_path / "2")
    assert first == second
    assert (tmp_path / "1" / "sw.js").read_bytes() == (tmp_path / "2" / "sw.js").read_bytes()


def test_a_damaged_site_is_built_again(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build_site(site)
    (site / "index.html").write_text("damaged")
    report = build_site(site)
    assert "damaged" not in (site / "index.html").read_text()
    assert (ROOT / "index.html").read_bytes() == (site / "index.html").read_bytes()
    assert "sw.js" not in {file["path"] for file in report["files"]}
