"""What holds for every test: hypothesis tries the same examples on every run, and browsers come last."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("fixed")

BROWSER_TESTS = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Playwright keeps an event loop running from its first test to the last: what starts one goes before."""
    items.sort(key=lambda item: BROWSER_TESTS in item.path.parents)
