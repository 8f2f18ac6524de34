"""Python dies, and of a new interpreter what was open is asked again; what ran can be resumed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from support.fed.page import FedPage
from support.fed.scenes import DEVICE, GAUGE, POOL, RECORD, run

DEAD = {
    "code": "SCL-BOOT-PYTHON",
    "message_id": "error-boot-python",
    "message": "Python stopped.",
    "args": {},
}


@pytest.fixture
def fed(new_context: Callable[..., BrowserContext], serve: Callable[..., Any]) -> FedPage:
    return FedPage(new_context(service_workers="block").new_page(), serve().url)


def test_each_fresh_interpreter_is_greeted(fed: FedPage) -> None:
    fed.open().fatal(DEAD)
    expect(fed.page.locator(".main > .fault")).to_contain_text("It is being started again")
    fed.wait_started(2)
    fed.boot("ready", 100)
    assert len(fed.calls("hello")) == 2


def test_an_example_that_was_open_is_opened_again(fed: FedPage) -> None:
    fed.open("#/run").views(device=DEVICE, plan=GAUGE["plan"], run=None)
    fed.die(DEAD)
    assert fed.calls("open_example") == [{"id": "gauge_block"}]


def test_a_text_that_was_open_is_opened_again(fed: FedPage) -> None:
    fed.open("#/run").views(device=DEVICE, plan={**GAUGE["plan"], "example": None}, run=None)
    fed.die(DEAD)
    assert fed.calls("open_text") == [{"sml": GAUGE["plan"]["sml"]}]


@pytest.mark.parametrize("state", ["ready", "running", "verifying", "watching"])
def test_a_run_that_went_on_is_offered_to_be_resumed(fed: FedPage, state: str) -> None:
    fed.open("#/run").views(device=DEVICE, plan=GAUGE["plan"], run=run(GAUGE, state), pool=POOL)
    fed.die(DEAD)
    assert fed.calls("open_example") == []  # it would take the run's place
    fed.page.locator(".run .button.wide").click()
    assert fed.calls("resume") == [{"address": GAUGE["plan"]["job_address"]}]


def test_a_record_is_read_again(fed: FedPage) -> None:
    fed.open("#run=abc").views(device=DEVICE, record=RECORD)
    fed.die(DEAD)
    assert fed.calls("open_record") == [{"fragment": "run=abc"}] * 2


def test_a_device_that_was_invited_goes_back_into_the_pool(fed: FedPage) -> None:
    fed.open("#pool=abc").views(device=DEVICE, run=run(GAUGE, "running"), pool={**POOL, "link": None})
    fed.die(DEAD)
    assert fed.calls("pool_join") == [{"link": fed.url + "#pool=abc"}] * 2


def test_what_ended_python_for_good_is_said_in_the_next_language_too(fed: FedPage) -> None:
    fed.open(ready=False).fatal(DEAD)
    fault = fed.page.locator(".main > .fault")
    expect(fault).to_contain_text("Python stopped")
    language = fed.page.locator("#language")
    language.focus()
    language.select_option("de")
    expect(fault).to_contain_text("SCL-BOOT-PYTHON")
    expect(language).to_be_focused()
    fault.get_by_role("button", name="Python neu starten").click()
    fed.wait_started(2)
    fed.boot("ready", 100)
    assert len(fed.calls("hello")) == 1
