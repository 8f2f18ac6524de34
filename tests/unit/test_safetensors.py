"""Canonical safetensors: one collection, one byte string."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from scellis.codecs import pack, unpack
from scellis.errors import ScellisError

DTYPES = st.sampled_from(["<f4", "<f8", "<i4", "<i8", "<u4", "u1"])
ARRAYS = DTYPES.flatmap(
    lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
)
TENSORS = st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), ARRAYS, max_size=4)


def read(data: bytes) -> dict[str, Any]:
    return unpack(data, what="test", limit_bytes=1 << 16)


def frame(header: object, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + body


def test_the_bytes_are_those_of_the_format() -> None:
    data = pack({"b": np.array([1, 2], np.int64), "a": np.array([[1.5]], np.float32)})
    header = (
        b'{"a":{"data_offsets":[0,4],"dtype":"F32","shape":[1,1]},'
        b'"b":{"data_offsets":[4,20],"dtype":"I64","shape":[2]}}'
    )
    padded = header + b" " * (-len(header) % 8)
    body = np.float32(1.5).tobytes() + np.array([1, 2], "<i8").tobytes()
    assert data == len(padded).to_bytes(8, "little") + padded + body


@given(TENSORS)
def test_what_is_packed_comes_back(tensors: dict[str, Any]) -> None:
    data = pack(tensors)
    found = read(data)
    assert found.keys() == tensors.keys()
    for name, array in tensors.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert found[name].tobytes() == array.tobytes()
        assert not found[name].flags.writeable
    assert pack(found) == data


def test_the_order_of_names_and_of_memory_does_not_show() -> None:
    square = np.arange(6, dtype=np.int32).reshape(2, 3)
    assert pack({"x": square, "y": square}) == pack({"y": square, "x": np.asfortranarray(square)})
    assert pack({"x": square.astype(">i4")}) == pack({"x": square})


ROW = {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"1234567",
        b"\xff" * 8,
        (1 << 63).to_bytes(8, "little"),
        (9).to_bytes(8, "little") + b"{}      ",
        frame(b"{"),
        frame(b"\xff"),
        frame(b"[" * 5000),
        *(frame(value) for value in ([], None, 1, "a", [ROW])),
        *(frame({"a": value}, b"x") for value in (None, [], "row", 1, {})),
        *(frame({"a": {**ROW, "dtype": dtype}}, b"x") for dtype in ("F16", "u8", None, [], {}, 1)),
        *(
            frame({"a": {**ROW, "shape": shape}}, b"x")
            for shape in (None, 1, "1", [1.0], [True], [-1], [2], [])
        ),
        *(
            frame({"a": {**ROW, "shape": shape}}, b"x")
            for shape in ([[1]], {}, {"1": 1}, ["1"], [1] * 99, [10**30])
        ),
        *(frame({"a": {**ROW, "data_offsets": o}}, b"x") for o in (None, [], [0], [0, 1, 2], [0, 2], [1, 2])),
        *(
            frame({"a": {**ROW, "data_offsets": o}}, b"x")
            for o in ([1, 0], [-1, 0], [0.0, 1.0], "01", [0, 10**30])
        ),
        frame({"a": {**ROW, "shape": [0, 10**15, 10**15], "data_offsets": [0, 0]}}),
        frame({"a": {**ROW, "shape": [0, 2**53 - 1], "data_offsets": [0, 0]}}, b""),
        frame({"a": ROW}),
        frame({"a": ROW}, b"xy"),
        frame({"a": ROW, "b": ROW}, b"x"),
        frame({"a": {**ROW, "extra": 1}}, b"x"),
        frame({"__metadata__": {"format": "np"}, "a": ROW}, b"x"),
        frame({"b": ROW, "a": {**ROW, "data_offsets": [1, 2]}}, b"xy"),
        frame(b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"x"),  # keys out of order
        frame(b'{"a": {"data_offsets":[0,1],"dtype":"U8","shape":[1]}}', b"x"),
        frame(b'{"a":{"data_offsets":[0,1],"dtype":"U8","shape":[1]}}' + b" " * 8, b"x"),
        frame(b'{"a":{"data_offsets":[0,1],"dtype":"U8","shape":[1]},"a":{}}', b"x"),
        frame(b'{"\\ud800":{"data_offsets":[0,1],"dtype":"U8","shape":[1]}}', b"x"),
    ],
    ids=lambda data: repr(data[8:60]),
)
def test_what_is_not_canonical_is_refused(data: bytes) -> None:
    with pytest.raises(ScellisError, match=r"SCL-TENSOR-FORM|SCL-CONTENT-JSON"):
        read(data)


def test_size_is_looked_at_first() -> None:
    data = pack({"a": np.zeros(100, np.uint8)})
    assert unpack(data, what="test", limit_bytes=len(data))["a"].size == 100
    with pytest.raises(ScellisError, match="SCL-TENSOR-FORM"):
        unpack(data, what="test", limit_bytes=len(data) - 1)


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    read_or_refuse(data)


@given(TENSORS, st.data())
def test_damaged_bytes_are_refused_or_are_other_canonical_bytes(
    tensors: dict[str, Any], data: st.DataObject
) -> None:
    damaged = bytearray(pack(tensors))
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= data.draw(st.integers(1, 255))
    read_or_refuse(bytes(damaged))


def read_or_refuse(data: bytes) -> None:
    try:
        found = read(data)
    except ScellisError as error:
        assert error.code in ("SCL-TENSOR-FORM", "SCL-CONTENT-JSON")  # noqa: PT017
    else:
        assert pack(found) == data
