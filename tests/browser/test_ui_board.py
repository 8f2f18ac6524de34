"""The pool screen: the board by keyboard and by pointer, its sentence, the devices, consent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from support.fed.page import FedPage
from support.fed.scenes import DEVICE, GAUGE, POOL, SCENES, SHARD, run


@pytest.fixture
def fed(new_context: Callable[..., BrowserContext], serve: Callable[..., Any]) -> FedPage:
    page = new_context(service_workers="block", viewport={"width": 1440, "height": 900}).new_page()
    return FedPage(page, serve().url)


def test_the_sentence_sums_the_board_up(fed: FedPage) -> None:
    SCENES["pool"](fed)
    expect(fed.page.locator(".board-sentence")).to_have_text(
        "354 of 640 shards are accepted: 134 re-executed, 220 batch-checked. "
        "52 are leased and 59 wait for a check, among 5 devices. "
        "12 leases are stale and go to other devices. 1 was refused. 162 are queued."
    )


def test_the_board_is_walked_by_keys_and_each_cell_is_spoken(fed: FedPage) -> None:
    SCENES["pool"](fed)
    board = fed.page.locator(".board-canvas")
    board.focus()
    fed.page.keyboard.press("End")
    expect(board).to_have_attribute("aria-valuetext", "shard 639, queued")
    fed.page.keyboard.press("Home")
    expect(board).to_have_attribute("aria-valuetext", "shard 0, re-executed, device 2")
    fed.page.keyboard.press("ArrowRight")
    expect(board).to_have_attribute("aria-valuenow", "1")
    fed.page.keyboard.press("ArrowDown")
    columns = int(board.get_attribute("aria-valuenow") or 0) - 1
    assert columns >= 16
    assert [call["shard"] for call in fed.calls("select_shard")] == [639, 0, 1, 1 + columns]


def test_a_cell_that_is_pressed_opens_its_history(fed: FedPage) -> None:
    SCENES["pool"](fed)
    box = fed.page.locator(".board-canvas").bounding_box()
    assert box is not None
    fed.page.mouse.click(box["x"] + box["width"] - 6, box["y"] + box["height"] - 6)
    assert fed.calls("select_shard") == [{"shard": 639}]
    fed.view("shard", SHARD)
    history = fed.page.locator(".history")
    expect(history).to_contain_text("leased by device 4")
    expect(history).to_contain_text("sha256:0c9d…9d")
    expect(fed.page.locator("#shard-number")).to_have_value("639")


def test_many_shards_are_drawn_in_blocks(fed: FedPage) -> None:
    cells = [[100_000, "re-executed", 2], [400_000, "leased", 1], [500_000, "queued", 0]]
    board = {"shards": 1_000_000, "cells": cells}
    SCENES["pool"](fed)
    fed.view("pool", {**POOL, "board": board})
    expect(fed.page.locator(".board-sentence")).to_contain_text("One cell stands for 245 shards")
    canvas = fed.page.locator(".board-canvas")
    canvas.focus()
    fed.page.keyboard.press("End")
    expect(canvas).to_have_attribute("aria-valuetext", "shards 999,845 to 999,999, mostly queued")
    fed.page.keyboard.press("Home")
    expect(canvas).to_have_attribute("aria-valuetext", "shards 0 to 244, mostly re-executed, device 2")
    assert [call["shard"] for call in fed.calls("select_shard")] == [999_999, 0]


def test_a_key_of_the_browser_is_left_to_it(fed: FedPage) -> None:
    SCENES["pool"](fed)
    fed.page.locator(".board-canvas").focus()
    fed.page.keyboard.press("Control+ArrowRight")
    assert fed.calls("select_shard") == []


def test_a_press_is_answered_before_python_is(fed: FedPage) -> None:
    fed.open("#/pool", ready=False).views(plan=GAUGE["plan"])
    fed.page.locator(".door").get_by_role("button", name="Pool with my devices").click()
    expect(fed.page.locator(".pool .badges")).to_have_text("opening")
    assert fed.calls("pool_create") == []


def test_consent_can_be_taken_back(fed: FedPage) -> None:
    SCENES["pool"](fed)
    fed.view("pool", {**POOL, "link": None, "state": "joined"})
    fed.page.get_by_role("button", name="Only watch").click()
    assert fed.calls("consent") == [{"given": False}]


def test_a_shard_is_found_by_its_number(fed: FedPage) -> None:
    SCENES["pool"](fed)
    number = fed.page.get_by_label("Shard", exact=True).and_(fed.page.locator("input"))
    number.fill("317")
    number.press("Enter")
    assert fed.calls("select_shard") == [{"shard": 317}]


def test_the_invitation_is_a_link_and_a_code(fed: FedPage) -> None:
    SCENES["pool"](fed)
    expect(fed.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    expect(fed.page.locator(".invitation code")).to_have_text(fed.url + POOL["link"])
    expect(fed.page.locator(".invitation")).to_contain_text("Whoever runs your job holds its inputs")


def test_devices_are_named_with_path_rate_and_state(fed: FedPage) -> None:
    SCENES["pool"](fed)
    rows = fed.page.locator(".peerlist li")
    for row, words in enumerate(
        (["this one", "WebGPU", "live"], ["21.5\u202fG/s"], ["CPU path"], ["silent"],
         ["only watches"], ["set aside"])
    ):  # fmt: skip
        for word in words:
            expect(rows.nth(row)).to_contain_text(word)


def test_nothing_is_given_before_consent(fed: FedPage) -> None:
    SCENES["consent"](fed)
    consent = fed.page.locator(".consent")
    expect(consent).to_contain_text("“Gauge block calibration”: 41,943,040 draws in 640 shards")
    expect(consent).to_contain_text("Nothing has been computed here")
    expect(consent).to_contain_text("Whoever runs a job holds its inputs")
    assert fed.calls("consent") == []
    consent.get_by_role("button", name="Let it compute").click()
    assert fed.calls("consent") == [{"given": True}]


def test_one_who_only_watches_sees_the_board_and_may_still_agree(fed: FedPage) -> None:
    SCENES["consent"](fed)
    fed.page.get_by_role("button", name="Only watch").click()
    assert fed.calls("consent") == [{"given": False}]
    fed.views(run=run(GAUGE, "watching"), pool={**POOL, "link": None, "state": "watching"})
    expect(fed.page.locator(".consent")).to_be_hidden()
    expect(fed.page.locator(".board-canvas")).to_be_visible()
    expect(fed.page.get_by_role("button", name="Run", exact=True)).to_be_hidden()
    fed.page.get_by_role("button", name="Let it compute").click()
    assert fed.calls("consent") == [{"given": False}, {"given": True}]


def test_joining_by_the_address_and_by_hand(fed: FedPage) -> None:
    fed.open("#" + POOL["link"].lstrip("#"))
    assert fed.calls("pool_join") == [{"link": fed.url + POOL["link"]}]
    fed.view("pool", {"state": "none"})
    fed.page.locator("#pool-link").fill("https://example.org/#pool=x")
    fed.page.get_by_role("button", name="Join").click()
    assert fed.calls("pool_join")[-1] == {"link": "https://example.org/#pool=x"}


def test_a_pool_needs_a_run_and_offers_the_example(fed: FedPage) -> None:
    SCENES["outside"](fed)
    create = fed.page.locator(".door").get_by_role("button", name="Pool with my devices")
    expect(create).to_be_disabled()
    fed.views(plan=GAUGE["plan"])
    create.click()
    assert fed.calls("pool_create") == [{}]


def test_on_a_phone_the_history_is_a_sheet_that_escape_closes(fed: FedPage) -> None:
    fed.page.set_viewport_size({"width": 390, "height": 844})
    SCENES["shard"](fed)
    sheet = fed.page.locator(".inspector")
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Close").press("Escape")
    expect(sheet).to_be_hidden()
    expect(fed.page.locator(".board-canvas")).to_be_focused()


def test_who_has_left_sees_the_board_and_can_resume(fed: FedPage) -> None:
    fed.open("#/pool").views(device=DEVICE, run=run(GAUGE, "interrupted"), pool={**POOL, "state": "none"})
    expect(fed.page.locator(".pool .badges")).to_have_text("left")
    fed.page.locator(".pool .button.wide").click()
    assert fed.calls("resume") == [{"address": GAUGE["plan"]["job_address"]}]
