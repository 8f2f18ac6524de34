"""A changed fingerprint is said, entry by entry."""

from __future__ import annotations

from scellis.device.fingerprint import changes


def test_each_change_is_a_sentence() -> None:
    before = {"engine": "0.1.0", "limits": {"a": 1, "b": 2}, "adapter": "x"}
    assert changes(before, dict(before)) == []
    now = {"engine": "0.2.0", "limits": {"a": 1, "b": 3}, "driver": "535"}
    assert changes(before, now) == [
        "adapter is not said; it was x.",
        "driver is 535; it was not said.",
        "engine is 0.2.0; it was 0.1.0.",
        "limits: b is 3; it was 2.",
    ]
