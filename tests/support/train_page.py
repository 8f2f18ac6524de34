"""The Train screen, as a test works it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from support.page import PATIENCE_MS, shown_fault


def open_record(page: Page, text: str) -> None:
    """Give the screen a record's text."""
    page.get_by_role("link", name="Train", exact=True).click()
    page.get_by_label("Record of the training (SML)").fill(text)
    page.get_by_role("button", name="Open this record").click()


def press(page: Page, word: str) -> None:
    """Press the one large button, once it says `word`."""
    button = page.locator(".train .button.wide")
    expect(button).to_have_text(word, timeout=PATIENCE_MS)
    expect(button).to_be_enabled(timeout=PATIENCE_MS)
    button.click()


def says(page: Page, word: str) -> None:
    """Until the training's state is `word`; one that failed ends the wait with the page's own words."""
    badges = page.locator(".train .badges")
    expect(badges).to_contain_text(re.compile(f"{word}|failed"), timeout=PATIENCE_MS)
    assert word in badges.inner_text(), shown_fault(page).inner_text()


def until_kept(page: Page, least: int) -> None:
    """Until a checkpoint of step `least` or of one from 100 on is kept."""
    kept = page.locator(".progress-line span").filter(
        has_text=re.compile(rf"^checkpoint at step ({least}|[1-9]\d\d)$")
    )
    expect(kept).to_have_count(1, timeout=PATIENCE_MS)
