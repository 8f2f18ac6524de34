"""What has changed between two fingerprints: in the debug tier, equal ones compute equal bits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHOWN = 60
"""Characters of a value that are shown."""


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """One sentence for each entry that differs, in the order of their names; limits one by one."""
    found: list[str] = []
    for name in sorted({*before, *now}):
        old, new = before.get(name), now.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found += [f"{name}: {change}" for change in changes(old, new)]
        elif old != new:
            found.append(f"{name} is {_shown(new)}; it was {_shown(old)}.")
    return found


def _shown(value: Any) -> str:
    text = "not said" if value is None else str(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
