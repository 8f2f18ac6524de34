"""The pool's generated pages are those of its tables."""

from __future__ import annotations

import pooldocs
from scellis.pool.states import MEANING, SHOWN, STEPS, Cell


def test_the_pages_are_up_to_date() -> None:
    assert (pooldocs.DOCS / "states.md").read_text(encoding="utf-8") == pooldocs.states()
    assert (pooldocs.DOCS / "protocol.md").read_text(encoding="utf-8") == pooldocs.protocol()


def test_every_state_is_described_reached_and_left() -> None:
    assert set(MEANING) == set(SHOWN) == set(Cell)
    assert {new for _, new in STEPS} == set(Cell)
    assert {old for old, _ in STEPS} == set(Cell)
