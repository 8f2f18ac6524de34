"""What happens to a pool. Its state is the fold of these; each carries the time at which it was taken in."""

from __future__ import annotations

import json
from typing import ClassVar, cast

import attrs

from scellis.content import parse_json
from scellis.errors import ScellisError
from scellis.pool import wire
from scellis.pool.messages import FromPeer, Hello, PoolHeader, ToPeer
from scellis.pool.wire import hexadecimal, integer, number

EVENT_LIMIT_BYTES = 2 * wire.MESSAGE_LIMIT_BYTES


@attrs.frozen(kw_only=True)
class Opened:
    """The pool is made. The secret stays in the coordinator's log until the pool is sealed."""

    kind: ClassVar = "opened"
    now_s: float = number(0, 1e12)
    header: PoolHeader
    secret: str = hexadecimal(64)


@attrs.frozen(kw_only=True)
class Joined:
    """A device proved its key; `conn` names this connection of it."""

    kind: ClassVar = "joined"
    now_s: float = number(0, 1e12)
    conn: int = integer(1)
    hello: Hello


@attrs.frozen(kw_only=True)
class Said:
    """A member sent a message."""

    kind: ClassVar = "said"
    now_s: float = number(0, 1e12)
    no: int = integer(1)
    message: FromPeer


@attrs.frozen(kw_only=True)
class Left:
    """A connection was lost."""

    kind: ClassVar = "left"
    now_s: float = number(0, 1e12)
    no: int = integer(1)
    conn: int = integer(1)


@attrs.frozen(kw_only=True)
class Restarted:
    """The coordinator starts from its log: no connection survived, the leases did."""

    kind: ClassVar = "restarted"
    now_s: float = number(0, 1e12)


@attrs.frozen(kw_only=True)
class Tick:
    """Time passed. Kept in the log only where it changed something."""

    kind: ClassVar = "tick"
    now_s: float = number(0, 1e12)


Event = Opened | Joined | Said | Left | Restarted | Tick
wire.tagged(Event)


@attrs.frozen(kw_only=True)
class Send:
    """An instruction: send `message` to member `no`, over its connection `conn`."""

    no: int
    conn: int
    message: ToPeer


@attrs.frozen(kw_only=True)
class Close:
    """An instruction: close the connection `conn` of member `no`."""

    no: int
    conn: int


Instruction = Send | Close


def to_line(event: Event) -> str:
    """One line of the log."""
    return json.dumps(wire.to_json(event, Event), separators=(",", ":"), ensure_ascii=False)


def from_line(line: str | bytes) -> Event:
    """Read a line of the log. Raises `SCL-POOL-LOG` for a damaged one."""
    try:
        value = parse_json(line, what="pool log", limit_bytes=EVENT_LIMIT_BYTES)
        return cast("Event", wire.structure(value, Event))
    except ScellisError as error:
        raise ScellisError(
            "SCL-POOL-LOG", f"The pool's log is damaged: {error.message}", "Restore the database from a copy."
        ) from error
