"""Who executes a drawn shard again, and who decides where two results differ."""

from __future__ import annotations

import attrs

from scellis.pool.core import Core
from scellis.pool.draws import choose
from scellis.pool.members import Member
from scellis.pool.messages import Ruling


@attrs.define
class Check:
    """One drawn shard: who is to execute it again."""

    shard: int
    assignee: int = 0
    lease: int = 0
    issued_s: float = 0.0
    attempt: int = 0
    missed: int = 0
    """times that the state was not delivered while its holder was there"""
    oracle: bool = False
    by_owner: bool = False
    prior: int = 0
    """who found it in agreement before, when it is checked a second time"""


@attrs.define
class Dispute:
    """Two results of one shard that differ.

    `digest` is the checker's; empty where it got no bytes to compare with.
    """

    shard: int
    author: int
    checker: int
    digest: bytes
    prior: int
    referee: int = 0
    lease: int = 0
    issued_s: float = 0.0
    appealed_from: int = 0
    """a referee that ruled against the owner; the owner repeats the oracle's computation"""
    oracle: bytes = b""


def assign(core: Core, check: Check, author: Member) -> None:
    """Choose who checks, by the secret: any eligible peer but the author and whoever checked before.

    Alone, the owner does it on the oracle, even where its device was set aside. A device that is alone and
    not the owner's waits: its word about itself would prove nothing.
    """
    among = [no for no in core.members.eligible() if no not in (author.no, check.prior)]
    check.lease, check.oracle, check.assignee = 0, False, 0
    owner = core.members.owner
    if check.by_owner and owner is not None and owner.no in among:
        check.assignee = owner.no
    elif among:
        epoch = core.board.epochs[check.shard]
        check.assignee = choose(core.secret, "check", check.shard, epoch, check.attempt, among)
        check.attempt += 1
    elif author.owner and author.live and author.consent:
        check.assignee, check.oracle = author.no, True


def assign_referee(core: Core, dispute: Dispute) -> None:
    """Choose the referee: the owner where it is no party, else a third peer, else the owner."""
    owner = core.members.owner
    parties = {dispute.author, dispute.checker, dispute.prior}
    # The oracle is to be trusted even on a device that was set aside for its GPU.
    able = owner is not None and owner.live and owner.consent
    third = [no for no in core.members.eligible() if no not in parties]
    dispute.lease = dispute.referee = 0
    if owner is not None and able and (dispute.appealed_from or owner.no not in parties or not third):
        dispute.referee = owner.no
    elif third and not dispute.appealed_from:
        epoch = core.board.epochs[dispute.shard]
        dispute.referee = choose(core.secret, "referee", dispute.shard, epoch, 0, third)


def overrules(owner: int, dispute: Dispute, message: Ruling) -> bool:
    """Whether a ruling contradicts the owner's device, which then repeats the oracle's computation itself."""
    if owner == dispute.author:
        return message.author != "within"
    return owner == dispute.checker and (message.author == "within" or message.checker == "outside")
