"""Everything by keyboard, with the focus in sight; and the ways into the page by its address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from support.fed.page import FedPage
from support.fed.scenes import EXAMPLES, RECENT, RECORD, SATURATING, SCENES, run

CONTROLS = """
() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.disabled).length
"""
UNSEEN_FOCUS = """
() => {
  const node = document.activeElement;
  const style = getComputedStyle(node);
  const unseen = style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2;
  return unseen ? node.outerHTML.slice(0, 120) : null;
}
"""


@pytest.fixture
def fed(new_context: Callable[..., BrowserContext], serve: Callable[..., Any]) -> FedPage:
    page = new_context(service_workers="block", viewport={"width": 1440, "height": 900}).new_page()
    return FedPage(page, serve().url)


@pytest.mark.parametrize("scene", ["start", "plan", "done", "shard", "record", "runs", "models", "training"])
def test_the_tab_key_reaches_every_control_and_shows_where_it_is(fed: FedPage, scene: str) -> None:
    SCENES[scene](fed)
    wanted = fed.page.evaluate(CONTROLS)
    fed.page.locator(".skip").focus()
    reached = 1
    for _ in range(wanted):
        fed.page.keyboard.press("Tab")
        if fed.page.evaluate("() => document.activeElement === document.body"):
            break
        assert fed.page.evaluate(UNSEEN_FOCUS) is None
        reached += 1
    assert reached == wanted


def test_from_the_start_to_a_running_example_without_a_mouse(fed: FedPage) -> None:
    SCENES["start"](fed)
    fed.page.locator(".card .button").nth(1).focus()
    fed.page.keyboard.press("Enter")
    expect(fed.page.locator("h1")).to_be_focused()
    fed.view("plan", SATURATING["plan"])
    fed.page.keyboard.press("Tab")
    fed.page.keyboard.press("Enter")
    assert fed.calls("run") == [{}]


def test_the_skip_link_leads_to_the_heading(fed: FedPage) -> None:
    fed.open()
    fed.page.keyboard.press("Tab")
    expect(fed.page.locator(".skip")).to_be_focused()
    fed.page.keyboard.press("Enter")
    expect(fed.page.locator("h1")).to_be_focused()


def test_the_end_of_a_run_is_spoken_once(fed: FedPage) -> None:
    fed.open("#/limits").views(plan=SATURATING["plan"], run=run(SATURATING, "running"))
    spoken = fed.page.locator("#app > [role=status]")
    expect(spoken).to_have_text("")
    fed.view("run", run(SATURATING, "done"))
    expect(spoken).to_have_text("The run is verified. 0.94 ± 0.31")


def test_a_reload_of_the_run_screen_offers_the_run_that_it_cut_off(fed: FedPage) -> None:
    fed.open("#/run").views(examples=EXAMPLES, storage=RECENT)
    fed.page.locator(".screen.run .runlist-item").first.get_by_role("button", name="Resume").click()
    assert len(fed.calls("resume")) == 1


def test_interrupted_runs_come_first_with_resume(fed: FedPage) -> None:
    fed.open().views(examples=EXAMPLES, storage=RECENT)
    first = fed.page.locator(".runlist-item").first
    expect(first).to_contain_text("interrupted")
    first.get_by_role("button", name="Resume").click()
    assert fed.calls("resume") == [{"address": "12ab" * 8}]
    expect(fed.page).to_have_url(fed.url + "#/run")


def test_a_run_that_another_tab_left_behind_is_called_interrupted(fed: FedPage) -> None:
    left = {**RECENT["recent"][1], "state": "running"}
    fed.open("#/runs").view("storage", {"recent": [left]})
    expect(fed.page.locator(".runlist-item")).to_contain_text("interrupted")


def test_a_run_url_opens_its_record_and_replays_a_shard(fed: FedPage) -> None:
    fed.open("#run=eJxT")
    assert fed.calls("open_record") == [{"fragment": "run=eJxT"}]
    fed.view("record", RECORD)
    expect(fed.page.locator(".checks")).to_contain_text("64")
    expect(fed.page.locator("#replay-shard")).to_have_value("317")
    fed.page.get_by_role("button", name="Replay shard").click()
    assert fed.calls("replay") == [{"shard": 317}]
    finding = {"id": "finding-mean", "message": "", "args": {"by": "0.02", "allowed": "0.001"}}
    fed.view("replay", {"shard": 317, "device": "oracle", "address": "sha256:" + "ab" * 32,
        "expected": "sha256:12345678", "same_bits": False, "within": False,
        "findings": [finding], "bins_compared": True})  # fmt: skip
    expect(fed.page.locator(".replay-verdict")).to_have_text("Shard 317: differs from the record.")
    expect(fed.page.locator(".findings")).to_contain_text("The mean differs by 0.02; 0.001 is allowed")


def test_a_damaged_run_url_is_a_sentence(fed: FedPage) -> None:
    fed.open(ready=False)
    fed.page.evaluate("() => { location.hash = '#run=damaged'; }")
    fed.fail("open_record", {"code": "SCL-RECORD-URL", "message_id": "error-record-url", "args": {},
        "message": "The run URL is damaged: it ends too early.", "remedy": ""})  # fmt: skip
    fed.boot("ready", 100)
    fault = fed.page.locator(".fault:visible")
    expect(fault).to_contain_text("The run URL is damaged: it ends too early.")
    expect(fault).to_contain_text("Copy the whole address")
    expect(fault.get_by_role("button")).to_have_count(1)  # the same address again would not be read either
    expect(fed.page.locator(".record .empty")).to_be_hidden()


def test_one_s_own_program_is_opened_or_refused_where_it_was_written(fed: FedPage) -> None:
    fed.open()
    fed.page.get_by_text("Open a program of your own").click()
    fed.page.get_by_label("Program text (SML)").fill("sml: 9")
    fed.fail("open_text", {"code": "SCL-SML-TEXT", "message_id": "error-sml-text", "args": {"line": 1},
        "message": "Line 1: sml must be 1.", "remedy": "Write sml: 1."})  # fmt: skip
    fed.page.locator(".own").get_by_role("button", name="Open").click()
    expect(fed.page.locator(".start .fault").first).to_contain_text("Line 1: sml must be 1.")
    fed.page.locator(".own").get_by_role("button", name="Open").click()
    expect(fed.page).to_have_url(fed.url + "#/run")
