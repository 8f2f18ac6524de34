"""The run screen says what a metrologist would write, and its one large button does what it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from support.fed.page import FedPage
from support.fed.scenes import CPU, DEVICE, GAUGE, LOST, SATURATING, run

NARROW, HARD = "\u202f", "\u00a0"


@pytest.fixture
def fed(new_context: Callable[..., BrowserContext], serve: Callable[..., Any], request: Any) -> FedPage:
    page = new_context(service_workers="block", locale=getattr(request, "param", "en")).new_page()
    return FedPage(page, serve().url).open("#/run").views(device=DEVICE, plan=GAUGE["plan"], run=None)


def _button(fed: FedPage) -> Locator:
    return fed.page.locator(".run .button.wide")


def test_the_plan_before_the_start(fed: FedPage) -> None:
    steps = fed.page.locator(".step-value").all_inner_texts()
    assert steps == [
        f"838 ± 34{NARROW}nm", f"36.0{NARROW}nm", f"0.0060{NARROW}nm",
        "36,057,805", "551 shards", "about 12 s",
    ]  # fmt: skip
    expect(_button(fed)).to_have_text("Run")


def test_the_result_is_cut_by_its_uncertainty(fed: FedPage) -> None:
    fed.view("run", run(GAUGE, "done", url="#run=abc"))
    expect(fed.page.locator(".estimate-value")).to_have_text(f"838 ± 36{NARROW}nm")
    expect(fed.page.locator(".estimate-interval")).to_have_text(f"99{HARD}% [744,{HARD}932]{NARROW}nm")
    expect(fed.page.locator(".estimate .facts")).to_contain_text(f"838.0065 ± 0.0055{NARROW}nm")
    expect(fed.page.locator(".badges")).to_contain_text("verified")


@pytest.mark.parametrize("fed", ["de", "tr"], indirect=True)
def test_numbers_follow_the_language(fed: FedPage) -> None:
    fed.views(plan=SATURATING["plan"], run=run(SATURATING, "done"))
    expect(fed.page.locator(".estimate-value")).to_have_text("0,94 ± 0,31")
    expect(fed.page.locator(".estimate-interval")).to_contain_text(f"[0,50;{HARD}1,98]")


def test_the_failing_linear_law_is_stated_and_shown(fed: FedPage) -> None:
    fed.views(plan=SATURATING["plan"], run=run(SATURATING, "done"))
    verdict = fed.page.locator(".verdict")
    expect(verdict).to_contain_text("does not hold")
    expect(verdict).to_contain_text(f"29{HARD}% too small")
    expect(verdict).to_contain_text("The mean lies above its value")
    chart = fed.page.locator(".chart-histogram")
    expect(chart).to_have_attribute("aria-label", f"Histogram of the result. Sampled: 0.94 ± 0.31, interval "
        f"[0.50,{HARD}1.98]. Linearised interval [0.28,{HARD}1.40]: 0{HARD}% of the draws lie below it, "
        f"8.7{HARD}% above.")  # fmt: skip
    expect(chart.locator("canvas")).to_be_visible()


def test_an_interval_that_is_refused_says_why(fed: FedPage) -> None:
    refusal = {"id": "interval-refused", "args": {"reason": "end-outside"}}
    fed.view("run", run(GAUGE, "running", interval=None, interval_refusal=refusal))
    expect(fed.page.locator(".estimate-interval")).to_contain_text(
        "an end lies among draws outside the range"
    )


def test_run_stop_and_resume(fed: FedPage) -> None:
    _button(fed).click()
    assert fed.calls("run") == [{}]
    fed.view("run", run(GAUGE, "running"))
    expect(_button(fed)).to_have_text("Stop")
    _button(fed).click()
    assert fed.calls("stop") == [{}]
    fed.view("run", run(GAUGE, "stopping"))
    expect(_button(fed)).to_have_text("Stopping")
    expect(_button(fed)).to_be_disabled()
    fed.view("run", run(GAUGE, "interrupted"))
    expect(_button(fed)).to_have_text("Resume")
    _button(fed).click()
    assert fed.calls("resume") == [{"address": GAUGE["plan"]["job_address"]}]


def test_the_progress_shows_done_rate_and_time_left(fed: FedPage) -> None:
    fed.view("run", run(GAUGE, "running", computed=96))
    line = fed.page.locator(".progress-line")
    expect(line).to_contain_text("96 of 640 shards computed, 64 accepted")
    expect(line).to_contain_text(f"3.61{NARROW}M draws/s")
    expect(line).to_contain_text("10 s left")
    expect(fed.page.locator(".bar")).to_have_attribute("aria-valuenow", "10")


def test_the_slow_path_and_the_missing_store_are_named(fed: FedPage) -> None:
    fed.view("device", CPU)
    expect(fed.page.locator(".run .badges")).to_contain_text("CPU path")
    expect(fed.page.locator(".run .notices").first).to_contain_text("the run is not saved")


def test_a_run_that_failed_is_resumed_and_keeps_the_focus_on_its_button(fed: FedPage) -> None:
    fed.view("run", run(GAUGE, "failed"))
    _button(fed).focus()
    fed.page.keyboard.press("Enter")
    assert fed.calls("resume") == [{"address": GAUGE["plan"]["job_address"]}]
    fed.view("run", run(GAUGE, "stopping"))
    expect(_button(fed)).to_have_text("Stopping")
    expect(_button(fed)).to_be_focused()
    fed.view("run", run(GAUGE, "done"))
    expect(fed.page.locator(".run h1")).to_be_focused()


def test_a_device_that_joined_shows_what_its_run_stands_on(fed: FedPage) -> None:
    fed.views(plan=None, run=run(GAUGE, "running"))
    pinned = fed.page.locator(".pinned")
    expect(pinned).to_contain_text("20081009")
    expect(pinned).to_contain_text("prod")
    expect(pinned).to_contain_text("by_seed: 640 × 65,536 draws")
    expect(fed.page.locator(".verdict")).not_to_be_empty()
    expect(fed.page.locator(".comparison td").nth(2)).not_to_have_text("–")


def test_a_failure_has_a_sentence_a_code_and_a_button(fed: FedPage) -> None:
    fed.fail("run", LOST)
    _button(fed).click()
    fault = fed.page.locator(".run .fault").first
    expect(fault).to_contain_text("The GPU was lost in mid-run")
    expect(fault.locator(".code")).to_have_text("SCL-GPU-LOST")
    fault.get_by_role("button", name="Try again").click()
    assert fed.calls("run") == [{}, {}]
    expect(fault).to_be_hidden()


def test_the_finished_run_leads_to_its_record(fed: FedPage) -> None:
    fed.view("run", run(GAUGE, "done", url="#run=abc"))
    link = fed.page.locator(".screen-head .actions").get_by_role("link", name="Open the record")
    expect(link).to_have_attribute("href", "#run=abc")
    expect(fed.page.locator(".pinned")).to_contain_text("by_seed: 640 × 65,536 draws")
    expect(fed.page.locator(".pinned")).to_contain_text("20081009")
    link.click()
    assert fed.calls("open_record") == [{"fragment": "run=abc"}]
