"""A pool's header is fixed: what a device was told first, or signed itself, it must be told ever after."""

from __future__ import annotations

import attrs

from scellis.content import Store, canonical_json
from scellis.errors import ScellisError
from scellis.pool import wire
from scellis.pool.messages import OpenRequest, PoolHeader


def check_answer(request: OpenRequest, header: PoolHeader) -> None:
    """Compare a new pool's header with what its owner signed. Raises `SCL-POOL-FORGED`."""
    for field in attrs.fields(OpenRequest):
        if getattr(header, field.name) != getattr(request, field.name):
            asked = field.name.replace("_", " ")
            raise ScellisError(
                "SCL-POOL-FORGED",
                f"The coordinator opened the pool with another {asked} than was asked for.",
                "Do not use this coordinator.",
                field=field.name,
            )


async def keep_header(store: Store, header: PoolHeader) -> None:
    """Keep the header that was told first; compare every later one. Raises `SCL-POOL-FORGED`."""
    name, told = f"pool-{header.pool}-header", canonical_json(wire.to_json(header))
    known = await store.get_ref(name)
    if known is None:
        await store.set_ref(name, told)
    elif known != told:
        raise ScellisError(
            "SCL-POOL-FORGED",
            "The coordinator changed the pool's header after this device was told of it.",
            "Do not use this coordinator.",
        )
