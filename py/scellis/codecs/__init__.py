"""Formats that tensors and models are kept in."""

from scellis.codecs.safetensors import pack, unpack

__all__ = ["pack", "unpack"]
