"""This device's keys: made once, never exportable, verified natively; and without WebCrypto's Ed25519."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from playwright.sync_api import Page

from support.leaks import python_worker

SIGN = """
async ([scope, message, noble]) => {
  const { keys } = self.scellis.bridge;
  const { generateKey } = crypto.subtle;
  const refuse = () => Promise.reject(new DOMException("no Ed25519", "NotSupportedError"));
  if (noble) crypto.subtle.generateKey = refuse;
  try {
    const first = await keys.openKeys(scope);
    const again = await keys.openKeys(scope);
    const signature = await again.sign(new Uint8Array(message));
    return { key: first.key, again: again.key, signature };
  } finally {
    crypto.subtle.generateKey = generateKey;
  }
}
"""
STORED = """
(path) => new Promise((resolve) => {
  const opening = indexedDB.open(`scellis-keys:${path}:1`);
  opening.onsuccess = () => {
    const database = opening.result;
    const asking = database.transaction("keys").objectStore("keys").get("device");
    asking.onsuccess = () => {
      database.close();
      resolve(asking.result.privateKey?.extractable ?? "bytes");
    };
  };
})
"""


@pytest.mark.parametrize("noble", [False, True], ids=["webcrypto", "noble"])
def test_the_device_s_key_is_kept_and_signs(shared_app: Page, noble: bool) -> None:
    worker = python_worker(shared_app)
    message = b"scellis/join/1\n{}"
    path = f"/keys-{noble}/"
    found: dict[str, Any] = worker.evaluate(SIGN, [f"https://example.org{path}", list(message), noble])
    assert found["key"] == found["again"]
    assert worker.evaluate(STORED, path) == ("bytes" if noble else False)
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(found["key"]))
    key.verify(bytes.fromhex(found["signature"]), message)
    with pytest.raises(InvalidSignature):
        key.verify(bytes.fromhex(found["signature"]), message + b"!")
