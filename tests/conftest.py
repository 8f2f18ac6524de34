"""What holds for every test: hypothesis tries the same examples on every run, and browsers come last."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from scellis.content.folders import NOWHERE, VARIABLE
from support.vulkan import lavapipe_manifest

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("fixed")

os.environ[VARIABLE] = NOWHERE  # what tests plan is made anew, and leaves nothing in a home

TESTS = Path(__file__).parent

FOLDERS = ("unit", "native", "pool", "browser")
"""The fast ones first; what drives browsers last, since Playwright's event loop runs on once it has begun."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the tests by their folder."""
    items.sort(key=lambda item: FOLDERS.index(item.path.relative_to(TESTS).parts[0]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was not tried for want of a driver."""
    if lavapipe_manifest() is None:
        terminalreporter.write_line(
            "f16 was tried emulated alone: there is no lavapipe here (apt-get install mesa-vulkan-drivers)"
        )
