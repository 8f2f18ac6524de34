"""What the page shows of a training's memory, and the remedies that a press takes."""

from __future__ import annotations

from scellis.app.models import Model
from scellis.errors import ScellisError
from scellis.planner.verdict import RED
from scellis.train.fitting import Fitting, fitting
from scellis.train.planned import PlannedTraining
from scellis.train.remedies import Remedy, remedies

SET_LIMIT_GB = 10**6
"""More than any device holds."""


class TrainingMemory:
    """What one training takes on the device that it is planned for. Made by `weigh`."""

    def __init__(self, planned: PlannedTraining, found: Fitting) -> None:
        self.planned = planned
        self.fitting = found
        self.remedies: list[Remedy] | None = None

    @property
    def fits(self) -> bool:
        """Whether it may begin."""
        return self.fitting.verdict != RED

    async def look(self, sml: str) -> None:
        """Find what would save memory; `sml` is the record's text."""
        planned, found = self.planned, self.fitting
        self.remedies = await remedies(
            sml, planned.record, planned.dataset, planned.device, found.memory.bytes, found.capacity
        )

    def remedied(self, name: str) -> str:
        """The record's text with a remedy that was found. Raises `SCL-TRAIN-REMEDY`."""
        for remedy in self.remedies or ():
            if remedy.name == name:
                return remedy.text
        raise ScellisError("SCL-TRAIN-REMEDY", f"{name[:40]} was not found to save anything here.")

    def model(self) -> Model:
        """What the page shows; sizes in bytes."""
        memory, capacity = self.fitting.memory, self.fitting.capacity
        return {
            "bytes": memory.bytes,
            "kinds": dict(memory.kinds),
            "capacity": {"bytes": capacity.bytes, "source": capacity.source, "at_least": capacity.at_least},
            "verdict": self.fitting.verdict,
            "hopeless": self.fitting.hopeless,
            "remedies": None if self.remedies is None else [
                {
                    "name": remedy.name,
                    "fields": ", ".join(f"{name}: {value}" for name, value in remedy.fields.items()),
                    "saves": remedy.saves,
                }
                for remedy in self.remedies
            ],
        }  # fmt: skip


async def weigh(planned: PlannedTraining, sml: str, set_bytes: int | None) -> TrainingMemory | None:
    """What a training takes and, where it does not fit, what would save memory. None: nothing is planned."""
    found = await fitting(planned, set_bytes)
    if found is None:
        return None
    memory = TrainingMemory(planned, found)
    if not memory.fits:
        await memory.look(sml)
    return memory


def checked_bytes(gigabytes: object) -> int | None:
    """What a person says that the device holds; None where it is to be found. Raises `SCL-APP-MEMORY`."""
    if gigabytes is None:
        return None
    if isinstance(gigabytes, int | float) and 0 < gigabytes <= SET_LIMIT_GB:
        return int(gigabytes * 1e9)
    raise ScellisError("SCL-APP-MEMORY", "A device holds a positive number of GB.")
