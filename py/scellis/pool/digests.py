"""Many sha256 digests in one JSON string: 43 characters a shard instead of the 73 of a list of addresses."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable

from scellis.errors import ScellisError

DIGEST_BYTES = 32


def pack(digests: bytes) -> str:
    """Digests, end to end, as URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(digests).rstrip(b"=").decode("ascii")


def unpack(text: str) -> bytes:
    """The digests of `pack`, end to end. Raises `SCL-POOL-PROTOCOL` where they are not whole."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ScellisError(
            "SCL-POOL-PROTOCOL", "A message's digests are not base64.", field="digests"
        ) from error
    if len(data) % DIGEST_BYTES or pack(data) != text:
        raise ScellisError("SCL-POOL-PROTOCOL", "A message's digests are not whole.", field="digests")
    return data


def split(digests: bytes) -> list[bytes]:
    """One digest an element."""
    return [digests[at : at + DIGEST_BYTES] for at in range(0, len(digests), DIGEST_BYTES)]


def address_of(digest: bytes) -> str:
    """The content address of a 32-byte digest."""
    return "sha256:" + digest.hex()


def digest_of(address: str) -> bytes:
    """The 32-byte digest of a content address."""
    return bytes.fromhex(address.removeprefix("sha256:"))


def join(addresses: Iterable[str]) -> bytes:
    """The digests of addresses, end to end."""
    return b"".join(map(digest_of, addresses))


def table_digest(digests: bytes) -> bytes:
    """Names a table: the digest over the digests of all shards, end to end."""
    return hashlib.sha256(b"scellis/table/1\n" + digests).digest()
