"""A pool's host over a log, with devices played by hand and a clock set by hand.

Plain asserts, no test framework: Pyodide, where it runs too, has none.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
from collections.abc import Callable
from typing import Any

from scellis.content import address
from scellis.pool import messages as m
from scellis.pool.digests import pack
from scellis.pool.host import Connection, Host
from scellis.pool.identity import LoopbackKey, invite_commitment, join_message, open_message
from scellis.pool.log import Log
from scellis.pool.machine import Machine
from scellis.pool.messages import OpenRequest

ENGINE = "test-1"
INVITE = "5a" * 16
GetLog = Callable[[], Log]
_NUMBERS = itertools.count()


class Keys:
    """Verifies what its own keys signed."""

    def __init__(self) -> None:
        self.all: dict[str, LoopbackKey] = {}

    def make(self, name: str) -> LoopbackKey:
        key = LoopbackKey(name.encode())
        self.all[key.key] = key
        return key

    async def verify(self, key: str, signature: str, message: bytes) -> bool:
        return key in self.all and await self.all[key].verify(key, signature, message)


class Hand:
    """A device played by hand: what it is sent lies in `got`."""

    def __init__(self, table: Table, name: str) -> None:
        self.table = table
        self.key = table.keys.make(name)
        self.got: list[m.ToPeer] = []
        self.closed = ""
        self.connection: Connection | None = None
        self.session = hashlib.sha256(name.encode()).hexdigest()[:32]

    def send(self, text: str) -> None:
        self.got.append(m.read_to_peer(text))

    def close(self, reason: str) -> None:
        self.closed = reason

    def last(self, kind: type[Any]) -> Any:
        found = [message for message in self.got if isinstance(message, kind)]
        assert found, f"no {kind.kind} among {[message.kind for message in self.got]}"
        return found[-1]

    async def join(self, **changes: Any) -> None:
        self.got.clear()
        self.closed = ""
        self.connection = self.table.host.connect(self)
        hello = {
            "protocol": m.PROTOCOL,
            "engine": ENGINE,
            "pool": self.table.header.pool,
            "key": self.key.key,
            "session": self.session,
            "store": self.session,
            "durable": True,
            "label": "hand",
            "device": "oracle",
            "invite": INVITE,
            **changes,
        }
        await self.raw({"kind": "hello", **hello})
        if isinstance(self.got[-1], m.Challenge):
            signed = join_message(m.Hello(**hello), self.got[-1].nonce)
            await self.say(m.Prove(signature=await self.key.sign(signed)))

    async def raw(self, value: Any) -> None:
        assert self.connection is not None
        await self.connection.receive(value if isinstance(value, str | bytes) else json.dumps(value))
        await self.table.settle()

    async def say(self, message: m.FromPeer) -> None:
        await self.raw(m.encode(message))


class Table:
    """A host over a log, with a clock set by hand."""

    def __init__(self, get_log: GetLog) -> None:
        self.get_log = get_log
        self.keys = Keys()
        self.time_s = 1000.0
        self.header: m.PoolHeader
        self._host_task: asyncio.Future[None] | None = None
        self.start()

    def now_s(self) -> float:
        return self.time_s

    async def sleep(self, delay_s: float) -> None:
        await asyncio.get_running_loop().create_future()  # ticks are given by hand

    def entropy(self, size: int) -> bytes:
        return hashlib.shake_128(str(next(_NUMBERS)).encode()).digest(size)

    def start(self) -> None:
        self.log = self.get_log()
        self.host = Host(self.log, verifier=self.keys, clock=self, engine=ENGINE, entropy=self.entropy)
        self._host_task = asyncio.ensure_future(self.host.run())

    async def kill(self) -> None:
        """The host dies between two events."""
        assert self._host_task is not None
        self._host_task.cancel()
        await asyncio.gather(self._host_task, return_exceptions=True)

    async def settle(self) -> None:
        """Until the host has taken everything in."""
        while not self.host.idle:  # noqa: ASYNC110 - the host tells nobody that it is idle
            await asyncio.sleep(0)

    async def tick(self, forward_s: float) -> None:
        self.time_s += forward_s
        self.host.tick()
        self.host.show()
        await self.settle()

    async def open(self, shards: int = 8, check_rate: float = 0.25) -> m.PoolHeader:
        key = self.keys.make("owner")
        request = OpenRequest(
            protocol=m.PROTOCOL,
            engine=ENGINE,
            job=address(b"job"),
            shards=shards,
            policy="own_devices",
            owner=key.key,
            invite=invite_commitment(INVITE),
            check_rate=check_rate,
        )
        signature = await key.sign(open_message(request))
        self.header = await self.host.open(request, signature)
        return self.header

    @property
    def machine(self) -> Machine:
        return self.host.rooms[self.header.pool].machine

    async def member(self, name: str, rate: float = 1.0) -> Hand:
        hand = Hand(self, name)
        await hand.join()
        await hand.say(m.Consent(given=True))
        await hand.say(m.Ask(rate=rate))
        return hand


def digest(shard: int, salt: str = "") -> bytes:
    """The digest that stands for a shard's state in these cases."""
    return hashlib.sha256(f"state {shard}{salt}".encode()).digest()


def commit(lease: m.Lease, salt: str = "") -> m.Commit:
    """The commit of a whole lease."""
    digests = b"".join(digest(shard, salt) for shard in range(lease.first, lease.first + lease.count))
    return m.Commit(first=lease.first, epoch=lease.epoch, digests=pack(digests))


async def agree(hand: Hand) -> None:
    """Answer the last check with agreement."""
    check = hand.last(m.Check)
    await hand.say(m.Verdict(lease=check.lease, agree=check.shards))


async def keep(hand: Hand) -> None:
    """Answer the last request to keep a batch."""
    await hand.say(m.Held(batch=hand.last(m.Keep).batch))
