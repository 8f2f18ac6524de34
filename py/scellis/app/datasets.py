"""Datasets on the page: those that come with it, and those that a person brought, kept in the tab's store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urljoin, urlsplit

from scellis.app.models import Model
from scellis.app.world import World
from scellis.content import parse_address
from scellis.errors import ScellisError
from scellis.sml.dataset import DatasetText, parse_dataset
from scellis.sml.edit import with_fields
from scellis.train.background import finish
from scellis.train.data import DATASET_LIMIT_BYTES, FILES_LIMIT, Dataset
from scellis.train.draft import dataset_name, draft, gathered
from scellis.train.reading import reading
from scellis.train.starting import starting_record

TEXT = ".sml"
_PREFIX = "dataset-"


class Datasets:
    """All that a record here can name. What is brought is read before it is kept: it is whole, or refused."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._turn = asyncio.Lock()  # of two that are brought at once, each has a version of its own
        self._page = {text.id: text for text in map(parse_dataset, world.datasets.values())}

    async def text(self, id_: str) -> DatasetText:
        """The text of a dataset by its name and version. Raises `SCL-DATA-MISSING`."""
        known = await self._known()
        if id_ not in known:
            raise ScellisError(
                "SCL-DATA-MISSING", f"There is no dataset {id_[:80]!r} here.", f"Known: {', '.join(known)}."
            )
        return known[id_]

    async def read(self, text: DatasetText) -> Dataset:
        """Its files, held to their hashes, read between what else goes on. Raises `SCL-DATA-*`."""
        return await finish(reading(text, {name: await self._file(text, name) for name in text.files}))

    async def show(self) -> None:
        """Tell the page which datasets there are."""
        own = await self._own()
        texts = [*own.values(), *(text for id_, text in self._page.items() if id_ not in own)]
        self._world.emit("datasets", {"known": [_model(text, own=text.id in own) for text in texts]})

    # ---- what the page asks for ----

    async def data_add(self, files: Sequence[Mapping[str, Any]]) -> str:
        """Keep files as a dataset: `token`, `path` and `size` of each. Its name and version."""
        sizes = sum(int(file["size"]) for file in files)
        if sizes > DATASET_LIMIT_BYTES or len(files) > FILES_LIMIT:
            raise ScellisError(
                "SCL-DATA-SIZE",
                f"These are {len(files)} files of {sizes} bytes; {DATASET_LIMIT_BYTES} are read at most.",
            )
        given = {str(file["path"]): await self._world.take_file(str(file["token"])) for file in files}
        async with self._turn:
            return await self._added(given)

    async def _added(self, given: dict[str, bytes]) -> str:
        texts = [path for path in given if path.endswith(TEXT)]
        if len(texts) == 1:
            sml = _decoded(texts[0], given.pop(texts[0]))
            text = parse_dataset(sml)
            named = {path.rpartition("/")[2]: data for path, data in given.items()}
            return await self._keep(text, sml, await self._completed(text, named))
        name, data = gathered(given)
        return await self._drafted(name, data)

    async def data_url(self, url: str) -> str:
        """Keep what a URL names as a dataset: a file, or a dataset's text whose files lie beside it."""
        data = await self._world.fetch_data(url)
        async with self._turn:
            return await self._fetched(url, data)

    async def _fetched(self, url: str, data: bytes) -> str:
        name = urlsplit(url).path.rpartition("/")[2] or "data"
        if not name.endswith(TEXT):
            return await self._drafted(name, data, url if url.startswith("https://") else "")
        sml = _decoded(name, data)
        text = parse_dataset(sml)
        found = {
            file: await self._world.fetch_data(text.origins.get(file) or urljoin(url, file))
            for file in text.files
        }
        return await self._keep(text, sml, found)

    async def data_record(self, id: str) -> str:  # noqa: A002 - the page's word
        """A record to begin with, that trains on a dataset."""
        text = await self.text(id)
        return starting_record(text, await self.read(text))

    async def data_text(self, id: str) -> str:  # noqa: A002
        """The text of a dataset, as a person may change it."""
        text = await self.text(id)
        data = await self._world.store.get_ref(_ref(text))
        page = (sml for sml in self._world.datasets.values() if parse_dataset(sml).id == id)
        return data.decode() if data is not None else next(page)

    async def data_change(self, id: str, sml: str) -> str:  # noqa: A002
        """Keep a changed text of the same files, as the next version where it reads anything else."""
        before, text = await self.text(id), parse_dataset(sml)
        if not text.files.items() <= before.files.items():
            raise ScellisError(
                "SCL-DATA-MISSING",
                f"The text names a file that {id} is not made of.",
                "Leave its files as they are; other ones are given with their text.",
            )
        files = {name: await self._file(before, name) for name in text.files}
        async with self._turn:
            known = await self._known()
            if text.id in known and known[text.id].address != text.address:
                version = 1 + max(other.version for other in known.values() if other.name == text.name)
                sml = with_fields(sml, {"dataset": f"{text.name}@{version}"})
                text = parse_dataset(sml)
            return await self._keep(text, sml, files)

    async def data_forget(self, id: str) -> None:  # noqa: A002
        """Forget a dataset that a person brought, with its files, but for those that another is made of."""
        gone = (await self._own()).get(id)
        if gone is None:
            raise ScellisError("SCL-DATA-MISSING", f"No dataset {id[:80]!r} is kept here.")
        await self._world.store.delete_ref(_ref(gone))
        await self._drop(gone)
        await self.show()

    # ---- keeping ----

    async def _drafted(self, file: str, data: bytes, origin: str = "") -> str:
        """Keep a file under a name of its own, in the next version where that is another dataset's."""
        name = dataset_name(file)
        known = [text for text in (await self._known()).values() if text.name == name]
        text = parse_dataset(draft(name, 1, file, data, origin))
        for other in known:
            if other.address == text.address:
                return other.id
        version = 1 + max((other.version for other in known), default=0)
        text = parse_dataset(sml := draft(name, version, file, data, origin))
        return await self._keep(text, sml, dict.fromkeys(text.files, data))

    async def _completed(self, text: DatasetText, given: Mapping[str, bytes]) -> dict[str, bytes]:
        """The files that a text names: given, or where it says. Raises `SCL-DATA-MISSING`."""
        found = {}
        for file in text.files:
            if file not in given and file not in text.origins:
                raise ScellisError(
                    "SCL-DATA-MISSING",
                    f"{file}, which {text.id} is made of, is not among the files.",
                    "Give the text and all its files together.",
                )
            found[file] = given[file] if file in given else await self._world.fetch_data(text.origins[file])
        return found

    async def _keep(self, text: DatasetText, sml: str, files: Mapping[str, bytes]) -> str:
        """Read a dataset and, if it is whole, keep it. Raises `SCL-DATA-*`, `SCL-STORE-FULL`."""
        await finish(reading(text, files))
        known = (await self._known()).get(text.id)
        if known is not None and known.address != text.address:
            raise ScellisError(
                "SCL-DATA-EXISTS",
                f"There is a dataset {text.id} here already, of other data.",
                "Give this one another name or version in its text.",
            )
        store = self._world.store
        try:
            for data in files.values():
                await store.put(data)
            await store.set_ref(_ref(text), sml.encode())
        except BaseException:
            with suppress(ScellisError):  # the first error is the one to tell
                await self._drop(text)
            raise
        await self.show()
        return text.id

    async def _drop(self, text: DatasetText) -> None:
        """Delete its files, but for those that a dataset is made of that is kept."""
        needed = {name for other in (await self._own()).values() for name in other.files.values()}
        for name in set(text.files.values()) - needed:
            await self._world.store.delete(name)

    async def _known(self) -> dict[str, DatasetText]:
        """All of them, by name and version."""
        return {**await self._own(), **self._page}

    async def _own(self) -> dict[str, DatasetText]:
        """What a person brought, by name and version; what is damaged is left out."""
        found = {}
        for name in await self._world.store.refs(_PREFIX):
            data = await self._world.store.get_ref(name)
            try:
                text = parse_dataset((data or b"").decode())
            except (ScellisError, UnicodeDecodeError):
                continue
            found[text.id] = text
        return found

    async def _file(self, text: DatasetText, name: str) -> bytes:
        if text.id in self._page:
            return await self._world.read_data(name)
        data = await self._world.store.get(parse_address(text.files[name]))
        if data is not None:
            return data
        if name in text.origins:
            return await self._world.fetch_data(text.origins[name])
        raise ScellisError(
            "SCL-DATA-MISSING", f"{name} of {text.id} is no longer kept here.", "Give its files once more."
        )


def _ref(text: DatasetText) -> str:
    return f"{_PREFIX}{text.name}-{text.version}"


def _decoded(name: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ScellisError("SCL-DATA-FORM", f"{name[:120]} is not text in UTF-8.") from error


def _model(text: DatasetText, *, own: bool) -> Model:
    return {
        "id": text.id,
        "address": text.address,
        "about": text.about,
        "own": own,
        "format": text.format,
        "arrays": [part.name for part in text.parts],
        "origin": next((urlsplit(url).hostname or "" for url in text.origins.values()), ""),
    }


DATA_CALLS: Mapping[str, Callable[..., Awaitable[Any]]] = {
    method.__name__: method
    for method in (
        Datasets.data_add,
        Datasets.data_url,
        Datasets.data_record,
        Datasets.data_text,
        Datasets.data_change,
        Datasets.data_forget,
    )
}
"""What the page may ask for, by name."""
