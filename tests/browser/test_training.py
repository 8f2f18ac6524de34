"""Training in the tab, nothing stood in for: the page, Python, WebGPU, the site's data, the browser store."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from support.chromium import CHROMIUM_ARGS
from support.fed.training import SML
from support.leaks import nothing_leaks
from support.page import PATIENCE_MS, wait_ready
from support.servers import StaticServer

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = "() => axe.run({ resultTypes: ['violations'], preload: false })"
EPOCHS = 5
SHORT = SML.replace("epochs: 20", f"epochs: {EPOCHS}")


def _button(page: Page) -> Locator:
    return page.locator(".train .button.wide")


def _press(page: Page, word: str) -> None:
    expect(_button(page)).to_have_text(word, timeout=PATIENCE_MS)
    expect(_button(page)).to_be_enabled(timeout=PATIENCE_MS)
    _button(page).click()


def _says(page: Page, word: str) -> None:
    expect(page.locator(".train .badges")).to_contain_text(word, timeout=PATIENCE_MS)


def _epochs(page: Page) -> Locator:
    return page.locator(".epochs tbody tr")


def _open_example(page: Page) -> None:
    page.get_by_role("link", name="Start", exact=True).click()
    page.get_by_role("region", name="Train").get_by_role("button", name="Open").click()


def _open_text(page: Page, sml: str) -> None:
    page.get_by_role("link", name="Train", exact=True).click()
    page.get_by_label("Record of the training (SML)").fill(sml)
    page.get_by_role("button", name="Open this record").click()


def _begin_anew(page: Page) -> None:
    page.get_by_role("button", name="Begin anew").click()
    page.get_by_role("dialog").get_by_role("button", name="Begin anew").click()


def test_a_short_training_learns_and_leaves_nothing_behind(app: Page) -> None:
    _open_text(app, SHORT)
    _press(app, "Train")
    _says(app, "trained")
    expect(_epochs(app)).to_have_count(EPOCHS)
    expect(app.locator(".progress-line")).to_contain_text(f"epoch {EPOCHS} of {EPOCHS}")
    _, _, accuracy = _epochs(app).first.locator("th, td").all_inner_texts()
    assert float(accuracy.split()[0]) >= 90
    expect(app.locator(".chart-loss canvas")).to_be_visible()
    with nothing_leaks(app):
        _begin_anew(app)
        _press(app, "Train")
        _says(app, "trained")
        expect(_epochs(app)).to_have_count(EPOCHS)


def test_a_training_paused_and_reloaded_goes_on_to_the_same_end(
    page: Page, serve: Callable[..., StaticServer]
) -> None:
    page.add_init_script(path=AXE)
    page.emulate_media(reduced_motion="reduce")
    page.goto(serve().url)
    wait_ready(page)
    _open_example(page)
    _press(page, "Train")
    expect(_epochs(page)).not_to_have_count(0, timeout=PATIENCE_MS)
    _press(page, "Pause")
    _says(page, "paused")
    for width, height in ((1440, 900), (768, 1024), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert [rule["id"] for rule in page.evaluate(RUN_AXE)["violations"]] == []
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    seen = _epochs(page).all_inner_texts()
    page.reload()
    wait_ready(page)
    _says(page, "paused")
    expect(_epochs(page)).to_have_count(len(seen))
    assert _epochs(page).all_inner_texts() == seen
    line = page.locator(".progress-line")
    expect(line).to_contain_text("resumed from step")
    _press(page, "Go on")
    _says(page, "trained")
    ended = _epochs(page).first.inner_text()
    _begin_anew(page)
    _press(page, "Train")
    _says(page, "trained")
    expect(line).not_to_contain_text("resumed")
    assert _epochs(page).first.inner_text() == ended


def test_a_wrong_record_is_refused_at_its_line_and_the_open_one_stays(app: Page) -> None:
    _open_text(app, SHORT)
    _press(app, "Train")
    _says(app, "trained")
    wrong = SHORT.replace("lr: 1.0e-2", "lr: fast")
    _open_text(app, wrong)
    fault = app.locator(".record-text .fault")
    expect(fault).to_contain_text("Line 10")
    expect(fault).to_contain_text("lr")
    text = app.get_by_label("Record of the training (SML)")
    selected = text.evaluate("(node) => node.value.slice(node.selectionStart, node.selectionEnd)")
    assert selected == wrong.splitlines()[9]
    _says(app, "trained")


@pytest.fixture
def without_webgpu(chromium: Callable[[list[str]], Page], serve: Callable[..., StaticServer]) -> Page:
    page = chromium([*CHROMIUM_ARGS, "--disable-features=WebGPU"])
    page.goto(serve().url)
    wait_ready(page)
    return page


def test_the_cpu_path_trains_too_and_says_that_it_is_slow(without_webgpu: Page) -> None:
    _open_text(without_webgpu, SHORT)
    expect(without_webgpu.locator(".train .notices")).to_contain_text("CPU path")
    _press(without_webgpu, "Train")
    _says(without_webgpu, "trained")


def test_what_the_device_does_not_hold_is_refused_until_a_remedy_is_taken(app: Page) -> None:
    _open_text(app, SHORT)
    memory = app.get_by_role("region", name="Memory")
    expect(memory).to_contain_text("fits", timeout=PATIENCE_MS)
    memory.get_by_label("The device holds").fill("0.00055")
    memory.get_by_role("button", name="What saves memory?").click()
    expect(memory).to_contain_text("does not fit", timeout=PATIENCE_MS)
    _press(app, "Train")
    expect(app.get_by_role("alert")).to_contain_text("SCL-TRAIN-MEMORY", timeout=PATIENCE_MS)
    memory.get_by_role("button", name=re.compile(r"batch_size: \d+$")).click()
    expect(memory).not_to_contain_text("does not fit", timeout=PATIENCE_MS)
    expect(app.get_by_label("Record of the training (SML)")).not_to_have_value(SHORT)
    _press(app, "Train")
    _says(app, "trained")
    expect(_epochs(app)).to_have_count(EPOCHS)
