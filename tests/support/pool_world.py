"""A pool in one process: a real host and real peers over links with seeded delays, in virtual time.

Only the devices are slowed down to a stated rate; jobs, states, oracle and verification are the real ones.
"""

from __future__ import annotations

import asyncio
import functools
import random
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from scellis import ENGINE_VERSION
from scellis.content import MemoryStore
from scellis.device.oracle import OracleDevice, OracleSampler
from scellis.device.protocol import Accumulators, Device
from scellis.errors import ScellisError
from scellis.job import Job, JobWorker, MergeTree, ShardState, plan_job
from scellis.pool.exchange import Exchange
from scellis.pool.host import Host
from scellis.pool.identity import LoopbackKey, invite_commitment, open_message
from scellis.pool.log import Log, MemoryLog
from scellis.pool.messages import PROTOCOL, OpenRequest, PoolHeader
from scellis.pool.peer import Identity, Peer
from scellis.pool.ports import Compute, StateReader, Transport, connection_lost
from support.virtual import VirtualClock

EXAMPLE = """
sml: 1
title: Two lengths
about: The sum of two measured lengths.
inputs:
  a: {draw: normal, loc: 3, scale: 1}
  b: {draw: uniform, low: -1, high: 1}
output: {name: sum, unit: mm, value: a + b}
job:
  partition: {by_seed: {shards: SHARDS, draws_per_shard: 256}}
  reduction: {moments_histogram: {bins: 16}}
  coverage: 0.95
  standard_error: 0.05
  determinism_tier: debug
  seed: 7
  policy: own_devices
"""


def small_text(shards: int) -> str:
    """A program small enough for hundreds of pools."""
    return EXAMPLE.replace("SHARDS", str(shards))


@functools.cache
def small_job(shards: int) -> Job:
    """Its job."""
    return plan_job(small_text(shards)).job


def fold(job: Job, states: Sequence[bytes]) -> bytes:
    """The bytes of the root of the fixed tree."""
    tree = MergeTree(job.partition.shards, job.reduction.bins)
    tree.update({shard: ShardState.from_bytes(state) for shard, state in enumerate(states)})
    return tree.root.to_bytes()


async def solo_result(job: Job) -> bytes:
    """What an honest device computes alone, straight from the oracle."""
    worker = honest(job)
    return fold(job, await worker.run(0, job.partition.shards))


class PacedDevice(OracleDevice):
    """The oracle at a stated speed, in shards a second of the loop's time."""

    def __init__(self, rate: float, awake: asyncio.Event | None = None) -> None:
        super().__init__()
        self._rate = rate
        self._awake = awake

    async def prepare(self, graph: Any, spec: Any, tier: str) -> OracleSampler:
        sampler = await super().prepare(graph, spec, tier)
        sampler.run = functools.partial(self._run, sampler.run)  # type: ignore[method-assign]
        return sampler

    async def _run(self, run: Callable[..., Any], first: int, count: int) -> Accumulators:
        await asyncio.sleep(count / self._rate)
        if self._awake is not None:
            await self._awake.wait()
        return await run(first, count)


def honest(job: Job, rate: float = 0.0, awake: asyncio.Event | None = None) -> JobWorker:
    """The real worker of a job; `rate` 0 computes in no time. While `awake` is not set it stands still."""
    device: Device = PacedDevice(rate, awake) if rate else OracleDevice()

    async def reopen() -> Device:
        return device

    return JobWorker(job, device, OracleDevice(), rate=0.0, reopen=reopen, on_recovery=lambda error: None)


