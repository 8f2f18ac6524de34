"""Who is who: the message that a device signs to join, invite tokens, and the port that signs."""

from __future__ import annotations

import hashlib
import hmac
from typing import Protocol

from scellis.content import address, canonical_json
from scellis.pool import wire
from scellis.pool.messages import Hello, OpenRequest

JOIN_DOMAIN = b"scellis/join/1\n"
OPEN_DOMAIN = b"scellis/open/1\n"


class Signer(Protocol):
    """A device's key pair. `key` is the public key, 64 hexadecimal digits."""

    key: str

    async def sign(self, message: bytes) -> str:
        """The signature, 128 hexadecimal digits."""


class Verifier(Protocol):
    """Checks signatures."""

    async def verify(self, key: str, signature: str, message: bytes) -> bool:
        """Whether `signature` over `message` is by `key`."""


def join_message(hello: Hello, nonce: str) -> bytes:
    """What is signed to join: all of the hello and the coordinator's nonce, under a domain of its own."""
    return JOIN_DOMAIN + canonical_json({"hello": wire.to_json(hello), "nonce": nonce})


def open_message(request: OpenRequest) -> bytes:
    """What an owner signs to open a pool: the canonical request, under a domain of its own."""
    return OPEN_DOMAIN + canonical_json(wire.to_json(request))


def invite_commitment(token: str) -> str:
    """What the header holds of an invite token."""
    return address(bytes.fromhex(token))


def invite_matches(token: str, commitment: str) -> bool:
    """Whether `token` is the pool's, in constant time."""
    return bool(token) and hmac.compare_digest(invite_commitment(token), commitment)


class LoopbackKey:
    """Signer and verifier where both ends are one process: a keyed hash, worth nothing across a wire."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self.key = hashlib.sha256(b"scellis/loopback\n" + secret).hexdigest()

    async def sign(self, message: bytes) -> str:
        """A keyed hash in the place of a signature."""
        return hmac.new(self.secret, message, hashlib.sha512).hexdigest()

    async def verify(self, key: str, signature: str, message: bytes) -> bool:
        """Whether this very object signed."""
        return hmac.compare_digest(key, self.key) and hmac.compare_digest(signature, await self.sign(message))
