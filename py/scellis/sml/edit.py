"""Changes a field of an SML text, and nothing else of it."""

from __future__ import annotations

import re
from collections.abc import Mapping


def with_fields(text: str, fields: Mapping[str, str]) -> str:
    """The text with top fields set to these values, each written in one line; those that it lacks at its end.

    The text is one that parses. A field's lines are those up to the next that begins with neither a space, a
    comment nor a bracket.
    """
    for name, value in fields.items():
        line = f"{name}: {value}\n"
        found = re.compile(rf"^{re.escape(name)}:.*\n?(?:[ \t#\]}}-].*\n?|\n)*", re.MULTILINE)
        match = found.search(text)
        if match is None:
            text = text if text.endswith("\n") or not text else text + "\n"
            text += line
        else:
            kept = re.search(
                r"(?:^(?:#.*)?\n)*\Z", match[0], re.MULTILINE
            )  # blank lines and comments after it
            text = text[: match.start()] + line + (kept[0] if kept else "") + text[match.end() :]
    return text
