"""The session behind the page, without a page: what each press does, and what is kept when things break."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from scellis.app.devices import Devices
from scellis.app.no_network import NoNetwork
from scellis.app.session import Session
from scellis.app.storage import Storage
from scellis.app.world import World
from scellis.content import FolderStore, MemoryStore, Store
from scellis.device.oracle import OracleDevice, OracleSampler
from scellis.device.protocol import Accumulators, Device
from scellis.errors import ScellisError
from scellis.pool.ports import SystemClock
from support.fragile import FragileDevice
from support.programs import example_text

SHARDS = 24
SMALL = example_text("gauge_block", shards=SHARDS, draws_per_shard=2048)


class Page:
    """The latest view model of each name, and a way to wait for one."""

    def __init__(self) -> None:
        self.views: dict[str, Any] = {}
        self._changed = asyncio.Event()

    def emit(self, name: str, model: Any) -> None:
        self.views[name] = model
        self._changed.set()

    async def until(self, name: str, holds: Callable[[Any], bool]) -> Any:
        async with asyncio.timeout(60):
            while not (name in self.views and holds(self.views[name])):
                self._changed.clear()
                await self._changed.wait()
        return self.views[name]


async def no_gpu() -> Device:
    raise ScellisError("SCL-GPU-NONE", "There is no GPU here.")


def session(page: Page, store: Store, open_gpu: Callable[[], Any] = no_gpu) -> Session:
    counter = iter(range(1, 1_000_000))
    return Session(
        World(
            emit=page.emit,
            clock=SystemClock(),
            store=store,
            storage=Storage("memory"),
            devices=Devices(open_gpu),
            entropy=lambda size: next(counter).to_bytes(size, "big"),
            network=NoNetwork("test"),
            examples={"gauge_block": SMALL},
        )
    )


def done(run: Any) -> bool:
    return bool(run) and run["state"] == "done" and run["url"] is not None


async def test_a_run_ends_verified_with_a_url_that_replays_any_shard() -> None:
    page = Page()
    app = session(page, MemoryStore())
    await app.call("hello", {})
    assert page.views["device"]["kind"] == "oracle"
    assert page.views["device"]["reason"]["id"] == "error-gpu-none"
    await app.call("open_example", {"id": "gauge_block"})
    plan = page.views["plan"]
    assert plan["shards"] == SHARDS
    assert plan["seconds"] == pytest.approx(plan["draws"] / plan["rate"])
    await app.call("run", {})
    run = await page.until("run", done)
    assert run["accepted"] == run["computed"] == SHARDS
    assert run["findings"] == []
    assert abs(run["mean"] - 838.0) < 6 * run["standard_error"]
    await app.call("open_record", {"fragment": run["url"]})
    record = page.views["record"]
    assert record["address"] == run["address"]
    assert sum(record["verdicts"].values()) == SHARDS
    await app.call("replay", {"shard": 17})
    assert page.views["replay"]["same_bits"] is True
    assert page.views["replay"]["bins_compared"] is True


async def test_a_stopped_run_goes_on_after_a_restart_with_the_same_result(tmp_path: Path) -> None:
    whole = Page()
    app = session(whole, MemoryStore())
    await app.call("open_text", {"sml": SMALL})
    await app.call("run", {})
    expected = (await whole.until("run", done))["address"]

    page = Page()
    app = session(page, FolderStore(tmp_path))
    await app.call("open_text", {"sml": SMALL})
    await app.call("run", {})
    await app.call("stop", {})
    await page.until("run", lambda run: run and run["state"] in ("interrupted", "done"))
    await app.close()

    later = Page()
    app = session(later, FolderStore(tmp_path))
    await app.call("hello", {})
    (saved,) = later.views["storage"]["recent"]
    await app.call("resume", {"address": saved["address"]})
    assert (await later.until("run", done))["address"] == expected


async def test_a_device_lost_in_mid_run_is_made_anew_and_the_bits_stay() -> None:
    loses = {5}

    async def open_gpu() -> Device:
        return FragileDevice(loses)

    page, calm = Page(), Page()
    app = session(page, MemoryStore(), open_gpu)
    await app.call("open_text", {"sml": SMALL})
    await app.call("run", {})
    run = await page.until("run", done)
    assert loses == set()
    assert [note["id"] for note in run["notices"]] == ["run-device-recovered"]
    app = session(calm, MemoryStore())
    await app.call("open_text", {"sml": SMALL})
    await app.call("run", {})
    assert run["address"] == (await calm.until("run", done))["address"]


async def test_a_device_that_stays_lost_ends_the_run_and_keeps_what_counted(tmp_path: Path) -> None:
    opened = 0

    async def open_gpu() -> Device:
        nonlocal opened
        opened += 1
        if opened > 1:
            raise ScellisError("SCL-GPU-NONE", "The GPU is gone.")
        return FragileDevice({5})

    page = Page()
    app = session(page, FolderStore(tmp_path), open_gpu)
    await app.call("open_text", {"sml": SMALL})
    await app.call("run", {})
    await page.until("run", lambda run: run and run["state"] == "failed")
    assert page.views["fault"]["code"] == "SCL-GPU-NONE"
    saved = await page.until("storage", lambda model: model["recent"][0]["state"] == "interrupted")
    await app.call("resume", {"address": saved["recent"][0]["address"]})
    await page.until("run", done)
    assert page.views["device"]["kind"] == "oracle"


class WrongSampler(OracleSampler):
    """Shifts every mean by a tenth of a shard's standard error."""

    async def run(self, first: int, count: int) -> Accumulators:
        found = await super().run(first, count)
        return attrs.evolve(found, mean=found.mean + 0.1 * 35.8 / 2048**0.5)


