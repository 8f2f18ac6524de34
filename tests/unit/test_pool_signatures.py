"""Ed25519 natively: RFC 8032's own vectors, and what is no signature."""

from __future__ import annotations

import pytest

from scellis_coordinator.signatures import Ed25519Signer, Ed25519Verifier

# RFC 8032, 7.1: secret, public key, message, signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
]


@pytest.mark.parametrize(("secret", "public", "message", "signature"), VECTORS)
async def test_the_standard_s_vectors(secret: str, public: str, message: str, signature: str) -> None:
    signer = Ed25519Signer(bytes.fromhex(secret))
    assert signer.key == public
    assert await signer.sign(bytes.fromhex(message)) == signature
    assert await Ed25519Verifier().verify(public, signature, bytes.fromhex(message))


@pytest.mark.parametrize(
    ("key", "signature"),
    [("0" * 64, VECTORS[0][3]), (VECTORS[0][1], "0" * 128), ("f" * 64, "f" * 128), ("", "")],
)
async def test_what_is_no_signature_is_refused(key: str, signature: str) -> None:
    assert not await Ed25519Verifier().verify(key, signature, b"")
