"""`scellis data add ADDRESS`: make a dataset of files, wherever they lie, by their hashes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from scellis.cli.addresses import is_remote, last_name, read_address, read_folder
from scellis.cli.run import read_file
from scellis.content.folder import write_atomically
from scellis.errors import ScellisError
from scellis.sml.dataset import parse_dataset
from scellis.train.draft import dataset_name, draft, gathered
from scellis.train.reading import read_dataset


def add_arguments(commands: Any) -> None:
    """The grammar of `data`."""
    command: argparse.ArgumentParser = commands.add_parser("data", help="make datasets of files")
    verbs = command.add_subparsers(dest="verb", required=True, metavar="VERB")
    add = verbs.add_parser("add", help="write the SML text of a dataset, and a copy of its file beside it")
    add.add_argument(
        "address", help="a file or a folder of images: a path, or what fsspec reads (https://…, zip://…)"
    )
    add.add_argument("--name", help="the dataset's name; else that of its file")
    add.add_argument("--version", type=int, default=1, help="its version, 1 where none is given")
    add.add_argument("--to", type=Path, default=Path("data"), help="the folder that text and file go to")
    add.add_argument("--json", action="store_true", help="print one JSON object")
    add.set_defaults(act=act)


async def act(options: argparse.Namespace) -> int:
    """Read, draft, read as drafted, and write. Raises `SCL-DATA-*`, `SCL-RUN-FILE`."""
    name, data = gathered(_files(options.address))
    origin = options.address if options.address.startswith("https://") and name != "images.zip" else ""
    sml = draft(options.name or dataset_name(name), options.version, name, data, origin)
    text = parse_dataset(sml)
    dataset = read_dataset(text, dict.fromkeys(text.files, data))
    place = options.to / f"{text.name}.sml"
    known = parse_dataset(read_file(place).decode()) if place.is_file() else text
    if known.address == text.address and place.is_file():
        sml = read_file(place).decode()  # what a person has changed in it stays
    elif known.version >= text.version and place.is_file():
        raise ScellisError(
            "SCL-DATA-EXISTS",
            f"{place} is {known.id} already, of other data.",
            f"Name this one with --name, or give it a version with --version {known.version + 1}.",
        )
    try:
        for file in text.files:
            write_atomically(options.to / file, data)
        write_atomically(place, sml.encode())
    except OSError as error:
        raise ScellisError("SCL-RUN-FILE", f"{options.to} cannot be written: {error.strerror}.") from error
    arrays = {label: [str(array.dtype), *map(int, array.shape)] for label, array in dataset.arrays.items()}
    if options.json:
        print(json.dumps({"dataset": text.id, "address": text.address, "text": str(place), "arrays": arrays}))
        return 0
    print(f"{text.id}  {text.address}")
    for label, (dtype, count, *shape) in arrays.items():
        print(f"  {label:<12} {count} of {'×'.join(map(str, shape)) or 'one number'}, {dtype}")
    print(f"  written to {place}: look at what it takes the columns for, and at source and licence")
    return 0


def _files(address: str) -> dict[str, bytes]:
    if not is_remote(address):
        path = Path(address)
        if path.is_dir():
            return {
                f"{path.resolve().name}/{file.relative_to(path).as_posix()}": read_file(file)
                for file in sorted(path.rglob("*"))
                if file.is_file()
            }
        return {path.name: read_file(path)}
    folder = read_folder(address)
    if folder is None:
        return {last_name(address): read_address(address)}
    return {f"{last_name(address) or 'images'}/{name}": data for name, data in folder.items()}
