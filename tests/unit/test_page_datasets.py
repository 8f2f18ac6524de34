"""Datasets on the page: what a person brings is read, kept by hash and version, trained on, and forgotten."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from scellis.app.datasets import Datasets
from scellis.app.devices import Devices
from scellis.app.fetched import check_url, fetch_fault
from scellis.app.no_network import NoNetwork
from scellis.app.session import Session
from scellis.app.storage import Storage
from scellis.app.world import World
from scellis.catalog.library import built_in
from scellis.content import MemoryStore, address
from scellis.device.protocol import Device
from scellis.errors import ScellisError
from scellis.pool.ports import SystemClock
from scellis.sml.training import parse_training
from scellis.train import background
from support.image_files import png

TABLE = b"width,height,kind\n" + b"".join(b"%d,%d,%c\n" % (n, n * n % 7, b"ab"[n % 2]) for n in range(40))
PAGE = f"""\
sml: 1
dataset: shapes@1
files: {{ shapes.csv: '{address(TABLE)}' }}
format: csv
header: true
arrays: {{ sides: {{ columns: [width, height] }}, kind: {{ columns: kind, classes: true }} }}
"""
IMAGES = {
    f"pets/{kind}/{n}.png": png(np.random.default_rng(n).integers(0, 256, (4, 4, 1)))
    for kind in ("cat", "dog")
    for n in range(12)
}


async def no_gpu() -> Device:
    raise ScellisError("SCL-GPU-NONE", "None here.")


class Surroundings:
    """A page whose files and hosts a test holds."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.shown: dict[str, Any] = {}
        self.given: dict[str, bytes] = {}
        self.hosts: dict[str, bytes] = {}
        self.asked: list[str] = []

    def session(self) -> Session:
        """As after a reload."""
        return Session(
            World(
                emit=lambda name, model: self.shown.__setitem__(name, model),
                clock=SystemClock(),
                store=self.store,
                storage=Storage("memory"),
                devices=Devices(no_gpu),
                entropy=bytes,
                network=NoNetwork("test"),
                examples={},
                datasets={"shapes": PAGE},
                read_data=self._read,
                take_file=self._take,
                fetch_data=self._fetch,
            )
        )

    async def _read(self, name: str) -> bytes:
        return {"shapes.csv": TABLE}[name]

    async def _take(self, token: str) -> bytes:
        return self.given.pop(token)

    async def _fetch(self, url: str) -> bytes:
        self.asked.append(url)
        if url not in self.hosts:
            raise fetch_fault(url, "https://page", "status", 404)
        return self.hosts[url]

    async def add(self, session: Session, files: dict[str, bytes]) -> str:
        """Give files to the around."""
        self.given = {str(place): data for place, data in enumerate(files.values())}
        rows = [
            {"token": str(place), "path": path, "size": len(data)}
            for place, (path, data) in enumerate(files.items())
        ]
        return str(await session.call("data_add", {"files": rows}))

    @property
    def ids(self) -> list[tuple[str, bool]]:
        """What is shown, and whether it is one's own."""
        return [(row["id"], row["own"]) for row in self.shown["datasets"]["known"]]


@pytest.fixture
def around() -> Surroundings:
    return Surroundings()


async def trained(around: Surroundings, session: Session, id_: str) -> dict[str, Any]:
    """What the page shows of a training by the record that is written for a dataset."""
    sml = str(await session.call("data_record", {"id": id_})).replace("epochs: 20", "epochs: 1")
    parse_training(sml, built_in())
    await session.call("open_training_text", {"sml": sml})
    await session.call("train", {})
    assert session.trainings._open is not None
    assert session.trainings._open._task is not None
    await session.trainings._open._task
    assert around.shown["training"]["state"] == "done", around.shown.get("fault")
    return dict(around.shown["training"])


@pytest.mark.parametrize("threads", [True, False])
@pytest.mark.parametrize(
    ("files", "id_"),
    [
        ({"Shapes 2.csv": TABLE}, "shapes_2@1"),
        (IMAGES, "pets@1"),
        ({"poem.txt": b"over and over and over " * 40}, "poem@1"),
        ({"n.csv": b"".join(b"%d,%d.5\n" % (n, n) for n in range(60))}, "n@1"),
    ],
)
async def test_what_is_dropped_is_kept_and_a_record_for_it_trains(
    around: Surroundings, files: dict[str, bytes], id_: str, threads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "THREADS", threads)
    session = around.session()
    assert await around.add(session, files) == id_
    assert around.ids == [(id_, True), ("shapes@1", False)]
    first = await trained(around, session, id_)
    assert first["dataset"]["id"] == id_
    await session.close()
    again = around.session()  # after a reload it is still there
    await again.datasets.show()
    assert around.ids == [(id_, True), ("shapes@1", False)]
    assert (await trained(around, again, id_))["dataset"] == first["dataset"]
    await again.close()


