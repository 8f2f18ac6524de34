"""The pipelines of a device, by the hashes of their texts: made once, and shared by all that need them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping

from scellis.device.port import Gpu, together

KEPT = 256
"""Pipelines without a user that are kept for the next graph: each takes tens of kilobytes."""


class Pipelines:
    """Pipelines are taken and given back; those that nobody uses are kept, the last `kept` of them."""

    def __init__(self, gpu: Gpu, kept: int = KEPT) -> None:
        self._gpu = gpu
        self._kept = kept
        self._making = asyncio.Lock()
        self._made: dict[str, int] = {}
        self._users: Counter[str] = Counter()
        self._unused: dict[str, None] = {}  # in the order in which their last users went

    def __len__(self) -> int:
        """How many there are, used or not: each is a handle of the device."""
        return len(self._made)

    async def take(self, texts: Mapping[str, tuple[str, str]]) -> dict[str, int]:
        """The pipelines of kernels, given as text and label by the address of the text; new ones all at once.

        Raises `SCL-GPU-SHADER` and `SCL-GPU-LOST`; then none is taken.
        """
        for address in texts:  # before anything is awaited: meanwhile none of them is forgotten
            self._users[address] += 1
            self._unused.pop(address, None)
        try:
            async with self._making:
                new = {address: text for address, text in texts.items() if address not in self._made}
                making = (self._gpu.pipeline(wgsl, "main", {}, label) for wgsl, label in new.values())
                self._made |= zip(new, await together(self._gpu, making), strict=True)
        except BaseException:
            self.give_back(texts)
            raise
        return {address: self._made[address] for address in texts}

    def give_back(self, addresses: Iterable[str]) -> None:
        """Have one user less of each."""
        for address in addresses:
            self._users[address] -= 1
            if not self._users[address]:
                del self._users[address]
                if address in self._made:
                    self._unused[address] = None
        self._forget()

    def _forget(self) -> None:
        while len(self._unused) > self._kept:
            address = next(iter(self._unused))
            del self._unused[address]
            self._gpu.free(self._made.pop(address))
