"""The order of kernels: which wait for which, as more is asked of them."""

from __future__ import annotations

from collections.abc import Iterable


class Waits:
    """For each kernel, by its place in a list that only grows, those that come before it."""

    def __init__(self) -> None:
        self._before: list[int] = []  # as bits

    def append(self, others: Iterable[int]) -> None:
        """One more kernel, which waits for `others` and all that those wait for."""
        self._before.append(self._with(others))

    def has(self, place: int, other: int) -> bool:
        """Whether a kernel waits for another."""
        return bool(self._before[place] >> other & 1)

    def add(self, place: int, others: Iterable[int]) -> None:
        """Have a kernel, and all that wait for it, wait for `others` too, none of which waits for it."""
        gained = self._with(others)
        for waiting, before in enumerate(self._before):
            if waiting == place or before >> place & 1:
                self._before[waiting] = before | gained

    def order(self) -> list[int]:
        """The places so that each comes after those it waits for: one that waits for more comes later."""
        return sorted(range(len(self._before)), key=lambda place: (self._before[place].bit_count(), place))

    def _with(self, others: Iterable[int]) -> int:
        found = 0
        for other in others:
            found |= self._before[other] | 1 << other
        return found
