"""Whether what is planned fits a device: green, yellow or red."""

from __future__ import annotations

from scellis.planner.capacity import FULL, Capacity

GREEN, YELLOW, RED = "green", "yellow", "red"

POOLING = "Pooling multiplies throughput, not memory: each device of a pool holds the whole model."


def verdict(needed: int, capacity: Capacity) -> str:
    """`green` up to the share `FULL` of the capacity, `yellow` as long as it fits, else `red`."""
    if needed > capacity.bytes:
        return RED
    return GREEN if needed <= FULL * capacity.bytes else YELLOW
