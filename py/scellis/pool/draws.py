"""Which shards of a committed batch are executed again, and by whom: keyed by a secret, so that no peer can
know before it has committed, and repeatable by the owner once the secret is revealed."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from scellis.content import address, canonical_json
from scellis.errors import Finding
from scellis.pool.digests import pack, split
from scellis.pool.messages import PoolHeader

SECRET_BYTES = 32
_WORD = 1 << 32


@attrs.frozen
class Commitment:
    """What an author answers for: runs (first, count, epoch) and their digests, end to end."""

    pool: str
    author: str
    """the author's public key"""
    runs: tuple[tuple[int, int, int], ...]
    digests: bytes

    def shards(self) -> list[int]:
        """The batch's shards, in order."""
        return [shard for first, count, _ in self.runs for shard in range(first, first + count)]

    def rows(self) -> Iterator[tuple[int, int, bytes]]:
        """Shard, epoch and digest of each."""
        epochs = (epoch for _, count, epoch in self.runs for _ in range(count))
        return zip(self.shards(), epochs, split(self.digests), strict=True)

    def to_bytes(self) -> bytes:
        """The canonical bytes that draws are keyed by; nothing in them is the coordinator's to choose."""
        return canonical_json(
            {
                "scellis_batch": 1,
                "pool": self.pool,
                "author": self.author,
                "runs": [list(run) for run in self.runs],
                "digests": pack(self.digests),
            }
        )


def secret_commitment(secret: bytes) -> str:
    """What the pool's header says of the secret."""
    return address(secret)


def _words(secret: bytes, purpose: bytes, message: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.new(
            secret, b"scellis/" + purpose + b"/1\0" + block.to_bytes(8, "big") + message, hashlib.sha256
        ).digest()
        for at in range(0, len(digest), 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def _below(words: Iterator[int], bound: int) -> int:
    """A uniform integer in [0, bound): words beyond the last whole multiple of `bound` are passed over."""
    limit = _WORD - _WORD % bound
    while True:
        word = next(words)
        if word < limit:
            return word % bound


def drawn_count(shards: int, rate: float) -> int:
    """How many of a batch are drawn: its share, at least one, at most all."""
    return min(shards, max(1, math.ceil(rate * shards)))


def draw(secret: bytes, commitment: Commitment, rate: float) -> list[int]:
    """The drawn shards of a batch, sorted: a sample without replacement, each subset equally likely."""
    shards = commitment.shards()
    words = _words(secret, b"draw", hashlib.sha256(commitment.to_bytes()).digest())
    for at in range(drawn_count(len(shards), rate)):
        other = at + _below(words, len(shards) - at)
        shards[at], shards[other] = shards[other], shards[at]
    return sorted(shards[: drawn_count(len(shards), rate)])


def choose(secret: bytes, purpose: str, shard: int, epoch: int, attempt: int, among: Sequence[int]) -> int:
    """One of `among` (not empty), for one shard: a peer cannot steer its check to a friend."""
    message = canonical_json([purpose, shard, epoch, attempt, list(among)])
    return among[_below(_words(secret, b"choose", message), len(among))]


def audit(
    header: PoolHeader,
    secret: bytes,
    batches: Iterable[Commitment],
    accepted: Callable[[int], tuple[int, bytes, bool]],
) -> list[Finding]:
    """What the owner finds when it repeats every draw of a sealed pool; empty where all is in order.

    `accepted(shard)` is the shard's final epoch, digest and whether the record calls it re-executed. More
    re-executions than were drawn are in order (a peer's work is checked again when it is set aside).
    """
    if secret_commitment(secret) != header.secret_commitment:
        what = "the revealed secret is not the one that the pool's header commits to"
        return [Finding("finding-secret", what)]
    findings: list[Finding] = []
    covered = bytearray(header.shards)
    for batch in batches:
        drawn = set(draw(secret, batch, header.check_rate))
        for shard, epoch, digest in batch.rows():
            final_epoch, final, re_executed = accepted(shard)
            if (final_epoch, final) != (epoch, digest):
                continue  # replaced since
            covered[shard] = 1
            if shard in drawn and not re_executed:
                what = f"shard {shard} was drawn, and is not re-executed"
                findings.append(Finding("finding-not-checked", what, {"shard": shard}))
    findings += [
        Finding("finding-uncommitted", f"shard {shard} was never committed to the owner", {"shard": shard})
        for shard, seen in enumerate(covered)
        if not seen
    ]
    return findings
