"""A training run whose bits are named: what the debug tier promises to repeat."""

from __future__ import annotations

import hashlib
from typing import Any

from conformance.run import Device
from conformance.tolerance import Array
from support import mlp

SIZE = (16, 20, 12, 4)
"""Batch, inputs, hidden units, classes."""


async def trained(device: Device, steps: int, tier: str) -> dict[str, Any]:
    """A hash over every loss, parameter and moment of so many steps, and the fingerprint it holds for."""
    x, y, *state = mlp.start(*SIZE)
    compiled = await device.compile(mlp.step(*SIZE), tier, mlp.CARRY)
    bits = hashlib.sha256()
    given: list[Array | None] = list(state)
    for t in range(1, steps + 1):
        loss, *_ = await compiled.compute([x, y, *mlp.corrections(t), *given])
        bits.update(loss.tobytes())
        given = [None] * len(state)
    for place in mlp.CARRY.values():
        bits.update((await compiled.read(place)).tobytes())
    compiled.close()
    return {"bits": bits.hexdigest(), "fingerprint": {**device.fingerprint, "plan": compiled.plan.address}}
