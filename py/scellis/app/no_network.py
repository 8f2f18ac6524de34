"""The network of a device that has none."""

from __future__ import annotations

from scellis.errors import ScellisError
from scellis.pool.identity import LoopbackKey, Signer
from scellis.pool.messages import OpenRequest, PoolHeader
from scellis.pool.ports import Connect, DataPlane, Transport


class NoNetwork:
    """Refuses every pool but that of this device alone. Implements `world.Network`."""

    store_id = "0" * 32

    def __init__(self, label: str) -> None:
        self.label = label
        self.signer: Signer = LoopbackKey(b"")

    def _refuse(self) -> ScellisError:
        return ScellisError(
            "SCL-POOL-NONE", "There is no coordinator here to pool with.", "Start 'scellis serve'."
        )

    async def open_pool(self, request: OpenRequest, signature: str) -> PoolHeader:
        """Raises `SCL-POOL-NONE`."""
        raise self._refuse()

    def connect(self) -> Connect:
        """Opens nothing: raises `SCL-POOL-NONE` when it is used."""

        async def connect() -> Transport:
            raise self._refuse()

        return connect

    def data_plane(self) -> DataPlane:
        """Raises `SCL-POOL-NONE`."""
        raise self._refuse()

    def link(self, pool: str, invite: str) -> str:
        """Raises `SCL-POOL-NONE`."""
        raise self._refuse()
