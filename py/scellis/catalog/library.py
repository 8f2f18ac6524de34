"""All entries at hand: those that come with the engine, and those that a person brings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from scellis.catalog.entry import Entry, read_entry
from scellis.errors import ScellisError

FILES_LIMIT = 1000
"""Files that a folder of entries may hold."""
LIKE = 0.7
"""Share of letters in common from which on one word may have been meant by another."""
ID_WORD = re.compile(r"[a-z][a-z0-9_]*(?:/[a-z][a-z0-9_]*)+")
"""What may be an id within a text."""


class Library:
    """Entries by their ids. One that is added takes the place of none that is there: ids are unique."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = dict(entries)

    def with_texts(self, texts: Mapping[str, str]) -> Library:
        """The library, and entries by their ids and texts. Raises what `read_entry` raises.

        Raises `SCL-CATALOG-ID` for an id that stands for another text.
        """
        entries = dict(self._entries)
        for id_, text in texts.items():
            if id_ in entries and entries[id_].text != text:
                raise ScellisError("SCL-CATALOG-ID", f"{id_!r} is another entry.", "Give yours another name.")
            entries[id_] = read_entry(id_, text)
        return Library(entries)

    def get(self, id_: str, kind: str) -> Entry:
        """The entry of an id. Raises `SCL-CATALOG-UNKNOWN`, naming the one that may have been meant."""
        found = self._entries.get(id_)
        if found is not None and found.kind == kind:
            return found
        known = sorted(entry.id for entry in self._entries.values() if entry.kind == kind)
        if found is not None:
            message = f"{id_!r} is a {found.kind}, not a {kind}."
        else:
            close = " or ".join(map(repr, _meant(id_, known)))
            message = f"There is no {kind} {id_[:80]!r}." + (f" Did you mean {close}?" if close else "")
        raise ScellisError("SCL-CATALOG-UNKNOWN", message, f"Known: {', '.join(known)}.", id=id_[:80])

    def of_kind(self, kind: str) -> list[Entry]:
        """The entries of a kind, by their ids: what a picker shows."""
        return sorted((entry for entry in self._entries.values() if entry.kind == kind), key=lambda e: e.id)

    def named_by(self, texts: Iterable[str]) -> dict[str, str]:
        """The addresses, by their ids, of the entries that texts name, and of those that theirs name."""
        found: dict[str, str] = {}
        unread = list(texts)
        while unread:
            for id_ in ID_WORD.findall(unread.pop()):
                entry = self._entries.get(id_)
                if entry is not None and id_ not in found:
                    found[id_] = entry.address
                    unread.append(entry.text)
        return found

    def only(self, ids: Iterable[str]) -> Library:
        """The entries of some ids alone."""
        return Library({id_: self._entries[id_] for id_ in ids})

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())


def _meant(id_: str, known: Sequence[str]) -> list[str]:
    """The two ids whose last words are most like that of one, if any are; like as a whole where they tie."""

    def likeness(name: str) -> tuple[float, float]:
        pairs = ((id_.rpartition("/")[2], name.rpartition("/")[2]), (id_, name))
        last, whole = (difflib.SequenceMatcher(None, given[:200], other).ratio() for given, other in pairs)
        return last, whole

    found = sorted(((likeness(name), name) for name in known), reverse=True)
    return [name for (last, _), name in found[:2] if last >= LIKE]


@cache
def built_in() -> Library:
    """The entries that come with the engine: `catalog/entries/training/optimizer/adamw.py` and so on."""
    root = files("scellis.catalog") / "entries"
    return Library({id_: read_entry(id_, text) for id_, text in _texts(root, ())})


def _texts(folder: Traversable, at: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir() and not item.name.startswith("_"):
            yield from _texts(item, (*at, item.name))
        elif item.name.endswith(".py"):
            yield "/".join((*at, item.name.removesuffix(".py"))), item.read_text(encoding="utf-8")


def texts_of(path: Path) -> dict[str, str]:
    """The entries of a file or folder by their ids: `user/` and the path. Raises `SCL-CATALOG-FILE`."""
    found = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    if not found or len(found) > FILES_LIMIT:
        raise ScellisError("SCL-CATALOG-FILE", f"{path} holds {len(found)} entries, of 1 to {FILES_LIMIT}.")
    texts: dict[str, str] = {}
    for file in found:
        within = file.relative_to(path.parent).with_suffix("")
        try:
            texts["user/" + within.as_posix()] = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ScellisError("SCL-CATALOG-FILE", f"{file} cannot be read: {error}.") from error
    return texts
