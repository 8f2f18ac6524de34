"""safetensors, the canonical subset: one tensor collection has exactly one byte string.

Source: the safetensors format, https://github.com/huggingface/safetensors. The published package is a native
extension with no build for WebAssembly, so the few lines are here. Canonical means: tensors in the order of
their names, a header in RFC 8785, padded with spaces to a multiple of 8, no gaps, no metadata.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scellis.content import canonical_json, parse_json
from scellis.errors import ScellisError

Array = NDArray[Any]

_DTYPES: dict[str, np.dtype[Any]] = {
    "BOOL": np.dtype("?"),
    "F16": np.dtype("<f2"),
    "F32": np.dtype("<f4"),
    "F64": np.dtype("<f8"),
    "I32": np.dtype("<i4"),
    "I64": np.dtype("<i8"),
    "U32": np.dtype("<u4"),
    "U8": np.dtype("u1"),
}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_HEADER_LIMIT_BYTES = 1 << 20
_ALIGNMENT_BYTES = 8


def pack(tensors: Mapping[str, Array]) -> bytes:
    """The canonical bytes of named arrays of the types above. Copies each array once."""
    names = sorted(tensors)
    arrays = [np.asarray(tensors[name], tensors[name].dtype.newbyteorder("<")) for name in names]
    header = _header(
        tuple((name, array.dtype, array.shape) for name, array in zip(names, arrays, strict=True))
    )
    return b"".join([header, *(array.tobytes() for array in arrays)])


@lru_cache(maxsize=64)
def _header(layout: tuple[tuple[str, np.dtype[Any], tuple[int, ...]], ...]) -> bytes:
    """Length and text of the header; cached, since a run packs the same layout thousands of times."""
    rows: dict[str, Any] = {}
    offset = 0
    for name, dtype, shape in layout:
        end = offset + math.prod(shape) * dtype.itemsize
        rows[name] = {"dtype": _NAMES[dtype], "shape": list(shape), "data_offsets": [offset, end]}
        offset = end
    text = canonical_json(rows)
    text += b" " * (-len(text) % _ALIGNMENT_BYTES)
    return len(text).to_bytes(8, "little") + text


def unpack(data: bytes, *, what: str, limit_bytes: int) -> dict[str, Array]:
    """The named arrays in bytes from a stranger, as read-only views.

    `what` names the input in errors. Raises `SCL-TENSOR-FORM` for anything but the canonical bytes, so that
    an address stands for one value.
    """

    def refuse(why: str) -> ScellisError:
        return ScellisError("SCL-TENSOR-FORM", f"The {what} is not canonical safetensors: {why}.", what=what)

    if not 8 <= len(data) <= limit_bytes:
        raise refuse(f"it has {len(data)} bytes, between 8 and {limit_bytes} are read")
    header_bytes = int.from_bytes(data[:8], "little")
    if header_bytes > min(_HEADER_LIMIT_BYTES, len(data) - 8):
        raise refuse("its header is longer than the file")
    header = parse_json(
        data[8 : 8 + header_bytes], what=f"header of the {what}", limit_bytes=_HEADER_LIMIT_BYTES
    )
    body = data[8 + header_bytes :]
    try:
        tensors = {name: _view(body, row) for name, row in header.items()}
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise refuse(f"its header is damaged ({error})") from error
    if pack(tensors) != data:
        raise refuse("its bytes are in another order or have gaps")
    return tensors


def _view(body: bytes, row: Any) -> Array:
    dtype = _DTYPES[row["dtype"]]
    shape = row["shape"]
    start, stop = row["data_offsets"]
    if not all(type(number) is int and number >= 0 for number in (*shape, start, stop)):
        raise ValueError("a shape or an offset is no whole number")
    if stop > len(body) or stop - start != math.prod(shape) * dtype.itemsize:
        raise ValueError("a tensor does not fit its bytes")
    return np.frombuffer(body, dtype, math.prod(shape), start).reshape(tuple(shape))
