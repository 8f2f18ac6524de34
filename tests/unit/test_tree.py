"""The fixed tree: the order of arrival cannot change a bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.job import MergeTree, ShardState

BINS = 3


def leaf(shard: int, salt: int = 0) -> ShardState:
    """A state whose numbers have no short binary form, so that another order of merging shows."""
    count = 1 + (shard * 7 + salt) % 5
    bins = np.array([count - 1, 1, 0], np.int64)
    return ShardState(count, (shard + salt) / 7 - 1.3, 0.1 * shard + salt / 3, bins, 0, 0, shard % 2)


def filled(shards: int, order: list[int]) -> MergeTree:
    tree = MergeTree(shards, BINS)
    for shard in order:
        tree.update({shard: leaf(shard)})
    return tree


@given(st.integers(1, 40), st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same_bits(shards: int, random: object) -> None:
    order = list(range(shards))
    in_order = filled(shards, order).root.to_bytes()
    random.shuffle(order)  # type: ignore[attr-defined]
    assert filled(shards, order).root.to_bytes() == in_order
    at_once = MergeTree(shards, BINS)
    at_once.update({shard: leaf(shard) for shard in order})
    assert at_once.root.to_bytes() == in_order


def test_another_tree_gives_other_bits() -> None:
    chain = leaf(0)
    for shard in range(1, 37):
        chain = chain.merge(leaf(shard))
    found = filled(37, list(range(37))).root
    assert found.to_bytes() != chain.to_bytes()
    assert (found.count, found.mean) == (chain.count, pytest.approx(chain.mean, rel=1e-14))


@given(st.integers(1, 20), st.data())
def test_replacing_a_leaf_is_as_if_the_other_had_never_been(shards: int, data: st.DataObject) -> None:
    replaced = data.draw(st.integers(0, shards - 1))
    tree = MergeTree(shards, BINS)
    tree.update({shard: leaf(shard, salt=9 if shard == replaced else 0) for shard in range(shards)})
    wrong = tree.root.to_bytes()
    tree.update({replaced: leaf(replaced)})
    assert tree.root.to_bytes() == filled(shards, list(range(shards))).root.to_bytes() != wrong


def test_the_tree_is_the_one_over_shard_indices() -> None:
    a, b, c, d, e = map(leaf, range(5))
    expected = a.merge(b).merge(c.merge(d)).merge(e)
    assert filled(5, [4, 2, 0, 3, 1]).root.to_bytes() == expected.to_bytes()


def test_what_has_not_arrived_counts_for_nothing() -> None:
    tree = MergeTree(6, BINS)
    assert tree.root.to_bytes() == ShardState.empty(BINS).to_bytes()
    tree.update({5: leaf(5)})
    assert tree.root.to_bytes() == leaf(5).to_bytes()
    tree.update({1: leaf(1)})
    assert tree.root.to_bytes() == leaf(1).merge(leaf(5)).to_bytes()


def test_one_shard_is_its_own_root() -> None:
    assert filled(1, [0]).root.to_bytes() == leaf(0).to_bytes()


def test_a_leaf_costs_one_merge_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    merges = []
    honest = ShardState.merge
    tree = filled(640, list(range(640)))
    monkeypatch.setattr(ShardState, "merge", lambda a, b: merges.append(1) or honest(a, b))  # type: ignore[func-returns-value]
    tree.update({317: leaf(317)})
    assert len(merges) == 10
    merges.clear()
    tree.update({shard: leaf(shard) for shard in range(640)})
    assert len(merges) == 320 + 160 + 80 + 40 + 20 + 10 + 5 + 3 + 2 + 1


@pytest.mark.parametrize("shard", [-1, 5, 8, 10**9])
def test_a_shard_that_the_job_does_not_have_is_refused(shard: int) -> None:
    tree = MergeTree(5, BINS)
    with pytest.raises(IndexError):
        tree.update({shard: leaf(0)})
    assert tree.root.count == 0