class Player:
    """The participant behind a test's peer: computes `job` with `compute` and keeps all that it hears."""

    def __init__(self, job: Job, compute: Compute) -> None:
        self.job = job
        self.compute = compute
        self.events: list[tuple[str, dict[str, Any]]] = []

    def take_job(self, data: bytes, header: PoolHeader) -> None:
        assert data == self.job.to_bytes()
        assert self.job.partition.shards == header.shards

    def is_state(self, data: bytes) -> bool:
        try:
            state = ShardState.from_bytes(data)
        except ScellisError:
            return False
        return state.is_of(self.job.partition.draws_per_shard, self.job.reduction.bins)

    async def open_compute(self) -> Compute:
        return self.compute

    def fold(self, states: list[bytes]) -> bytes:
        return fold(self.job, states)

    def heard(self, name: str, data: dict[str, Any]) -> None:
        self.events.append((name, data))


class KeyRing:
    """Signers and verifier of one world: the loopback's keyed hash; Ed25519 has tests of its own."""

    def __init__(self) -> None:
        self._keys: dict[str, LoopbackKey] = {}

    def signer(self, name: str) -> LoopbackKey:
        key = LoopbackKey(name.encode())
        self._keys[key.key] = key
        return key

    async def verify(self, key: str, signature: str, message: bytes) -> bool:
        return key in self._keys and await self._keys[key].verify(key, signature, message)


class Wire:
    """A peer's end of a connection, with seeded delays in each direction; order is kept, as on TCP."""

    def __init__(self, world: World, awake: asyncio.Event) -> None:
        self.cut = False
        self._awake = awake
        self._world = world
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._up: asyncio.Queue[str | None] = asyncio.Queue()
        self._down: asyncio.Queue[str | None] = asyncio.Queue()
        self._connection = world.host.connect(_HostEnd(self._down))
        self._tasks = [asyncio.ensure_future(self._pump_up()), asyncio.ensure_future(self._pump_down())]

    async def _pump_up(self) -> None:
        while (text := await self._up.get()) is not None:
            await asyncio.sleep(self._world.delay())
            await self._awake.wait()
            self._world.bytes_up += len(text.encode())
            await self._connection.receive(text)
        self._connection.lost()

    async def _pump_down(self) -> None:
        while (text := await self._down.get()) is not None:
            await asyncio.sleep(self._world.delay())
            await self._awake.wait()
            self._world.bytes_down += len(text.encode())
            self._inbox.put_nowait(text)
        self._inbox.put_nowait(None)

    async def send(self, text: str) -> None:
        if self.cut:
            raise connection_lost()
        self._up.put_nowait(text)

    async def receive(self) -> str:
        # What came before the end is still read, as from a socket.
        text = None if self.cut and self._inbox.empty() else await self._inbox.get()
        if text is None:
            self.cut = True
            raise connection_lost()
        return text

    async def close(self) -> None:
        self.sever()

    def sever(self) -> None:
        """The connection breaks, for both ends."""
        if not self.cut:
            self.cut = True
            self._up.put_nowait(None)
            self._inbox.put_nowait(None)


@attrs.frozen
class _HostEnd:
    queue: asyncio.Queue[str | None]

    def send(self, text: str) -> None:
        self.queue.put_nowait(text)

    def close(self, reason: str) -> None:
        self.queue.put_nowait(None)


