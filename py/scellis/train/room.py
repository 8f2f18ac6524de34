"""What a training's checkpoints will take of their store, told before it runs out of room."""

from __future__ import annotations

import attrs

from scellis.content.store import Store
from scellis.train import checkpoint
from scellis.train.trainer import Trainer

_TOLD_BYTES = 64 * 1024
"""What manifest and history take, roughly: the arrays are what counts."""


@attrs.frozen
class Room:
    """Bytes: of each checkpoint, of those still to be kept at once, and what is free (None: not known)."""

    each_bytes: int
    needed_bytes: int
    free_bytes: int | None

    @property
    def short(self) -> bool:
        """Whether there is less than will be needed."""
        return self.free_bytes is not None and self.free_bytes < self.needed_bytes


async def room(store: Store, trainer: Trainer) -> Room:
    """At most the last `keep` checkpoints and the best one are kept, while one more is written."""
    each = trainer.state_bytes + _TOLD_BYTES
    kept = len(await checkpoint.steps_kept(store, trainer))
    most = trainer.record.keep + 2
    return Room(each, each * max(1, most - kept), await store.free_bytes())
