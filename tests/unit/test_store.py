"""Stores: immutable blobs, named references, and what a crash leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scellis.content import FolderStore, MemoryStore, Store, address
from scellis.errors import ScellisError


@pytest.fixture(params=["memory", "folder"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return MemoryStore() if request.param == "memory" else FolderStore(tmp_path / "a folder")


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_a_blob_comes_back_by_its_address(store: Store) -> None:
    assert await store.get(address(b"x")) is None
    assert await store.put(b"x") == address(b"x")
    assert await store.put(b"x") == address(b"x")
    assert await store.put(b"") == address(b"")
    assert await store.get(address(b"x")) == b"x"
    assert await store.get(address(b"")) == b""


async def test_a_reference_is_replaced_and_forgotten(store: Store) -> None:
    assert await store.get_ref("run-1") is None
    assert await store.refs() == []
    await store.set_ref("run-1", b"a")
    await store.set_ref("run-2", b"b")
    await store.set_ref("run-1", b"c")
    await store.set_ref("tab", b"d")
    assert await store.get_ref("run-1") == b"c"
    assert await store.refs() == ["run-1", "run-2", "tab"]
    assert await store.refs("run-") == ["run-1", "run-2"]
    await store.delete_ref("run-1")
    await store.delete_ref("run-1")
    assert await store.get_ref("run-1") is None
    assert await store.refs("run-") == ["run-2"]


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", "a\\b", "a\0", ".part-x", "-a", "a b", "é", "x" * 121]
)
async def test_a_reference_cannot_leave_its_folder(store: Store, name: str) -> None:
    for attempt in (store.get_ref(name), store.set_ref(name, b""), store.delete_ref(name)):
        with pytest.raises(ScellisError, match="SCL-STORE-NAME"):
            await attempt


async def test_a_blob_is_asked_for_by_an_address_alone(store: Store) -> None:
    for name in ("x", "../../etc/passwd", "sha256:../../etc/passwd"):
        with pytest.raises(ScellisError, match="SCL-CONTENT-ADDRESS"):
            await store.get(name)


async def test_a_folder_outlives_its_store(tmp_path: Path) -> None:
    await FolderStore(tmp_path).set_ref("r", b"kept")
    name = await FolderStore(tmp_path).put(b"kept")
    assert await FolderStore(tmp_path).get_ref("r") == b"kept"
    assert await FolderStore(tmp_path).get(name) == b"kept"


async def test_a_damaged_blob_is_named_and_put_right(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    name = await store.put(b"whole")
    (path,) = files_in(tmp_path)
    path.write_bytes(b"whale")
    with pytest.raises(ScellisError, match="SCL-STORE-DAMAGED") as caught:
        await store.get(name)
    assert caught.value.arguments == {"path": str(path)}
    assert await store.put(b"whole") == name
    assert await store.get(name) == b"whole"


async def test_a_failed_write_leaves_the_old_value_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FolderStore(tmp_path)
    await store.set_ref("r", b"old")

    def full(source: object, target: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        await store.set_ref("r", b"new")
    assert await store.get_ref("r") == b"old"
    assert [path.name for path in files_in(tmp_path)] == ["r"]


CRASH = """
import asyncio, os, sys
from pathlib import Path
from scellis.content import FolderStore

os.replace = lambda source, target: os._exit(9)
store = FolderStore(Path(sys.argv[1]))
asyncio.run(store.set_ref("r", b"new") if sys.argv[2] == "ref" else store.put(b"blob"))
"""


@pytest.mark.parametrize("what", ["ref", "blob"])
async def test_a_crash_between_write_and_rename_loses_nothing(tmp_path: Path, what: str) -> None:
    store = FolderStore(tmp_path)
    await store.set_ref("r", b"old")
    done = subprocess.run([sys.executable, "-c", CRASH, str(tmp_path), what], check=False)  # noqa: ASYNC221
    assert done.returncode == 9
    assert any(path.name.startswith(".part-") for path in files_in(tmp_path))  # it did get so far
    assert await store.get_ref("r") == b"old"
    assert await store.refs() == ["r"]
    assert await store.get(address(b"blob")) is None
    await store.put(b"blob")
    await store.set_ref("r", b"new")
    assert await store.get_ref("r") == b"new"
    assert await store.get(address(b"blob")) == b"blob"
