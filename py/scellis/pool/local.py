"""A pool of one: host, log and peer in one process, over a loopback. The path of every solo run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import attrs

from scellis.content import Store
from scellis.errors import ScellisError
from scellis.pool.host import Connection, Host
from scellis.pool.identity import LoopbackKey, invite_commitment, open_message
from scellis.pool.log import MemoryLog, StoreLog
from scellis.pool.messages import PROTOCOL, OpenRequest
from scellis.pool.peer import Identity, Peer
from scellis.pool.ports import Clock, Participant, StateReader, Transport, connection_lost
from scellis.pool.shelf import Shelf


class Loopback:
    """Both ends of a connection in one process: a host's `Link` and a peer's `Transport`."""

    def __init__(self, host: Host) -> None:
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._connection: Connection = host.connect(_LoopbackLink(self._queue))
        self._closed = False

    async def send(self, text: str) -> None:
        """To the host."""
        if self._closed or self._connection.closed:
            raise connection_lost()
        await self._connection.receive(text)

    async def receive(self) -> str:
        """From the host."""
        text = None if self._closed else await self._queue.get()
        if text is None:
            self._closed = True
            raise connection_lost()
        return text

    async def close(self) -> None:
        """Close from the peer's side."""
        if not self._closed:
            self._closed = True
            self._queue.put_nowait(None)
            self._connection.lost()


class _LoopbackLink:
    def __init__(self, queue: asyncio.Queue[str | None]) -> None:
        self._queue = queue

    def send(self, text: str) -> None:
        self._queue.put_nowait(text)

    def close(self, reason: str) -> None:
        self._queue.put_nowait(None)


class Alone:
    """The data plane of a device with no others."""

    def open(self, no: int, read: StateReader, signal: object) -> None:
        """Nobody will ask."""

    async def signalled(self, sender: int, data: str) -> None:
        """Nobody signals."""

    async def fetch(self, no: int, addresses: Sequence[str], timeout_s: float) -> dict[str, bytes]:
        """Nobody has anything."""
        return {}

    async def close(self) -> None:
        """Nothing is open."""


@attrs.frozen
class Place:
    """A pool that is entered: its name, to go on with it later, and the maker of this device's peer."""

    pool: str
    make: Callable[[Participant], Peer]


@asynccontextmanager
async def open_local(
    store: Store,
    *,
    engine: str,
    job: bytes,
    shards: int,
    check_rate: float,
    label: str,
    device: str,
    clock: Clock,
    entropy: Callable[[int], bytes],
    resume: str = "",
) -> AsyncIterator[Place]:
    """A pool of one over `job` (canonical bytes), new or taken up again where `resume` names it.

    The peer that `make` makes has consented: its device started the run. Where the store is durable
    the log is in it, and a run goes on after a reload or a crash with nothing accepted lost. Raises
    `SCL-POOL-UNKNOWN` where the store has no pool `resume`, `SCL-POOL-LOG` where its log is damaged.
    """
    name = await store.put(job)
    key = LoopbackKey(await kept(store, f"pool-{resume}-key", None) if resume else entropy(32))
    log = StoreLog(store) if store.durable else MemoryLog()
    host = Host(log, verifier=key, clock=clock, engine=engine, entropy=entropy)
    pool = resume
    if not resume:
        request = OpenRequest(
            protocol=PROTOCOL,
            engine=engine,
            job=name,
            shards=shards,
            policy="own_devices",
            owner=key.key,
            invite=invite_commitment(entropy(16).hex()),  # nobody is invited: the token is thrown away
            check_rate=check_rate,
        )
        signature = await key.sign(open_message(request))
        header = await host.open(request, signature)
        pool = header.pool
        await store.set_ref(f"pool-{pool}-key", key.secret)
    identity = Identity(
        engine=engine,
        pool=pool,
        session=entropy(16).hex(),
        store_id=(await kept(store, "store-id", entropy(16))).hex(),
        label=label,
        device=device,
    )

    async def connect() -> Transport:
        if running.done():
            running.result()  # a fault of the host ends the run; it is not retried
        return Loopback(host)

    def make(participant: Participant) -> Peer:
        peer = Peer(
            identity,
            connect=connect,
            data=Alone(),
            store=store,
            clock=clock,
            signer=key,
            participant=participant,
            audit=False,  # the coordinator is this very process
            linger=False,
        )
        peer.given = True
        return peer

    running = asyncio.ensure_future(host.run())
    try:
        yield Place(pool, make)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def forget_local(store: Store, pool: str) -> None:
    """Drop the log, the key and the states of a local pool, once its record is kept."""
    await Shelf(store, pool).clear()
    for name in await store.refs(f"pool-{pool}-"):
        await store.delete_ref(name)


async def kept(store: Store, name: str, fresh: bytes | None) -> bytes:
    """A value that stays the same for a store."""
    value = await store.get_ref(name)
    if value is None and fresh is None:
        raise ScellisError(
            "SCL-POOL-UNKNOWN", "This run is not stored here, or only in part.", "Start it anew."
        )
    if value is None and fresh is not None:
        value = fresh
        await store.set_ref(name, value)
    return value or b""
