"""How much of everything a stranger gets. Each number with its unit and its reason."""

from __future__ import annotations

import attrs

HANDSHAKE_S = 10.0
"""a socket that has not proved a key by then is closed: half-open ones cost memory"""
IDLE_S = 300.0
"""a member sends a beat every 5 s, a hidden tab once a minute; a socket silent for longer is dead"""
STRANGERS_LIMIT = 256
"""sockets that may stand before the door at the same time"""
SOCKETS_LIMIT = 8192
SEND_LIMIT_BYTES = 4 * 1024 * 1024
"""unsent bytes of one socket; a peer that reads more slowly is dropped and comes back to the present state"""
MESSAGES_A_S, MESSAGES_BURST = 100.0, 400.0
"""a working peer sends about one message a second; candidates of a WebRTC connection come in tens"""
BYTES_A_S, BYTES_BURST = 512.0 * 1024, 4.0 * 1024 * 1024
"""a commit of 4096 shards has 176 kB, a lease takes a second or more"""
OPEN_A_S, OPEN_BURST = 1.0, 30.0
"""pools made, by all together"""
OPEN_LIMIT_BYTES = 8 * 1024


@attrs.define
class Bucket:
    """A token bucket: `rate` a second, at most `burst` saved up."""

    rate: float
    burst: float
    _level: float = attrs.field(init=False)
    _at_s: float | None = None

    def __attrs_post_init__(self) -> None:
        self._level = self.burst

    def take(self, amount: float, now_s: float) -> bool:
        """Whether `amount` may pass at `now_s`; if so it is taken."""
        if self._at_s is not None:
            self._level = min(self.burst, self._level + max(0.0, now_s - self._at_s) * self.rate)
        self._at_s = now_s
        if amount > self._level:
            return False
        self._level -= amount
        return True
