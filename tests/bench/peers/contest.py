"""What run.py asks of Scellis, in the app's own Python; contest.js asks it of the peers."""

from __future__ import annotations

import json
import time
from typing import Any

import js
from bench.peers.scellis_side import CASES, Mapped, Trained
from scellis.device.gpu import GpuDevice
from scellis.errors import ScellisError

COUNTED = ("dispatches", "submits", "writes", "buffers", "bindGroups", "pipelines")


class Contest:
    """What run.py asks of Scellis; requests and answers are JSON."""

    def __init__(self, device: GpuDevice, tier: str) -> None:
        self._device = device
        self._tier = tier
        self._case: Mapped | Trained
        self._result: Any = None

    async def prepare(self, request: str) -> str:
        """Build the case that is described, and compile it; says why where that is refused."""
        size = json.loads(request)
        self._case = CASES[size.pop("kind")](**size)
        try:
            await self._case.open(self._device, self._tier)
        except ScellisError as error:
            return json.dumps(str(error))
        return json.dumps(None)

    async def start(self, request: str) -> str:
        """Input of the round of this number, and a first step of it."""
        await self._case.start(json.loads(request))
        return json.dumps(None)

    async def play(self, request: str) -> str:
        """So many steps, and the last one's result: how long it took, and what was made meanwhile."""
        before = _counts()
        began = time.perf_counter()
        for _ in range(json.loads(request)):
            await self._case.step()
        self._result = await self._case.end()
        ms = 1e3 * (time.perf_counter() - began)
        after = _counts()
        return json.dumps({"ms": ms, "made": {name: after[name] - before[name] for name in COUNTED}})

    async def found(self, _: str) -> str:
        """What the steps since the start gave."""
        return json.dumps(self._case.found(self._result))

    async def close(self, _: str) -> str:
        """Give back what the case holds."""
        self._case.close()
        return json.dumps(None)

    async def errors(self, _: str) -> str:
        """What WebGPU complained of."""
        return json.dumps(_counts()["errors"])


def _counts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(js.JSON.stringify(js.gpuCounts))
    return found
