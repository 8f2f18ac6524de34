"""The trainings of the page: what each press does. One is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from scellis.app.datasets import Datasets
from scellis.app.models import Model
from scellis.app.saved_training import ENDED, load_training
from scellis.app.training import Training
from scellis.app.training_memory import checked_bytes
from scellis.app.world import World
from scellis.catalog.library import built_in
from scellis.errors import ScellisError
from scellis.sml.training import parse_training

Told = Callable[[], Awaitable[Any]]


class Trainings:
    """Every public method that is listed in `TRAINING_CALLS` is one of the page's calls.

    `device` opens the device and tells the page of it; `kept` is called when what is kept has changed.
    """

    def __init__(self, world: World, datasets: Datasets, device: Told, kept: Told) -> None:
        self._world = world
        self._datasets = datasets
        self._device = device
        self._kept = kept
        self._open: Training | None = None
        self._memory_bytes: int | None = None

    async def open_training(self, id: str) -> None:  # noqa: A002 - the page's word
        """Open a training by its name."""
        if id not in self._world.trainings:
            raise ScellisError("SCL-APP-EXAMPLE", f"There is no training {id[:40]!r}.")
        await self._opened(self._world.trainings[id], id)

    async def open_training_text(self, sml: str) -> None:
        """Open the SML text of a training."""
        await self._opened(sml, None)

    async def resume_training(self, record: str) -> None:
        """Open a training that is listed, by its record's address; one that has not ended goes on."""
        saved = await load_training(self._world.store, record)
        if saved is None:
            raise ScellisError("SCL-RUN-UNKNOWN", "This device keeps no such training.", "Start it anew.")
        if self._open is None or self._open.record.address != record:
            await self._opened(saved.text, saved.example or None)
        if saved.state not in ENDED and not self._need().elsewhere:
            await self._need().start()

    async def _opened(self, sml: str, example: str | None) -> None:
        training = await Training.of(
            self._world, self._datasets, sml, example, self._memory_bytes, self._kept
        )
        await self.leave()
        await self._device()
        await training.open()  # of one that cannot be opened nothing is left: what was open before stays
        self._open = training

    async def train(self) -> None:
        """Train what is open, from where it stands."""
        await self._need().start()

    async def train_pause(self) -> None:
        """Stop training after the step under way; a checkpoint is kept."""
        await self._need().pause()

    async def train_restart(self) -> None:
        """Forget the checkpoints of what is open and stand at the beginning."""
        await self._need().restart()

    async def train_memory(self, gigabytes: float | None = None) -> None:
        """Say what of what is open would save memory on a device that holds so much; none: find out."""
        training = self._need()
        self._memory_bytes = checked_bytes(gigabytes)
        await training.weigh(self._memory_bytes)

    async def train_remedy(self, name: str) -> None:
        """Open the record that is open as a remedy changes it: another training from then on."""
        await self._opened(self._need().remedied(name), None)

    async def leave(self) -> None:
        """Pause what is open, with a checkpoint."""
        if self._open is not None:
            await self._open.leave()

    def _need(self) -> Training:
        if self._open is None:
            raise ScellisError("SCL-APP-NOTHING-OPEN", "No training is open.", "Open an example first.")
        return self._open


def training_models(world: World) -> list[Model]:
    """The trainings that come with the page."""
    found = []
    for name, text in world.trainings.items():
        record = parse_training(text, built_in())
        found.append(
            {"id": name, "model": record.model, "about": record.about, "dataset": record.data.dataset}
        )
    return found


TRAINING_CALLS: Mapping[str, Callable[..., Awaitable[Any]]] = {
    method.__name__: method
    for method in (
        Trainings.open_training,
        Trainings.open_training_text,
        Trainings.resume_training,
        Trainings.train,
        Trainings.train_pause,
        Trainings.train_restart,
        Trainings.train_memory,
        Trainings.train_remedy,
    )
}
"""What the page may ask for, by name."""

TRAINING_IN_TURN = (
    Trainings.open_training,
    Trainings.open_training_text,
    Trainings.resume_training,
    Trainings.train_restart,
    Trainings.train_memory,
    Trainings.train_remedy,
)
"""Calls that change which training is open: one at a time."""