async def test_changed_files_are_the_next_version_and_the_same_ones_are_the_same(
    around: Surroundings,
) -> None:
    session = around.session()
    table = b"1,2\n3,4\n"
    assert await around.add(session, {"t.csv": table}) == "t@1"
    assert await around.add(session, {"elsewhere/t.csv": table}) == "t@1"
    assert await around.add(session, {"t.csv": table + b"5,6\n"}) == "t@2"
    assert await around.add(session, {"shapes.csv": TABLE + b"1,1,a\n"}) == "shapes@2"
    assert [id_ for id_, own in around.ids if own] == ["shapes@2", "t@1", "t@2"]
    around.hosts = {f"https://host/{n}/t.csv": table + b"%d,6\n" % n for n in (7, 8)}
    both = await asyncio.gather(*(session.call("data_url", {"url": url}) for url in around.hosts))
    assert sorted(both) == ["t@3", "t@4"]


async def test_what_was_drafted_wrongly_is_changed_to_the_next_version(around: Surroundings) -> None:
    session = around.session()
    await around.add(session, {"t.csv": TABLE})
    sml = str(await session.call("data_text", {"id": "t@1"}))
    changed = sml.replace("inputs: { columns: 0..1 }", "inputs: { columns: [1], shape: [1] }")
    assert changed != sml
    assert await session.call("data_change", {"id": "t@1", "sml": changed}) == "t@2"
    text = await session.datasets.text("t@2")
    assert (await session.datasets.read(text)).arrays["inputs"].shape == (40, 1)
    assert (
        await session.call(
            "data_change", {"id": "t@2", "sml": changed.replace("t@1", "t@2") + "licence: mine\n"}
        )
        == "t@2"
    )
    assert (await session.datasets.text("t@2")).licence == "mine"
    page = str(await session.call("data_text", {"id": "shapes@1"}))
    assert page == PAGE
    mine = page.replace("sides", "lengths")
    assert await session.call("data_change", {"id": "shapes@1", "sml": mine}) == "shapes@2"
    assert "lengths" in (await session.datasets.read(await session.datasets.text("shapes@2"))).arrays
    for wrong, code in (
        (sml.replace(address(TABLE), address(b"")), "SCL-DATA-MISSING"),
        (sml.replace("0..1", "0..9"), "SCL-DATA-FORM"),
        (sml.replace("arrays", "array"), "SCL-SML-TEXT"),
    ):
        with pytest.raises(ScellisError) as caught:
            await session.call("data_change", {"id": "t@1", "sml": wrong})
        assert caught.value.code == code
    assert [id_ for id_, own in around.ids if own] == ["shapes@2", "t@1", "t@2"]


async def test_a_dataset_s_own_text_comes_with_its_files(around: Surroundings) -> None:
    session = around.session()
    text = PAGE.replace("shapes@1", "mine@4")
    assert await around.add(session, {"x/mine.sml": text.encode(), "x/shapes.csv": TABLE}) == "mine@4"
    assert await around.add(session, {"mine.sml": text.encode(), "shapes.csv": TABLE}) == "mine@4"
    other = text.replace("sides", "lengths")
    with pytest.raises(ScellisError) as caught:
        await around.add(session, {"mine.sml": other.encode(), "shapes.csv": TABLE})
    assert caught.value.code == "SCL-DATA-EXISTS"
    with pytest.raises(ScellisError, match=r"shapes.csv, which mine@5 is made of") as caught:
        await around.add(session, {"mine.sml": text.replace("@4", "@5").encode()})
    assert caught.value.code == "SCL-DATA-MISSING"
    with pytest.raises(ScellisError) as caught:
        await around.add(session, {"mine.sml": text.replace("@4", "@5").encode(), "shapes.csv": TABLE + b"1"})
    assert caught.value.code == "SCL-DATA-HASH"


async def test_what_is_no_data_leaves_nothing_behind(around: Surroundings) -> None:
    session = around.session()
    for files in (
        {"t.csv": b"1,2\n3\n"},
        {"a.doc": b"?"},
        {"a/b.csv": b"", "a/c.csv": b""},
        {"x.sml": b"\xff"},
    ):
        with pytest.raises(ScellisError) as caught:
            await around.add(session, files)
        assert caught.value.code.startswith("SCL-DATA-")
    assert await around.store.refs() == []
    assert around.store._blobs == {}
    with pytest.raises(ScellisError) as caught:
        await session.call("data_add", {"files": [{"token": "0", "path": "t.csv", "size": 2**31}]})
    assert caught.value.code == "SCL-DATA-SIZE"


