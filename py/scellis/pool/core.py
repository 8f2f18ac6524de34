"""What the parts of the machine share: the header, the board, the members, the clock reading, the way out."""

from __future__ import annotations

from scellis.pool.board import Board
from scellis.pool.events import Close, Instruction, Send
from scellis.pool.members import Members
from scellis.pool.messages import Notice, PoolHeader, ToPeer


class Core:
    """Shared state of one pool's machine. It does nothing by itself."""

    def __init__(self, header: PoolHeader, secret: bytes) -> None:
        self.header = header
        self.secret = secret
        self.board = Board(header.shards)
        self.members = Members(header.owner)
        self.now_s = 0.0
        self.phase = "open"
        """open, complete (all accepted), sealed (closed over the owner's result)"""
        self.result = ""
        self.out: list[Instruction] = []
        self._lease_no = 0

    def next_lease(self) -> int:
        """A number for a lease, never given twice."""
        self._lease_no += 1
        return self._lease_no

    def send(self, no: int, message: ToPeer) -> None:
        """Tell one member, if it is connected."""
        member = self.members[no]
        if member.conn:
            self.out.append(Send(no=no, conn=member.conn, message=message))

    def broadcast(self, message: ToPeer) -> None:
        """Tell every connected member."""
        for member in self.members:
            self.send(member.no, message)

    def notice(self, message_id: str, peer: int = 0, shard: int = -1) -> None:
        """Tell every connected member something that the page says."""
        self.broadcast(Notice(id=message_id, peer=peer, shard=shard))

    def close(self, no: int, conn: int) -> None:
        """Have a connection closed."""
        self.out.append(Close(no=no, conn=conn))

    def state(self) -> dict[str, object]:
        """All of it as JSON values."""
        return {
            "board": self.board.state(),
            "members": self.members.state(),
            "now_s": self.now_s,
            "phase": self.phase,
            "result": self.result,
            "lease_no": self._lease_no,
        }
