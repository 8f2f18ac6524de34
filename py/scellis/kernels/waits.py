"""The order of kernels: which wait for which, as more is asked of them."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush

LOOKED_AT = 1024
"""Kernels looked through to see whether one waits for another; where there are more, it is taken to wait."""


class Waits:
    """For each kernel, by its place in a list that only grows, those that come before it.

    Only what a kernel waits for itself is kept, and the length of the line that it ends: whoever waits for
    another ends a longer one, so that most searches end before they begin.
    """

    def __init__(self) -> None:
        self._before: list[set[int]] = []
        self._after: list[set[int]] = []
        self._line: list[int] = []

    def append(self, others: Iterable[int]) -> None:
        """One more kernel, which waits for `others` and all that those wait for."""
        self._before.append(set())
        self._after.append(set())
        self._line.append(0)
        self.add(len(self._line) - 1, others)

    def has(self, place: int, other: int) -> bool:
        """Whether a kernel waits for another."""
        line, least = self._line, self._line[other]
        pending, seen = [place], {place}
        while pending and len(seen) <= LOOKED_AT:
            before = self._before[pending.pop()]
            if other in before:
                return True
            further = [each for each in before if line[each] > least and each not in seen]
            seen.update(further)
            if len(further) > 1:
                further.sort(key=lambda each: (-line[each], each))  # the nearest to `other` is next
            pending += further
        return bool(pending)

    def add(self, place: int, others: Iterable[int]) -> None:
        """Have a kernel, and all that wait for it, wait for `others` too, none of which waits for it."""
        for other in others:
            self._before[place].add(other)
            self._after[other].add(place)
        pending = [place]
        while pending:
            waiting = pending.pop()
            least = 1 + max((self._line[other] for other in self._before[waiting]), default=-1)
            if least > self._line[waiting]:
                self._line[waiting] = least
                pending += self._after[waiting]

    def order(self) -> list[int]:
        """The places so that each comes after those it waits for, and else as they are numbered."""
        left = [len(before) for before in self._before]
        ready = [place for place, count in enumerate(left) if not count]
        heapify(ready)
        found: list[int] = []
        while ready:
            found.append(heappop(ready))
            for waiting in self._after[found[-1]]:
                left[waiting] -= 1
                if not left[waiting]:
                    heappush(ready, waiting)
        return found
