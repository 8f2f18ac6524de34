"""Python arrives after the page: nothing jumps, and what was pressed before is done then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from support.fed.page import FedPage
from support.fed.scenes import DEVICE, EXAMPLES, GAUGE

SHIFTS = """
(() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      window.shifts.push([value, sources.map(({ node }) => node?.className)]);
    }
  }).observe({ type: "layout-shift", buffered: true });
})()
"""


@pytest.fixture
def fed(new_context: Callable[..., BrowserContext], serve: Callable[..., Any]) -> FedPage:
    return FedPage(new_context(service_workers="block").new_page(), serve().url)


@pytest.mark.parametrize("width", [1440, 768, 390])
@pytest.mark.parametrize("screen", ["start", "run", "train", "pool", "runs", "limits"])
def test_nothing_jumps_when_python_arrives(fed: FedPage, screen: str, width: int) -> None:
    fed.page.set_viewport_size({"width": width, "height": 900})
    fed.page.add_init_script(SHIFTS)
    fed.open(f"#/{screen}", ready=False)
    for percent in (1, 30, 72, 84, 96):
        fed.boot("files", percent)
    fed.boot("ready", 100)
    fed.views(device=DEVICE, examples=EXAMPLES, storage={"recent": []})
    assert fed.page.evaluate("() => window.shifts") == []


def test_the_progress_is_named_and_then_gone(fed: FedPage) -> None:
    fed.open(ready=False).boot("files", 62)
    expect(fed.page.locator(".boot-text")).to_have_text("Python 62\u00a0%")
    fed.boot("ready", 100)
    expect(fed.page.locator(".boot-text")).to_have_text("Python ready")


def test_a_press_before_python_is_answered_at_once_and_done_later(fed: FedPage) -> None:
    fed.open(ready=False).boot("files", 12)
    fed.page.locator(".card .button").first.click()
    expect(fed.page.locator("h1")).to_have_text("Gauge block calibration")
    expect(fed.page.locator(".plan-summary")).to_contain_text("Python is loading")
    assert fed.calls("open_example") == []
    fed.boot("ready", 100)
    assert fed.calls("open_example") == [{"id": "gauge_block"}]
    assert [call["called"] for call in fed.page.evaluate("() => window.fed.calls")] == [
        "hello",
        "open_example",
    ]
    fed.view("plan", GAUGE["plan"])
    expect(fed.page.locator(".plan-summary")).to_have_text("41,943,040 draws, in 640 shards of 65,536.")
