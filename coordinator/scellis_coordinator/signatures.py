"""Ed25519 by the `cryptography` package."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Ed25519Verifier:
    """The pool's `Verifier`."""

    async def verify(self, key: str, signature: str, message: bytes) -> bool:
        """Whether `signature` over `message` is by `key`."""
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), message)
        except (InvalidSignature, ValueError):
            return False
        return True


class Ed25519Signer:
    """The pool's `Signer` for a native process; `secret` is the key's 32-byte seed."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.key = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    async def sign(self, message: bytes) -> str:
        """The signature."""
        return self._key.sign(message).hex()
