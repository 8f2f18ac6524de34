"""A whole run in the tab, nothing stood in for: the page, Python, WebGPU or the oracle; alone and offline."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.chromium import CHROMIUM_ARGS
from support.leaks import nothing_leaks
from support.page import open_program, wait_offline, wait_ready
from support.programs import example_text
from support.servers import StaticServer
from support.watch import Watch

RUN_TIMEOUT_MS = 120_000
SHARDS = 8


@pytest.fixture
def short_job() -> str:
    """The gauge block calibration with 8 shards instead of 640."""
    return example_text("gauge_block", shards=SHARDS)


def run_to_end(page: Page) -> None:
    """Press Run and wait for the verified result."""
    button = page.locator(".run .button.wide")
    expect(button).to_have_text("Run", timeout=RUN_TIMEOUT_MS)
    button.click()
    expect(page.locator(".badges")).to_contain_text("verified", timeout=RUN_TIMEOUT_MS)


def expect_published(page: Page) -> None:
    """838 nm, 36 nm, [745, 932] nm, within what half a million draws tell."""
    expect(page.locator(".estimate-value")).to_contain_text("838 ± 36")
    expect(page.locator(".estimate-interval")).to_contain_text("99")


def test_a_run_without_webgpu_says_so_and_agrees(
    chromium: Callable[[list[str]], Page], serve: Callable[..., StaticServer], short_job: str
) -> None:
    page = chromium([*CHROMIUM_ARGS, "--disable-features=WebGPU"])
    page.goto(serve().url)
    wait_ready(page)
    expect(page.locator("body")).to_contain_text("CPU path")
    open_program(page, short_job.replace("title: Gauge block calibration", "title: Our own block"))
    expect(page.get_by_role("heading", name="Our own block")).to_be_visible()
    run_to_end(page)
    expect_published(page)


def test_a_run_with_the_server_stopped(
    page: Page, serve: Callable[..., StaticServer], short_job: str, watch: Watch
) -> None:
    watch.allow("sw.js|ERR_CONNECTION_REFUSED")
    server = serve()
    page.goto(server.url)
    wait_ready(page)
    wait_offline(page)
    server.stop()
    page.reload()
    wait_ready(page)
    open_program(page, short_job)
    run_to_end(page)
    expect_published(page)


def test_runs_on_webgpu_leave_nothing_behind(app: Page, short_job: str) -> None:
    # The first run makes what is kept for the next: pipelines, the listeners of a session.
    open_program(app, short_job)
    run_to_end(app)
    expect_published(app)
    open_program(app, short_job.replace("seed: 20081009", "seed: 1"))
    run_to_end(app)
    with nothing_leaks(app):
        open_program(app, short_job.replace("seed: 20081009", "seed: 2"))
        run_to_end(app)
