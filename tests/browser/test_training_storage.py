"""Storage that runs out, is refused, or is shared by two tabs while a model is trained."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from support.fed.training import SML
from support.leaks import python_worker
from support.page import PATIENCE_MS, shown_fault, wait_ready
from support.servers import StaticServer
from support.train_page import open_record, press, says, until_kept

TEXT = SML.replace("epochs: 20", "epochs: 6") + "checkpoint: { every_steps: 10, keep: 2 }\n"


class Quota:
    """What the browser lets the page's origin keep, set from outside."""

    def __init__(self, page: Page, url: str) -> None:
        self._session = page.context.new_cdp_session(page)
        self._origin = url.rstrip("/")

    def set_room(self, bytes_more: int) -> None:
        """So many bytes more than it keeps now."""
        usage = self._session.send("Storage.getUsageAndQuota", {"origin": self._origin})["usage"]
        self._session.send(
            "Storage.overrideQuotaForOrigin", {"origin": self._origin, "quotaSize": usage + bytes_more}
        )

    def reset(self) -> None:
        """As much as usual."""
        self._session.send("Storage.overrideQuotaForOrigin", {"origin": self._origin})


@pytest.fixture
def url(serve: Callable[..., StaticServer]) -> str:
    return serve().url


def test_a_full_store_pauses_the_training_which_loses_nothing_and_goes_on(page: Page, url: str) -> None:
    page.goto(url)
    wait_ready(page)
    open_record(page, TEXT)
    press(page, "Train")
    until_kept(page, 40)
    quota = Quota(page, url)
    quota.set_room(1000)
    notices = page.locator(".train .notices")
    expect(notices).to_contain_text("could not be written", timeout=PATIENCE_MS)
    expect(notices).to_contain_text("free some space")
    expect(shown_fault(page)).to_contain_text("SCL-STORE-FULL")
    says(page, "paused")
    press(page, "Go on")  # and still there is no room
    expect(shown_fault(page)).to_contain_text("SCL-STORE-FULL", timeout=PATIENCE_MS)
    says(page, "paused")
    quota.reset()
    press(page, "Go on")
    says(page, "trained")
    expect(notices.locator("li")).to_have_count(0)
    expect(page.locator(".progress-line")).not_to_contain_text("resumed")


LITTLE = b"StorageManager.prototype.estimate = async () => ({ quota: 5e6, usage: 4.7e6 });"
"""What a browser says of a disk that is nearly full. (Chromium says the same of every disk, nearly.)"""


def test_a_lack_of_room_is_told_before_the_first_step(page: Page, serve: Callable[..., StaticServer]) -> None:
    server = serve()
    server.corrupt["static/worker.js"] = lambda data: LITTLE + data
    page.goto(server.url)
    wait_ready(page)
    open_record(page, TEXT)
    notices = page.locator(".train .notices")
    expect(notices).to_contain_text("Checkpoints will take", timeout=PATIENCE_MS)
    expect(notices).to_contain_text(re.compile(r"300.kB left for this site"))


def test_without_files_all_blobs_lie_in_the_database(page: Page, serve: Callable[..., StaticServer]) -> None:
    server = serve()
    server.corrupt["static/worker.js"] = lambda data: b"delete StorageManager.prototype.getDirectory;" + data
    page.goto(server.url)
    wait_ready(page)
    open_record(page, TEXT)
    expect(page.locator(".train .button.wide")).to_have_text("Train", timeout=PATIENCE_MS)
    press(page, "Train")
    says(page, "trained")
    page.reload()
    wait_ready(page)
    says(page, "trained")
    assert python_worker(page).evaluate("async () => (await self.scellis.bridge.openStore()).kind") == "idb"


def test_one_tab_at_a_time_trains_a_record_and_the_other_shows_where_it_stands(
    context: BrowserContext, url: str
) -> None:
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.goto(url)
        wait_ready(page)
        open_record(page, TEXT)
    expect(second.locator(".train .button.wide")).to_have_text("Train", timeout=PATIENCE_MS)
    press(first, "Train")
    until_kept(first, 10)
    press(second, "Train")
    expect(shown_fault(second)).to_contain_text("SCL-TRAIN-ELSEWHERE", timeout=PATIENCE_MS)
    says(second, "training in another tab")
    expect(second.locator(".train .notices")).to_contain_text("Another tab or window")
    press(first, "Pause")
    says(first, "paused")
    says(second, "paused")
    kept = first.locator(".progress-line span").filter(has_text="checkpoint at step").inner_text()
    expect(second.locator(".progress-line span").filter(has_text="checkpoint at step")).to_have_text(kept)
    press(second, "Go on")
    says(second, "trained")
    press(first, "Go on")
    says(first, "trained")
    expect(first.locator(".epochs tbody tr")).to_have_count(6)


def test_the_browser_is_asked_to_keep_what_is_saved_once_there_is_something(page: Page, url: str) -> None:
    page.goto(url)
    wait_ready(page)
    page.evaluate(
        """() => {
          globalThis.asked = 0;
          const persist = StorageManager.prototype.persist;
          StorageManager.prototype.persist = function () {
            globalThis.asked += 1;
            return persist.call(this);
          };
        }"""
    )
    open_record(page, TEXT)
    expect(page.locator(".train .button.wide")).to_have_text("Train", timeout=PATIENCE_MS)
    assert page.evaluate("() => globalThis.asked") == 0
    press(page, "Train")
    says(page, "trained")
    assert page.evaluate("() => globalThis.asked") == 1
