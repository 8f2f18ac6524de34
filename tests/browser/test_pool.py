"""Three real browsers on one job: killed, stopped, woken, closed, opened again; the result stays the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright, expect

from support.browsers import BrowserProcess
from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS
from support.coordinator import Coordinator
from support.page import PATIENCE_MS, agree, create_pool, open_program, wait_sealed
from support.programs import example_text

STALE_MS = 60_000
"""A silent device is shown as stale after 15 s, its lease ends after 18 s; the rest is for busy cores."""
LEASE_S = 18.0
"""a fifth of what a person gets: the tests wait for its end, and none of their pages is hidden"""
MakeDevice = Callable[[str], BrowserProcess]


@pytest.fixture
def served(site: Path, tmp_path: Path) -> Iterator[Coordinator]:
    """The page with its coordinator."""
    coordinator = Coordinator(tmp_path, site=site, lease_s=LEASE_S)
    coordinator.start()
    yield coordinator
    coordinator.kill()


@pytest.fixture
def device(playwright: Playwright, chromium_path: str, tmp_path: Path) -> Iterator[MakeDevice]:
    """Makes devices by name; they end with the test."""
    made: list[BrowserProcess] = []

    def make(name: str) -> BrowserProcess:
        command = [chromium_path, *CHROMIUM_ARGS, *WEBGPU_ARGS]
        made.append(BrowserProcess(playwright, command, tmp_path / name))
        return made[-1]

    yield make
    for browser in made:
        browser.kill()


def accepted(page: Page) -> int:
    """Accepted shards, as the board's sentence says."""
    found = re.match(r"([\d,]+) of", page.locator(".board-sentence").inner_text())
    assert found, "the board says nothing"
    return int(found.group(1).replace(",", ""))


def wait_accepted(page: Page, least: int) -> int:
    """Until so many shards are accepted."""
    page.locator(".board-sentence").wait_for()
    for _ in range(PATIENCE_MS // 250):
        if (count := accepted(page)) >= least:
            return count
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 250)))")
    raise AssertionError(f"{accepted(page)} of {least} shards were accepted in time")


def result_address(page: Page) -> str:
    """The result's address on the run screen."""
    page.get_by_role("link", name="Run", exact=True).click()
    address = page.locator(".pinned div", has=page.locator("dt", has_text=re.compile("^Result$"))).locator(
        "code"
    )
    expect(address).to_contain_text("sha256:", timeout=PATIENCE_MS)
    found = address.get_attribute("title")
    assert found
    return found


def solo_address(page: Page, sml: str) -> str:
    """The result of the same job on this device alone."""
    open_program(page, sml)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".badges")).to_contain_text("verified", timeout=PATIENCE_MS)
    return result_address(page)


def leased(page: Page, row: int) -> bool:
    """Whether the device in this row of the list has a lease."""
    return "leased" in page.locator(".peerlist li").nth(row).inner_text()


def pause_with_a_lease(device: BrowserProcess, watcher: Page, row: int) -> None:
    """Put a device to sleep that has work in hand: caught at a check, it is woken and put to sleep anew."""
    for _ in range(40):
        device.pause()
        watcher.evaluate("() => new Promise((done) => setTimeout(done, 1500))")  # what it sent is shown
        if leased(watcher, row):
            return
        device.wake()
        watcher.evaluate("() => new Promise((done) => setTimeout(done, 500))")
    raise AssertionError("the device was never caught with a lease")


def test_a_pool_survives_what_happens_to_its_devices(served: Coordinator, device: MakeDevice) -> None:
    """One is stopped past its lease and woken, one is killed, the owner is closed and opened again."""
    shards = 2000  # enough to be under way still when all that has happened, on two fast cores
    text = example_text("gauge_block", shards=shards)
    home, sleeper, victim = device("owner"), device("sleeper"), device("victim")
    owner = home.open(served.url + "/")
    open_program(owner, text)
    link = create_pool(owner)
    pages = [sleeper.open(link), victim.open(link)]
    for page in pages:
        expect(page.locator(".screen.pool")).to_contain_text(
            "Nothing is computed on this device until you agree"
        )
    assert accepted(owner) == 0
    for page in pages:
        agree(page)
    owner.get_by_role("button", name="Run", exact=True).click()
    rows = owner.locator(".peerlist li")
    expect(rows.filter(has_text=re.compile(r"[1-9][\d,]* shards?"))).to_have_count(3, timeout=PATIENCE_MS)

    sentence = owner.locator(".board-sentence")
    pause_with_a_lease(sleeper, owner, row=1)
    expect(sentence).to_contain_text("stale", timeout=STALE_MS)
    expect(rows.nth(1)).to_contain_text("silent")
    expect(sentence).not_to_contain_text("stale", timeout=STALE_MS)  # others have them, and it still sleeps
    expect(rows.nth(1)).to_contain_text("silent")
    sleeper.wake()
    expect(rows.nth(1)).to_contain_text("live", timeout=STALE_MS)
    expect(rows.nth(1)).to_contain_text("leased", timeout=STALE_MS)

    victim.kill()
    before = wait_accepted(pages[0], accepted(owner))
    home.kill()
    assert accepted(pages[0]) >= before
    owner = home.open(served.url + "/")
    owner.get_by_role("button", name="Resume").first.click()
    expect(owner).to_have_url(re.compile("#/run$"), timeout=PATIENCE_MS)  # it goes there by itself
    owner.get_by_role("link", name="Pool", exact=True).click()
    assert wait_accepted(owner, before) >= before
    wait_sealed(owner)
    assert accepted(owner) == shards
    wait_sealed(pages[0])
    assert result_address(owner) == result_address(pages[0]) == solo_address(owner, text)
