"""Stores: immutable blobs, named references, and what a crash leaves."""

from __future__ import annotations

import asyncio
import errno
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
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(ScellisError, match=r"no space.*SCL-STORE-FULL"):
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


LIMITED = """
import asyncio, resource, signal, sys
from pathlib import Path
from scellis.content import FolderStore
from scellis.errors import ScellisError

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
store = FolderStore(Path(sys.argv[1]))
try:
    asyncio.run(store.put(bytes(1001)))
except ScellisError as error:
    print(error)
asyncio.run(store.put(b"small"))
"""


async def test_what_the_system_does_not_write_is_refused_by_name(tmp_path: Path) -> None:
    await FolderStore(tmp_path).set_ref("r", b"old")
    done = subprocess.run(  # noqa: ASYNC221
        [sys.executable, "-c", LIMITED, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "[SCL-STORE-FULL]" in done.stdout
    assert "Make room there" in done.stdout
    store = FolderStore(tmp_path)
    assert await store.get(address(bytes(1001))) is None
    assert await store.get(address(b"small")) == b"small"
    assert not [path for path in files_in(tmp_path) if path.name.startswith(".part-")]


async def test_a_file_where_the_folder_should_be_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_bytes(b"")
    (tmp_path / "refs").write_bytes(b"")
    store = FolderStore(tmp_path)
    for attempt in (store.put(b"x"), store.set_ref("r", b"x")):
        with pytest.raises(ScellisError, match=r"another folder.*SCL-STORE-FULL"):
            await attempt
    for attempt in (store.get(address(b"x")), store.get_ref("r")):
        with pytest.raises(ScellisError, match="SCL-STORE-LOST"):
            await attempt


async def test_a_name_is_held_by_one_at_a_time(store: Store) -> None:
    claim = await store.claim("training-1")
    assert claim is not None
    assert await store.claim("training-1") is None
    assert await store.claimed("training-") == ["training-1"]
    with await store.turn("training-2"):
        assert await store.claimed() == ["training-1", "training-2"]
        waiting = asyncio.ensure_future(store.turn("training-2"))
        assert await store.claim("training-2") is None
    (await waiting).release()
    claim.release()
    claim.release()
    assert await store.claimed() == []
    again = await store.claim("training-1")
    assert again is not None
    again.release()


HOLDER = """
import asyncio, sys
from pathlib import Path
from scellis.content import FolderStore

held = asyncio.run(FolderStore(Path(sys.argv[1])).claim("training-1"))
print(held is not None, flush=True)
sys.stdin.read()
"""


async def test_a_killed_process_lets_go_of_what_it_held(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    with subprocess.Popen(  # noqa: ASYNC220
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        assert await store.claim("training-1") is None
        holder.kill()
    with await store.turn("training-1"):
        assert await store.claim("training-1") is None


async def test_a_folder_knows_how_much_room_there_is(tmp_path: Path) -> None:
    free = await FolderStore(tmp_path / "not" / "there" / "yet").free_bytes()
    assert free is not None
    assert free > 0
