"""The fields of a catalog entry: what a person may set, with its default, range, unit and documentation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from scellis.errors import ScellisError

FieldValue = int | float | bool | str | tuple[int, ...]


@attrs.frozen
class Field:
    """One field. Without a default it has to be given.

    `kind` is `number`, `integer`, `boolean`, `choice`, `text` or `integers`. `least` and `most` are in its
    range, `above` and `below` are not.
    """

    kind: str
    default: FieldValue | None
    about: str
    unit: str = ""
    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None
    options: tuple[str, ...] = ()

    def read(self, value: object) -> FieldValue:
        """`value` as the field's. Raises `SCL-CATALOG-FIELD`, saying what is expected."""
        found = self._as_kind(value)
        if found is None or not self._within(found):
            raise ScellisError(
                "SCL-CATALOG-FIELD", f"{self.expected()} is expected, not {str(value)[:40]!r}."
            )
        return found

    def _as_kind(self, value: object) -> FieldValue | None:
        match self.kind:
            case "boolean":
                return value if isinstance(value, bool) else None
            case "integer":
                return value if isinstance(value, int) and not isinstance(value, bool) else None
            case "number":
                if isinstance(value, bool) or not isinstance(value, (int, float)):
                    return None
                return float(value) if abs(value) < 1e300 else None
            case "integers":
                if not isinstance(value, (list, tuple)) or len(value) > 16:
                    return None
                if not all(isinstance(item, int) and not isinstance(item, bool) for item in value):
                    return None
                return tuple(value)
            case _:
                return value if isinstance(value, str) and len(value) <= 200 else None

    def _within(self, found: FieldValue) -> bool:
        if isinstance(found, str):
            return not self.options or found in self.options
        if isinstance(found, bool):
            return True
        return all(self._in_range(number) for number in (found if isinstance(found, tuple) else (found,)))

    def _in_range(self, number: float) -> bool:
        return (
            math.isfinite(number)
            and (self.least is None or number >= self.least)
            and (self.above is None or number > self.above)
            and (self.most is None or number <= self.most)
            and (self.below is None or number < self.below)
        )

    def expected(self) -> str:
        """What may stand here, in words: `a number above 0`."""
        if self.options:
            return "one of " + ", ".join(self.options)
        words = {
            "boolean": "true or false", "integer": "a whole number", "number": "a number",
            "integers": "a list of whole numbers", "text": "text",
        }[self.kind]  # fmt: skip
        bounds = [
            (self.least, "from {:g}"), (self.above, "above {:g}"),
            (self.most, "to {:g}"), (self.below, "below {:g}"),
        ]  # fmt: skip
        return " ".join([words, *(text.format(bound) for bound, text in bounds if bound is not None)])


def number(
    default: float | None = None,
    *,
    about: str = "",
    unit: str = "",
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    below: float | None = None,
) -> Field:
    """A field that is a number."""
    return Field("number", default, about, unit, least, above, most, below)


def integer(
    default: int | None = None,
    *,
    about: str = "",
    unit: str = "",
    least: float | None = None,
    most: float | None = None,
) -> Field:
    """A field that is a whole number."""
    return Field("integer", default, about, unit, least=least, most=most)


def integers(default: Sequence[int] | None = None, *, about: str = "", least: float | None = None) -> Field:
    """A field that is a list of whole numbers."""
    return Field("integers", None if default is None else tuple(default), about, least=least)


def boolean(default: bool | None = None, *, about: str = "") -> Field:
    """A field that is true or false."""
    return Field("boolean", default, about)


def choice(options: Sequence[str], default: str | None = None, *, about: str = "") -> Field:
    """A field that is one of some words."""
    return Field("choice", default, about, options=tuple(options))


def text(default: str | None = None, *, about: str = "") -> Field:
    """A field that is a text."""
    return Field("text", default, about)


def read_fields(schema: Mapping[str, Field], given: Mapping[str, object]) -> dict[str, FieldValue]:
    """The value of every field, from what is given and the defaults.

    `given` holds no field that the schema lacks. Raises `SCL-CATALOG-FIELD` with the argument `field`.
    """
    found: dict[str, FieldValue] = {}
    for name, field in schema.items():
        value: Any = given.get(name, field.default)
        if value is None:
            raise ScellisError(
                "SCL-CATALOG-FIELD",
                f"the field {name!r} is missing.",
                "It has no default: write it down.",
                field=name,
            )
        try:
            found[name] = field.read(value)
        except ScellisError as error:
            raise ScellisError(error.code, error.message, error.remedy, field=name) from error
    return found
