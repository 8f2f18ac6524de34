"""How many shards go into one submit: as many as the device computes in a short, even time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

TARGET_S = 0.05
"""Aimed at: a driver may take a submit of some 100 ms for a hang, and a stop waits for the submit to end."""

GROWTH = 8
"""The most that a batch grows by at once: the first ones are dominated by what a submit costs in itself."""

WINDOW = 4
"""Batches that the rate is taken from. Two in flight may come back together; four are two such pairs."""


class Pace:
    """Sizes batches from the time of those before. `clock` gives seconds; `capacity` is the largest batch."""

    def __init__(self, clock: Callable[[], float], capacity: int) -> None:
        self.batch_shards = 1
        self._clock = clock
        self._capacity = capacity
        self._in_flight = 0
        self._marks: deque[tuple[float, int]] = deque(maxlen=WINDOW + 1)  # when a batch came back, its shards

    def start(self) -> None:
        """A batch is handed to the device."""
        if self._in_flight == 0:
            self._marks.clear()
            self._marks.append((self._clock(), 0))
        self._in_flight += 1

    def finish(self, shards: int) -> None:
        """A batch of `shards` has come back."""
        self._in_flight -= 1
        self._marks.append((self._clock(), shards))
        seconds = max(self._marks[-1][0] - self._marks[0][0], 1e-6)
        computed = sum(count for _, count in self._marks) - self._marks[0][1]
        fitting = int(computed * TARGET_S / seconds)
        self.batch_shards = max(1, min(fitting, GROWTH * shards, self._capacity))

    def abandon(self) -> None:
        """A batch failed."""
        self._in_flight -= 1
