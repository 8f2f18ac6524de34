"""What a member sees of its pool: the board, the other members, what happened to each shard."""

from __future__ import annotations

from array import array
from collections import deque
from itertools import groupby
from typing import Any

from scellis.pool.messages import PEER_LIMIT, Board, Notice, PeerInfo
from scellis.pool.states import ACCEPTED, SHOWN, Cell
from scellis.pool.wire import protocol_error

NOTICES_KEPT = 50
HISTORY_KEPT = 32
"""steps of a shard that are remembered for the page"""


class View:
    """The board as last told."""

    def __init__(self, shards: int) -> None:
        self.shards = shards
        self.cells = bytearray(shards)
        self.who = array("H", bytes(2 * shards))
        self.epochs = array("I", bytes(4 * shards))
        self.peers: dict[int, PeerInfo] = {}
        self.notices: deque[Notice] = deque(maxlen=NOTICES_KEPT)
        self._history: dict[int, deque[dict[str, Any]]] = {}

    def apply(self, message: Board, now_s: float) -> tuple[list[int], list[int]]:
        """Take in what changed: the shards that are accepted now, and those that no longer are.

        Raises `SCL-POOL-PROTOCOL` for a board that does not fit the job; nothing of it is then taken in.
        """
        self._check(message)
        accepted: list[int] = []
        reopened: list[int] = []
        for row in message.peers:
            self.peers[row.no] = row
        for first, count, cell, peer, epoch in message.runs:
            for shard in range(first, first + count):
                was, is_ = self.cells[shard] in ACCEPTED, cell in ACCEPTED
                if is_ and not (was and self.epochs[shard] == epoch):
                    accepted.append(shard)
                elif was and not is_:
                    reopened.append(shard)
                if (self.cells[shard], self.who[shard], self.epochs[shard]) != (cell, peer, epoch):
                    self._note(
                        shard, {"event": SHOWN[Cell(cell)], "peer_no": peer, "epoch": epoch, "at_s": now_s}
                    )
                self.cells[shard], self.who[shard], self.epochs[shard] = cell, peer, epoch
        return accepted, reopened

    def _check(self, message: Board) -> None:
        end = 0
        for first, count, cell, peer, _ in message.runs:
            if cell not in SHOWN:
                raise protocol_error(f"there is no cell {cell}", field="runs")
            if first < end or first + count > self.shards or peer > PEER_LIMIT:
                raise protocol_error("a run of the board is out of order or beyond the job", field="runs")
            end = first + count

    def note(self, shard: int, event: str, now_s: float, **more: Any) -> None:
        """Remember something that this device did or saw of a shard."""
        self._note(shard, {"event": event, "at_s": now_s, **more})

    def _note(self, shard: int, row: dict[str, Any]) -> None:
        self._history.setdefault(shard, deque(maxlen=HISTORY_KEPT)).append(row)

    def history(self, shard: int) -> list[dict[str, Any]]:
        """What is known of a shard's way, oldest first: event, peer_no, epoch, address, at_s, findings."""
        return list(self._history.get(shard, ()))

    def accepted(self) -> int:
        """Shards that count."""
        return sum(self.cells.count(cell) for cell in ACCEPTED)

    def count(self, cell: Cell) -> int:
        """Shards in one state."""
        return self.cells.count(cell)

    def board(self) -> list[list[Any]]:
        """Run-length rows for the page: count, state, peer number."""
        held = groupby(zip(self.cells, self.who, strict=True))
        return [[len(list(run)), SHOWN[Cell(cell)], who] for (cell, who), run in held]
