"""The one error hierarchy, and findings: what a check found, in words that can be translated.

Every failure that a person can meet is a `ScellisError` with a stable code. The code is what tests, logs and
translations hold on to; the English message and remedy are what a terminal shows.
"""

from __future__ import annotations

import logging
import re
from typing import Any

import attrs

_logger = logging.getLogger(__name__)
_CODE = re.compile(r"SCL(-[A-Z0-9]+)+")


def _printable(text: str) -> str:
    """`text` with control characters escaped: messages quote strangers, who may send a terminal anything."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


class ScellisError(Exception):
    """What is wrong, where, and what to do about it.

    `code` is stable and upper case (`SCL-GPU-LOST`); `message` says what is wrong and where, as one English
    sentence; `remedy` says the one thing to do; `args` are plain JSON values for the translated message.
    """

    def __init__(
        self, code: str, message: str, remedy: str = "", **args: str | int | float | bool | None
    ) -> None:
        if not _CODE.fullmatch(code):
            raise ValueError(f"not an error code: {code!r}")
        message, remedy = _printable(message), _printable(remedy)
        super().__init__(message)
        self.code = code
        self.message = message
        self.remedy = remedy
        self.arguments = args

    @property
    def message_id(self) -> str:
        """The key of the translated message, `error-gpu-lost` for `SCL-GPU-LOST`."""
        return "error-" + self.code.removeprefix("SCL-").lower()

    def located(self, where: str) -> ScellisError:
        """The same error, saying in which file or place it was met."""
        return ScellisError(self.code, f"{where}: {self.message}", self.remedy, **self.arguments)

    def as_dict(self) -> dict[str, object]:
        """The JSON form that crosses to the page or to `--json`."""
        return {
            "code": self.code,
            "message_id": self.message_id,
            "message": self.message,
            "remedy": self.remedy,
            "args": dict(self.arguments),
        }

    def __str__(self) -> str:
        tail = f" {self.remedy}" if self.remedy else ""
        return f"{self.message}{tail} [{self.code}]"


def as_scellis_error(cause: Exception) -> ScellisError:
    """`cause`, if it was foreseen; else what a person is told of a fault of the program itself."""
    if isinstance(cause, ScellisError):
        return cause
    _logger.error("a fault of the program", exc_info=cause)
    return ScellisError(
        "SCL-APP-FAULT",
        f"Scellis met a fault of its own: {type(cause).__name__}: {str(cause)[:200]}.",
        "Please report it, with what you did before.",
    )


@attrs.frozen
class Finding:
    """What a comparison or an audit found: `id` of the translated message, `message` in English."""

    id: str
    message: str
    args: dict[str, str | int | float | bool | None] = attrs.field(factory=dict)

    @classmethod
    def of(cls, error: ScellisError) -> Finding:
        """A finding that is an error: bytes that are not what they should be."""
        return cls(error.message_id, error.message, error.arguments)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form that crosses to the page."""
        return attrs.asdict(self)

    def __str__(self) -> str:
        return self.message
