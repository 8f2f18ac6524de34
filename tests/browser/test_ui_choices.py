"""Language and theme: switched in place, remembered, and harmless where nothing may be remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from support.fed.page import FedPage
from support.fed.scenes import GAUGE, SCENES, run

REFUSED = """
Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("refused", "SecurityError"); },
});
"""


@pytest.fixture
def fed(new_context: Callable[..., BrowserContext], serve: Callable[..., Any]) -> FedPage:
    page = new_context(service_workers="block", locale="en-GB", color_scheme="light").new_page()
    return FedPage(page, serve().url)


def test_the_language_changes_in_place_and_is_remembered(fed: FedPage) -> None:
    SCENES["done"](fed)
    fed.page.get_by_label("Language").select_option("tr")
    expect(fed.page.locator("h1")).to_have_text("Mastar bloğu kalibrasyonu")
    expect(fed.page.locator(".estimate-interval")).to_contain_text("%99 [744;")
    assert fed.page.locator("html").get_attribute("lang") == "tr"
    fed.open()
    expect(fed.page.locator(".rail-link").first).to_have_text("Başlangıç")


def test_the_theme_goes_round_and_is_remembered(fed: FedPage) -> None:
    fed.open()
    light = fed.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    button = fed.page.get_by_role("button", name="Theme")
    button.click()
    button.click()
    expect(button).to_have_attribute("aria-label", "Theme: dark")
    assert fed.page.evaluate("() => getComputedStyle(document.body).backgroundColor") != light
    fed.open()
    assert fed.page.locator("html").get_attribute("data-theme") == "dark"


def test_refused_storage_costs_only_the_memory(fed: FedPage) -> None:
    fed.page.add_init_script(REFUSED)
    fed.open().views(plan=GAUGE["plan"], run=run(GAUGE, "running"))
    fed.page.get_by_label("Language").select_option("de")
    expect(fed.page.locator(".rail-link").nth(1)).to_have_text("Lauf")
    fed.page.get_by_role("button", name="Farbschema").click()
    assert fed.page.locator("html").get_attribute("data-theme") == "light"


def test_the_browser_s_language_is_taken_when_we_have_it(
    new_context: Callable[..., BrowserContext], serve: Callable[..., Any]
) -> None:
    fed = FedPage(new_context(service_workers="block", locale="de-AT").new_page(), serve().url).open()
    expect(fed.page.locator("h1")).to_have_text("Wie sicher ist das Ergebnis?")
