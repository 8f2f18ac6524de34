"""The members of a pool: one per device key, however often its tab is reloaded."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from scellis.pool.events import Joined

STALE_S = 15.0
"""silence after which a peer is shown as stale; it sends a beat every 5 s"""


@attrs.define
class Member:
    """What is known of one device."""

    no: int
    key: str
    owner: bool
    conn: int = 0
    session: str = ""
    store: str = ""
    durable: bool = False
    label: str = ""
    device: str = ""
    consent: bool = False
    asking: bool = False
    aside: str = ""
    """why it was set aside; empty where it was not"""
    heard_s: float = 0.0
    state: str = "away"
    """live (connected, heard of late), stale (silent), away (its leases are void)"""
    back_by_s: float = 0.0
    """until when what only this device holds is waited for"""
    rate: float = 0.0
    leases: int = 0
    """how many it was given"""
    result: str = ""

    @property
    def live(self) -> bool:
        """Connected and heard of late."""
        return self.state == "live"

    @property
    def present(self) -> bool:
        """Not away: silent at most for the length of a lease."""
        return self.state != "away"

    @property
    def eligible(self) -> bool:
        """May be given work."""
        return self.live and self.consent and not self.aside


class Members:
    """All members by number, 1 first."""

    def __init__(self, owner_key: str) -> None:
        self._owner_key = owner_key
        self._rows: list[Member] = []
        self._by_key: dict[str, Member] = {}

    def __iter__(self) -> Iterator[Member]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, no: int) -> Member:
        if not 1 <= no <= len(self._rows):
            raise KeyError(no)
        return self._rows[no - 1]

    def by_key(self, key: str) -> Member | None:
        """The member with a key, if it was ever here."""
        return self._by_key.get(key)

    @property
    def owner(self) -> Member | None:
        """The owner's device, if it was ever here."""
        return self._by_key.get(self._owner_key)

    def eligible(self) -> list[int]:
        """Numbers of those who may be given work, sorted."""
        return [member.no for member in self._rows if member.eligible]

    def admit(self, event: Joined) -> Member:
        """The member of a key that was proved, made on its first visit."""
        key = event.hello.key
        member = self._by_key.get(key)
        if member is None:
            member = Member(len(self._rows) + 1, key, key == self._owner_key)
            self._rows.append(member)
            self._by_key[key] = member
        return member

    def state(self) -> list[dict[str, object]]:
        """All rows as JSON values."""
        return [attrs.asdict(member) for member in self._rows]
