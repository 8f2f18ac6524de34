"""The pool protocol, version 1: every message there is, in the order of a peer's life. See docs/protocol.md.

Digests travel packed (`digests.pack`); shards as runs (first, count) of one epoch. A message that is not
here, or has a field that is not here, is refused by name.
"""

from __future__ import annotations

import json
from typing import ClassVar, cast

import attrs

from scellis.limits import SHARD_LIMIT
from scellis.pool import wire
from scellis.pool.wire import content_address, hexadecimal, integer, number, packed_digest, rows, text

PROTOCOL = 1
LEASE_LIMIT = 4096
"""shards in one lease, so that its commit fits in a message"""
LEASE_RANGE_S = (1, 86_400)
CHECK_LIMIT = 256
"""shards in one check lease"""
DIGESTS_LIMIT = LEASE_LIMIT * 43
TABLE_LIMIT = 2048
"""shards in one part of the table; with eight holders of each, a message holds them"""
SIGNAL_LIMIT = 16 * 1024
"""characters of one relayed signal: an SDP with all its candidates has 2–6 kB"""
PEER_LIMIT = 65_535


@attrs.frozen(kw_only=True)
class OpenRequest:
    """What an owner asks a coordinator for, signed with its key."""

    protocol: int = integer(0, 1000)
    engine: str = text(60)
    job: str = content_address()
    shards: int = integer(1, SHARD_LIMIT)
    policy: str = text(20)
    owner: str = hexadecimal(64)
    """the owner's Ed25519 public key"""
    invite: str = content_address()
    """sha256 of the invite token; the token itself is never stored"""
    check_rate: float = number(0, 1)


@attrs.frozen(kw_only=True)
class PoolHeader(OpenRequest):
    """What a pool is for. Fixed when it is made; whoever joins reads it first."""

    pool: str = hexadecimal(32)
    lease_s: float = number(*LEASE_RANGE_S)
    secret_commitment: str = content_address()
    """sha256 of the secret that draws are keyed by, which is revealed when the pool is sealed"""


# ---- from a peer ----


@attrs.frozen(kw_only=True)
class Hello:
    """The first message. `session` names this start of the tab, `store` the store that keeps its states."""

    kind: ClassVar = "hello"
    protocol: int = integer(0, 1000)
    engine: str = text(60)
    pool: str = hexadecimal(32)
    key: str = hexadecimal(64)
    session: str = hexadecimal(32)
    store: str = hexadecimal(32)
    durable: bool
    label: str = text(60)
    device: str = text(20)
    invite: str = hexadecimal(32, "")


@attrs.frozen(kw_only=True)
class Prove:
    """The signature over the challenge (`identity.join_message`)."""

    kind: ClassVar = "prove"
    signature: str = hexadecimal(128)


@attrs.frozen(kw_only=True)
class Consent:
    """Whether this device may compute for the pool; until it says so it gets no lease."""

    kind: ClassVar = "consent"
    given: bool


@attrs.frozen(kw_only=True)
class Ask:
    """Ready for work. `rate` is what this device measured, in shards a second; 0 where it does not know."""

    kind: ClassVar = "ask"
    rate: float = number(0, 1e9)


@attrs.frozen(kw_only=True)
class Beat:
    """A sign of life; any other message is one as well."""

    kind: ClassVar = "beat"


@attrs.frozen(kw_only=True)
class Commit:
    """The digests of consecutive shards of one epoch: what the peer answers for from now on."""

    kind: ClassVar = "commit"
    first: int = integer(0, SHARD_LIMIT)
    epoch: int = integer()
    digests: str = text(DIGESTS_LIMIT)


@attrs.frozen(kw_only=True)
class GiveBack:
    """Shards of a lease that were not started."""

    kind: ClassVar = "give-back"
    first: int = integer(0, SHARD_LIMIT)
    count: int = integer(1, LEASE_LIMIT)
    epoch: int = integer()


@attrs.frozen(kw_only=True)
class Verdict:
    """Results of a check lease: what agrees, what differs (with the digests found), what was not there."""

    kind: ClassVar = "verdict"
    lease: int = integer(1)
    agree: tuple[int, ...] = rows(CHECK_LIMIT, ())
    differ: tuple[int, ...] = rows(CHECK_LIMIT, ())
    digests: str = text(CHECK_LIMIT * 43, "")
    missing: tuple[int, ...] = rows(CHECK_LIMIT, ())


