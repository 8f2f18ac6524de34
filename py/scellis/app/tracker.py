"""A run as it settles: accepted states go into the fixed tree, estimates and their trace come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scellis.app.models import Model, Trace, estimate_model
from scellis.job import Job, MergeTree, ShardState, estimate

RATE_WINDOW_S = 10.0
"""Seconds over which the rate is measured: longer than a lease, short enough to show a device that left."""


class Tracker:
    """What is accepted so far of one job. It decides nothing: the pool says what is accepted."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.trace = Trace()
        self._tree = MergeTree(job.partition.shards, job.reduction.bins)
        self._empty = ShardState.empty(job.reduction.bins)
        self._found = estimate(job, self.root)
        self._known: set[int] = set()
        self._marks: list[tuple[float, int]] = []  # when, and how many were accepted then

    @property
    def root(self) -> ShardState:
        """The merge of all that is in the tree."""
        return self._tree.root

    @property
    def accepted(self) -> int:
        """Shards in the tree."""
        return len(self._known)

    def accept(self, states: Mapping[int, ShardState], now_s: float) -> None:
        """Take accepted states in; a shard that is there already is replaced."""
        self._tree.update(states)
        self._known.update(states)
        if self._marks and now_s - self._marks[-1][0] > RATE_WINDOW_S:
            self._marks.clear()  # nothing is known of the time between
        self._marks.append((now_s, self.accepted))
        while len(self._marks) > 2 and self._marks[1][0] < now_s - RATE_WINDOW_S:
            del self._marks[0]
        self._found = estimate(self.job, self.root)
        self.trace.add(self._found)

    def reopen(self, shards: Iterable[int]) -> None:
        """Take shards out again whose results are no longer accepted."""
        gone = self._known.intersection(shards)
        self._tree.update(dict.fromkeys(gone, self._empty))
        self._known -= gone
        self._found = estimate(self.job, self.root)

    def begin(self, now_s: float) -> None:
        """This device begins to compute: from here on accepted draws come at a rate."""
        if not self._marks:
            self._marks.append((now_s, self.accepted))

    def rate(self, now_s: float) -> float | None:
        """Accepted draws a second, lately, at the end those of the last window; None where not known."""
        if len(self._marks) < 2:
            return None
        then_s, before = self._marks[0]
        whole = self.accepted == self.job.partition.shards
        elapsed_s = (self._marks[-1][0] if whole else now_s) - then_s
        if self.accepted <= before or elapsed_s <= 0:
            return None
        return (self.accepted - before) * self.job.partition.draws_per_shard / elapsed_s

    def model(self, now_s: float) -> Model:
        """The part of the run's view model that comes from its states."""
        rate = self.rate(now_s)
        left = (self.job.partition.shards - self.accepted) * self.job.partition.draws_per_shard
        return {
            "shards": self.job.partition.shards,
            "accepted": self.accepted,
            "rate": rate,
            "seconds_left": left / rate if rate else None,
            "trace": self.trace.model(),
            **estimate_model(self.job, self._found, self.root),
        }
