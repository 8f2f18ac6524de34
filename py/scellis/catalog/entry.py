"""A catalog entry: an optimizer, a layer, a loss: its id, its text, its fields, its functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from scellis.catalog.fields import Field, FieldValue, read_fields
from scellis.catalog.interpreter import Module, Namespace
from scellis.catalog.language import WORDS
from scellis.catalog.syntax import parse, refusal
from scellis.content import address
from scellis.errors import ScellisError

_ID = re.compile(r"[a-z][a-z0-9_]{0,39}(/[a-z][a-z0-9_]{0,39}){1,5}")
_FIELD = re.compile(r"[a-z][a-z0-9_]{0,39}")
RESERVED = ("block_id", "of", "repeat", "frozen")
"""What a record says of a use besides the entry's own fields."""

KINDS: Mapping[str, tuple[tuple[str, int], ...]] = {
    "optimizer": (("state", 2), ("update", 6)),
    "scheduler": (("rate", 5),),
    "loss": (("loss", 3),),
    "metric": (("measure", 3),),
    "initializer": (("values", 4),),
    "layer": (("layer", 3),),
    "augmentation": (("augment", 3),),
}
"""The kinds of entries: their functions and how many parameters each has. docs/catalog.md names them."""


@attrs.frozen(eq=False)
class Entry:
    """One entry. Made by `read_entry`."""

    id: str
    kind: str
    text: str
    title: str
    about: str
    source: str
    """the paper or standard that its formula is from"""
    fields: Mapping[str, Field]
    module: Module

    @property
    def address(self) -> str:
        """The content address of the text."""
        return address(self.text.encode())

    def read(self, given: Mapping[str, object]) -> dict[str, FieldValue]:
        """The values of all fields. Raises `SCL-CATALOG-FIELD`."""
        return read_fields(self.fields, given)

    def call(self, function: str, *args: Any, fields: Mapping[str, FieldValue]) -> Any:
        """One of its functions, with the fields as the last argument."""
        return self.module.call(function, *args, Namespace("fields", fields))


def read_entry(id_: str, text: str) -> Entry:
    """An entry from its text, which is checked and never executed.

    Raises `SCL-CATALOG-ID` for what is no id, `SCL-CATALOG-TEXT` with the line of what is wrong.
    """
    if not _ID.fullmatch(id_):
        raise ScellisError(
            "SCL-CATALOG-ID",
            f"{id_[:80]!r} is no id of an entry.",
            "An id is lower-case words of letters, digits and _, with / between: user/ada/signum.",
        )
    module = Module(id_, parse(id_, text), WORDS)
    kind = module.constant("KIND")
    if not isinstance(kind, str) or kind not in KINDS:
        raise refusal(id_, None, "KIND is not set to a kind of entry.", f"Known: {', '.join(KINDS)}.")
    for function, count in KINDS[kind]:
        if function not in module:
            raise refusal(id_, None, f"a {kind} has a function {function!r}, which is missing.")
        if len(module.parameters(function)) != count:
            raise refusal(
                id_, None, f"{function} of a {kind} takes {count} arguments.", "docs/catalog.md names them."
            )
    paragraphs = [" ".join(part.split()) for part in module.docstring.split("\n\n")]
    if not paragraphs[0]:
        raise refusal(id_, 1, "the text begins with a docstring that says what the entry is.")
    source = [part.removeprefix("Source: ") for part in paragraphs if part.startswith("Source: ")]
    return Entry(
        id=id_,
        kind=kind,
        text=text,
        title=paragraphs[0].rstrip("."),
        about="\n\n".join(part for part in paragraphs[1:] if not part.startswith("Source: ")),
        source=" ".join(source),
        fields=_fields(id_, module),
        module=module,
    )


def _fields(id_: str, module: Module) -> dict[str, Field]:
    found = module.constant("FIELDS")
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise refusal(id_, None, "FIELDS is a map of names to fields.")
    for name, field in found.items():
        if name in RESERVED:
            raise refusal(id_, None, f"a field is not called {name!r}: records say other things by it.")
        if not isinstance(name, str) or not _FIELD.fullmatch(name) or not isinstance(field, Field):
            raise refusal(
                id_, None, f"FIELDS has {str(name)[:40]!r}, which is no field.", "Take number, integer, …"
            )
        if not field.about:
            raise refusal(id_, None, f"the field {name!r} does not say what it is.", "Give it about=…")
        if field.default is not None:
            field.read(field.default)
    return found