class WrongDevice(OracleDevice):
    kind = "webgpu"

    async def prepare(self, graph: Any, spec: Any, tier: str) -> Any:
        return WrongSampler(graph, spec)


async def test_a_device_that_computes_wrongly_ends_the_run_with_the_reason() -> None:
    async def open_gpu() -> Device:
        return WrongDevice()

    page = Page()
    app = session(page, MemoryStore(), open_gpu)
    await app.call("open_text", {"sml": SMALL})
    await app.call("run", {})
    run = await page.until("run", lambda run: run and run["state"] == "failed")
    fault = await page.until("fault", bool)
    assert fault["code"] == "SCL-RUN-DEVICE"
    assert run["url"] is None


async def test_two_presses_are_one() -> None:
    opened = 0

    async def open_gpu() -> Device:
        nonlocal opened
        opened += 1
        await asyncio.sleep(0)
        return FragileDevice(set())

    page = Page()
    app = session(page, MemoryStore(), open_gpu)
    await asyncio.gather(app.call("hello", {}), app.call("open_text", {"sml": SMALL}))
    assert opened == 1
    await asyncio.gather(app.call("run", {}), app.call("run", {}))
    (saved,) = page.views["storage"]["recent"]
    await asyncio.gather(*(app.call("resume", {"address": saved["address"]}) for _ in range(2)))
    await page.until("run", done)
    (saved,) = page.views["storage"]["recent"]
    assert saved["state"] == "done"
    await app.call("run", {})  # a finished one is run anew
    await page.until("storage", lambda model: len(model["recent"]) == 2)
    await app.close()


async def test_a_run_that_is_done_leaves_its_record_and_no_states(tmp_path: Path) -> None:
    page, store = Page(), FolderStore(tmp_path)
    app = session(page, store)
    await app.call("open_text", {"sml": SMALL})
    await app.call("run", {})
    await page.until("run", done)
    await app.close()
    blobs = [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]
    assert len(blobs) == 3  # job, result, record
    assert await store.refs("pool-") == []


async def test_a_fault_of_the_program_ends_the_run_and_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any) -> Accumulators:
        raise KeyError("a bug")

    page = Page()
    app = session(page, MemoryStore())
    await app.call("open_text", {"sml": SMALL})
    monkeypatch.setattr(OracleSampler, "run", broken)
    await app.call("run", {})
    await page.until("run", lambda run: run and run["state"] == "failed")
    assert page.views["fault"]["code"] == "SCL-APP-FAULT"
    assert "KeyError" in page.views["fault"]["message"]


async def test_what_the_page_cannot_ask_is_refused_by_name() -> None:
    app = session(Page(), MemoryStore())
    for method, params, code in (
        ("format_disk", {}, "SCL-APP-CALL"),
        ("open_example", {"example": "x"}, "SCL-APP-CALL"),
        ("open_example", {"id": "x"}, "SCL-APP-EXAMPLE"),
        ("run", {}, "SCL-APP-NOTHING-OPEN"),
        ("consent", {"given": True}, "SCL-APP-NO-POOL"),
        ("replay", {"shard": 1}, "SCL-APP-NO-RECORD"),
        ("open_record", {"fragment": "#run=AAAA"}, "SCL-RECORD-URL"),
        ("pool_join", {"link": "https://example.org/"}, "SCL-POOL-LINK"),
        ("resume", {"address": "nothing"}, "SCL-RUN-UNKNOWN"),
    ):
        with pytest.raises(ScellisError) as refused:
            await app.call(method, params)
        assert refused.value.code == code, method


async def test_a_page_without_a_coordinator_says_so_and_goes_on() -> None:
    page = Page()
    app = session(page, MemoryStore())
    await app.call("open_text", {"sml": SMALL})
    with pytest.raises(ScellisError) as refused:
        await app.call("pool_create", {})
    assert refused.value.code == "SCL-POOL-NONE"
    await app.call("run", {})
    await page.until("run", done)


class FullStore(MemoryStore):
    """Refuses references, as a browser out of space does."""

    async def set_ref(self, name: str, data: bytes) -> None:
        if name.startswith("run-"):
            raise ScellisError("SCL-STORE-FULL", "The browser is out of space.")
        await super().set_ref(name, data)


class FilledStore(FolderStore):
    """Has no room for a batch, until somebody makes some."""

    room = 0

    async def set_ref(self, name: str, data: bytes) -> None:
        if "-shelf-" in name:
            self.room -= 1
            if self.room < 0:
                raise ScellisError("SCL-STORE-FULL", "The browser is out of space.")
        await super().set_ref(name, data)


async def test_a_store_that_is_full_ends_the_run_which_goes_on_once_there_is_room(tmp_path: Path) -> None:
    page, store = Page(), FilledStore(tmp_path)
    app = session(page, store)
    await app.call("open_text", {"sml": SMALL})
    await app.call("run", {})
    await page.until("run", lambda run: run and run["state"] == "failed")
    assert page.views["fault"]["code"] == "SCL-STORE-FULL"
    store.room = 1_000
    saved = await page.until("storage", lambda model: model["recent"][0]["state"] == "interrupted")
    await app.call("resume", {"address": saved["recent"][0]["address"]})
    assert (await page.until("run", done))["accepted"] == SHARDS


async def test_a_full_store_is_said_and_the_run_still_ends() -> None:
    page = Page()
    app = session(page, FullStore())
    await app.call("open_text", {"sml": SMALL})
    await app.call("run", {})
    run = await page.until("run", done)
    assert "error-store-full" in [note["id"] for note in run["notices"]]
