"""Every screen in every state: nothing overflows at any width or in any language, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from support.fed.page import FedPage
from support.fed.scenes import SCENES

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = "() => axe.run({ resultTypes: ['violations'], preload: false })"
WIDTHS = {1440: 900, 768: 1024, 390: 844}

CUT_OFF = """
() => [...document.querySelectorAll("#app *")]
  .filter((node) => node.checkVisibility() && !node.closest(".visually-hidden, .skip, .program, .chart, svg"))
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
  .filter((node) => getComputedStyle(node).overflowX !== "visible")
  .filter((node) => !node.matches(".address-text")) // addresses end in an ellipsis, and are copied whole
  .map((node) => `${node.tagName}.${node.className}: ${node.textContent.slice(0, 60)}`)
"""
"""Elements whose content does not fit and is hidden or scrolls."""


@pytest.fixture
def fed(new_context: Callable[..., BrowserContext], serve: Callable[..., Any]) -> FedPage:
    return FedPage(new_context(service_workers="block").new_page(), serve().url)


DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Until what a new size made the page draw is drawn: observers come in one frame, canvases in the next."""


def _fits(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.evaluate(DRAWN)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT_OFF) == []


@pytest.mark.parametrize("scene", SCENES)
def test_everything_fits(fed: FedPage, scene: str) -> None:
    SCENES[scene](fed)
    for language in ("en", "de", "tr"):
        fed.page.locator("select").select_option(language)
        for width in WIDTHS:
            _fits(fed.page, width)


@pytest.mark.parametrize("scene", SCENES)
def test_axe_finds_nothing(fed: FedPage, scene: str) -> None:
    fed.page.add_init_script(path=AXE)
    # Ahead of the scene: a colour on its way is no colour to judge.
    fed.page.emulate_media(reduced_motion="reduce")
    SCENES[scene](fed)
    for width, theme in ((1440, "light"), (1440, "dark"), (390, "light")):
        fed.page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        fed.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found = fed.page.evaluate(RUN_AXE)["violations"]
        told = [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]
        assert not told, f"{scene}, {width} pixels, {theme}"


def test_the_page_names_its_language(fed: FedPage) -> None:
    fed.open()
    assert fed.page.locator("html").get_attribute("lang") == "en"
