"""A real coordinator process: killed in mid-run, spoken to out of protocol, asked over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError
from websockets.frames import CloseCode

from scellis import ENGINE_VERSION
from scellis.content import MemoryStore, canonical_json
from scellis.errors import ScellisError
from scellis.job import Job
from scellis.pool import messages as m
from scellis.pool import wire
from scellis.pool.identity import invite_commitment, open_message
from scellis.pool.messages import OpenRequest
from scellis.pool.peer import Identity, Peer
from scellis.pool.ports import SystemClock
from scellis_coordinator.signatures import Ed25519Signer
from support.coordinator import Coordinator, WebSocketTransport
from support.pool_world import Plane, Player, honest, small_job, solo_result

INVITE = "cd" * 16
TIME_LIMIT_S = 60.0
LEASE_S = 10.0
"""What a kill loses on its way, a lease that nobody heard of, goes to others well before the time is up."""


@pytest.fixture
def coordinator(tmp_path: Path) -> Iterator[Coordinator]:
    found = Coordinator(tmp_path, lease_s=LEASE_S)
    found.start()
    yield found
    found.kill()


class _Network:
    """What the data planes of this test share."""

    def __init__(self) -> None:
        self.planes: dict[int, Plane] = {}
        self.awake = asyncio.Event()
        self.awake.set()
        self.pause_at = 0
        """so many accepted shards at the owner halt all computing; 0: none do"""

    def delay(self) -> float:
        return 0.0


class _Device(Player):
    def __init__(
        self, coordinator: Coordinator, network: _Network, header: m.PoolHeader, job: Job, name: str
    ) -> None:
        super().__init__(job, honest(job, rate=40.0, awake=network.awake))
        self.network = network
        self.changed = asyncio.Event()
        self.store = MemoryStore()
        self.transports: list[WebSocketTransport] = []

        async def open_transport() -> WebSocketTransport:
            self.transports.append(await WebSocketTransport.open(coordinator.url))
            return self.transports[-1]

        self.peer = Peer(
            Identity(
                engine=ENGINE_VERSION,
                pool=header.pool,
                session=hashlib.sha256(name.encode()).hexdigest()[:32],
                store_id=hashlib.sha256(name.encode()).hexdigest()[:32],
                label=name,
                device="oracle",
                invite=INVITE,
            ),
            connect=open_transport,
            data=Plane(network),
            store=self.store,
            clock=SystemClock(),
            signer=_signer(name),
            participant=self,
        )
        self.peer.given = True

    def heard(self, name: str, data: dict[str, Any]) -> None:
        super().heard(name, data)
        if 0 < self.network.pause_at <= self.accepted():
            self.network.awake.clear()
        self.changed.set()

    def count(self, name: str) -> int:
        return sum(kind == name for kind, _ in self.events)

    def accepted(self) -> int:
        return self.peer.view.accepted() if self.peer.view else 0

    async def until(self, true: Any) -> None:
        while not true():
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), TIME_LIMIT_S)


def _signer(name: str) -> Ed25519Signer:
    return Ed25519Signer(hashlib.sha256(name.encode()).digest())


async def _open(coordinator: Coordinator, job: Job, signer: Ed25519Signer | None = None) -> httpx.Response:
    request = OpenRequest(
        protocol=m.PROTOCOL,
        engine=ENGINE_VERSION,
        job=job.address,
        shards=job.partition.shards,
        policy="own_devices",
        owner=_signer("owner").key,
        invite=invite_commitment(INVITE),
        check_rate=0.1,
    )
    signature = await (signer or _signer("owner")).sign(open_message(request))
    body = canonical_json({"request": wire.to_json(request), "signature": signature})
    return await coordinator.post("/api/pools", body)


async def _header(coordinator: Coordinator, job: Job) -> m.PoolHeader:
    answer = await _open(coordinator, job)
    assert answer.status_code == 201, answer.text
    return wire.structure(answer.json()["header"], m.PoolHeader)


def test_a_coordinator_killed_in_mid_run_loses_nothing_and_counts_nothing_twice(
    coordinator: Coordinator,
) -> None:
    async def play() -> None:
        job = small_job(240)
        header = await _header(coordinator, job)
        network = _Network()
        names = ("owner", "second", "third")
        devices = [_Device(coordinator, network, header, job, name) for name in names]
        await devices[0].store.put(job.to_bytes())
        running = [asyncio.ensure_future(device.peer.run()) for device in devices]
        owner = devices[0]
        seen = 0
        for shards in (20, 90, 160):
            # Nobody computes from here until the owner is back and the next pause is set: else a slow machine
            # has the job sealed before the kill, and nothing more is heard.
            network.pause_at = shards
            network.awake.set()
            await owner.until(lambda: not network.awake.is_set())
            seen = max(seen, owner.accepted())
            coordinator.kill()
            await owner.until(lambda: owner.peer.state == "lost")
            coordinator.start()
            await owner.until(lambda: owner.peer.state == "joined")
            await owner.until(lambda seen=seen: owner.accepted() >= seen)
        network.pause_at = 0
        network.awake.set()
        await owner.until(lambda: owner.count("sealed") > 0)
        assert owner.peer.folding is not None
        result = await owner.store.get(owner.peer.folding.sealed)
        assert result == await solo_result(job)
        assert owner.events[-1][1].get("findings", []) == []
        for device in devices:
            await device.until(lambda device=device: device.count("result") > 0)
            assert device.peer.folding is not None
            assert device.peer.folding.result == owner.peer.folding.sealed
        for device in devices:
            await device.peer.stop()
        await asyncio.gather(*running)

    asyncio.run(asyncio.wait_for(play(), TIME_LIMIT_S))


@pytest.mark.parametrize(
    "frame",
    [
        "no json",
        b"\x00\x01",
        '{"kind":"ask","rate":1}',
        '{"kind":"hello","protocol":1}',
        "[" * 100_000,
        '{"kind":"' + "x" * 300_000 + '"}',
    ],
    ids=["text", "binary", "too-early", "half-a-hello", "deep", "long"],
)
def test_out_of_protocol_is_answered_by_name_and_service_goes_on(
    coordinator: Coordinator, frame: str | bytes
) -> None:
    async def play() -> None:
        async with connect(coordinator.url.replace("http", "ws") + "/api/pool") as socket:
            await socket.send(frame)
            answer = json.loads(await asyncio.wait_for(socket.recv(), TIME_LIMIT_S))
            assert answer["kind"] == "refused"
            assert answer["code"] in ("SCL-POOL-PROTOCOL", "SCL-POOL-RATE")
            assert answer["final"]
            await asyncio.wait_for(socket.wait_closed(), TIME_LIMIT_S)
        async with httpx.AsyncClient() as client:
            assert (await client.get(coordinator.url + "/api/health")).json()["ok"]

    asyncio.run(play())


def test_a_frame_beyond_the_socket_s_limit_closes_it(coordinator: Coordinator) -> None:
    async def play() -> None:
        socket = await connect(coordinator.url.replace("http", "ws") + "/api/pool")
        # It may be closed before all of it is sent, or just after.
        with contextlib.suppress(ConnectionClosedError):
            await socket.send("x" * (2 * 1024 * 1024))
        await asyncio.wait_for(socket.wait_closed(), TIME_LIMIT_S)
        assert socket.close_code == CloseCode.MESSAGE_TOO_BIG

    asyncio.run(play())


def test_a_flood_is_cut_off(coordinator: Coordinator) -> None:
    async def play() -> None:
        header = await _header(coordinator, small_job(8))
        device = _Device(coordinator, _Network(), header, small_job(8), "owner")
        device.peer.given = False
        running = asyncio.ensure_future(device.peer.run())
        await device.until(lambda: device.peer.state == "waiting-consent")
        for _ in range(1000):
            await device.peer._send(m.Beat())
        with pytest.raises(ScellisError, match="SCL-POOL-RATE"):
            await asyncio.wait_for(running, TIME_LIMIT_S)

    asyncio.run(play())


def test_pools_are_opened_by_their_owner_s_key_only(coordinator: Coordinator) -> None:
    async def play() -> None:
        refused = await _open(coordinator, small_job(8), _signer("somebody"))
        assert refused.status_code == 403
        assert refused.json()["error"]["code"] == "SCL-POOL-SIGNATURE"
        for body in (b"", b"[]", b'{"request":{},"signature":""}', b"x" * 10_000):
            answer = await coordinator.post("/api/pools", body)
            assert answer.status_code in (400, 413)
            assert answer.json()["error"]["code"].startswith("SCL-")

    asyncio.run(play())


def test_the_page_is_served_with_its_types(coordinator: Coordinator) -> None:
    site = coordinator.folder / "site"
    for name in ("a.wasm", "a.mjs", "a.wgsl", "a.whl"):
        (site / name).write_bytes(b"\0asm")
    with httpx.Client(base_url=coordinator.url) as client:
        page = client.get("/")
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["cache-control"] == "no-cache"
        assert client.get("/a.wasm").headers["content-type"] == "application/wasm"
        assert client.get("/a.mjs").headers["content-type"].startswith("text/javascript")
        etag = client.get("/a.wasm").headers["etag"]
        assert client.get("/a.wasm", headers={"if-none-match": etag}).status_code == 304
        assert client.get("/../pools.db").status_code == 404
        assert client.get("/%2e%2e/pools.db").status_code == 404
        allowed = client.get("/api/health", headers={"origin": "https://elsewhere.example"})
        assert allowed.headers["access-control-allow-origin"] == "*"
