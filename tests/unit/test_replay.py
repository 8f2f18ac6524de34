"""Replaying one shard: the same bits, the same class, or neither."""

from __future__ import annotations

import math

import attrs
import numpy as np
import pytest

from scellis.content import address
from scellis.device.oracle import OracleDevice
from scellis.errors import ScellisError
from scellis.job import ShardState
from scellis.records import LinkedRun, judge_replay, parse_fragment, replay_shard, run_fragment
from support.programs import EXAMPLES, oracle_states, state_f32
from support.runs import finished

SHARDS, DRAWS = 5, 4096


@pytest.fixture(params=EXAMPLES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def run(name: str) -> LinkedRun:
    return parse_fragment(run_fragment(*finished(name, SHARDS, DRAWS)))


def leaves(name: str) -> tuple[ShardState, ...]:
    return finished(name, SHARDS, DRAWS)[1]


async def test_the_same_device_gives_the_same_bits(name: str, run: LinkedRun) -> None:
    for shard in range(SHARDS):
        replay = await replay_shard(run, shard, OracleDevice())
        assert replay.same_bits
        assert replay.agrees
        assert replay.findings == ()
        assert replay.address == address(leaves(name)[shard].to_bytes())
        assert replay.address.startswith(replay.expected_prefix)
        assert not replay.bins_compared


def test_another_device_lies_within_the_class(name: str, run: LinkedRun) -> None:
    for shard in range(SHARDS):
        state = state_f32(run.job, shard)
        for original in (None, leaves(name)[shard]):
            replay = judge_replay(run, shard, state, original)
            assert not replay.same_bits
            assert replay.findings == ()
            assert replay.agrees
            assert replay.bins_compared == (original is not None)


def test_what_lies_beyond_the_class_is_no_confirmation(name: str, run: LinkedRun) -> None:
    honest = leaves(name)
    error = math.sqrt(honest[0].m2 / (DRAWS - 1) / DRAWS)
    wrong = [
        attrs.evolve(honest[0], mean=honest[0].mean + error / 10),
        attrs.evolve(honest[0], m2=honest[0].m2 * 1.01),
        attrs.evolve(honest[0], mean=math.nan),
        honest[1],
        oracle_states(attrs.evolve(run.job, seed=run.job.seed + 1), 0, 1)[0],
    ]
    for state in wrong:
        for original in (None, honest[0]):
            replay = judge_replay(run, 0, state, original)
            assert not replay.same_bits
            assert replay.findings
            assert not replay.agrees


def test_another_count_of_draws_is_no_confirmation(name: str, run: LinkedRun) -> None:
    state = leaves(name)[0]
    bins = state.bins.copy()
    bins[bins.argmax()] -= 1
    fewer = attrs.evolve(state, count=state.count - 1, bins=bins)
    assert judge_replay(run, 0, fewer).findings


def test_moved_bins_show_where_the_original_is_at_hand(name: str, run: LinkedRun) -> None:
    state = leaves(name)[0]
    shuffled = attrs.evolve(state, bins=np.roll(state.bins, 5))
    assert judge_replay(run, 0, shuffled).agrees  # a URL does not keep the bins, and the replay says so
    replay = judge_replay(run, 0, shuffled, state)
    assert replay.bins_compared
    assert not replay.agrees


@pytest.mark.parametrize("shard", [-1, SHARDS, 10**9])
async def test_a_shard_that_the_run_does_not_have(run: LinkedRun, name: str, shard: int) -> None:
    with pytest.raises(ScellisError, match="SCL-RECORD-SHARD"):
        await replay_shard(run, shard, OracleDevice())
    with pytest.raises(ScellisError, match="SCL-RECORD-SHARD"):
        judge_replay(run, shard, leaves(name)[0])


async def test_another_engine_is_not_replayed(run: LinkedRun) -> None:
    older = attrs.evolve(run, job=attrs.evolve(run.job, engine="0.0.9"))
    with pytest.raises(ScellisError, match="SCL-JOB-ENGINE"):
        await replay_shard(older, 0, OracleDevice())
