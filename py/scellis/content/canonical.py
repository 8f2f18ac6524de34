"""Canonical JSON (RFC 8785), the bytes that content addresses are taken of."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import rfc8785

from scellis.errors import ScellisError

INTEGER_LIMIT = 2**53
"""Integers from here on are not exact in the doubles that JSON's numbers are (RFC 8785, 3.2.2.3)."""
NESTING_LIMIT = 64
"""Deeper text is refused unread: in a tab it would overrun the stack, which ends the interpreter."""

_BRACKETS = re.compile(r"[\[\]{}]")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)  # one without an end takes the rest, in one pass


def canonical_json(value: Any) -> bytes:
    """The RFC 8785 bytes of a JSON value.

    Raises `SCL-CONTENT-JSON` for what JSON cannot hold: NaN, infinities, integers beyond 2^53, other types.
    """
    try:
        return rfc8785.dumps(value)
    except (ValueError, RecursionError) as error:
        raise ScellisError("SCL-CONTENT-JSON", f"A value has no canonical JSON: {error}.") from error


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is too large")
    return value


def _exact(text: str) -> int | float:
    # RFC 8785 writes doubles up to 1e21 without a point: from 2^53 on, digits stand for the double they name.
    number = _finite(text)
    return int(text) if abs(number) < INTEGER_LIMIT else number


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"the key {key[:40]!r} stands twice")
        result[key] = value
    return result


def _check_nesting(text: str) -> None:
    if text.count("[") + text.count("{") <= NESTING_LIMIT:
        return
    depth = 0
    for bracket in _BRACKETS.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > NESTING_LIMIT:
            raise ValueError(f"it is nested deeper than {NESTING_LIMIT}")


def parse_json(data: bytes | str, *, what: str, limit_bytes: int) -> Any:
    """Read JSON from a stranger: size first, then strictly (UTF-8, whole characters, no key twice, no NaN).

    `what` names the input in the error. Raises `SCL-CONTENT-SIZE` or `SCL-CONTENT-JSON`.
    """
    size_bytes = len(data)
    if size_bytes > limit_bytes:
        raise ScellisError(
            "SCL-CONTENT-SIZE",
            f"The {what} has {size_bytes} bytes; at most {limit_bytes} are read.",
            what=what,
            size_bytes=size_bytes,
            limit_bytes=limit_bytes,
        )
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        _check_nesting(text)
        value = json.loads(
            text,
            parse_float=_finite,
            parse_int=_exact,
            parse_constant=_no_constant,
            object_pairs_hook=_no_duplicates,
        )
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()  # half of a pair is no text that could be sent on
        return value
    except (ValueError, RecursionError) as error:
        raise ScellisError("SCL-CONTENT-JSON", f"The {what} is not JSON: {error}.", what=what) from error
