from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.rng import philox4x32

WORD = st.integers(0, 2**32 - 1)
ONES = 0xFFFFFFFF

# Random123, kat_vectors: counter, key, output.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((ONES,) * 4, (ONES,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


def hexadecimal(words: tuple[object, ...]) -> str:
    return " ".join(f"{int(word):08x}" for word in words)  # type: ignore[call-overload]


@pytest.mark.parametrize(("counter", "key", "output"), KNOWN)
def test_known_answers(counter: tuple[int, int, int, int], key: tuple[int, int], output: str) -> None:
    assert hexadecimal(philox4x32(counter, key)) == output


def test_seven_rounds_are_another_generator() -> None:
    seven = hexadecimal(philox4x32((0, 0, 0, 0), (0, 0), rounds=7))
    assert seven == "5f6fb709 0d893f64 4f121f81 4f730a48"
    assert seven != KNOWN[0][2]


def philox_of_integers(counter: list[int], key: list[int]) -> list[int]:
    """The reference implementation once more, in whole numbers."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        high_0, low_0 = divmod(0xD2511F53 * c0, 2**32)
        high_1, low_1 = divmod(0xCD9E8D57 * c2, 2**32)
        c0, c1, c2, c3 = high_1 ^ c1 ^ k0, low_1, high_0 ^ c3 ^ k1, low_0
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return [c0, c1, c2, c3]


@given(st.lists(st.tuples(WORD, WORD, WORD, WORD), min_size=1, max_size=5), st.tuples(WORD, WORD))
def test_arrays_of_counters_are_the_counters_one_by_one(
    counters: list[tuple[int, int, int, int]], key: tuple[int, int]
) -> None:
    c0, c1, c2, c3 = (np.array(words, np.uint32) for words in zip(*counters, strict=True))
    words = philox4x32((c0, c1, c2, c3), key)
    assert all(word.dtype == np.uint32 for word in words)
    assert np.stack(words, 1).tolist() == [philox_of_integers(list(row), list(key)) for row in counters]


def test_numpys_philox_is_another_generator() -> None:
    # numpy.random.Philox is 4x64, increments before it encrypts, and passes `seed` through SeedSequence: none
    # of its words may ever stand in a replay record.
    ours = [int(word) for word in philox4x32((0, 0, 0, 0), (0, 0))]
    theirs = np.random.Philox(key=0, counter=0).random_raw(4)
    assert not set(ours) & set(theirs.view(np.uint32).tolist())
    before_zero = np.random.Philox(key=0, counter=2**256 - 1).random_raw(8)
    assert before_zero[4:].tolist() == theirs.tolist()  # the counter given is not the first one encrypted
    assert np.random.Philox(seed=0).random_raw(4).tolist() != theirs.tolist()
