"""Processor time of the processes that this one started: what other work on the machine changes little."""

from __future__ import annotations

import os
from pathlib import Path

TICK_MS = 1e3 / os.sysconf("SC_CLK_TCK")


def children_ms() -> float | None:
    """Of all that descend from this process and are alive; None where there is no /proc."""
    times: dict[int, float] = {}
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            # The name, in brackets, may hold anything; the fields that follow it are numbers.
            fields = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(entry.name)] = int(fields[1])
        times[int(entry.name)] = (int(fields[11]) + int(fields[12])) * TICK_MS
    return sum(time for process, time in times.items() if _descends(process, parents)) if times else None


def _descends(process: int, parents: dict[int, int]) -> bool:
    while process in parents:
        process = parents[process]
        if process == os.getpid():
            return True
    return False
