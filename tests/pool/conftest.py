"""Pools of real browsers: the built site behind a real coordinator, each device a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from support.browsers import BrowserProcess
from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS, find_chromium
from support.coordinator import Coordinator
from support.site import built_site

LEASE_S = 18.0
"""a fifth of what a person gets: the tests wait for its end, and none of their pages is hidden"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Coordinator]:
    """The page with its coordinator."""
    coordinator = Coordinator(tmp_path, site=built_site(), lease_s=LEASE_S)
    coordinator.start()
    yield coordinator
    coordinator.kill()


@pytest.fixture
def device(playwright: Playwright, tmp_path: Path) -> Iterator[Callable[[str], BrowserProcess]]:
    """Makes devices by name; they end with the test."""
    made: list[BrowserProcess] = []

    def make(name: str) -> BrowserProcess:
        command = [find_chromium(), *CHROMIUM_ARGS, *WEBGPU_ARGS]
        made.append(BrowserProcess(playwright, command, tmp_path / name))
        return made[-1]

    yield make
    for browser in made:
        browser.kill()
