"""PNG files with every filter and depth, written as the standard says: nothing of the reader is used."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(
    samples: NDArray[np.integer],
    colour: int = GREY,
    depth: int = 8,
    *,
    filters: tuple[int, ...] = (0, 1, 2, 3, 4),
    before: bytes = b"",
    said: tuple[int, int] | None = None,
) -> bytes:
    """A PNG of (height, width, channels); the filters take turns. `before`: chunks before the pixels.

    `said`: width and height that its head says, where they are to be others.
    """
    height, width = samples.shape[:2]
    rows = [_packed(row.reshape(-1), depth) for row in samples]
    step = max(1, CHANNELS[colour] * depth // 8)
    body = b""
    above = bytes(len(rows[0])) if rows else b""
    for place, row in enumerate(rows):
        filter_ = filters[place % len(filters)]
        body += bytes([filter_]) + _filtered(filter_, row, above, step)
        above = row
    head = struct.pack(">IIBBBBB", *(said or (width, height)), depth, colour, 0, 0, 0)
    return (
        SIGNATURE + chunk(b"IHDR", head) + before + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b"")
    )


def _packed(row: NDArray[np.integer], depth: int) -> bytes:
    if depth == 16:
        return row.astype(">u2").tobytes()
    bits = (row[:, None] >> np.arange(depth - 1, -1, -1)) & 1
    return np.packbits(bits.reshape(-1).astype(np.uint8)).tobytes()


def _filtered(filter_: int, row: bytes, above: bytes, step: int) -> bytes:
    found = bytearray()
    for place, value in enumerate(row):
        left = row[place - step] if place >= step else 0
        corner = above[place - step] if place >= step else 0
        up = above[place]
        guess = (0, left, up, (left + up) // 2, _paeth(left, up, corner))[filter_]
        found.append((value - guess) % 256)
    return bytes(found)


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


def zipped(members: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()
