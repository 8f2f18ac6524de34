"""Draws: fixed by secret and commitment, unbiased, repeatable by the owner; and the owner's audit."""

from __future__ import annotations

import hashlib
import math
from collections import Counter

import attrs
import pytest

from scellis.pool.draws import Commitment, audit, choose, draw, drawn_count, secret_commitment
from scellis.pool.messages import PoolHeader

SECRET = bytes(range(32))
POOL = "0" * 32


def commitment(shards: int, first: int = 0, epoch: int = 0, salt: str = "") -> Commitment:
    digests = b"".join(
        hashlib.sha256(f"{shard}{salt}".encode()).digest() for shard in range(first, first + shards)
    )
    return Commitment(POOL, "a" * 64, ((first, shards, epoch),), digests)


def header(shards: int, rate: float) -> PoolHeader:
    return PoolHeader(
        protocol=1,
        pool=POOL,
        job="sha256:" + "1" * 64,
        engine="0.1.0",
        shards=shards,
        policy="own_devices",
        owner="2" * 64,
        invite="sha256:" + "3" * 64,
        check_rate=rate,
        lease_s=90.0,
        secret_commitment=secret_commitment(SECRET),
    )


@pytest.mark.parametrize(
    ("shards", "rate", "count"),
    [(1, 0.0, 1), (10, 0.0, 1), (10, 0.1, 1), (11, 0.1, 2), (640, 0.05, 32), (3, 1.0, 3)],
)
def test_at_least_one_and_at_least_the_rate(shards: int, rate: float, count: int) -> None:
    assert drawn_count(shards, rate) == count
    assert len(set(draw(SECRET, commitment(shards), rate))) == count


def test_a_draw_is_repeatable_and_depends_on_all_of_it() -> None:
    batch = commitment(50)
    first = draw(SECRET, batch, 0.2)
    assert first == draw(SECRET, batch, 0.2)
    assert first != draw(bytes(32), batch, 0.2)
    assert first != draw(SECRET, attrs.evolve(batch, author="b" * 64), 0.2)
    assert first != draw(SECRET, attrs.evolve(batch, runs=((0, 50, 1),)), 0.2)
    assert first != draw(SECRET, attrs.evolve(batch, pool="1" * 32), 0.2)
    assert first != draw(SECRET, attrs.evolve(batch, digests=bytes(32) + batch.digests[32:]), 0.2)


def test_draws_are_fixed_for_all_time() -> None:
    """A sealed pool's draws are repeated by later versions: the very shards."""
    assert draw(SECRET, commitment(20), 0.15) == KNOWN
    assert hashlib.sha256(commitment(20).to_bytes()).hexdigest()[:16] == KNOWN_COMMITMENT


def test_every_shard_is_drawn_equally_often() -> None:
    """χ² over 5 cells and 4000 draws stays under its 0.999 quantile (18.47, 4 degrees of freedom)."""
    counts: Counter[int] = Counter()
    for salt in range(2000):
        counts.update(draw(SECRET, commitment(5, salt=str(salt)), 0.4))
    expected = 2000 * 2 / 5
    assert sum((counts[shard] - expected) ** 2 / expected for shard in range(5)) < 18.47


def test_checkers_are_chosen_equally_often() -> None:
    counts = Counter(choose(SECRET, "check", shard, 0, 0, [2, 3, 5]) for shard in range(3000))
    assert sum((counts[no] - 1000) ** 2 / 1000 for no in (2, 3, 5)) < 13.82  # 0.999, 2 degrees of freedom
    assert set(counts) == {2, 3, 5}


def test_an_honest_pool_passes_the_audit() -> None:
    batches, accepted = _sealed(0.25)
    assert audit(header(40, 0.25), SECRET, batches, accepted.__getitem__) == []


def test_the_audit_finds_another_secret() -> None:
    batches, accepted = _sealed(0.25)
    (finding,) = audit(header(40, 0.25), bytes(32), batches, accepted.__getitem__)
    assert finding.id == "finding-secret"


def test_the_audit_finds_a_draw_that_was_not_executed() -> None:
    batches, accepted = _sealed(0.25)
    shard = draw(SECRET, batches[0], 0.25)[0]
    accepted[shard] = (*accepted[shard][:2], False)
    (finding,) = audit(header(40, 0.25), SECRET, batches, accepted.__getitem__)
    assert str(finding) == f"shard {shard} was drawn, and is not re-executed"


def test_the_audit_finds_what_the_owner_was_never_told() -> None:
    batches, accepted = _sealed(0.25)
    found = audit(header(40, 0.25), SECRET, batches[:1], accepted.__getitem__)
    assert len(found) == 20
    epoch, _, again = accepted[3]
    accepted[3] = (epoch, bytes(32), again)
    found = audit(header(40, 0.25), SECRET, batches, accepted.__getitem__)
    assert "shard 3 was never committed to the owner" in map(str, found)


def test_a_replaced_result_is_audited_by_its_own_batch() -> None:
    batches, accepted = _sealed(0.25)
    replaced = commitment(1, first=7, epoch=1, salt="new")
    accepted[7] = (1, replaced.digests, True)
    assert audit(header(40, 0.25), SECRET, [*batches, replaced], accepted.__getitem__) == []


def test_the_chance_of_catching_a_cheat() -> None:
    """One bad shard in a batch of 20 at a rate of 0.25 is drawn in a quarter of the batches."""
    tries = 2000
    caught = sum(3 in draw(SECRET, commitment(20, salt=str(salt)), 0.25) for salt in range(tries))
    assert abs(caught / tries - 0.25) < 4 * math.sqrt(0.25 * 0.75 / tries)


def _sealed(rate: float) -> tuple[list[Commitment], dict[int, tuple[int, bytes, bool]]]:
    batches = [commitment(20), commitment(20, first=20)]
    accepted: dict[int, tuple[int, bytes, bool]] = {}
    for batch in batches:
        drawn = draw(SECRET, batch, rate)
        for at, shard in enumerate(batch.shards()):
            accepted[shard] = (0, batch.digests[32 * at : 32 * at + 32], shard in drawn)
    return batches, accepted


KNOWN = [2, 8, 13]
KNOWN_COMMITMENT = "0423e22370441297"
