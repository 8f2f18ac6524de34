"""Where this device keeps things, as the page shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import attrs

from scellis.app.models import Model


async def _refused() -> bool:
    return False


@attrs.define
class Storage:
    """`kind`: `opfs`, `idb` or `memory`. `reason` says why it is no better one.

    `persisted`: whether the browser keeps it under pressure; `ask` asks for that.
    """

    kind: str
    reason: str = ""
    persisted: bool = False
    ask: Callable[[], Awaitable[bool]] = _refused
    _asked: bool = attrs.field(default=False, init=False)

    async def persist(self) -> bool:
        """Ask for it once, now that there is something worth keeping. Whether that has changed anything."""
        if self._asked or self.persisted or self.kind == "memory":
            return False
        self._asked = True
        self.persisted = await self.ask()
        return self.persisted

    def model(self) -> Model:
        """What the page shows."""
        reason = {"storage_reason": self.reason} if self.reason else {}
        return {"storage": self.kind, "persisted": self.persisted, **reason}
