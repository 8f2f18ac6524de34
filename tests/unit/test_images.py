"""Images that lose nothing, read to the same numbers everywhere, and refused where they are damaged."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scellis.codecs.images import SAMPLES_LIMIT, decode_image, image_kind
from support.image_files import GREY, GREY_ALPHA, PALETTE, RGB, RGBA, SIGNATURE, chunk, png

RANDOM = np.random.default_rng(3)


@pytest.mark.parametrize(
    ("colour", "depth", "channels"),
    [
        (GREY, 1, 1), (GREY, 2, 1), (GREY, 4, 1), (GREY, 8, 1), (GREY, 16, 1), (RGB, 8, 3), (RGB, 16, 3),
        (GREY_ALPHA, 8, 2), (GREY_ALPHA, 16, 2), (RGBA, 8, 4), (RGBA, 16, 4),
    ],
)  # fmt: skip
def test_every_kind_of_png_comes_back_as_it_was_written(colour: int, depth: int, channels: int) -> None:
    samples = RANDOM.integers(0, 2**depth, (11, 13, channels))
    data = png(samples, colour, depth)
    stretch = 255 // (2**depth - 1) if depth < 8 else 1
    found = decode_image(data)
    assert found.dtype == (np.uint16 if depth == 16 else np.uint8)
    assert (found == samples.transpose(2, 0, 1) * stretch).all()
    assert image_kind(data).shape == found.shape
    assert image_kind(data).most == (65535 if depth == 16 else 255)


def test_a_palette_is_written_out_and_transparency_is_a_channel() -> None:
    colours = RANDOM.integers(0, 256, (4, 3), dtype=np.uint8)
    samples = RANDOM.integers(0, 4, (5, 6, 1))
    palette = chunk(b"PLTE", colours.tobytes())
    found = decode_image(png(samples, PALETTE, 2, before=palette))
    assert (found == colours[samples[..., 0]].transpose(2, 0, 1)).all()
    opaque = np.array([0, 7, 255, 255])
    found = decode_image(png(samples, PALETTE, 2, before=palette + chunk(b"tRNS", bytes([0, 7]))))
    assert (found[3] == opaque[samples[..., 0]]).all()
    grey = png(samples, GREY, 8, before=chunk(b"tRNS", struct.pack(">H", 2)))
    assert decode_image(grey).tolist() == [samples[..., 0].tolist(), ((samples[..., 0] != 2) * 255).tolist()]


def test_what_a_png_says_of_colours_and_bits_besides_changes_no_number() -> None:
    samples = RANDOM.integers(0, 256, (4, 4, 3))
    besides = (
        chunk(b"gAMA", struct.pack(">I", 45455)) + chunk(b"sBIT", bytes([5, 6, 5])) + chunk(b"sRGB", b"\0")
    )
    assert (decode_image(png(samples, RGB, before=besides)) == samples.transpose(2, 0, 1)).all()


@pytest.mark.parametrize(("form", "channels"), [(5, 1), (6, 3)])
@pytest.mark.parametrize("most", [1, 17, 255, 256, 65535])
def test_a_netpbm_image_is_read(form: int, channels: int, most: int) -> None:
    samples = RANDOM.integers(0, most + 1, (3, 5, channels)).astype(np.uint8 if most < 256 else ">u2")
    data = f"P{form}\n# made by hand\n5 3\n{most}\n".encode() + samples.tobytes()
    assert (decode_image(data) == samples.transpose(2, 0, 1)).all()
    assert image_kind(data).most == most


SMALL = png(np.arange(12).reshape(3, 4, 1))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "neither a PNG nor a binary PGM or PPM"),
        (b"\xff\xd8\xff\xe0 JFIF", "neither a PNG"),
        (b"P2\n1 1\n255\n0\n", "neither a PNG"),
        (b"P5\n2 2\n255\n\0\0\0", "it has 3 bytes of pixels, which are no 2 × 2 pixels"),
        (b"P5\n2 2\n0\n", "its greatest value is 0"),
        (b"P5\n2 2\n65536\n", "its greatest value is 65536"),
        (b"P5\n0 2\n255\n", "it has no pixels"),
        (b"P5\n1 1\n9\n\x0a", "a value above 9"),
        (b"P6\n99999999 99999999\n255\n", "numbers are read of an image"),
        (SIGNATURE, "it is no PNG"),
        (SIGNATURE + chunk(b"IDAT", b""), "it is no PNG: it begins with no head"),
        (SMALL[:-20], "it is no PNG: ChunkError"),
        (SMALL.replace(b"IHDR", b"IHDA"), "it is no PNG"),
        (SMALL.replace(zlib.compress(b"")[:2], b"\0\0", 1), "it is no PNG: ChunkError"),
        (png(np.zeros((1, 1, 1), int), said=(2**20, 2**20)), f"at most {SAMPLES_LIMIT} numbers"),
        (png(np.zeros((1, 1, 1), int), said=(0, 1)), "it has no pixels"),
        (png(np.zeros((3, 4, 1), int), said=(4, 9)), "it has 3 rows of 9"),
        (png(np.zeros((9, 4, 1), int), said=(4, 3)), "it has 9 rows of 3"),
        (png(np.zeros((3, 4, 1), int), said=(5, 3)), "it is no PNG"),
        (png(np.zeros((3, 4, 1), int), PALETTE), "its palette is missing"),
        (png(np.full((3, 4, 1), 9), PALETTE, before=chunk(b"PLTE", bytes(6))), "it is no PNG"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_image_is_said(data: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        decode_image(data)
    assert said in str(caught.value)


def test_a_bomb_is_not_unpacked_beyond_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0))
    bomb += chunk(b"IDAT", zlib.compress(bytes(2**24))) + chunk(b"IEND", b"")
    made = []
    real = zlib.decompressobj

    class Watched:
        def __init__(self) -> None:
            self._real = real()

        def decompress(self, *given: object) -> bytes:
            made.append(self._real.decompress(*given))  # type: ignore[arg-type]
            return made[-1]

    monkeypatch.setattr(zlib, "decompressobj", Watched)
    with pytest.raises(ValueError, match="more than its size"):
        decode_image(bomb)
    assert sum(map(len, made)) < 10_000


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_png_is_read_as_it_was_or_refused(data: st.DataObject) -> None:
    damaged = bytearray(SMALL)
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(SMALL) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(damaged[: data.draw(st.integers(0, len(SMALL)) | st.just(len(SMALL)))])
    try:
        found = decode_image(cut)
    except ValueError:
        return
    assert found.reshape(-1).tolist() == list(range(12))
