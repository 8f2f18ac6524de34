"""What does not change in a loop, to be computed once before it: not every driver does that by itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

LET = re.compile(r"let (\w+) = (.*);", re.DOTALL)


def hoisted(lines: Iterable[str], varying: Collection[str]) -> tuple[list[str], list[str]]:
    """The statements that hang on none of the names `varying`, nor on what they lead to; and the rest.

    Only `let` statements are taken out. What a loop writes is read there at a place that varies.
    """
    changing = set(varying)
    before, inside = [], []
    for line in lines:
        found = LET.fullmatch(line)
        if found and changing.isdisjoint(re.findall(r"\w+", found[2])):
            before.append(line)
            continue
        if found:
            changing.add(found[1])
        inside.append(line)
    return before, inside
