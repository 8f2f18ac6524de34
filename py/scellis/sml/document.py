"""Reading SML text: YAML 1.2 with its places kept, from hands that need not be friendly."""

from __future__ import annotations

import difflib
import io
import sys
from collections.abc import Iterable
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from scellis.errors import ScellisError

TEXT_LIMIT = 64 * 1024
"""The longest text read, in characters."""
DEPTH_LIMIT = 16
"""The deepest nesting of maps and lists."""


def _refusal(message: str, line: int | None = None, remedy: str = "") -> ScellisError:
    where = f"Line {line}: " if line else ""
    return ScellisError("SCL-SML-TEXT", where + message, remedy, line=line)


def _meant(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def _known(known: list[str]) -> str:
    return f"Known: {', '.join(known)}."


def load(text: str) -> Section:
    """The top map of an SML text. Raises `SCL-SML-TEXT` with the line of what is wrong.

    Anchors, aliases, merges and tags are refused: a document says what it means once, and cannot grow when
    it is read.
    """
    if len(text) > TEXT_LIMIT:
        raise _refusal(f"The text has {len(text)} characters; at most {TEXT_LIMIT} are read.")
    try:
        _check_events(text)
        value = YAML(typ="rt", pure=True).load(io.StringIO(text))
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        why = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise _refusal(f"{why[:200]}.", mark.line + 1 if mark else None, "Mend the text there.") from error
    except (ValueError, RecursionError) as error:
        raise _refusal(f"The text cannot be read: {error}.") from error
    if not isinstance(value, CommentedMap):
        raise _refusal("An SML document is a map of fields.")
    return Section(value, "")


def _check_events(text: str) -> None:
    depth = 0
    for event in YAML(typ="rt", pure=True).parse(io.StringIO(text)):
        if isinstance(event, AliasEvent) or (isinstance(event, NodeEvent) and event.anchor):
            raise _refusal("anchors and aliases are not used in SML.", event.start_mark.line + 1)
        if isinstance(event, ScalarEvent) and event.value == "<<":
            raise _refusal("merge keys are not used in SML.", event.start_mark.line + 1)
        if getattr(event, "tag", None):
            raise _refusal("tags are not used in SML.", event.start_mark.line + 1)
        if isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            depth += 1
            if depth > DEPTH_LIMIT:
                raise _refusal(f"nested more than {DEPTH_LIMIT} deep.", event.start_mark.line + 1)
        elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            depth -= 1


class Section:
    """One map of a document, with its path and lines for errors."""

    def __init__(self, value: CommentedMap, path: str) -> None:
        self._value = value
        self.path = path

    def _line(self, key: str | None = None) -> int | None:
        if key is not None and key in self._value:
            return int(self._value.lc.key(key)[0]) + 1
        return int(self._value.lc.line) + 1 if self._value.lc.line is not None else None

    def name(self, key: str) -> str:
        """The full path of a field, `job.seed`."""
        return f"{self.path}.{key[:64]}" if self.path else key[:64]

    def where(self, key: str) -> str:
        """A field and its line, as errors name it."""
        return f"{self.name(key)} (line {self._line(key)})"

    def refuse(self, key: str | None, message: str, remedy: str = "") -> ScellisError:
        """The error about a field, or about the section."""
        return _refusal(
            f"{self.name(key) if key else self.path or 'document'}: {message}", self._line(key), remedy
        )

    def fields(self) -> list[str]:
        """The field names, in the order of the text. Raises `SCL-SML-TEXT` for names that are not text."""
        for key in self._value:
            if not isinstance(key, str):
                raise self.refuse(None, f"the field name {key!r} is not text.")
        return list(self._value)

    def only(self, known: Iterable[str]) -> None:
        """Refuse fields that are not known, naming the one that may have been meant."""
        known = list(known)
        for key in self.fields():
            if key not in known:
                raise self.refuse(key, f"there is no such field.{_meant(key, known)}", _known(known))

    def has(self, key: str) -> bool:
        """Whether the field is there."""
        return key in self._value

    def _get(self, key: str) -> Any:
        if key not in self._value:
            raise self.refuse(None, f"the field {key!r} is missing.", "It has no default: write it down.")
        return self._value[key]

    def section(self, key: str) -> Section:
        """A field that is a map."""
        value = self._get(key)
        if not isinstance(value, CommentedMap):
            raise self.refuse(key, "a map of fields is expected.")
        return Section(value, self.name(key))

    def text(self, key: str) -> str:
        """A field that is text."""
        value = self._get(key)
        if not isinstance(value, str):
            raise self.refuse(key, "text is expected.", "Put it in quotes.")
        return str(value)

    def one_of(self, key: str, known: Iterable[str]) -> str:
        """A field that is one of the words known."""
        known, word = list(known), self.text(key)
        if word not in known:
            raise self.refuse(key, f"{word[:40]!r} is not known.{_meant(word, known)}", _known(known))
        return word

    def number(self, key: str) -> float:
        """A field that is a number."""
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.refuse(key, "a number is expected.")
        if not abs(value) <= sys.float_info.max:
            raise self.refuse(key, "the number is too large, or none.")
        return float(value)

    def truth(self, key: str) -> bool:
        """A field that is true or false."""
        value = self._get(key)
        if not isinstance(value, bool):
            raise self.refuse(key, "true or false is expected.")
        return value

    def integer(self, key: str, least: int, most: int) -> int:
        """A field that is a whole number from `least` to `most`."""
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.refuse(key, f"a whole number from {least} to {most} is expected.")
        return int(value)

    def expression(self, key: str) -> str:
        """A field that is an expression: text, or a bare number."""
        value = self._get(key)
        if isinstance(value, str):
            return str(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.refuse(key, "an expression is expected.")
        return repr(self.number(key))

    def plain(self, key: str) -> int | float | bool | str | list[int | float | bool | str]:
        """A field that is a number, a truth, text, or a list of these."""
        value = self._get(key)
        if isinstance(value, list) and not isinstance(value, CommentedMap):
            return [self._scalar(key, item) for item in value]
        return self._scalar(key, value)

    def _scalar(self, key: str, value: Any) -> int | float | bool | str:
        for kind in (bool, int, float, str):
            if isinstance(value, kind):
                return kind(value)  # a plain one, without the places that the reader keeps
        raise self.refuse(key, "a number, true, false or text is expected.")

    def sections(self, key: str) -> list[Section]:
        """A field that is a list of maps."""
        value = self._get(key)
        if not isinstance(value, list) or not all(isinstance(item, CommentedMap) for item in value):
            raise self.refuse(key, "a list of maps is expected.")
        return [Section(item, f"{self.name(key)}[{place}]") for place, item in enumerate(value)]

    def choice(self, key: str) -> tuple[str, Section]:
        """A field that is a map of one entry: the chosen kind and its fields, `{by_seed: {…}}`."""
        inner = self.section(key)
        names = inner.fields()
        if len(names) != 1:
            raise self.refuse(key, "exactly one kind is expected.")
        return names[0], inner.section(names[0])
