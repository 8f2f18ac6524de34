"""Messages to and from JSON text, strictly: sizes first, then the kind, then every field by name and type."""

from __future__ import annotations

import math
import re
from operator import attrgetter
from typing import Any, TypeVar, cast, overload

import attrs
import cattrs
from attrs import validators
from cattrs.strategies import configure_tagged_union

from scellis.content import parse_json
from scellis.content.address import ADDRESS
from scellis.errors import ScellisError

MESSAGE_LIMIT_BYTES = 256 * 1024  # a commit of LEASE_LIMIT shards has 176 kB of digests
INTEGER_LIMIT = 2**31 - 1
T = TypeVar("T")


def _strict(kind: type) -> Any:
    def structure(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"{kind.__name__} expected, not {type(value).__name__}")
        return value

    return structure


def _structure_float(value: Any, _: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError("a finite number expected")
    return float(value)


converter = cattrs.Converter(forbid_extra_keys=True)
for _kind in (int, str, bool):
    converter.register_structure_hook(_kind, _strict(_kind))
converter.register_structure_hook(float, _structure_float)


def protocol_error(why: str, **args: str | int) -> ScellisError:
    """What a peer did that the protocol does not have."""
    return ScellisError(
        "SCL-POOL-PROTOCOL",
        f"A pool message is out of protocol: {why}.",
        "Reload the page on that device.",
        **args,
    )


def _why(error: BaseException, _: type | None) -> str:
    if isinstance(error, cattrs.ForbiddenExtraKeysError):
        return f"unknown field {', '.join(sorted(map(str, error.extra_fields)))}"
    if isinstance(error, KeyError):
        return f"missing field {error.args[0]}"
    return str(error.args[0])[:120] if error.args else type(error).__name__


def tagged(*unions: Any) -> None:
    """Have the members of each union travel with their `kind`."""
    for union in unions:
        configure_tagged_union(union, converter, tag_generator=attrgetter("kind"), tag_name="kind")


@overload
def structure(value: Any, kind: type[T]) -> T: ...


@overload
def structure(value: Any, kind: Any) -> Any: ...


def structure(value: Any, kind: Any) -> Any:
    """`value` as a `kind`, every field checked. Raises `SCL-POOL-PROTOCOL` naming the field."""
    if not isinstance(value, dict):
        raise protocol_error("not an object")
    try:
        return converter.structure(value, kind)
    except (KeyError, TypeError) as error:
        raise protocol_error(f"unknown kind {str(value.get('kind'))[:40]!r}") from error
    except (cattrs.BaseValidationError, cattrs.ForbiddenExtraKeysError) as error:
        raise protocol_error("; ".join(cattrs.transform_error(error, "", _why)[:3])[:300]) from error


def decode(text: str | bytes, union: Any) -> Any:
    """Read one message from a stranger.

    Raises `SCL-POOL-PROTOCOL` for what is too long, not JSON, of an unknown kind, or has an unknown, missing
    or wrong field.
    """
    try:
        value = parse_json(text, what="pool message", limit_bytes=MESSAGE_LIMIT_BYTES)
    except ScellisError as error:
        raise protocol_error(error.message.rstrip(".")) from error
    return structure(value, union)


def to_json(value: Any, union: Any = None) -> dict[str, Any]:
    """The JSON value of any class here; as a member of a `union` it carries its kind."""
    return cast("dict[str, Any]", converter.unstructure(value, union))


def integer(low: int = 0, high: int = INTEGER_LIMIT) -> Any:
    """A whole number in [low, high]."""
    return attrs.field(validator=[validators.ge(low), validators.le(high)])


def number(low: float, high: float) -> Any:
    """A finite number in [low, high]."""
    return attrs.field(validator=[validators.ge(low), validators.le(high)])


def text(limit: int, default: Any = attrs.NOTHING) -> Any:
    """Text of at most `limit` characters."""
    return attrs.field(default=default, validator=validators.max_len(limit))


def hexadecimal(digits: int, default: Any = attrs.NOTHING) -> Any:
    """Exactly `digits` lower-case hexadecimal digits (or the default, where there is one)."""
    pattern = f"[0-9a-f]{{{digits}}}" + ("|" if default == "" else "")
    return attrs.field(default=default, validator=validators.matches_re(re.compile(pattern)))


def content_address() -> Any:
    """A content address."""
    return attrs.field(validator=validators.matches_re(ADDRESS))


def packed_digest() -> Any:
    """One digest as `digests.pack` writes it; the last of its characters stands for four bits."""
    return attrs.field(validator=validators.matches_re(re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")))


@attrs.frozen
class Elements:
    """A validator: every number in a tuple, or in its rows, is from 0 to `high`."""

    high: int

    def __call__(self, instance: object, field: attrs.Attribute[Any], value: tuple[Any, ...]) -> None:
        for element in value:
            if isinstance(element, tuple):
                self(instance, field, element)
            elif isinstance(element, int) and not 0 <= element <= self.high:
                raise ValueError(f"{field.name} has a number that is not from 0 to {self.high}")


def rows(limit: int, default: Any = attrs.NOTHING, *, high: int = INTEGER_LIMIT) -> Any:
    """A tuple of at most `limit` elements, each a number from 0 to `high` or a row of such."""
    return attrs.field(default=default, validator=[validators.max_len(limit), Elements(high)])
