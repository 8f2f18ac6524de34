"""Canonical JSON against RFC 8785, and JSON from strangers."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.content import canonical_json, parse_json
from scellis.errors import ScellisError

# RFC 8785, appendix B: IEEE 754 bits and the text of the number.
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def read(data: bytes | str, limit_bytes: int = 1 << 16) -> Any:
    return parse_json(data, what="test", limit_bytes=limit_bytes)


@pytest.mark.parametrize(("bits", "text"), NUMBERS)
def test_numbers_are_written_as_the_rfc_says(bits: str, text: str) -> None:
    (value,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical_json(value) == text.encode()
    assert float(read(text)) == value


def test_the_sample_of_the_rfc() -> None:
    # RFC 8785, 3.2.2 and 3.2.3.
    given_text = r"""{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }"""
    expected = (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )
    assert canonical_json(read(given_text)) == expected.encode()


def test_an_integer_too_long_to_print_is_refused() -> None:
    with pytest.raises(ScellisError, match="SCL-CONTENT-JSON"):
        canonical_json(10**5000)


def test_keys_are_sorted_by_utf16_units() -> None:
    # RFC 8785, 3.2.3: the emoji's surrogates come before U+FB33.
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    ordered = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert list(json.loads(canonical_json(dict.fromkeys(keys, 0)))) == ordered


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        -math.inf,
        2**53,
        -(2**53),
        10**400,
        b"x",
        {1: 2},
        {"a": {3}},
        "\ud800",
        {"\udfff": 1},
    ],
)
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(ScellisError, match="SCL-CONTENT-JSON"):
        canonical_json(value)


@given(JSON)
def test_canonical_bytes_read_back_and_stay(value: Any) -> None:
    data = canonical_json(value)
    assert read(data, 1 << 20) == value
    assert canonical_json(read(data, 1 << 20)) == data


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "[Infinity]",
        "-Infinity",
        "1e999",
        "-1e999",
        "9" * 400,
        '{"a":1,"a":1}',
        '{"a":{"b":1,"b":2}}',
        "",
        "{",
        "[1,]",
        "01",
        "'a'",
        "{} {}",
        "\ufeff{}",
        "[" * 10_000,
    ],
)
def test_what_is_not_strict_json_is_refused(text: str) -> None:
    with pytest.raises(ScellisError, match="SCL-CONTENT-JSON"):
        read(text)
    with pytest.raises(ScellisError, match="SCL-CONTENT-JSON"):
        read(text.encode())


def test_only_utf8_is_read() -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1"):
        with pytest.raises(ScellisError, match="SCL-CONTENT-JSON"):
            read('{"a":"é"}'.encode(encoding))
    assert read('{"a":"é"}'.encode()) == {"a": "é"}


def test_size_is_looked_at_first() -> None:
    assert read(b"[1]", limit_bytes=3) == [1]
    with pytest.raises(ScellisError, match="SCL-CONTENT-SIZE") as caught:
        read(b"\xff\xff\xff\xff", limit_bytes=3)
    assert caught.value.arguments == {"what": "test", "size_bytes": 4, "limit_bytes": 3}


def test_digits_beyond_exact_integers_stand_for_a_double() -> None:
    assert type(read("9007199254740991")) is int
    assert read("9007199254740993") == 9007199254740992.0
    assert type(read("9007199254740993")) is float


@given(st.binary(max_size=64))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read(data)
    except ScellisError as error:
        assert error.code == "SCL-CONTENT-JSON"  # noqa: PT017


@pytest.mark.parametrize("text", ["[" * 10_000, '{"a":' * 70 + "1" + "}" * 70, '["[",' * 65 + "1" + "]" * 65])
def test_deep_nesting_is_refused_before_it_is_read(text: str) -> None:
    with pytest.raises(ScellisError, match="nested"):
        read(text)


def test_a_string_without_an_end_is_passed_once() -> None:
    with pytest.raises(ScellisError, match="nested"):  # trying each quote anew would take minutes
        read("[" * 65 + '"' + '\\"' * 1_000_000, limit_bytes=1 << 22)


def test_brackets_in_strings_are_no_nesting() -> None:
    assert read('["' + "[" * 1000 + '", "\\"' + "{" * 1000 + '"]')[0] == "[" * 1000
