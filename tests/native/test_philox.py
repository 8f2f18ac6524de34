"""Philox and the streams on a device: the bits of the reference, whichever way words are halved."""

from __future__ import annotations

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.rng import FAMILIES, Stream, draw_words, key_words, philox4x32, uniform_from_words
from support.device_checks import KNOWN_ANSWERS, ONES, SEVEN_ROUNDS
from support.mapper import Mapper

WORDS = ("words_shift.wgsl", "words_float.wgsl")


async def test_known_answers(device: GpuDevice) -> None:
    found = [await device.philox(counter, key) for counter, key, _ in KNOWN_ANSWERS]
    assert found == [output for _, _, output in KNOWN_ANSWERS]


async def test_seven_rounds_are_another_generator(device: GpuDevice) -> None:
    assert await device.philox((0, 0, 0, 0), (0, 0), rounds=7) == SEVEN_ROUNDS
    assert KNOWN_ANSWERS[0][2] != SEVEN_ROUNDS


@pytest.mark.parametrize("words", WORDS)
async def test_high_words_are_exact_at_every_carry(mapper: Mapper, words: str) -> None:
    edges = np.array(
        [0, 1, 2, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, ONES - 1, ONES], np.uint32
    )
    random = np.random.default_rng(1).integers(0, 2**32, 200_000, np.uint32)
    inputs = np.concatenate([edges, random, ~random & np.uint32(0xFFFF), random << np.uint32(16)])
    found = await mapper("products.wgsl", inputs, inputs.size * 4, includes={"words": words})
    products = [np.uint64(factor) * inputs.astype(np.uint64) for factor in (0xD2511F53, 0xCD9E8D57)]
    wanted = np.stack(
        [part for product in products for part in (product >> np.uint64(32), product & np.uint64(ONES))], 1
    )
    assert np.array_equal(found.reshape(-1, 4), wanted)


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize(
    ("seed", "family", "index", "first"),
    [
        (1, "shard", 0, 0),
        (2**64 - 1, "shard", 2**32 - 1, 2**32 - 500),
        (0x0123456789ABCDEF, "pilot", 317, 4_000_000),
    ],
)
async def test_words_and_uniforms_of_a_stream(
    mapper: Mapper, words: str, seed: int, family: str, index: int, first: int
) -> None:
    draws, blocks = 500, 5
    inputs = np.array([*key_words(seed), index, FAMILIES[family], blocks, first], np.uint32)
    found = await mapper("words.wgsl", inputs, draws * blocks * 8, includes={"words": words})
    rows = found.reshape(draws, blocks, 2, 4)
    words = np.stack(draw_words(Stream(family, index), key_words(seed), first, draws, blocks * 4), 1)
    assert np.array_equal(rows[:, :, 0].reshape(draws, -1), words)
    assert np.array_equal(rows[:, :, 1].reshape(draws, -1).view(np.float32), uniform_from_words(words))


async def test_every_uniform_is_exact(mapper: Mapper) -> None:
    words = np.arange(2**23, dtype=np.uint32) << np.uint32(9) | np.uint32(0x155)
    found = (await mapper("uniforms.wgsl", words, words.size)).view(np.float32)
    assert np.array_equal(found, uniform_from_words(words))


async def test_a_block_of_random_counters(device: GpuDevice) -> None:
    generator = np.random.default_rng(2)
    for _ in range(20):
        counter = tuple(generator.integers(0, 2**32, 4).tolist())
        key = tuple(generator.integers(0, 2**32, 2).tolist())
        assert await device.philox(counter, key) == tuple(int(word) for word in philox4x32(counter, key))