class Plane:
    """The data plane between peers of one world: real exchanges over delayed pipes."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.no = 0
        self.awake = asyncio.Event()
        self.awake.set()
        self.read: StateReader | None = None
        self.bytes = 0
        self.signals: list[tuple[int, str]] = []
        self._ends: dict[int, Exchange] = {}
        self._pipes: list[asyncio.Task[None]] = []

    def open(self, no: int, read: StateReader, signal: Any) -> None:
        self.no, self.read = no, read
        self.world.planes[no] = self

    async def signalled(self, sender: int, data: str) -> None:
        self.signals.append((sender, data))

    async def fetch(self, no: int, addresses: Sequence[str], timeout_s: float) -> dict[str, bytes]:
        other = self.world.planes.get(no)
        if other is None or other.read is None:
            await asyncio.sleep(timeout_s)  # nobody answers the signalling
            return {}
        if no not in self._ends or self._ends[no].closed:
            self._connect(no, other)
        return await self._ends[no].fetch(addresses, timeout_s)

    def _connect(self, no: int, other: Plane) -> None:
        assert self.read is not None
        assert other.read is not None
        to_me: asyncio.Queue[bytes] = asyncio.Queue()
        to_other: asyncio.Queue[bytes] = asyncio.Queue()
        mine = Exchange(to_other.put, lambda name: _answer(self, name))
        theirs = Exchange(to_me.put, lambda name: _answer(other, name))
        self._ends[no] = mine
        self._pipes += [
            asyncio.ensure_future(self._pipe(to_me, mine, theirs)),
            asyncio.ensure_future(self._pipe(to_other, theirs, mine)),
        ]

    async def _pipe(self, queue: asyncio.Queue[bytes], end: Exchange, other: Exchange) -> None:
        while not end.closed:
            frame = await queue.get()
            self.bytes += len(frame)
            await asyncio.sleep(self.world.delay() / 10)
            try:
                end.receive(frame)
            except ScellisError:  # as the page does
                end.close()
                other.close()

    async def close(self) -> None:
        self.world.planes.pop(self.no, None)
        for end in self._ends.values():
            end.close()
        for other in self.world.planes.values():  # a closed channel is closed for both ends
            if self.no in other._ends:
                other._ends.pop(self.no).close()
        for pipe in self._pipes:
            pipe.cancel()


async def _answer(plane: Plane, name: str) -> bytes | None:
    await plane.awake.wait()
    return await plane.read(name) if plane.read is not None else None


@attrs.define(eq=False)
class Tab:
    """One device of the world: its store outlives its peer."""

    name: str
    store: MemoryStore
    peer: Peer | None = None
    task: asyncio.Task[None] | None = None
    wire: Wire | None = None
    plane: Plane | None = None
    awake: asyncio.Event = attrs.field(factory=asyncio.Event)
    events: list[tuple[str, dict[str, Any]]] = attrs.field(factory=list)

    def heard(self, name: str) -> list[dict[str, Any]]:
        return [data for kind, data in self.events if kind == name]


class World:
    """One coordinator, its pool and its devices."""

    def __init__(self, seed: int, log: Log | None = None) -> None:
        self.random = random.Random(seed)
        self.clock = VirtualClock()
        self.keys = KeyRing()
        self.log = log or MemoryLog()
        self.planes: dict[int, Plane] = {}
        self.devices: dict[str, Tab] = {}
        self.bytes_up = self.bytes_down = 0
        self.header: PoolHeader | None = None
        self.invite = "ab" * 16
        self._host_task: asyncio.Task[None] | None = None
        self.start_host()

    def entropy(self, size: int) -> bytes:
        return self.random.randbytes(size)

    def delay(self) -> float:
        return self.random.uniform(0.001, 0.05)

    def start_host(self) -> None:
        self.host = Host(
            self.log, verifier=self.keys, clock=self.clock, engine=ENGINE_VERSION, entropy=self.entropy
        )
        self._host_task = asyncio.ensure_future(self.host.run())

    async def kill_host(self) -> None:
        """The coordinator dies: what is not in the log is gone, and every connection with it."""
        assert self._host_task is not None
        self._host_task.cancel()
        await asyncio.gather(self._host_task, return_exceptions=True)
        for device in self.devices.values():
            if device.wire is not None:
                device.wire.sever()

    async def restart_host(self) -> None:
        """The coordinator is killed and started again on the same log."""
        assert self.header is not None
        await self.kill_host()
        self.start_host()
        await self.host.load(self.header.pool)

    async def open(self, job: Job, check_rate: float = 0.1, shards: int = 0) -> PoolHeader:
        """Open the pool; `shards` where its owner is to say another number than its job."""
        owner = self.keys.signer("owner")
        request = OpenRequest(
            protocol=PROTOCOL,
            engine=ENGINE_VERSION,
            job=job.address,
            shards=shards or job.partition.shards,
            policy="own_devices",
            owner=owner.key,
            invite=invite_commitment(self.invite),
            check_rate=check_rate,
        )
        self.header = await self.host.open(request, await owner.sign(open_message(request)))
        self.job = job
        await self.host.load(self.header.pool)
        return self.header

    async def connect(self, device: Tab) -> Transport:
        if self._host_task is None or self._host_task.done():
            raise connection_lost()
        device.wire = Wire(self, device.awake)
        return device.wire

    async def start(
        self,
        name: str,
        rate: float = 20.0,
        compute: Compute | None = None,
        *,
        consent: bool = True,
        durable: bool = True,
        plane: Plane | None = None,
        job_here: bool | None = None,
        make: Callable[..., Peer] = Peer,
    ) -> Tab:
        """Start (or start again) a device; "owner" is the pool's owner."""
        assert self.header is not None
        device = self.devices.get(name) or Tab(name, MemoryStore())
        device.store.durable = durable
        self.devices[name] = device
        device.awake.set()
        if name == "owner" if job_here is None else job_here:
            await device.store.put(self.job.to_bytes())
        identity = Identity(
            engine=ENGINE_VERSION,
            pool=self.header.pool,
            session=self.entropy(16).hex(),
            store_id=(name.encode().hex() + "0" * 32)[:32],
            label=name,
            device="oracle",
            invite=self.invite,
        )
        player = Player(self.job, compute or honest(self.job, rate, device.awake))
        player.events = device.events  # of every start of this device
        device.plane = plane or Plane(self)
        device.peer = make(
            identity,
            connect=lambda: self.connect(device),
            data=device.plane,
            store=device.store,
            clock=self.clock,
            signer=self.keys.signer(name),
            participant=player,
        )
        device.peer.given = consent
        device.task = asyncio.ensure_future(device.peer.run())
        return device

    async def kill(self, name: str) -> None:
        """The device's tab is closed without a word."""
        device = self.devices[name]
        assert device.task is not None
        device.task.cancel()
        await asyncio.gather(device.task, return_exceptions=True)

    def stop(self, name: str) -> None:
        """SIGSTOP: the device stands still, its connections stay open."""
        device = self.devices[name]
        assert device.plane is not None
        device.awake.clear()
        device.plane.awake.clear()

    def wake(self, name: str) -> None:
        """SIGCONT."""
        device = self.devices[name]
        assert device.plane is not None
        device.awake.set()
        device.plane.awake.set()

    async def until(self, true: Callable[[], bool], limit_s: float = 600.0) -> None:
        """Wait in virtual time until something holds; a device that failed fails the test."""
        end_s = self.clock.now_s() + limit_s
        while not true():
            for device in self.devices.values():
                if device.task is not None and device.task.done() and not device.task.cancelled():
                    device.task.result()
            assert self.clock.now_s() < end_s, f"not within {limit_s} s: {self.summary()}"
            await asyncio.sleep(0.05)

    def summary(self) -> object:
        return [
            (d.name, d.peer.state, d.peer.view and d.peer.view.board())
            for d in self.devices.values()
            if d.peer
        ]

    async def sealed(self, limit_s: float = 600.0) -> bytes:
        """Wait until the owner has sealed; returns the result's bytes."""
        owner = self.devices["owner"]
        await self.until(lambda: bool(owner.heard("sealed")), limit_s)
        return bytes(owner.heard("result")[-1]["bytes"])

    async def close(self) -> None:
        for name in self.devices:
            await self.kill(name)
        if self._host_task is not None:
            self._host_task.cancel()
            await asyncio.gather(self._host_task, return_exceptions=True)
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    @property
    def machine(self) -> Any:
        assert self.header is not None
        return self.host.rooms[self.header.pool].machine
