"""The ports of the pool: what its pure parts ask of the world."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from scellis.errors import Finding, ScellisError
from scellis.pool.messages import PoolHeader

StateReader = Callable[[str], Awaitable[bytes | None]]
"""the bytes of an address that may be given to other members, or None"""


class Clock(Protocol):
    """Time."""

    def now_s(self) -> float:
        """Seconds since 1970; only differences and order matter."""

    async def sleep(self, delay_s: float) -> None:
        """Wait."""


class SystemClock:
    """The clock of the machine."""

    def now_s(self) -> float:
        """Seconds since 1970."""
        return time.time()

    async def sleep(self, delay_s: float) -> None:
        """Wait on the event loop."""
        await asyncio.sleep(delay_s)


class Link(Protocol):
    """A coordinator's end of one connection. Neither call blocks."""

    def send(self, text: str) -> None:
        """Queue a message; a link whose peer reads too slowly closes itself."""

    def close(self, reason: str) -> None:
        """Close after what is queued."""


class Transport(Protocol):
    """A peer's end of a connection to a coordinator."""

    async def send(self, text: str) -> None:
        """Send one message. Raises `SCL-POOL-LOST` on a lost connection."""

    async def receive(self) -> str:
        """The next message. Raises `SCL-POOL-LOST` on a lost connection."""

    async def close(self) -> None:
        """Close; closing twice is once."""


Connect = Callable[[], Awaitable[Transport]]
"""opens a connection; raises `SCL-POOL-LOST` where there is no coordinator"""


def connection_lost() -> ScellisError:
    """What a transport raises that has lost its connection."""
    return ScellisError("SCL-POOL-LOST", "The connection to the coordinator is lost.")


class DataPlane(Protocol):
    """Bytes between members, past the coordinator."""

    def open(self, no: int, read: StateReader, signal: Callable[[int, str], Awaitable[None]]) -> None:
        """This device is member `no`: serve `read` to others, and signal through the coordinator."""

    async def signalled(self, sender: int, data: str) -> None:
        """A word of signalling arrived."""

    async def fetch(self, no: int, addresses: Sequence[str], timeout_s: float) -> dict[str, bytes]:
        """Bytes of `addresses` from member `no`, each checked; what is not there is left out."""

    async def close(self) -> None:
        """Close all connections."""


class Compute(Protocol):
    """What a device does for a job: `job.JobWorker`. A state is its canonical bytes."""

    rate: float
    """shards a second where a pilot measured it, else 0"""

    @property
    def device(self) -> str:
        """`webgpu`, `native` or `oracle`."""

    @property
    def step(self) -> int:
        """Shards that one call takes well; between calls a stop is looked for."""

    async def run(self, first: int, count: int) -> list[bytes]:
        """The states of consecutive shards on this device."""

    async def oracle(self, shard: int) -> bytes:
        """The state of one shard on the oracle."""

    def differ(self, found: bytes, expected: bytes) -> list[Finding]:
        """What differs between two states beyond the job's tolerance class; what is no state differs."""


class Participant(Protocol):
    """Whom a peer takes part for: what it knows of the job itself, and what it wants to hear."""

    def take_job(self, data: bytes, header: PoolHeader) -> None:
        """The job's canonical bytes are here, before all else.

        Raises for a job that this device refuses, or that is not what the pool's header says of it.
        """

    def is_state(self, data: bytes) -> bool:
        """Whether the bytes are a state of one shard of the job."""

    async def open_compute(self) -> Compute:
        """The device that computes the job, once it has consented."""

    def fold(self, states: list[bytes]) -> bytes:
        """The result's canonical bytes, from the states of all shards, in order."""

    def heard(self, name: str, data: dict[str, Any]) -> None:
        """Something happened: see `Peer`."""
