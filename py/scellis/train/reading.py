"""Files of data, read to datasets: tables (CSV), archives of arrays (NPZ), images in folders, text."""

from __future__ import annotations

from collections.abc import Generator, Mapping

import numpy as np

from scellis.content import address
from scellis.errors import ScellisError
from scellis.sml.dataset import CONVERTED, NO_PARQUET, DatasetText
from scellis.train.archives import read_arrays
from scellis.train.background import exhaust
from scellis.train.data import DATASET_LIMIT_BYTES, Column, Dataset
from scellis.train.files import DataFile, Found, Reader, Reading, decoded, unpacked
from scellis.train.pictures import read_images
from scellis.train.tables import read_table

PARQUET = b"PAR1"
"""How a Parquet file begins and ends, whatever it is called."""
VOCABULARY_LIMIT = 65_536


def read_dataset(text: DatasetText, files: Mapping[str, bytes]) -> Dataset:
    """The dataset that an SML text says is in files, by their names.

    Raises `SCL-DATA-HASH` for other files, `SCL-DATA-FORM` with the row or array of what is wrong,
    `SCL-DATA-SIZE` for one that unpacks to too much.
    """
    return exhaust(reading(text, files))


def reading(text: DatasetText, files: Mapping[str, bytes]) -> Generator[None, None, Dataset]:
    """As `read_dataset`, in pieces: for `background.finish`, so that nothing else waits for all of it."""
    arrays: dict[str, Column] = {}
    words: dict[str, tuple[str, ...]] = {}
    size_bytes = 0
    for name, wanted in text.files.items():
        if (found := address(files[name])) != wanted:
            raise ScellisError(
                "SCL-DATA-HASH",
                f"{name} is {found}, and {text.id} is made of {wanted}.",
                "Take the file that the dataset was written for, or give it a new version with this address.",
            )
        file = DataFile(text, name, [part for part in text.parts if part.file == name])
        data = (yield from unpacked(file, files[name])) if name.lower().endswith(".gz") else files[name]
        if data.startswith(PARQUET):
            raise ScellisError("SCL-DATA-PARQUET", f"{name} of {text.id}: {NO_PARQUET}", CONVERTED)
        read = yield from _READERS[text.format](file, data)
        size_bytes += sum(array.nbytes for array in read.arrays.values() if isinstance(array, np.ndarray))
        if size_bytes > DATASET_LIMIT_BYTES:
            raise file.too_large()
        arrays |= read.arrays
        words |= read.words
    return Dataset(
        text.name, text.version, {part.name: arrays[part.name] for part in text.parts}, words, text.address
    )


def _text(file: DataFile, data: bytes) -> Reading:
    """The characters of a text, each the number of its place among those that occur, in order (n,) i32."""
    letters = np.frombuffer(decoded(file, data).encode("utf-32-le"), np.uint32)
    yield
    known, tokens = np.unique(letters, return_inverse=True)
    if len(known) > VOCABULARY_LIMIT:
        raise file.fault(f"it has {len(known)} different characters; at most {VOCABULARY_LIMIT} are read")
    name = file.parts[0].name
    return Found({name: tokens.astype(np.int32)}, {name: tuple(map(chr, known.tolist()))})


_READERS: Mapping[str, Reader] = {
    "csv": read_table, "npz": read_arrays, "images": read_images, "text": _text,
}  # fmt: skip
