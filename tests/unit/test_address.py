from __future__ import annotations

from typing import Any

import pytest

from scellis.content import address, is_address, parse_address
from scellis.errors import ScellisError

EMPTY = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
ABC = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2, B.1


def test_an_address_is_the_sha256_of_the_bytes() -> None:
    assert address(b"") == EMPTY
    assert address(b"abc") == ABC
    assert address(memoryview(b"abc")) == ABC
    assert is_address(ABC)
    assert parse_address(ABC) == ABC


DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "value",
    [
        *(None, 1, b"sha256:", [], {}, "", "sha256:", "x" * 10**6),
        *(ABC[7:], ABC[:-1], ABC.upper(), ABC + "0", ABC + "\n", " " + ABC, "../" + ABC),
        *("sha256:" + "g" * 64, "sha256:" + "0" * 63 + "é"),
    ],
)
def test_what_is_no_address_is_refused(value: object) -> None:
    assert not is_address(value)
    with pytest.raises(ScellisError, match="SCL-CONTENT-ADDRESS") as caught:
        parse_address(value)
    assert len(caught.value.message) < 200


def test_a_value_too_deep_to_print_is_refused() -> None:
    with pytest.raises(ScellisError, match="SCL-CONTENT-ADDRESS"):
        parse_address(DEEP)
