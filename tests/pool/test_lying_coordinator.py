"""A coordinator that lies: a device believes nothing that it can check, and nothing grows without bound."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import pytest

from scellis import ENGINE_VERSION
from scellis.content import MemoryStore, address
from scellis.errors import ScellisError
from scellis.pool import messages as m
from scellis.pool.digests import pack
from scellis.pool.identity import LoopbackKey
from scellis.pool.local import Alone
from scellis.pool.peer import Identity, Peer
from support.pool_world import Player, honest, small_job
from support.virtual import VirtualClock, run_virtual

SHARDS = 40
JOB = small_job(SHARDS)
OWNER = LoopbackKey(b"owner")
HEADER = m.PoolHeader(
    protocol=m.PROTOCOL,
    engine=ENGINE_VERSION,
    job=JOB.address,
    shards=SHARDS,
    policy="own_devices",
    owner=OWNER.key,
    invite=address(b"invite"),
    check_rate=0.1,
    pool="0" * 32,
    lease_s=90.0,
    secret_commitment=address(bytes(32)),
)
DIGESTS = pack(bytes(32 * SHARDS))


class Liar:
    """A coordinator that answers the hello properly and then says what a test wants said."""

    def __init__(self, *says: m.ToPeer | str) -> None:
        self.sent: list[m.FromPeer] = []
        self._says = [m.Challenge(nonce="0" * 64), *says]

    async def connect(self) -> Liar:
        return self

    async def send(self, text: str) -> None:
        self.sent.append(m.read_from_peer(text))

    async def receive(self) -> str:
        if not self._says:
            raise ScellisError("SCL-POOL-LOST", "It has nothing more to say.")
        message = self._says.pop(0)
        return message if isinstance(message, str) else m.encode(message)

    async def close(self) -> None:
        return None


def device(liar: Liar, store: MemoryStore | None = None, signer: LoopbackKey = OWNER) -> Peer:
    return Peer(
        Identity(
            engine=ENGINE_VERSION,
            pool=HEADER.pool,
            session="1" * 32,
            store_id="2" * 32,
            label="honest",
            device="oracle",
        ),
        connect=liar.connect,
        data=Alone(),
        store=store or MemoryStore(),
        clock=VirtualClock(),
        signer=signer,
        participant=Player(JOB, honest(JOB)),
    )


def welcome(**changes: Any) -> m.Welcome:
    return m.Welcome(no=1, header=attrs.evolve(HEADER, **changes), phase="open")


def refused(peer: Peer) -> str:
    """The code that ends the peer."""
    with pytest.raises(ScellisError) as caught:
        run_virtual(peer.run(), limit_s=60.0)
    return caught.value.code


@pytest.mark.parametrize(
    "changes",
    [
        {"check_rate": 0.0},
        {"shards": SHARDS + 1},
        {"owner": "3" * 64},
        {"lease_s": 1.0},
        {"secret_commitment": address(b"another")},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_header_that_changes_is_noticed_over_a_reload(changes: dict[str, Any]) -> None:
    store = MemoryStore()
    first = Liar(welcome(), welcome(**changes))
    assert refused(device(first, store)) == "SCL-POOL-FORGED"
    assert refused(device(Liar(welcome(**changes)), store)) == "SCL-POOL-FORGED"


@pytest.mark.parametrize(
    "early",
    [
        m.Noted(batch=1, first=0, duplicate=0, late=0),
        m.Keep(batch=1, author=1, key="5" * 64, runs=((0, 1, 0),), digests=pack(bytes(32)), holders=(1,)),
        m.Complete(),
        m.Sealed(digest=pack(bytes(32)), secret="0" * 64),
        m.Table(first=0, digests=DIGESTS, holders=((SHARDS, 1),)),
        m.Board(runs=((0, 1, 0, 0, 0),)),
        m.Lease(first=0, count=1, epoch=0),
        m.Notice(id="pool-no-checker", peer=0, shard=-1),
    ],
    ids=lambda message: message.kind,
)
def test_what_comes_before_the_welcome_is_out_of_protocol(early: m.ToPeer) -> None:
    assert refused(device(Liar(early))) == "SCL-POOL-PROTOCOL"


def _keep(*runs: tuple[int, int, int]) -> m.Keep:
    digests = pack(bytes(32 * min(sum(count for _, count, _ in runs), SHARDS)))
    return m.Keep(batch=1, author=1, key="5" * 64, runs=runs, digests=digests, holders=(1,))


@pytest.mark.parametrize(
    "message",
    [
        _keep((0, 2**31 - 1, 0)),
        _keep((0, 5_000_000, 0)),
        _keep((SHARDS, 1, 0)),
        m.Board(runs=((0, SHARDS + 1, 1, 1, 0),)),
        m.Board(runs=((0, 10, 1, 1, 0), (5, 10, 1, 1, 0))),
        m.Board(runs=((0, 1, 1, 70_000, 0),)),
        m.Board(runs=((0, 1, 99, 1, 0),)),
        '{"kind":"board","runs":[[0,1,1,1,8589934592]],"peers":[]}',
        '{"kind":"board","runs":[[-5,1,1,1,0]],"peers":[]}',
        m.Table(first=0, digests=pack(bytes(32 * (SHARDS + 1))), holders=((SHARDS + 1, 1),)),
        m.Table(first=SHARDS, digests=pack(bytes(32)), holders=((1, 1),)),
        m.Table(first=0, digests=DIGESTS, holders=((SHARDS - 1, 1),)),
        m.Table(first=0, digests=DIGESTS, holders=((65_535, 1),) * 2000),
        m.Challenge(nonce="0" * 64),
    ],
)
def test_what_does_not_fit_the_job_is_out_of_protocol(message: m.ToPeer | str) -> None:
    assert refused(device(Liar(welcome(), message))) == "SCL-POOL-PROTOCOL"


def test_a_batch_that_changes_is_noticed() -> None:
    first = _keep((0, 2, 0))
    other = attrs.evolve(first, digests=pack(bytes([1]) * 64))
    assert refused(device(Liar(welcome(), first, other))) == "SCL-POOL-FORGED"


def test_a_part_of_the_table_that_was_not_asked_for_is_passed_over() -> None:
    liar = Liar(welcome(), m.Complete(), m.Table(first=5, digests=pack(bytes(32)), holders=((1, 1),)))

    async def play() -> None:
        peer = device(liar)
        running = asyncio.ensure_future(peer.run())
        await asyncio.sleep(1)
        assert peer.folding is not None
        assert peer.folding.wanted == 0
        await peer.stop()
        await running

    run_virtual(play())
    assert m.Want(first=0) in liar.sent


@pytest.mark.parametrize("says", [(), (welcome(),)], ids=["never-welcomed", "lost"])
def test_a_stop_waits_for_no_coordinator(says: tuple[m.ToPeer, ...]) -> None:
    async def away() -> Liar:
        raise ScellisError("SCL-POOL-LOST", "There is no coordinator.")

    async def play() -> None:
        liar = Liar(*says)
        peer = device(liar)
        peer.given = True
        running = asyncio.ensure_future(peer.run())
        await asyncio.sleep(1)
        peer._connect = away
        await asyncio.sleep(20)
        await _leaves_in_time(peer, running)

    run_virtual(play())


def test_a_stop_does_not_wait_for_a_device_that_is_gone() -> None:
    """It fetches a state to check from somebody who never answers."""

    class Silent(Alone):
        async def fetch(self, *_: Any) -> dict[str, bytes]:
            await asyncio.sleep(3000)
            return {}

    check = m.Check(lease=1, shards=(0,), digests=pack(bytes(32)), holders=((2,),))

    async def play() -> None:
        liar = Liar(welcome(), check)
        liar.receive = _then_silence(liar.receive)  # type: ignore[method-assign]
        peer = device(liar)
        peer.given = True
        peer._data = Silent()
        await peer._store.put(JOB.to_bytes())
        running = asyncio.ensure_future(peer.run())
        await asyncio.sleep(20)
        await _leaves_in_time(peer, running)

    run_virtual(play())


async def _leaves_in_time(peer: Peer, running: asyncio.Future[None]) -> None:
    await peer.stop()
    async with asyncio.timeout(6):
        await running
    assert peer.state == "left"


def _then_silence(receive: Callable[[], Awaitable[str]]) -> Callable[[], Awaitable[str]]:
    async def wait() -> str:
        try:
            return await receive()
        except ScellisError:
            await asyncio.get_running_loop().create_future()
            raise

    return wait
