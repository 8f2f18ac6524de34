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
        self._playing: Mapped | Trained | None = None

    async def prepare(self, request: str) -> str:
        """Build the case that is described, and compile it; says why where that is refused."""
        size = json.loads(request)
        self._playing = CASES[size.pop("kind")](**size)
        try:
            await self._playing.open(self._device, self._tier)
        except ScellisError as error:
            return json.dumps(str(error))
        return json.dumps(None)

    async def round(self, request: str) -> str:
        """Start, play and read; time, what was made meanwhile, and what was found."""
        asked = json.loads(request)
        playing = self._playing
        assert playing is not None
        await playing.start(asked["number"])
        before = _counts()
        began = time.perf_counter()
        for _ in range(asked["steps"]):
            await playing.step()
        result: Any = await playing.end()
        ms = 1e3 * (time.perf_counter() - began)
        after = _counts()
        made = {name: after[name] - before[name] for name in COUNTED}
        return json.dumps({"ms": ms, "made": made, "found": playing.found(result)})

    async def close(self, _: str) -> str:
        """Give back what the case holds."""
        assert self._playing is not None
        self._playing.close()
        self._playing = None
        return json.dumps(None)

    async def errors(self, _: str) -> str:
        """What WebGPU complained of."""
        return json.dumps(_counts()["errors"])


def _counts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(js.JSON.stringify(js.gpuCounts))
    return found
