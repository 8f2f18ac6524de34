"""How a kernel is laid out on a class of adapter: a small table, frozen, chosen from measurements.

`docs/bench/kernels.md` has the measurements and the commands that make them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from scellis.graph.split_cuts import GROUPS_LIMIT

DRAWS_PER_THREAD_LIMIT = 256
"""Draws that one thread adds up in f32: `planner.pilot` derives a job's tolerance from this chain."""


GRID_LIMIT = GROUPS_LIMIT
"""Workgroups that a dispatch may have in one dimension (WebGPU's default limit)."""


@attrs.frozen
class KernelConfig:
    """Threads of a workgroup (a power of two), draws a thread takes at most, and how words are split."""

    workgroup: int
    draws_per_thread: int
    words: str

    def groups_per_shard(self, draws_per_shard: int) -> int:
        """Workgroups that share one shard."""
        return -(-draws_per_shard // (self.workgroup * self.draws_per_thread))


KERNEL_TABLE: dict[str, KernelConfig] = {
    "debug": KernelConfig(workgroup=64, draws_per_thread=256, words="shift"),
    "software": KernelConfig(workgroup=64, draws_per_thread=256, words="float"),
    "gpu": KernelConfig(workgroup=128, draws_per_thread=64, words="shift"),
}
"""By class of adapter; `debug` is what every adapter gets in that tier."""

SOFTWARE_ADAPTERS = ("swiftshader", "llvmpipe", "lavapipe", "basic render driver")
"""What adapters that compute on the processor call themselves."""


def adapter_class(info: Mapping[str, Any]) -> str:
    """`software` or `gpu`, from what an adapter says of itself."""
    names = " ".join(
        str(info.get(field, "")) for field in ("vendor", "architecture", "device", "description")
    )
    software = bool(info.get("fallback")) or any(name in names.lower() for name in SOFTWARE_ADAPTERS)
    return "software" if software else "gpu"


def choose_config(tier: str, info: Mapping[str, Any]) -> KernelConfig:
    """The row of the table for a tier on an adapter."""
    return KERNEL_TABLE["debug" if tier == "debug" else adapter_class(info)]
