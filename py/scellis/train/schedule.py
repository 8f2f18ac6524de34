"""The learning rate of each step: a scheduler of the catalog, in plain numbers on the host."""

from __future__ import annotations

from typing import Any

from scellis.errors import ScellisError
from scellis.sml.training import TrainingRecord

SchedulerState = dict[str, Any] | None
"""Numbers by names that a scheduler keeps, where it hangs on what a validation found."""


class Schedule:
    """A record's scheduler over `total` steps."""

    def __init__(self, record: TrainingRecord, total: int) -> None:
        self._use = record.scheduler
        self._entry = record.entry(record.scheduler, "scheduler")
        self._total = total
        base = record.optimizer.fields.get("lr")
        if not isinstance(base, float):
            raise ScellisError(
                "SCL-TRAIN-RATE", f"{record.optimizer.id} has no field lr that a scheduler could change."
            )
        self._base = base

    def start(self) -> SchedulerState:
        """What the scheduler keeps at first."""
        return self._entry.call("start", fields=self._use.fields) if "start" in self._entry.module else None

    def watch(self, value: float, state: SchedulerState) -> SchedulerState:
        """What it keeps once a validation found the loss `value`."""
        if "watch" not in self._entry.module:
            return state
        found = self._entry.call("watch", value, dict(state or {}), fields=self._use.fields)
        if not isinstance(found, dict) or not all(
            isinstance(number, (int, float)) for number in found.values()
        ):
            raise ScellisError(
                "SCL-TRAIN-RATE", f"{self._use.id} keeps {found!r:.80}, which are no numbers by names."
            )
        return found

    def rate(self, step: int, state: SchedulerState) -> float:
        """The learning rate of a step, from 0. Raises `SCL-TRAIN-RATE` where it is no number from 0 on."""
        found = self._entry.call("rate", step, self._total, self._base, state, fields=self._use.fields)
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0 <= found < 1e30:
            raise ScellisError(
                "SCL-TRAIN-RATE", f"{self._use.id} gives the rate {found!r:.40} at step {step}."
            )
        return float(found)
