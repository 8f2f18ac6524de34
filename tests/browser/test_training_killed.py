"""The tab or the whole browser is killed while it trains: it goes on, and ends with the same bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from support.fed.training import SML
from support.killable import KillableChromium
from support.leaks import python_worker
from support.page import PATIENCE_MS, call_python, wait_ready
from support.servers import StaticServer
from support.train_page import open_record, press, says, until_kept

TEXT = (
    SML.replace("epochs: 20", "epochs: 4").replace("determinism_tier: prod", "determinism_tier: debug")
    + "checkpoint: { every_steps: 10, keep: 2 }\n"
)
KEPT = """
import json
from js import scellis
from scellis.content.browser import TabStore

async def kept():
    store = TabStore(await scellis.bridge.openStore())
    found = {}
    for name in await store.refs("checkpoint-"):
        manifest = json.loads(await store.get((await store.get_ref(name)).decode()))
        found[name.rpartition("-")[2]] = manifest
    return found

async def loose():
    return await TabStore(await scellis.bridge.openStore()).refs("loose-")
"""
"""All checkpoints that the tab keeps, by their steps."""

STOP_IN_VALUE = """
() => {
  const put = IDBObjectStore.prototype.put;
  let left = 5;
  IDBObjectStore.prototype.put = function (value, key) {
    const asked = put.call(this, value, key);
    if (this.name !== "blobs" || --left) return asked;
    console.info("halted");
    for (;;); // the worker comes no further: neither this write nor any other one
  };
}
"""
STOP_IN_FILE = """
() => {
  const write = FileSystemSyncAccessHandle.prototype.write;
  FileSystemSyncAccessHandle.prototype.write = function (data) {
    write.call(this, data.slice(0, data.byteLength / 2));
    console.info("halted");
    for (;;);
  };
}
"""
PARTS = """
async () => {
  const found = [];
  const walk = async (folder) => {
    for await (const entry of folder.values()) {
      if (entry.kind === "directory") await walk(entry);
      else found.push(entry.name);
    }
  };
  await walk(await navigator.storage.getDirectory());
  return found.filter((name) => name.startsWith(".part-")).length;
}
"""
"""How many files were left half written."""

Start = Callable[[], KillableChromium]


@pytest.fixture
def start(browser_type: BrowserType, chromium_path: str, tmp_path: Path) -> Iterator[Start]:
    """Starts Chromium on the test's profile, once the one before is killed."""
    started: list[KillableChromium] = []

    def begin() -> KillableChromium:
        started.append(KillableChromium(browser_type, chromium_path, tmp_path / "profile"))
        return started[-1]

    yield begin
    for chromium in started:
        chromium.kill()


def opened(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.goto(url)
    wait_ready(page)
    return page


def kept(page: Page) -> dict[str, object]:
    python_worker(page).evaluate("(source) => self.scellis.pyodide.runPython(source)", KEPT)
    found: dict[str, object] = call_python(page, "kept")
    return found


def training(context: BrowserContext, url: str) -> Page:
    """A page that trains, and has kept what a kill may not take."""
    page = opened(context, url)
    open_record(page, TEXT)
    press(page, "Train")
    until_kept(page, 40)
    return page


@pytest.fixture(scope="module")
def whole(browser_type: BrowserType, chromium_path: str, site: Path, tmp_path_factory: pytest.TempPathFactory
          ) -> dict[str, object]:  # fmt: skip
    """The checkpoints of the training that nothing stops."""
    server = StaticServer(site)
    server.start()
    chromium = KillableChromium(browser_type, chromium_path, tmp_path_factory.mktemp("whole") / "profile")
    try:
        page = opened(chromium.context, server.url)
        open_record(page, TEXT)
        press(page, "Train")
        says(page, "trained")
        return kept(page)
    finally:
        chromium.kill()
        server.stop()


def goes_on_to_the_same_end(page: Page, whole: dict[str, object]) -> None:
    """Found in the list as interrupted, gone on with by one press, with the bits of the run never stopped."""
    row = page.locator(".runlist-item").first
    expect(row).to_contain_text("interrupted", timeout=PATIENCE_MS)
    row.get_by_role("button", name="Resume").click()
    says(page, "trained")
    expect(page.locator(".progress-line")).to_contain_text("resumed from step")
    found = kept(page)
    assert found == whole


def test_a_browser_that_is_killed_while_it_trains_goes_on_to_the_same_bits(
    start: Start, serve: Callable[..., StaticServer], whole: dict[str, object]
) -> None:
    url, chromium = serve().url, start()
    training(chromium.context, url)
    chromium.kill()
    goes_on_to_the_same_end(opened(start().context, url), whole)


@pytest.mark.parametrize("stop", [STOP_IN_VALUE, STOP_IN_FILE], ids=["value", "file"])
def test_a_browser_that_is_killed_in_the_middle_of_writing_a_checkpoint_has_the_one_before(
    start: Start, serve: Callable[..., StaticServer], whole: dict[str, object], stop: str
) -> None:
    url, chromium = serve().url, start()
    page = training(chromium.context, url)
    worker = python_worker(page)
    with page.expect_console_message(lambda message: message.text == "halted"):
        worker.evaluate(stop)
    chromium.kill()
    page = opened(start().context, url)
    goes_on_to_the_same_end(page, whole)
    assert page.evaluate(PARTS) == 0
    assert call_python(page, "loose") == []


def test_a_tab_that_crashes_while_it_trains_goes_on_to_the_same_bits(
    start: Start, serve: Callable[..., StaticServer], whole: dict[str, object]
) -> None:
    url, chromium = serve().url, start()
    page = training(chromium.context, url)
    with page.expect_event("crash"):
        chromium.crash_tabs()
    goes_on_to_the_same_end(opened(chromium.context, url), whole)
