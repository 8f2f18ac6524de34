"""The runtime lock and its fetch: accepted by hash alone, damaged files named, nothing half written."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from scellis.errors import ScellisError
from sitebuild import ROOT
from sitebuild.fetch import fetch_runtime
from sitebuild.lock import RuntimeFile, RuntimeLock, Source, parse_lock, read_lock
from sitebuild.sources import SourceError

GOOD = b"the bytes that were pinned"
LOCK = RuntimeLock(
    "0.29.1",
    (
        RuntimeFile(
            "numpy.whl",
            "package",
            len(GOOD),
            hashlib.sha256(GOOD).hexdigest(),
            (Source("npm", "first"), Source("pyodide_cdn", "second")),
        ),
    ),
)


class Sources:
    """Sources with given bytes; what is missing does not answer. Remembers what was asked."""

    def __init__(self, **answers: bytes) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def __call__(self, source: Source, file: RuntimeFile) -> bytes:
        self.asked.append(source.spec)
        if source.spec not in self.answers:
            raise SourceError(f"{source.spec} does not answer")
        return self.answers[source.spec]


def quiet(_: str) -> None:
    """Takes the place of print."""


def test_sources_are_asked_in_order_and_only_until_one_has_it(tmp_path: Path) -> None:
    read = Sources(first=GOOD, second=GOOD)
    paths = fetch_runtime(LOCK, read, tmp_path, quiet)
    assert paths["numpy.whl"].read_bytes() == GOOD
    assert read.asked == ["first"]


def test_a_second_run_asks_nobody(tmp_path: Path) -> None:
    fetch_runtime(LOCK, Sources(first=GOOD), tmp_path, quiet)
    read = Sources()
    fetch_runtime(LOCK, read, tmp_path, quiet)
    assert read.asked == []


@pytest.mark.parametrize("swapped", [b"other bytes of that length", GOOD[:-1], GOOD + b"!", b""])
def test_a_swapped_file_is_refused_by_name_and_the_next_source_asked(tmp_path: Path, swapped: bytes) -> None:
    said: list[str] = []
    read = Sources(first=swapped, second=GOOD)
    fetch_runtime(LOCK, read, tmp_path, said.append)
    assert read.asked == ["first", "second"]
    assert any(line.startswith("numpy.whl: refused") for line in said)


def test_when_no_source_has_it_the_file_and_every_reason_are_named(tmp_path: Path) -> None:
    with pytest.raises(ScellisError) as caught:
        fetch_runtime(LOCK, Sources(second=b"wrong"), tmp_path, quiet)
    assert caught.value.code == "SCL-RUNTIME-REFUSED"
    assert "numpy.whl" in caught.value.message
    assert "first does not answer" in caught.value.message
    assert "5 bytes instead of 26" in caught.value.message
    assert list(tmp_path.iterdir()) == [], "nothing of it is left behind"


def test_a_damaged_copy_in_the_cache_is_named_and_replaced(tmp_path: Path) -> None:
    path = fetch_runtime(LOCK, Sources(first=GOOD), tmp_path, quiet)["numpy.whl"]
    path.write_bytes(GOOD[:-1] + b"?")
    said: list[str] = []
    fetch_runtime(LOCK, Sources(first=GOOD), tmp_path, said.append)
    assert path.read_bytes() == GOOD
    assert any("numpy.whl: the cached copy is damaged" in line for line in said)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "../evil"},
        {"name": ".hidden"},
        {"name": ""},
        {"sha256": "ABC"},
        {"size_bytes": 0},
        {"sources": []},
        {"sources": [{"mirror": "x"}]},
        {"role": "script"},
        {"extra": 1},
    ],
)
def test_a_lock_with_a_bad_entry_is_refused(change: dict[str, object]) -> None:
    entry = {"name": "a", "role": "wheel", "size_bytes": 1, "sha256": "0" * 64, "sources": [{"npm": "x"}]}
    parse_lock(json.dumps({"pyodide": "0.29.1", "files": [entry]}))
    with pytest.raises(ScellisError) as caught:
        parse_lock(json.dumps({"pyodide": "0.29.1", "files": [entry | change]}))
    assert caught.value.code == "SCL-RUNTIME-LOCK"


def test_a_lock_that_names_a_file_twice_is_refused() -> None:
    entry = {"name": "a", "role": "wheel", "size_bytes": 1, "sha256": "0" * 64, "sources": [{"npm": "x"}]}
    with pytest.raises(ScellisError, match="named twice"):
        parse_lock(json.dumps({"pyodide": "0.29.1", "files": [entry, entry]}))


def test_the_page_has_the_packages_that_a_development_set_up_has() -> None:
    """One lock for the tab and one for the machine: where both name a package, the bytes are the same."""
    pinned = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    wheels = [file for file in read_lock().files if file.role == "wheel"]
    assert len(wheels) >= 5
    for file in wheels:
        assert f"sha256:{file.sha256}" in pinned, f"{file.name} is another build than requirements.lock takes"


def test_pyodide_is_the_same_in_every_file_that_names_it() -> None:
    npm = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["dependencies"]["pyodide"]
    specs = [source.spec for file in read_lock().files for source in file.sources if source.kind == "npm"]
    versions = [re.sub(r"^pyodide@(.*?)/.*", r"\1", spec) for spec in specs]
    assert {read_lock().pyodide, npm, *versions} == {"0.29.1"}
