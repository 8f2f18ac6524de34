"""Canonical bytes, content addresses and the stores that hold them."""

from scellis.content.address import address, is_address, parse_address
from scellis.content.canonical import canonical_json, parse_json
from scellis.content.folder import FolderStore
from scellis.content.store import MemoryStore, Store

__all__ = [
    "FolderStore",
    "MemoryStore",
    "Store",
    "address",
    "canonical_json",
    "is_address",
    "parse_address",
    "parse_json",
]
