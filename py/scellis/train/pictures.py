"""Images in folders by class, packed as a ZIP: their classes, and pixels that are decoded when asked for."""

from __future__ import annotations

import io
import threading
import zipfile
from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from scellis.codecs.images import ImageKind, Pixels, decode_image, image_kind
from scellis.graph.op import Array
from scellis.sml.dataset import PIXELS, Part
from scellis.train.background import exhaust
from scellis.train.data import DATASET_LIMIT_BYTES, FILES_LIMIT, Indices
from scellis.train.files import DataFile, Found, Reading, scaled
from scellis.train.zips import FAULTS, check_packing, files_in

IMAGE_LIMIT_BYTES = 2**28
"""Of one file, unpacked: the largest image that is read has 2²⁶ numbers of two bytes."""
KEPT_BYTES = 2**28
"""Decoded pixels that are kept from one epoch to the next; where there are more, some are decoded anew."""
_SUFFIXES = (".png", ".pgm", ".ppm")
_JPEG = (".jpg", ".jpeg", ".webp", ".avif", ".heic")


def read_images(file: DataFile, data: bytes) -> Reading:
    """The images of an archive, in the order of their paths. All heads are read here, and no pixels.

    Raises `SCL-DATA-FORM`, naming the image, `SCL-DATA-SIZE`.
    """
    if len(data) > DATASET_LIMIT_BYTES:
        raise file.too_large()
    archive, members = _opened(file, data)
    first: ImageKind | None = None
    for member in members:
        try:
            kind = image_kind(_bytes(file, archive, member))
        except ValueError as error:
            raise file.fault(f"{member.filename}: {error}") from error
        first = first or kind
        if kind != first:
            raise file.fault(
                f"{member.filename} has {kind}, where {members[0].filename} has {first}: "
                "the images of a dataset are of one size and kind"
            )
        yield
    assert first is not None
    arrays: dict[str, Array | Pictures] = {}
    words: dict[str, tuple[str, ...]] = {}
    for part in file.parts:
        if part.columns == (PIXELS,):
            arrays[part.name] = Pictures(file, part, archive, members, first)
        else:
            words[part.name], arrays[part.name] = _classes(file, [member.filename for member in members])
    return Found(arrays, words)


class Pictures:
    """Pixels of images (count, channels, height, width), f32 or i32, decoded as they are asked for.

    Raises `SCL-DATA-FORM`, naming the image, of one whose pixels are damaged.
    """

    ndim = 4

    def __init__(
        self, file: DataFile, part: Part, archive: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo],
        kind: ImageKind,
    ) -> None:  # fmt: skip
        self.shape = (len(members), *kind.shape)
        self._file = file
        self._archive = archive
        self._members = members
        self._kind = kind
        self._elements = scaled(file, part, np.arange(kind.most + 1))
        self.dtype = self._elements.dtype
        self._kept: dict[int, Pixels] = {}
        self._most_kept = max(1, KEPT_BYTES // (int(np.prod(kind.shape)) * (2 if kind.most > 255 else 1)))
        self._turn = threading.Lock()  # a validation reads while a batch is made ready in a thread

    def __getitem__(self, examples: Indices) -> Array:
        return exhaust(self.made(examples))

    def made(self, examples: Indices) -> Generator[None, None, Array]:
        """Their pixels, decoded one image at a time."""
        found = np.empty((len(examples), *self.shape[1:]), self.dtype)
        for place, example in enumerate(examples):
            found[place] = self._elements[self._pixels(int(example))]
            yield
        return found

    def _pixels(self, example: int) -> Pixels:
        known = self._kept.get(example)
        if known is not None:
            return known
        member = self._members[example]
        try:
            found = decode_image(_bytes(self._file, self._archive, member))
        except ValueError as error:
            raise self._file.fault(f"{member.filename}: {error}") from error
        with self._turn:
            self._kept[example] = found
            while len(self._kept) > self._most_kept:
                del self._kept[next(iter(self._kept))]
        return found


def _opened(file: DataFile, data: bytes) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """An archive and its images, in the order of their paths."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except FAULTS as error:
        raise file.fault(f"it is no ZIP of images: {str(error)[:120]}") from error
    members = files_in(archive)
    if not 1 <= len(members) <= FILES_LIMIT:
        raise file.fault(f"it has {len(members)} images; 1 to {FILES_LIMIT} are read")
    for member in members:
        path = member.filename
        if path.lower().endswith(_JPEG):
            raise file.fault(
                f"{path} is compressed with loss, and decoders of that differ in bits; convert it to PNG, "
                f"with ImageMagick: mogrify -format png */*.{path.rpartition('.')[2]}"
            )
        if not path.lower().endswith(_SUFFIXES):
            raise file.fault(f"{path} is no image that is read: PNG, PGM and PPM are")
    if len({member.filename for member in members}) != len(members):
        raise file.fault("it holds two files of one path")
    return archive, sorted(members, key=lambda member: member.filename)


def _bytes(file: DataFile, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if member.file_size > IMAGE_LIMIT_BYTES:
        raise file.fault(
            f"{member.filename} has {member.file_size} bytes; {IMAGE_LIMIT_BYTES} are read at most"
        )
    check_packing(file, member.filename, member)
    try:
        return archive.read(member)
    except FAULTS as error:
        raise file.fault(f"{member.filename} cannot be unpacked: {str(error)[:120]}") from error


def _classes(file: DataFile, paths: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Names of classes in order, and the class of each image: its first folder below those that all share."""
    folders = [path.split("/")[:-1] for path in paths]
    least, most = min(folders), max(folders)
    shared = next(
        (place for place, (a, b) in enumerate(zip(least, most, strict=False)) if a != b),
        min(len(least), len(most)),
    )
    names = [folder[shared] if len(folder) > shared else "" for folder in folders]
    if "" in names:
        raise file.fault(f"{paths[names.index('')]} lies in no folder that says its class")
    known = sorted(set(names))
    places = {name: place for place, name in enumerate(known)}
    return tuple(known), np.array([places[name] for name in names], np.int32)
