"""What members are shown of the board: the changes since the last time, as runs. Outside the log, since it
can be made again from the machine at any time."""

from __future__ import annotations

from scellis.pool.board import Board, Run
from scellis.pool.machine import Machine
from scellis.pool.messages import LEASE_LIMIT, PeerInfo
from scellis.pool.messages import Board as BoardMessage
from scellis.pool.states import IN_BATCH

_BLOCK = 1024


class Feed:
    """The board as members saw it last."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        board = machine.core.board
        unseen = Board(board.shards)
        self._cells, self._peers, self._epochs = unseen.cells, unseen.peers, unseen.epochs
        self._done: dict[int, int] = {}
        self._rows: dict[int, PeerInfo] = {}
        self.delta()

    def full(self) -> list[BoardMessage]:
        """All of the board, for a member that just came."""
        rows = tuple(self._row(member.no) for member in self._machine.core.members)
        return _messages(list(self._machine.core.board.runs()), rows)

    def delta(self) -> list[BoardMessage]:
        """What changed since the last call; empty where nothing did."""
        runs = self._changed()
        rows = []
        for member in self._machine.core.members:
            row = self._row(member.no)
            if self._rows.get(member.no) != row:
                self._rows[member.no] = row
                rows.append(row)
        return _messages(runs, tuple(rows)) if runs or rows else []

    def _changed(self) -> list[Run]:
        board, runs = self._machine.core.board, []
        for start in range(0, board.shards, _BLOCK):
            block = slice(start, min(start + _BLOCK, board.shards))
            if (
                self._cells[block] == board.cells[block]
                and self._peers[block] == board.peers[block]
                and self._epochs[block] == board.epochs[block]
            ):
                continue
            for run in board.runs(block.start, block.stop):
                runs += self._part(run)
        return runs

    def _part(self, run: Run) -> list[Run]:
        """The parts of a run that members have not seen; noted as seen."""
        first, count, cell, peer, epoch = run
        parts: list[Run] = []
        for shard in range(first, first + count):
            old = self._cells[shard], self._peers[shard], self._epochs[shard]
            if old == (cell, peer, epoch):
                continue
            if old[0] in IN_BATCH:
                self._done[old[1]] -= 1
            if cell in IN_BATCH:
                self._done[peer] = self._done.get(peer, 0) + 1
            self._cells[shard], self._peers[shard], self._epochs[shard] = cell, peer, epoch
            if parts and parts[-1][0] + parts[-1][1] == shard:
                parts[-1] = (parts[-1][0], parts[-1][1] + 1, cell, peer, epoch)
            else:
                parts.append((shard, 1, cell, peer, epoch))
        return parts

    def _row(self, no: int) -> PeerInfo:
        member = self._machine.core.members[no]
        return PeerInfo(
            no=no,
            label=member.label,
            device=member.device,
            owner=member.owner,
            consent=member.consent,
            live=member.live,
            aside=bool(member.aside),
            rate=float(f"{member.rate:.3g}"),
            shards=self._done.get(no, 0),
        )


def _messages(runs: list[Run], rows: tuple[PeerInfo, ...]) -> list[BoardMessage]:
    parts = [tuple(runs[at : at + LEASE_LIMIT]) for at in range(0, len(runs), LEASE_LIMIT)] or [()]
    return [BoardMessage(runs=part, peers=rows if at == 0 else ()) for at, part in enumerate(parts)]
