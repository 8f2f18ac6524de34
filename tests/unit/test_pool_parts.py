"""The small parts of the pool: board, lease sizes, shelf, exchange, view, feed."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from scellis.content import FolderStore, MemoryStore, address
from scellis.errors import ScellisError
from scellis.pool import messages as m
from scellis.pool.board import Board
from scellis.pool.exchange import FRAME_BYTES, OBJECT_LIMIT_BYTES, REQUEST_LIMIT, Exchange
from scellis.pool.shelf import Shelf
from scellis.pool.states import STEPS, Cell
from scellis.pool.view import View

STATES = [bytes([at]) * (2500 + at) for at in range(7)]


# ---- board ----


@pytest.mark.parametrize("old", Cell)
@pytest.mark.parametrize("new", Cell)
def test_only_the_steps_of_the_table_exist(old: Cell, new: Cell) -> None:
    board = Board(1)
    board.cells[0] = old
    if (old, new) in STEPS:
        board.move(0, new)
        assert board.cells[0] == new
    else:
        with pytest.raises(AssertionError, match="no step"):
            board.move(0, new)


def test_runs_of_one_epoch_are_leased_in_order() -> None:
    board = Board(10)
    for shard in (0, 1, 5):
        board.move(shard, Cell.LEASED)
    assert board.next_run(100) == (2, 3)
    assert board.next_run(2) == (2, 2)
    board.release(1, Cell.QUEUED)
    assert board.next_run(100) == (1, 1)  # another epoch than its neighbour
    for shard in (1, 2, 3, 4, 6, 7, 8, 9):
        board.move(shard, Cell.LEASED)
    assert board.next_run(100) is None
    board.release(9, Cell.QUEUED)
    assert board.next_run(100) == (9, 1)


def test_a_million_shards_are_a_few_columns() -> None:
    board = Board(1_000_000)
    assert list(board.runs()) == [(0, 1_000_000, 0, 0, 0)]
    assert board.next_run(4096) == (0, 4096)


# ---- shelf ----


def test_a_shelf_finds_its_states_again(tmp_path: Path) -> None:
    async def play() -> None:
        store = FolderStore(tmp_path)
        names = await Shelf(store, "a").put(STATES)
        assert names == [address(state) for state in STATES]
        again = Shelf(store, "a")
        await again.load()
        assert [await again.get(name) for name in names] == STATES
        other = Shelf(store, "b")
        await other.load()
        assert await other.get(names[0]) is None
        await again.clear()
        assert await again.get(names[0]) is None

    asyncio.run(play())


def test_a_batch_is_one_write() -> None:
    class Counting(MemoryStore):
        writes = 0

        async def put(self, data: bytes) -> str:
            self.writes += 1
            return await super().put(data)

    async def play() -> None:
        store = Counting()
        shelf = Shelf(store, "a")
        await shelf.put(STATES)
        await shelf.put(STATES)
        assert store.writes == 1

    asyncio.run(play())


def test_a_damaged_shelf_has_lost_its_states_and_says_nothing_wrong(tmp_path: Path) -> None:
    async def play() -> None:
        store = FolderStore(tmp_path)
        names = await Shelf(store, "a").put(STATES)
        for blob in (tmp_path / "blobs").rglob("*"):
            if blob.is_file():
                blob.write_bytes(blob.read_bytes()[:-1] + b"?")
        shelf = Shelf(store, "a")
        await shelf.load()
        assert await shelf.get(names[0]) is None

    asyncio.run(play())


# ---- exchange ----


class _Pair:
    """Two ends of a channel, each frame delivered at once."""

    def __init__(self, have: dict[str, bytes], bend: Callable[[bytes], bytes] = lambda frame: frame) -> None:
        self.frames: list[bytes] = []

        async def read(name: str) -> bytes | None:
            return have.get(name)

        async def nothing(name: str) -> bytes | None:
            return None

        self.near = Exchange(self._to(lambda: self.far), nothing)
        self.far = Exchange(self._to(lambda: self.near, bend), read)

    def _to(
        self, end: Callable[[], Exchange], bend: Callable[[bytes], bytes] = lambda frame: frame
    ) -> Callable[[bytes], Awaitable[None]]:
        async def send(frame: bytes) -> None:
            self.frames.append(frame)
            end().receive(bend(frame))

        return send


def _have(*states: bytes) -> dict[str, bytes]:
    return {address(state): state for state in states}


def test_what_is_there_comes_and_what_is_not_is_left_out() -> None:
    async def play() -> None:
        have = _have(*STATES)
        pair = _Pair(have)
        absent = address(b"absent")
        assert await pair.near.fetch([*have, absent], 1.0) == have
        assert max(map(len, pair.frames)) <= FRAME_BYTES
        assert len(pair.frames) <= 5  # a request, 17.5 kB in two frames, an end

    asyncio.run(play())


@pytest.mark.parametrize(
    "size", [1, FRAME_BYTES - 49, FRAME_BYTES - 48, FRAME_BYTES, 300_000, OBJECT_LIMIT_BYTES]
)
def test_objects_of_any_size_pass(size: int) -> None:
    async def play() -> None:
        have = _have(b"a", bytes(size), b"b")
        pair = _Pair(have)
        assert await pair.near.fetch(list(have), 5.0) == have
        assert max(map(len, pair.frames)) <= FRAME_BYTES

    asyncio.run(play())


def test_what_is_asked_for_twice_comes_once() -> None:
    async def play() -> None:
        have = _have(b"a", b"b")
        assert await _Pair(have).near.fetch([*have, *have], 1.0) == have

    asyncio.run(play())


def test_many_addresses_take_several_requests() -> None:
    async def play() -> None:
        have = _have(*(str(at).encode() for at in range(1200)))
        assert await _Pair(have).near.fetch(list(have), 5.0) == have

    asyncio.run(play())


def test_forged_bytes_are_left_out() -> None:
    async def play() -> None:
        have = _have(b"true", b"other")
        pair = _Pair(have, bend=lambda frame: frame.replace(b"true", b"fake"))
        assert await pair.near.fetch(list(have), 1.0) == _have(b"other")

    asyncio.run(play())


def test_silence_ends_with_the_time_limit() -> None:
    async def play() -> None:
        async def send(frame: bytes) -> None:
            return None

        async def read(name: str) -> bytes | None:
            return None

        assert await Exchange(send, read).fetch([address(b"x")], 0.01) == {}

    asyncio.run(play())


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\x01",
        b"\x09\0\0\0\0",
        b"\x01\0\0\0\0" + b"x" * 31,
        b"\x02\x01\0\0\0" + b"x" * 10,
        b"\x02\x01\0\0\0" + hashlib.sha256(b"unasked").digest() + b"\x01\0\0\0\0\0\0\0\x01\0\0\0x",
        b"x" * (FRAME_BYTES + 1),
    ],
)
def test_frames_out_of_protocol_are_refused(frame: bytes) -> None:
    async def play() -> None:
        async def send(sent: bytes) -> None:
            return None

        async def read(name: str) -> bytes | None:
            return None

        end = Exchange(send, read)
        waiting = asyncio.ensure_future(end.fetch([address(b"x")], 1.0))
        await asyncio.sleep(0)
        with pytest.raises(ScellisError, match="SCL-POOL-CHANNEL"):
            end.receive(frame)
        end.close()
        assert await waiting == {}

    asyncio.run(play())


def test_too_many_requests_are_refused() -> None:
    async def play() -> None:
        async def never(*_: Any) -> None:
            await asyncio.get_running_loop().create_future()

        end = Exchange(never, never)
        for number in range(REQUEST_LIMIT):
            end.receive(b"\x01" + number.to_bytes(4, "little") + bytes(32))
        with pytest.raises(ScellisError, match="SCL-POOL-CHANNEL"):
            end.receive(b"\x01" + bytes(4) + bytes(32))
        end.close()

    asyncio.run(play())


# ---- view ----


def _runs(*runs: tuple[int, int, int, int, int]) -> m.Board:
    return m.Board(runs=runs)


def test_a_view_says_what_is_accepted_and_what_no_longer_is() -> None:
    view = View(10)
    assert view.apply(_runs((0, 4, Cell.BATCH_CHECKED, 2, 0)), 1.0) == ([0, 1, 2, 3], [])
    assert view.apply(_runs((0, 4, Cell.BATCH_CHECKED, 2, 0)), 1.0) == ([], [])
    assert view.apply(_runs((1, 1, Cell.DRAWN, 2, 0)), 2.0) == ([], [1])
    assert view.apply(_runs((2, 1, Cell.RE_EXECUTED, 3, 1)), 3.0) == ([2], [])
    assert view.board() == [
        [1, "batch-checked", 2],
        [1, "drawn", 2],
        [1, "re-executed", 3],
        [1, "batch-checked", 2],
        [6, "queued", 0],
    ]
    assert view.accepted() == 3
    assert [row["event"] for row in view.history(1)] == ["batch-checked", "drawn"]


def test_a_view_refuses_a_cell_that_does_not_exist() -> None:
    with pytest.raises(ScellisError, match="SCL-POOL-PROTOCOL"):
        View(3).apply(_runs((0, 1, 99, 0, 0)), 0.0)
