"""Canonical JSON (RFC 8785), the bytes that content addresses are taken of."""

from __future__ import annotations

import json
from typing import Any

import rfc8785

from scellis.errors import ScellisError


def canonical_json(value: Any) -> bytes:
    """The RFC 8785 bytes of a JSON value.

    Raises `SCL-CONTENT-JSON` for what JSON cannot hold: NaN, infinities, integers beyond 2^53, other types.
    """
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, RecursionError) as error:
        raise ScellisError("SCL-CONTENT-JSON", f"A value has no canonical JSON: {error}.") from error


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"the key {key!r} stands twice")
        result[key] = value
    return result


def parse_json(data: bytes | str, *, what: str, limit_bytes: int) -> Any:
    """Read JSON from a stranger: size first, then strictly (no NaN, no key twice).

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
        return json.loads(data, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError) as error:
        raise ScellisError("SCL-CONTENT-JSON", f"The {what} is not JSON: {error}.", what=what) from error
