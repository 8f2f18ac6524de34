"""Content addresses: the sha256 of an artefact's canonical bytes."""

from __future__ import annotations

import hashlib
import re
from typing import TypeGuard

from scellis.errors import ScellisError

ADDRESS = re.compile(r"sha256:[0-9a-f]{64}")


def address(data: bytes | memoryview) -> str:
    """The content address of `data`, `sha256:` and 64 lower-case hex digits."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def is_address(value: object) -> TypeGuard[str]:
    """Whether `value` is a well-formed content address."""
    return isinstance(value, str) and ADDRESS.fullmatch(value) is not None


def parse_address(value: object) -> str:
    """`value`, checked to be a content address.

    Raises `SCL-CONTENT-ADDRESS` otherwise.
    """
    if is_address(value):
        return value
    shown = value[:80] if isinstance(value, str) else type(value).__name__
    raise ScellisError(
        "SCL-CONTENT-ADDRESS",
        f"{shown!r} is not a content address.",
        "An address is 'sha256:' and 64 hexadecimal digits.",
        value=shown,
    )
