"""A coordinator but for its sockets and its disk: the door, the log before the answer, the board.

The server binds it to WebSockets and SQLite, a tab to a loopback or data channels and its own store.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import attrs

from scellis.errors import ScellisError, as_scellis_error
from scellis.limits import POLICIES
from scellis.pool import messages as m
from scellis.pool import wire
from scellis.pool.draws import SECRET_BYTES, secret_commitment
from scellis.pool.events import Close, Event, Instruction, Joined, Left, Opened, Restarted, Said, Send, Tick
from scellis.pool.feed import Feed
from scellis.pool.identity import Verifier, invite_matches, join_message, open_message
from scellis.pool.log import Log
from scellis.pool.machine import Machine
from scellis.pool.ports import Clock, Link

FLUSH_S = 0.25
"""the board is shown at most this often"""
TICK_S = 1.0
LEASE_S = 90.0
"""silence that ends a lease: a hidden tab may wake only once a minute"""
KEPT_S = 300.0
"""a pool with nobody connected stays in memory for so long"""
MEMBER_LIMIT = 1024
_logger = logging.getLogger(__name__)


@attrs.define(eq=False)
class Room:
    """One pool that is in memory, and its connections."""

    machine: Machine
    feed: Feed
    connections: dict[int, Connection] = attrs.field(factory=dict)
    left_s: float = 0.0
    """when somebody was connected last"""
    changed: bool = False
    phase: str = "open"


@attrs.define(eq=False)
class Connection:
    """One connection, from its first message to its last."""

    host: Host
    link: Link
    conn: int
    hello: m.Hello | None = None
    nonce: str = ""
    room: Room | None = None
    no: int = 0
    closed: bool = False

    async def receive(self, data: str | bytes) -> None:
        """Take one message in. What is out of protocol is refused by name, and the connection closed."""
        try:
            message = m.read_from_peer(data)
            if self.room is not None:
                self.host.submit(self.room, self, message)
            elif self.hello is None:
                await self._hello(message)
            else:
                await self._prove(message)
        except ScellisError as error:
            self.refuse(error, final=error.code != "SCL-SERVE-DB")
            self.close(error.code)

    async def _hello(self, message: m.FromPeer) -> None:
        if not isinstance(message, m.Hello):
            raise wire.protocol_error("the first message is not a hello", kind=message.kind)
        await self.host.check(message)
        self.hello, self.nonce = message, self.host.entropy(32).hex()
        self.send(m.Challenge(nonce=self.nonce))

    async def _prove(self, message: m.FromPeer) -> None:
        if not isinstance(message, m.Prove) or self.hello is None:
            raise wire.protocol_error("the challenge is not answered", kind=message.kind)
        hello, signed = self.hello, join_message(self.hello, self.nonce)
        if not await self.host.verifier.verify(hello.key, message.signature, signed):
            raise ScellisError("SCL-POOL-SIGNATURE", "The device's signature does not match its key.")
        self.room = await self.host.enter(self)

    def send(self, message: m.ToPeer) -> None:
        """Send, unless it is closed."""
        if not self.closed:
            self.link.send(m.encode(message))

    def refuse(self, error: ScellisError, *, final: bool) -> None:
        """Say what is refused; `final` closes the connection."""
        self.send(
            m.Refused(code=error.code, message=error.message[:400], remedy=error.remedy[:400], final=final)
        )
        if final:
            self.close(error.code)

    def close(self, reason: str) -> None:
        """Close from this side."""
        if not self.closed:
            self.closed = True
            self.link.close(reason)
            self.lost()

    def lost(self) -> None:
        """The connection is gone."""
        self.closed = True
        room, self.room = self.room, None
        if room is not None and room.connections.pop(self.conn, None) is not None:
            self.host.leave(room, self)


class Host:
    """All pools of one coordinator. `run` must be running for anything to be answered.

    `lease_s`: seconds of silence that end a lease, in the pools that it makes.
    """

    def __init__(
        self,
        log: Log,
        *,
        verifier: Verifier,
        clock: Clock,
        engine: str,
        entropy: Callable[[int], bytes],
        lease_s: float = LEASE_S,
    ) -> None:
        self.log = log
        self.verifier = verifier
        self.clock = clock
        self.engine = engine
        self.entropy = entropy
        self.lease_s = lease_s
        self.rooms: dict[str, Room] = {}
        self._conn = 0
        self._queue: list[tuple[Room, Connection | None, Event]] = []
        self._wake = asyncio.Event()
        self._show = False
        self.busy = False
        """whether events were taken from the queue and are not answered yet"""
        self._loading = asyncio.Lock()

    # ---- pools ----

    async def open(self, request: m.OpenRequest, signature: str) -> m.PoolHeader:
        """Make a pool. Raises `SCL-POOL-*` for a request that is not the owner's or cannot be met."""
        if request.protocol != m.PROTOCOL:
            raise _wrong_protocol(request.protocol)
        if request.policy not in POLICIES:
            raise ScellisError("SCL-POOL-POLICY", f"This coordinator has no policy {request.policy!r}.")
        signed = open_message(request)
        if not await self.verifier.verify(request.owner, signature, signed):
            raise ScellisError("SCL-POOL-SIGNATURE", "The request is not signed by the owner's key.")
        secret = self.entropy(SECRET_BYTES)
        header = m.PoolHeader(
            pool=self.entropy(16).hex(),
            lease_s=self.lease_s,
            secret_commitment=secret_commitment(secret),
            **wire.to_json(request),
        )
        opened = Opened(now_s=self.clock.now_s(), header=header, secret=secret.hex())
        await self.log.append({header.pool: [opened]})
        return header

    async def load(self, pool: str) -> Room:
        """A pool, from its log where it is not in memory. Raises `SCL-POOL-UNKNOWN`, `SCL-POOL-LOG`."""
        async with self._loading:
            if pool not in self.rooms:
                events = await self.log.read(pool)
                if not events:
                    raise ScellisError(
                        "SCL-POOL-UNKNOWN", "This coordinator has no such pool.", "Ask for a new link."
                    )
                machine = Machine.replay(events)
                room = Room(machine, Feed(machine), phase=machine.phase, left_s=self.clock.now_s())
                if len(events) > 1:
                    self._queue.append((room, None, Restarted(now_s=self.clock.now_s())))
                    self._wake.set()
                self.rooms[pool] = room
            return self.rooms[pool]

    # ---- the door ----

    def connect(self, link: Link) -> Connection:
        """A new connection."""
        self._conn += 1
        return Connection(self, link, self._conn)

    async def check(self, hello: m.Hello) -> None:
        """Whether a hello may go on to the challenge. Raises what is wrong, by name."""
        if hello.protocol != m.PROTOCOL:
            raise _wrong_protocol(hello.protocol)
        room = await self.load(hello.pool)
        header, members = room.machine.core.header, room.machine.core.members
        if hello.engine != header.engine:
            raise ScellisError(
                "SCL-POOL-ENGINE",
                f"The pool computes with engine {header.engine}; this device has {hello.engine}.",
                "Reload the page there; if that does not help, open the pool's own page.",
                wanted=header.engine,
                have=hello.engine,
            )
        if members.by_key(hello.key) is None and hello.key != header.owner:
            if not invite_matches(hello.invite, header.invite):
                raise ScellisError("SCL-POOL-INVITE", "The invitation is not valid.", "Ask for a new link.")
            if len(members) >= MEMBER_LIMIT:
                raise ScellisError("SCL-POOL-FULL", f"The pool has {MEMBER_LIMIT} members already.")

    async def enter(self, connection: Connection) -> Room:
        """A device proved its key."""
        assert connection.hello is not None
        room = await self.load(connection.hello.pool)
        room.connections[connection.conn] = connection
        now_s = self.clock.now_s()
        self._push(room, None, Tick(now_s=now_s))
        self._push(room, connection, Joined(now_s=now_s, conn=connection.conn, hello=connection.hello))
        return room

    def submit(self, room: Room, connection: Connection, message: m.FromPeer) -> None:
        """A member's message, taken in in its turn."""
        if isinstance(message, m.Hello | m.Prove):
            raise wire.protocol_error(f"{message.kind!r} a second time", kind=message.kind)
        self._push(room, connection, Said(now_s=self.clock.now_s(), no=1, message=message))

    def leave(self, room: Room, connection: Connection) -> None:
        """A connection was lost."""
        if connection.no:
            self._push(room, None, Left(now_s=self.clock.now_s(), no=connection.no, conn=connection.conn))

    def _push(self, room: Room, connection: Connection | None, event: Event) -> None:
        self._queue.append((room, connection, event))
        self._wake.set()

    # ---- the loop ----

    async def run(self) -> None:
        """Take events in, log them, then let the instructions go; until cancelled."""
        ticker = asyncio.ensure_future(self._ticks())
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                queue, self._queue = self._queue, []
                self.busy = True
                await self._take(queue)
                self.busy = False
                if self._show:  # here, where everything is logged
                    self._show = False
                    for room in list(self.rooms.values()):
                        self._flush(room)
        finally:
            ticker.cancel()
            for room in self.rooms.values():
                for connection in list(room.connections.values()):
                    connection.link.close("SCL-POOL-LOST")

    async def _ticks(self) -> None:
        ticked_s = self.clock.now_s()
        while True:
            await self.clock.sleep(FLUSH_S)
            if self.clock.now_s() - ticked_s >= TICK_S:
                ticked_s = self.clock.now_s()
                self.tick()
            self.show()

    def tick(self) -> None:
        """Let every pool with a connection know what time it is."""
        now_s = self.clock.now_s()
        for pool, room in list(self.rooms.items()):
            if room.connections:
                room.left_s = now_s
                self._push(room, None, Tick(now_s=now_s))
            elif now_s - room.left_s > KEPT_S:
                del self.rooms[pool]  # its log stays; whoever comes has it read again

    def show(self) -> None:
        """Have members shown what changed of their boards."""
        self._show = True
        self._wake.set()

    @property
    def idle(self) -> bool:
        """Whether everything that came in is answered."""
        return not self.busy and not self._queue and not self._wake.is_set()

    async def _take(self, queue: list[tuple[Room, Connection | None, Event]]) -> None:
        effective: dict[str, list[Event]] = {}
        outgoing: list[tuple[Room, list[Instruction]]] = []
        refused: list[tuple[Connection, ScellisError]] = []
        dropped: list[tuple[Room, ScellisError, Connection | None]] = []
        for room, connection, event in queue:
            pool = room.machine.core.header.pool
            if self.rooms.get(pool) is not room:
                continue  # it was dropped: what it was told has not happened
            if isinstance(event, Said) and connection is not None:
                event = attrs.evolve(event, no=connection.no)
            try:
                outcome = room.machine.handle(event)
            except ScellisError as refusal:
                if connection is not None:
                    refused.append((connection, refusal))
                continue
            except Exception as cause:
                # One pool's fault must not end the others. Its log holds nothing of this event.
                _logger.error("pool %s met a fault", pool)
                dropped.append((self.rooms.pop(pool), as_scellis_error(cause), connection))
                continue
            if isinstance(event, Joined) and connection is not None:
                member = room.machine.core.members.by_key(event.hello.key)
                connection.no = member.no if member else 0
            if outcome.effective:
                effective.setdefault(pool, []).append(event)
                room.changed = True
            outgoing.append((room, outcome.instructions))
        if effective:
            try:
                await self.log.append(effective)
            except (OSError, ScellisError) as cause:
                _logger.exception("the log cannot be written")
                error = ScellisError("SCL-POOL-STORE", f"The coordinator cannot write its log: {cause}.")
                unwritten = [self.rooms.pop(pool) for pool in effective if pool in self.rooms]
                dropped += [(room, error, None) for room in unwritten]
        gone = [room for room, _, _ in dropped]
        for room, instructions in outgoing:
            if room not in gone:
                self._dispatch(room, instructions)
        for sender, error in refused:
            sender.refuse(error, final=error.code == "SCL-POOL-PROTOCOL")
        for room, error, culprit in dropped:
            self._drop(room, error, culprit)

    def _dispatch(self, room: Room, instructions: list[Instruction]) -> None:
        if room.machine.phase != room.phase:  # members see the board's last word before the phase ends
            room.phase = room.machine.phase
            self._flush(room)
        for instruction in instructions:
            connection = room.connections.get(instruction.conn)
            if connection is None:
                continue
            if isinstance(instruction, Close):
                error = ScellisError("SCL-POOL-REPLACED", "Another tab of this browser took this pool over.")
                connection.refuse(error, final=True)
            elif isinstance(instruction, Send):
                connection.send(instruction.message)
                if isinstance(instruction.message, m.Welcome):
                    for part in room.feed.full():
                        connection.send(part)

    def _flush(self, room: Room) -> None:
        if room.changed:
            room.changed = False
            for part in room.feed.delta():
                text_ = m.encode(part)
                for connection in list(room.connections.values()):
                    if connection.no and not connection.closed:
                        connection.link.send(text_)

    def _drop(self, room: Room, error: ScellisError, culprit: Connection | None) -> None:
        """Forget a pool's memory: what cannot be logged has not happened; members come back to what is.

        Whoever sent what the machine could not take (`culprit`) is not to send it again.
        """
        for connection in list(room.connections.values()):
            connection.room = None
            connection.refuse(error, final=connection is culprit)
            connection.close(error.code)


def _wrong_protocol(found: int) -> ScellisError:
    return ScellisError(
        "SCL-POOL-VERSION",
        f"This coordinator speaks pool protocol {m.PROTOCOL}, the device speaks {found}.",
        "Reload the page on the older one.",
        wanted=m.PROTOCOL,
        have=found,
    )