@attrs.frozen(kw_only=True)
class Ruling:
    """The oracle's word on a dispute. `author` and `checker` are `within`, `outside` or `missing`."""

    kind: ClassVar = "ruling"
    lease: int = integer(1)
    shard: int = integer(0, SHARD_LIMIT)
    oracle: str = packed_digest()
    author: str = text(10)
    checker: str = text(10)


@attrs.frozen(kw_only=True)
class Held:
    """The answer to `Keep`: the batch's bytes are stored here, but for `missing`."""

    kind: ClassVar = "held"
    batch: int = integer(1)
    missing: tuple[int, ...] = rows(LEASE_LIMIT, ())


@attrs.frozen(kw_only=True)
class Lost:
    """This device's store no longer has the bytes of these shards, which it was said to hold."""

    kind: ClassVar = "lost"
    shards: tuple[int, ...] = rows(LEASE_LIMIT, high=SHARD_LIMIT)


@attrs.frozen(kw_only=True)
class Want:
    """Send the part of the table that begins at shard `first`, now or as soon as the job is complete."""

    kind: ClassVar = "want"
    first: int = integer(0, SHARD_LIMIT)


@attrs.frozen(kw_only=True)
class Result:
    """The digest of the result that this peer folded."""

    kind: ClassVar = "result"
    digest: str = packed_digest()


@attrs.frozen(kw_only=True)
class Seal:
    """The owner closes the pool over its result, folded from the table of which `table` is the digest."""

    kind: ClassVar = "seal"
    digest: str = packed_digest()
    table: str = packed_digest()


@attrs.frozen(kw_only=True)
class Signal:
    """A word of WebRTC signalling to another member, relayed unread."""

    kind: ClassVar = "signal"
    to: int = integer(1, PEER_LIMIT)
    data: str = text(SIGNAL_LIMIT)


@attrs.frozen(kw_only=True)
class Bye:
    """The peer leaves; its leases are free at once."""

    kind: ClassVar = "bye"


# ---- to a peer ----


@attrs.frozen(kw_only=True)
class Challenge:
    """Prove that the key is yours, over this nonce."""

    kind: ClassVar = "challenge"
    nonce: str = hexadecimal(64)


@attrs.frozen(kw_only=True)
class PeerInfo:
    """One row of the list of members."""

    no: int = integer(1, PEER_LIMIT)
    label: str = text(60)
    device: str = text(20)
    owner: bool
    consent: bool
    live: bool
    aside: bool
    rate: float = number(0, 1e9)
    shards: int = integer(0, SHARD_LIMIT)


@attrs.frozen(kw_only=True)
class Welcome:
    """You are in, as member `no`."""

    kind: ClassVar = "welcome"
    no: int = integer(1, PEER_LIMIT)
    header: PoolHeader
    phase: str = text(10)


@attrs.frozen(kw_only=True)
class Refused:
    """What was sent last is refused. `final`: the connection closes, and coming back will not help."""

    kind: ClassVar = "refused"
    code: str = text(40)
    message: str = text(400)
    remedy: str = text(400, "")
    final: bool = False


@attrs.frozen(kw_only=True)
class Lease:
    """Compute shards [first, first + count) and commit them under this epoch."""

    kind: ClassVar = "lease"
    first: int = integer(0, SHARD_LIMIT)
    count: int = integer(1, LEASE_LIMIT)
    epoch: int = integer()


@attrs.frozen(kw_only=True)
class Check:
    """Execute committed shards again and compare with the bytes of `digests`, fetched from `holders`.

    `oracle`: on the oracle, since the one who checks is the one who committed.
    """

    kind: ClassVar = "check"
    lease: int = integer(1)
    shards: tuple[int, ...] = rows(CHECK_LIMIT)
    digests: str = text(CHECK_LIMIT * 43)
    holders: tuple[tuple[int, ...], ...] = rows(CHECK_LIMIT)
    oracle: bool = False


@attrs.frozen(kw_only=True)
class Referee:
    """Compute the shard on the WebAssembly oracle and say which of two states lies within its class of it."""

    kind: ClassVar = "referee"
    lease: int = integer(1)
    shard: int = integer(0, SHARD_LIMIT)
    author: str = text(43)
    author_holders: tuple[int, ...] = rows(8)
    checker: str = text(43)
    """empty where the checker got no bytes to compare with"""
    checker_holders: tuple[int, ...] = rows(8)


