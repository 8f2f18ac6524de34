"""What the session asks of the world: the page, time, storage, devices, the network."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

import attrs

from scellis.app.devices import Devices
from scellis.app.models import Model
from scellis.app.storage import Storage
from scellis.content import Store
from scellis.errors import ScellisError
from scellis.pool.identity import Signer
from scellis.pool.messages import OpenRequest, PoolHeader
from scellis.pool.ports import Clock, Connect, DataPlane


class Network(Protocol):
    """The way to a coordinator and to other members, with this device's keys."""

    signer: Signer
    store_id: str
    """names the store that keeps this device's states, 32 hexadecimal digits"""
    label: str
    """what others call this device, for instance "Chromium on Linux" """

    async def open_pool(self, request: OpenRequest, signature: str) -> PoolHeader:
        """Have the coordinator make a pool. Raises `SCL-POOL-NONE` where the page was served without one."""

    def connect(self) -> Connect:
        """Opens connections to the coordinator."""

    def data_plane(self) -> DataPlane:
        """Connections to other members."""

    def link(self, pool: str, invite: str) -> str:
        """The invitation's URL."""


async def no_data(name: str) -> bytes:
    """What a world without files of data answers. Raises `SCL-DATA-MISSING`."""
    raise ScellisError("SCL-DATA-MISSING", f"There is no file {name[:80]!r} here.")


@attrs.frozen
class World:
    """The session's surroundings."""

    emit: Callable[[str, Model], None]
    clock: Clock
    store: Store
    storage: Storage
    devices: Devices
    entropy: Callable[[int], bytes]
    network: Network
    examples: dict[str, str]
    """SML texts of programs by id"""
    trainings: dict[str, str] = attrs.field(factory=dict)
    """SML texts of trainings by id"""
    datasets: dict[str, str] = attrs.field(factory=dict)
    """SML texts of datasets by id"""
    read_data: Callable[[str], Awaitable[bytes]] = attrs.field(default=no_data)
    """the bytes of a dataset's file, by its name"""
    take_file: Callable[[str], Awaitable[bytes]] = attrs.field(default=no_data)
    """the bytes of a file that a person gave the page, by its token, once"""
    fetch_data: Callable[[str], Awaitable[bytes]] = attrs.field(default=no_data)
    """the bytes at a URL of anybody's. Raises `SCL-DATA-CORS`, `SCL-DATA-UNREACHABLE`, `SCL-DATA-SIZE`"""
