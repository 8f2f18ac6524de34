"""What a training has told so far: numbers over its steps, thinned, and the measures of its epochs.

Which steps a curve keeps hangs on their numbers alone, so a run that was stopped has the history of one that
never was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import attrs

from scellis.content import canonical_json, parse_json
from scellis.errors import ScellisError
from scellis.train.trainer import Report

POINTS_LIMIT = 500
"""Points of a curve."""
EPOCHS_LIMIT = 2000
"""Epochs whose measures are kept, the last ones."""
HISTORY_LIMIT_BYTES = 4 * 2**20
CURVES = ("loss", "lr", "gradient_norm", "loss_scale")


@attrs.define
class Curve:
    """A number over steps: every `each`-th step, which doubles when there are more than `POINTS_LIMIT`."""

    points: list[tuple[int, float]] = attrs.field(factory=list)
    each: int = 1

    def add(self, step: int, value: float | None) -> None:
        """A later step's; None where it has none."""
        if value is None or step % self.each:
            return
        self.points.append((step, value))
        if len(self.points) > POINTS_LIMIT:
            self.each *= 2
            self.points = [point for point in self.points if point[0] % self.each == 0]


@attrs.define
class History:
    """Curves by their names, how many steps were left out, and (epoch, measures) in order."""

    curves: dict[str, Curve] = attrs.field(factory=lambda: {name: Curve() for name in CURVES})
    skipped: int = 0
    measures: list[tuple[int, dict[str, float]]] = attrs.field(factory=list)

    def reported(self, report: Report) -> None:
        """A step's report, in the order of steps."""
        self.skipped += report.skipped
        for name, curve in self.curves.items():
            curve.add(report.step, getattr(report, name))

    def measured(self, epoch: int, measures: Mapping[str, float]) -> None:
        """What a validation found; what of it is no number is left out."""
        found = {name: value for name, value in measures.items() if math.isfinite(value)}
        self.measures = [*self.measures, (epoch, found)][-EPOCHS_LIMIT:]

    def to_bytes(self) -> bytes:
        """Canonical JSON."""
        curves = {name: {"each": curve.each, "points": curve.points} for name, curve in self.curves.items()}
        return canonical_json({"curves": curves, "skipped": self.skipped, "measures": self.measures})

    @classmethod
    def from_bytes(cls, data: bytes | None) -> History:
        """Read a history from anyone. Raises `SCL-CHECKPOINT-FORM`."""
        try:
            value = parse_json(data or b"", what="history", limit_bytes=HISTORY_LIMIT_BYTES)
            curves = {name: _curve(value["curves"][name]) for name in CURVES}
            measures = [
                (_whole(epoch), {str(name): _number(found) for name, found in row.items()})
                for epoch, row in value["measures"]
            ]
            found = cls(curves, _whole(value["skipped"]), measures)
            if len(measures) > EPOCHS_LIMIT or found.to_bytes() != data:
                raise ValueError("too long, or not canonical")
        except (ScellisError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise ScellisError("SCL-CHECKPOINT-FORM", "The checkpoint's history is damaged.") from error
        return found


def _curve(value: Any) -> Curve:
    points = [(_whole(step), _number(found)) for step, found in value["points"]]
    if len(points) > POINTS_LIMIT:
        raise ValueError("too long")
    return Curve(points, max(1, _whole(value["each"])))


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("no whole number")
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError("no number")
    return float(value)
