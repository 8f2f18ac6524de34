from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.errors import ScellisError
from scellis.rng import FAMILIES, Stream, draw_words, key_words, philox4x32, uniform_from_words
from scellis.rng.streams import stream_of

SEED = st.integers(0, 2**64 - 1)
STREAM = st.builds(Stream, st.sampled_from(sorted(FAMILIES)), st.integers(0, 2**32 - 1))


@given(STREAM, SEED, st.integers(0, 2**32 - 4), st.integers(1, 19))
def test_word_w_of_draw_i_stands_where_the_layout_says(
    stream: Stream, seed: int, first: int, words: int
) -> None:
    key = key_words(seed)
    found = draw_words(stream, key, first, 3, words)
    assert len(found) == words
    for draw, word in product(range(3), range(words)):
        block = philox4x32((first + draw, word // 4, stream.index, stream.number), key)
        assert found[word][draw] == block[word % 4]


@given(STREAM, SEED, st.integers(0, 40), st.integers(1, 7))
def test_the_words_of_a_draw_do_not_depend_on_its_batch(
    stream: Stream, seed: int, cut: int, words: int
) -> None:
    key = key_words(seed)
    whole = draw_words(stream, key, 0, 40, words)
    parts = [draw_words(stream, key, 0, cut, words), draw_words(stream, key, cut, 40 - cut, words)]
    for w in range(words):
        assert np.concatenate([part[w] for part in parts]).tolist() == whole[w].tolist()


def test_no_two_streams_overlap() -> None:
    # Under one key Philox is a bijection of counters to blocks of four words, so disjoint counters, which the
    # layout gives, mean that no block comes twice: not within a draw, between draws, shards or families.
    assert len(set(FAMILIES.values())) == len(FAMILIES)
    assert all(0 <= number < 2**32 for number in FAMILIES.values())
    streams = [Stream(family, index) for family in FAMILIES for index in (0, 1, 2, 639, 2**32 - 1)]
    blocks = set()
    for stream in streams:
        words = np.stack(draw_words(stream, (1, 2), 0, 500, 16), 1).reshape(-1, 4)
        blocks.update(map(bytes, words))
    assert len(blocks) == len(streams) * 500 * 4


def test_another_seed_is_another_stream() -> None:
    seeds = [0, 1, 2**32, 2**32 + 1, 2**63, 2**64 - 1]
    keys = {key_words(seed) for seed in seeds}
    assert len(keys) == len(seeds)
    assert len({draw_words(Stream("shard"), key, 0, 4, 4)[0].tobytes() for key in keys}) == len(seeds)
    assert key_words(0x0123456789ABCDEF) == (0x89ABCDEF, 0x01234567)


@pytest.mark.parametrize("seed", [-1, 2**64, 10**400, True, 1.0, "1", None])
def test_a_seed_is_an_unsigned_64_bit_integer(seed: int) -> None:
    with pytest.raises(ScellisError, match="SCL-RNG-SEED"):
        key_words(seed)


def test_a_stream_ends_after_2_to_32_draws() -> None:
    assert len(draw_words(Stream("shard"), (0, 0), 2**32 - 2, 2, 1)[0]) == 2
    for first, count in ((2**32 - 2, 3), (2**32, 1), (-1, 1), (0, -1)):
        with pytest.raises(ScellisError, match="SCL-RNG-COUNT"):
            draw_words(Stream("shard"), (0, 0), first, count, 1)


def test_streams_have_names() -> None:
    assert Stream.named("shard/317") == Stream("shard", 317)
    assert Stream.named("pilot") == Stream.named("pilot/0") == Stream("pilot", 0)
    assert Stream.named("shard/4294967295").index == 2**32 - 1
    assert stream_of(1, 317) == Stream("shard", 317)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/",
        "shard/",
        "shard/-1",
        "shard/01",
        "shard/4294967296",
        "Shard",
        "shard/1/2",
        "none",
        "shard 1",
        "shard/١",
    ],
)
def test_what_names_no_stream_is_refused(name: str) -> None:
    with pytest.raises(ScellisError, match="SCL-RNG-STREAM"):
        Stream.named(name)


def test_an_unknown_family_number_is_refused() -> None:
    with pytest.raises(ScellisError, match="SCL-RNG-STREAM"):
        stream_of(5, 0)


def test_all_uniforms_are_exact_symmetric_and_inside() -> None:
    words = (np.arange(2**23, dtype=np.uint32) << np.uint32(9)) | np.uint32(
        0x155
    )  # the low bits do not matter
    uniforms = uniform_from_words(words)
    assert uniforms.dtype == np.float64
    assert np.array_equal(uniforms.astype(np.float32).astype(np.float64), uniforms)
    assert np.array_equal(uniforms + uniforms[::-1], np.ones(2**23))
    assert uniforms[0] == 2.0**-24
    assert uniforms[-1] == 1.0 - 2.0**-24
    assert np.array_equal(np.diff(uniforms), np.full(2**23 - 1, 2.0**-23))
