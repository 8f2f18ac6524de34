"""Where the dataset of a record is found: beside it, at an address, in a built site, where its text says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scellis.cli.addresses import beside, is_remote, read_address
from scellis.cli.run import read_file
from scellis.errors import ScellisError
from scellis.sml.dataset import DatasetText, parse_dataset
from scellis.sml.training import TrainingRecord
from scellis.train.data import Dataset
from scellis.train.folders import pack_path
from scellis.train.reading import read_dataset


def find_dataset(
    record: TrainingRecord, record_path: Path, given: str | None, site: Path
) -> tuple[Dataset, str]:
    """The dataset that a record names, and its SML text, which is given or lies in `data/` beside the record.

    `given` is a path, or any address that fsspec reads. Its files lie beside its text, in a built site, or
    where the text itself says. Raises `SCL-DATA-*`, and what reading raises.
    """
    name = record.data.dataset.partition("@")[0]
    place = given or str(record_path.parent / "data" / f"{name}.sml")
    if not is_remote(place) and not Path(place).is_file():
        raise ScellisError(
            "SCL-DATA-MISSING",
            f"{place} is missing, which would say what {record.data.dataset} is.",
            "Name the dataset's SML text with --data; scellis data add writes one.",
        )
    data = read_address(place) if is_remote(place) else read_file(Path(place))
    try:
        sml = _decoded(data, place)
        text = parse_dataset(sml)
        return read_dataset(text, {file: _file(text, file, place, site) for file in text.files}), sml
    except ScellisError as error:
        raise error.located(place) from error


def _file(text: DatasetText, file: str, place: str, site: Path) -> bytes:
    origin = text.origins.get(file)
    if is_remote(place):
        return read_address(origin or beside(place, file))
    return _local(file, origin, [Path(place).parent, site / "data"])


def _local(file: str, origin: str | None, folders: Sequence[Path]) -> bytes:
    for folder in folders:
        if (folder / file).is_file():
            return read_file(folder / file)
        unpacked = folder / file.removesuffix(".zip")
        if file.endswith(".zip") and unpacked.is_dir():
            return pack_path(unpacked)
    if origin:
        return read_address(origin)
    raise ScellisError(
        "SCL-DATA-MISSING",
        f"{file} is in none of {', '.join(map(str, folders))}.",
        "Put it beside the dataset's text; of the examples, scripts/build fetches the files.",
    )


def _decoded(data: bytes, place: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ScellisError("SCL-RUN-FILE", f"{place} is not text in UTF-8.") from error
