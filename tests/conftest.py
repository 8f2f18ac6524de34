"""What holds for every test: hypothesis tries the same examples on every run, and browsers come last."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("fixed")

FOLDERS = ("unit", "native", "pool", "browser")
"""The fast ones first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Playwright keeps an event loop running from its first test to the last: what starts one goes behind."""

    def place(item: pytest.Item) -> tuple[bool, int]:
        folder = next((part for part in item.path.parts[::-1] if part in FOLDERS), FOLDERS[0])
        return "playwright" in getattr(item, "fixturenames", ()), FOLDERS.index(folder)

    items.sort(key=place)
