"""The train screen says how far a training is, its large button does what it says, a fault has its line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from support.fed.page import FedPage
from support.fed.scenes import DEVICE, WRONG_RECORD
from support.fed.training import SML, TOTAL, scaled, training

HARD = "\u00a0"
DEAD = {
    "code": "SCL-BOOT-PYTHON",
    "message_id": "error-boot-python",
    "message": "Python stopped.",
    "args": {},
}


@pytest.fixture
def fed(new_context: Callable[..., BrowserContext], serve: Callable[..., Any]) -> FedPage:
    page = new_context(service_workers="block", locale="en").new_page()
    return FedPage(page, serve().url).open("#/train").views(device=DEVICE)


def _button(fed: FedPage) -> Locator:
    return fed.page.locator(".train .button.wide")


def _text(fed: FedPage) -> Locator:
    return fed.page.get_by_label("Record of the training (SML)")


def test_the_start_opens_the_first_example_by_one_press(fed: FedPage) -> None:
    fed.page.get_by_role("link", name="Start", exact=True).click()
    fed.page.get_by_role("region", name="Train").get_by_role("button", name="Open").click()
    assert fed.calls("open_training") == [{"id": "digits_mlp"}]
    fed.view("training", training("ready", 0))
    expect(fed.page.locator("h1")).to_have_text("Handwritten digits, perceptron")
    expect(_button(fed)).to_have_text("Train")
    expect(_text(fed)).to_have_value(SML)


def test_train_pause_and_go_on(fed: FedPage) -> None:
    fed.view("training", training("ready", 0))
    _button(fed).click()
    assert fed.calls("train") == [{}]
    fed.view("training", training("compiling", 0))
    expect(_button(fed)).to_have_text("Compiling")
    fed.view("training", training("running", 100))
    expect(_button(fed)).to_have_text("Pause")
    _button(fed).click()
    assert fed.calls("train_pause") == [{}]
    fed.view("training", training("pausing", 101))
    expect(_button(fed)).to_have_text("Pausing")
    fed.view("training", training("paused", 101))
    expect(_button(fed)).to_have_text("Go on")
    _button(fed).click()
    assert len(fed.calls("train")) == 2


def test_how_far_it_is(fed: FedPage) -> None:
    fed.view("training", scaled("running", 482, resumed=135))
    line = fed.page.locator(".progress-line")
    for part in ("step 482 of 900", "epoch 11 of 20", "92.7 steps/s", "checkpoint at step 450",
                 "resumed from step 135", "3 steps left out", "5 s left"):  # fmt: skip
        expect(line).to_contain_text(part)
    expect(fed.page.locator(".train-progress .bar")).to_have_attribute("aria-valuenow", "54")
    names = fed.page.locator(".multiple h3").all_inner_texts()
    assert names == ["learning rate", "accuracy", "gradient norm", "loss scale"]


def test_the_best_epoch_is_named_in_words(fed: FedPage) -> None:
    fed.view("training", training("done", TOTAL))
    rows = fed.page.locator(".epochs tbody tr")
    expect(rows).to_have_count(20)
    best = rows.filter(has_text="best")
    expect(best).to_have_count(1)
    number = best.locator("th").inner_text().split()[0]
    expect(fed.page.locator(".figures")).to_contain_text(number)
    expect(rows.first).to_contain_text(f"97.7{HARD}%")
    expect(fed.page.locator(".train .badges")).to_contain_text("trained")
    expect(_button(fed)).to_be_hidden()


def test_begin_anew_asks_first(fed: FedPage) -> None:
    fed.view("training", training("ready", 0))
    anew = fed.page.get_by_role("button", name="Begin anew")
    expect(anew).to_be_hidden()  # there is nothing to forget
    fed.view("training", training("paused", 450))
    anew.click()
    dialog = fed.page.get_by_role("dialog")
    expect(dialog).to_contain_text("450 steps")
    expect(dialog.get_by_role("button", name="Keep them")).to_be_focused()
    fed.page.keyboard.press("Escape")
    assert fed.calls("train_restart") == []
    anew.click()
    dialog.get_by_role("button", name="Begin anew").click()
    assert fed.calls("train_restart") == [{}]
    expect(dialog).to_be_hidden()


def test_a_fault_in_the_record_is_shown_and_its_line_selected(fed: FedPage) -> None:
    fed.view("training", training("ready", 0))
    fed.fail("open_training_text", WRONG_RECORD)
    changed = SML.replace("lr: 1.0e-2", "lr: 0")
    _text(fed).fill(changed)
    fed.page.get_by_role("button", name="Open this record").click()
    expect(fed.page.locator(".record-text .fault")).to_contain_text("Line 10: optimizer.lr")
    expect(_text(fed)).to_be_focused()
    selected = _text(fed).evaluate("(node) => node.value.slice(node.selectionStart, node.selectionEnd)")
    assert selected == changed.splitlines()[9]
    fed.view("training", training("ready", 0))  # what was typed stays
    fed.page.locator("#language").select_option("de")
    expect(fed.page.locator("#record-text")).to_have_value(changed)
    assert fed.calls("open_training_text") == [{"sml": changed}]


def test_a_fault_goes_with_the_record_that_it_was_of(fed: FedPage) -> None:
    fed.view("training", training("ready", 0))
    fed.fail("open_training_text", {**WRONG_RECORD, "code": "SCL-CATALOG-REFUSED", "args": {"line": 2}})
    fed.page.get_by_role("button", name="Open this record").click()
    fault = fed.page.locator(".record-text .fault")
    expect(fault).to_be_visible()
    expect(_text(fed)).not_to_be_focused()  # that line is one of a catalog entry
    fed.view("training", training("ready", 0, sml=SML + "# another\n", example=None))
    expect(fault).to_be_hidden()


def test_a_reload_opens_what_was_open(fed: FedPage) -> None:
    fed.view("training", training("ready", 0))
    own = SML.replace("epochs: 20", "epochs: 3")
    _text(fed).fill(own)
    fed.page.get_by_role("button", name="Open this record").click()
    assert fed.calls("open_training_text") == [{"sml": own}]
    fed.view("training", training("ready", 0, sml=own, example=None))
    fed.open("#/train")
    assert fed.calls("open_training_text") == [{"sml": own}]


def test_a_new_interpreter_opens_it_again(fed: FedPage) -> None:
    fed.view("training", training("running", 100))
    fed.die(DEAD)
    assert fed.calls("open_training") == [{"id": "digits_mlp"}]
    expect(_button(fed)).to_have_text("Go on")


def test_the_end_is_spoken_once(fed: FedPage) -> None:
    fed.view("training", training("running", 899))
    spoken = fed.page.locator("#app > [role=status]")
    expect(spoken).to_have_text("")
    fed.view("training", training("done", TOTAL))
    expect(spoken).to_have_text("The model is trained.")
