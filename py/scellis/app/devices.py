"""The devices of this page or process: opened when first needed, made anew after a loss."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from scellis.app.models import Model
from scellis.device.oracle import OracleDevice
from scellis.device.protocol import Device
from scellis.errors import ScellisError

WISHED = ("shader-f16", "subgroups")
"""Features of WebGPU that make a device faster; none is needed."""

OpenDevice = Callable[[], Awaitable[Device]]


class Devices:
    """One device that computes, and the oracle beside it.

    `open_device` opens the first. Where it finds no GPU that is no failure, but it is said, and the oracle
    computes; unless the device is `required`.
    """

    def __init__(self, open_device: OpenDevice, *, required: bool = False) -> None:
        self._open = open_device
        self._required = required
        self._opening = asyncio.Lock()
        self._device: Device | None = None
        self.oracle = OracleDevice()
        self.without_gpu: ScellisError | None = None
        """why the CPU path is taken, once that is known"""

    async def main(self) -> Device:
        """The device that computes: the GPU, or the oracle where there is none."""
        async with self._opening:
            if self._device is None:
                try:
                    self._device = await self._open()
                    self.without_gpu = None
                except ScellisError as error:
                    if error.code != "SCL-GPU-NONE" or self._required:
                        raise
                    self._device, self.without_gpu = self.oracle, error
            return self._device

    async def reopen(self) -> Device:
        """A device in the place of one that was lost.

        Raises `SCL-GPU-NONE` when there is none any more: what ran on a GPU does not go on elsewhere unsaid.
        """
        async with self._opening:
            await self.close()
            self._device = await self._open()
            return self._device

    async def close(self) -> None:
        """Give the GPU back."""
        device, self._device = self._device, None
        if device is not None:
            await device.close()

    def model(self, storage: Model) -> Model:
        """The page's line about this device."""
        found = self._device.fingerprint if self._device else {}
        error = self.without_gpu
        return {
            "kind": self._device.kind if self._device else None,
            "adapter": found.get("adapter", ""),
            "lacks": [name for name in WISHED if name not in found.get("features", WISHED)],
            "reason": {"id": error.message_id, **error.as_dict()} if error else None,
            **storage,
        }
