"""Images that lose nothing, PNG and the Netpbm forms PGM and PPM: the same bits natively and in a tab.

JPEG is not among them: its standard lets decoders differ, so the same file would be other numbers elsewhere.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
import png
from numpy.typing import NDArray

SAMPLES_LIMIT = 2**26
"""Numbers in one image, as 4096 × 4096 pixels of four channels."""
SLACK_BYTES = 4096
"""By what an image of several passes may be longer than one of a single pass, beside a factor of two."""

Pixels = NDArray[Any]
"""u8 or u16"""


@attrs.frozen
class ImageKind:
    """What an image is before its pixels are: `most` is the greatest value that a channel can have.

    Channels are grey, grey and alpha, red green blue, or those and alpha.
    """

    channels: int
    height: int
    width: int
    most: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """(channels, height, width), the order in which convolutions read an image."""
        return self.channels, self.height, self.width

    def __str__(self) -> str:
        return f"{self.width} × {self.height} pixels of {self.channels} channels up to {self.most}"


def image_kind(data: bytes) -> ImageKind:
    """What an image is, by its head alone. Raises ValueError with what is wrong."""
    kind = _png_head(data)[1] if data.startswith(PNG) else _netpbm_head(data)[0]
    if not kind.width or not kind.height:
        raise ValueError("it has no pixels")
    if kind.channels * kind.height * kind.width > SAMPLES_LIMIT:
        raise ValueError(f"it has {kind}; at most {SAMPLES_LIMIT} numbers are read of an image")
    return kind


def decode_image(data: bytes) -> Pixels:
    """The pixels (channels, height, width) u8, or u16 where a channel goes beyond 255.

    Palettes are written out, transparency is a channel, and grey of 1, 2 or 4 bits is stretched to 8, as PNG
    defines it. Raises ValueError with what is wrong, before anything larger than its head says is made.
    """
    kind = image_kind(data)
    rows = _png(data, kind) if data.startswith(PNG) else _netpbm(data, kind)
    return np.ascontiguousarray(rows.reshape(kind.height, kind.width, kind.channels).transpose(2, 0, 1))


def _png_head(data: bytes) -> tuple[png.Reader, ImageKind]:
    reader = png.Reader(bytes=data)
    try:
        reader.preamble()
    except _FAULTS as error:
        raise ValueError(f"it is no PNG: {str(error)[:120]}") from error
    if not hasattr(reader, "planes"):
        raise ValueError("it is no PNG: it begins with no head")
    if reader.colormap and not reader.plte:
        raise ValueError("it is no PNG: its palette is missing")
    reader.sbit = None  # says how many bits once counted; the samples are what they are
    planes = 3 if reader.colormap else reader.planes
    most = 65535 if reader.bitdepth == 16 else 255
    return reader, ImageKind(planes + (reader.trns is not None), reader.height, reader.width, most)


def _png(data: bytes, kind: ImageKind) -> Pixels:
    reader, _ = _png_head(data)
    most_bytes = 2 * reader.height * (reader.row_bytes + 1) + SLACK_BYTES
    try:
        packed = b"".join(body for name, body in png.Reader(bytes=data).chunks() if name == b"IDAT")
        if len(zlib.decompressobj().decompress(packed, most_bytes + 1)) > most_bytes:
            raise ValueError("it unpacks to more than its size")
        _, _, rows, info = reader.asDirect()
        samples = [_row(row, kind) for row in rows]
    except _FAULTS as error:
        raise ValueError(f"it is no PNG: {str(error)[:120]}") from error
    if len(samples) != kind.height:
        raise ValueError(f"it has {len(samples)} rows of {kind.height}")
    found: Pixels = np.stack(samples)
    depth = info["bitdepth"]
    return found * np.uint8(255 // (2**depth - 1)) if depth < 8 else found


def _row(row: Sequence[int], kind: ImageKind) -> Pixels:
    found: Pixels = np.array(row, np.uint16) if kind.most > 255 else np.frombuffer(row, np.uint8)  # type: ignore[call-overload]
    if len(found) != kind.width * kind.channels:
        raise ValueError("a row of it has another length")
    return found


def _netpbm_head(data: bytes) -> tuple[ImageKind, int]:
    """What a binary PGM or PPM is, and where its pixels begin."""
    found = _NETPBM.match(data)
    if found is None:
        raise ValueError("it is neither a PNG nor a binary PGM or PPM")
    width, height, most = (int(found[name]) for name in ("width", "height", "most"))
    if not 0 < most < 2**16:
        raise ValueError(f"its greatest value is {most}, which is none of 1 to 65535")
    return ImageKind(1 if found["form"] == b"5" else 3, height, width, most), found.end()


def _netpbm(data: bytes, kind: ImageKind) -> Pixels:
    start = _netpbm_head(data)[1]
    body = memoryview(data)[start:]
    dtype = np.dtype(np.uint8 if kind.most < 256 else ">u2")
    if len(body) != kind.channels * kind.height * kind.width * dtype.itemsize:
        raise ValueError(f"it has {len(body)} bytes of pixels, which are no {kind}")
    found = np.frombuffer(body, dtype)
    if found.size and found.max() > kind.most:
        raise ValueError(f"it has a value above {kind.most}, its greatest")
    return found.astype(np.uint8 if kind.most < 256 else np.uint16)


PNG = b"\x89PNG\r\n\x1a\n"
_SPACE = rb"(?:[ \t\r\n]|#[^\n]{0,1000}\n){1,100}"
_NETPBM = re.compile(
    rb"P(?P<form>[56])" + _SPACE + rb"(?P<width>[0-9]{1,9})" + _SPACE + rb"(?P<height>[0-9]{1,9})"
    + _SPACE + rb"(?P<most>[0-9]{1,9})[ \t\r\n]"
)  # fmt: skip
_FAULTS: tuple[Any, ...] = (
    png.Error, zlib.error, struct.error, EOFError, ValueError, IndexError, TypeError, Warning,
)  # fmt: skip