@attrs.frozen(kw_only=True)
class Wait:
    """Nothing to do now; work is sent when there is some."""

    kind: ClassVar = "wait"


@attrs.frozen(kw_only=True)
class Noted:
    """What became of a commit: `batch` is 0 where nothing of it was new."""

    kind: ClassVar = "noted"
    batch: int = integer()
    first: int = integer(0, SHARD_LIMIT)
    duplicate: int = integer(0, LEASE_LIMIT)
    late: int = integer(0, LEASE_LIMIT)
    runs: tuple[tuple[int, int], ...] = rows(LEASE_LIMIT, ())
    """first and count of what is the batch's"""


@attrs.frozen(kw_only=True)
class Keep:
    """Fetch a batch from one of `holders`, store it, answer `held`. The owner audits draws by what is here.

    The batch's commitment is whole, even where some of its shards were replaced since.
    """

    kind: ClassVar = "keep"
    batch: int = integer(1)
    author: int = integer(1, PEER_LIMIT)
    key: str = hexadecimal(64)
    """the author's key, part of the batch's commitment"""
    runs: tuple[tuple[int, int, int], ...] = rows(LEASE_LIMIT)
    """first, count, epoch"""
    digests: str = text(DIGESTS_LIMIT)
    holders: tuple[int, ...] = rows(8)


@attrs.frozen(kw_only=True)
class Board:
    """What changed: runs of (first, count, cell, peer, epoch), and members' rows."""

    kind: ClassVar = "board"
    runs: tuple[tuple[int, int, int, int, int], ...] = rows(LEASE_LIMIT, ())
    peers: tuple[PeerInfo, ...] = rows(PEER_LIMIT, ())


@attrs.frozen(kw_only=True)
class Notice:
    """Something that the page says: `id` is a message id, `peer` and `shard` its arguments."""

    kind: ClassVar = "notice"
    id: str = text(40)
    peer: int = integer(0, PEER_LIMIT)
    shard: int = integer(-1, SHARD_LIMIT)


@attrs.frozen(kw_only=True)
class Signalled:
    """A word of signalling from a member."""

    kind: ClassVar = "signalled"
    sender: int = integer(1, PEER_LIMIT)
    data: str = text(SIGNAL_LIMIT)


@attrs.frozen(kw_only=True)
class Table:
    """A part of the table: the accepted digests of consecutive shards, and who holds their bytes."""

    kind: ClassVar = "table"
    first: int = integer(0, SHARD_LIMIT)
    digests: str = text(TABLE_LIMIT * 43)
    holders: tuple[tuple[int, ...], ...] = rows(TABLE_LIMIT, high=PEER_LIMIT)
    """runs of the part: how many shards, then the members that hold them"""


@attrs.frozen(kw_only=True)
class Complete:
    """Every shard is accepted."""

    kind: ClassVar = "complete"


@attrs.frozen(kw_only=True)
class Sealed:
    """The end: the owner's result, and the secret that keyed the draws."""

    kind: ClassVar = "sealed"
    digest: str = packed_digest()
    secret: str = hexadecimal(64)


FromPeer = (
    Hello
    | Prove
    | Consent
    | Ask
    | Beat
    | Commit
    | GiveBack
    | Verdict
    | Ruling
    | Held
    | Lost
    | Want
    | Result
    | Seal
    | Signal
    | Bye
)
ToPeer = (
    Challenge
    | Welcome
    | Refused
    | Lease
    | Check
    | Referee
    | Wait
    | Noted
    | Keep
    | Board
    | Notice
    | Signalled
    | Table
    | Complete
    | Sealed
)
Message = FromPeer | ToPeer
wire.tagged(FromPeer, ToPeer, Message)


def encode(message: Message) -> str:
    """The compact JSON text of a message."""
    return json.dumps(wire.to_json(message, Message), separators=(",", ":"), ensure_ascii=False)


def read_from_peer(text: str | bytes) -> FromPeer:
    """A message that a coordinator received. Raises `SCL-POOL-PROTOCOL`."""
    return cast("FromPeer", wire.decode(text, FromPeer))


def read_to_peer(text: str | bytes) -> ToPeer:
    """A message that a peer received. Raises `SCL-POOL-PROTOCOL`."""
    return cast("ToPeer", wire.decode(text, ToPeer))