async def test_what_finds_no_room_leaves_nothing_behind(around: Surroundings) -> None:
    class Full(MemoryStore):
        async def set_ref(self, name: str, data: bytes) -> None:
            if name.startswith("dataset-full"):
                raise ScellisError("SCL-STORE-FULL", "No room.")
            await super().set_ref(name, data)

    around.store = Full()
    session = around.session()
    await around.add(session, {"t.csv": TABLE})
    before = dict(around.store._blobs)
    for data in (TABLE, TABLE + b"1,1,a\n"):  # the first is another's file, too
        with pytest.raises(ScellisError) as caught:
            await around.add(session, {"full.csv": data})
        assert caught.value.code == "SCL-STORE-FULL"
        assert around.store._blobs == before


async def test_a_url_is_fetched_once_and_kept(around: Surroundings) -> None:
    session = around.session()
    around.hosts = {
        "https://host/a/t.csv?key=1": b"1,2\n3,4\n",
        "https://host/b/mine.sml": PAGE.replace("shapes@1", "mine@1").encode(),
        "https://host/b/shapes.csv": TABLE,
    }
    assert await session.call("data_url", {"url": "https://host/a/t.csv?key=1"}) == "t@1"
    assert around.shown["datasets"]["known"][0]["origin"] == "host"
    assert await session.call("data_url", {"url": "https://host/b/mine.sml"}) == "mine@1"
    asked = list(around.asked)
    await around.session().datasets.read(await session.datasets.text("t@1"))
    assert around.asked == asked
    await around.store.delete(address(b"1,2\n3,4\n"))  # what the browser has lost is fetched once more
    await around.session().datasets.read(await session.datasets.text("t@1"))
    assert around.asked == [*asked, "https://host/a/t.csv?key=1"]
    with pytest.raises(ScellisError) as caught:
        await session.call("data_url", {"url": "https://host/none.csv"})
    assert caught.value.code == "SCL-DATA-STATUS"


async def test_what_is_forgotten_goes_but_for_what_another_is_made_of(around: Surroundings) -> None:
    session = around.session()
    await around.add(session, {"a.csv": TABLE})
    await around.add(session, {"b.csv": TABLE})
    await session.call("data_forget", {"id": "a@1"})
    assert around.ids == [("b@1", True), ("shapes@1", False)]
    await session.datasets.read(await session.datasets.text("b@1"))
    await session.call("data_forget", {"id": "b@1"})
    assert around.store._blobs == {}
    for id_ in ("b@1", "shapes@1"):
        with pytest.raises(ScellisError, match="is kept here"):
            await session.call("data_forget", {"id": id_})


async def test_a_record_whose_data_are_gone_says_so_and_what_is_open_stays(around: Surroundings) -> None:
    session = around.session()
    await around.add(session, {"a.csv": TABLE})
    sml = str(await session.call("data_record", {"id": "a@1"}))
    await session.call("open_training_text", {"sml": sml})
    before = session.trainings._open
    with pytest.raises(ScellisError, match="There is no dataset 'a@2' here") as caught:
        await session.call("open_training_text", {"sml": sml.replace("a@1", "a@2")})
    assert "a@1" in caught.value.remedy
    assert session.trainings._open is before
    await around.store.delete(address(TABLE))
    with pytest.raises(ScellisError, match=r"a.csv of a@1 is no longer kept here"):
        await Datasets(session.world).read(await session.datasets.text("a@1"))
    await session.close()


@pytest.mark.parametrize(
    "url",
    ["", "t.csv", "http://host/t.csv", "ftp://host/t.csv", "https://", "https://me:word@host/t", "data:,1", "https://[",
     "file:///etc/passwd", "javascript:alert(1)", "https://host/" + 2000 * "a"],
)  # fmt: skip
def test_only_https_and_this_machine_are_asked(url: str) -> None:
    with pytest.raises(ScellisError) as caught:
        check_url(url)
    assert caught.value.code == "SCL-DATA-URL"


@pytest.mark.parametrize(
    "url", ["https://host/t.csv", "http://localhost:1/t", "http://127.0.0.1/t", "http://[::1]:5/"]
)
def test_a_page_may_ask_by_https_and_this_machine(url: str) -> None:
    assert check_url(url) == url


@pytest.mark.parametrize("why", ["cors", "policy", "status", "size", "cut", "unreachable"])
def test_every_fetch_that_fails_says_what_to_do(why: str) -> None:
    error = fetch_fault("https://data.example:8443/t.csv", "https://page", why, 403)
    assert error.code.startswith("SCL-DATA-")
    assert error.remedy or why == "size"
    assert "data.example" in error.message
