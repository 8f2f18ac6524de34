"""A device that plays a GPU and is lost in mid-run."""

from __future__ import annotations

from typing import Any

from scellis.device.oracle import OracleDevice, OracleSampler
from scellis.device.protocol import Accumulators
from scellis.errors import ScellisError


class FragileDevice(OracleDevice):
    """An oracle that plays a GPU: it is lost at the shards in `loses`, once each."""

    kind = "webgpu"

    def __init__(self, loses: set[int]) -> None:
        super().__init__()
        self.loses = loses

    async def prepare(self, graph: Any, spec: Any, tier: str) -> Any:
        return FragileSampler(self, graph, spec)


class FragileSampler(OracleSampler):
    def __init__(self, device: FragileDevice, graph: Any, spec: Any) -> None:
        super().__init__(graph, spec)
        self._device = device
        self._pilot = spec.family != 1

    async def run(self, first: int, count: int) -> Accumulators:
        if not self._pilot and first in self._device.loses:
            self._device.loses.discard(first)
            raise ScellisError("SCL-GPU-LOST", "The GPU went away.")
        return await super().run(first, count)
