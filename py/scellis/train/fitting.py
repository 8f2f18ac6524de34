"""Whether a training fits its device, known before anything of it is made there."""

from __future__ import annotations

import attrs

from scellis.errors import ScellisError
from scellis.planner.capacity import Capacity, capacity_for
from scellis.planner.verdict import POOLING, RED, verdict
from scellis.train.memory import Memory
from scellis.train.planned import PlannedTraining


@attrs.frozen
class Fitting:
    """What a training takes, what its device holds, and the verdict: `green`, `yellow` or `red`."""

    memory: Memory
    capacity: Capacity
    verdict: str

    @property
    def hopeless(self) -> bool:
        """Whether what no batch size changes is already more than the device holds."""
        return self.memory.fixed_bytes > self.capacity.bytes

    def refuse(self, offered: str = "") -> None:
        """Raise `SCL-TRAIN-MEMORY` where it does not fit. `offered` says which remedies there are."""
        if self.verdict != RED:
            return
        held = f"the device holds {size_text(self.capacity.bytes)} ({self.capacity.source})"
        if self.hopeless:
            fixed = size_text(self.memory.fixed_bytes)
            raise ScellisError(
                "SCL-TRAIN-MEMORY",
                f"Parameters and what is kept with them take {fixed}, and {held}: no batch size helps.",
                "Take a smaller model, an optimizer that keeps less, or a device that holds more. " + POOLING,
            )
        raise ScellisError(
            "SCL-TRAIN-MEMORY",
            f"The training takes {size_text(self.memory.bytes)}, and {held}.",
            f"{offered or 'See scellis train --plan for what saves memory.'} {POOLING}",
        )


async def fitting(planned: PlannedTraining, set_bytes: int | None = None) -> Fitting | None:
    """Judge what is planned; None where the device has no buffers. `set_bytes`: what a person says it holds.

    Where what is assumed of a device would not do, it is tried. Raises `SCL-GPU-LOST`.
    """
    memory = planned.memory
    if planned.plans is None or memory is None:
        return None
    capacity = await capacity_for(planned.plans[0].gpu, memory.bytes, set_bytes)
    return Fitting(memory, capacity, verdict(memory.bytes, capacity))


def size_text(size: int) -> str:
    """A size for people: 1.5 GB, of 10⁹ bytes."""
    for unit, exponent in (("GB", 9), ("MB", 6), ("kB", 3)):
        if size >= 10**exponent:
            return f"{size / 10**exponent:.4g} {unit}"
    return f"{size} bytes"
