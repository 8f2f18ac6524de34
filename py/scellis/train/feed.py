"""Batches, made ready ahead of the step that wants them: images are decoded while the device computes."""

from __future__ import annotations

import asyncio

from scellis.train.background import exhaust, finish
from scellis.train.data import Batch, Loader


class Feed:
    """Deals a loader's batches, and begins with the next one as soon as one is taken.

    Where all is in memory there is nothing to make ready, and a batch is cut when it is wanted.
    """

    def __init__(self, loader: Loader, accumulate: int, total_steps: int) -> None:
        self._loader = loader
        self._accumulate = accumulate
        self._total_steps = total_steps
        self._ahead: tuple[int, asyncio.Task[Batch]] | None = None

    async def batch(self, step: int, part: int) -> Batch:
        """What part `part` of step `step` is trained on. Raises what decoding raises."""
        if self._loader.at_hand:
            return exhaust(self._loader.batch(step, part))
        number = step * self._accumulate + part
        if self._ahead is None or self._ahead[0] != number:
            self.close()
            self._ahead = self._begun(number)
        batch = await self._ahead[1]
        ends = number + 1 == self._total_steps * self._accumulate
        self._ahead = None if ends else self._begun(number + 1)
        return batch

    async def validation(self, number: int) -> Batch:
        """A batch of what it is not trained on."""
        return await finish(self._loader.validation(number))

    def close(self) -> None:
        """Give up what is being made ready."""
        if self._ahead is not None and not self._ahead[1].cancel() and not self._ahead[1].cancelled():
            self._ahead[1].exception()  # nobody wants that batch any more, nor what was wrong with it
        self._ahead = None

    def _begun(self, number: int) -> tuple[int, asyncio.Task[Batch]]:
        step, part = divmod(number, self._accumulate)
        return number, asyncio.ensure_future(finish(self._loader.batch(step, part)))
