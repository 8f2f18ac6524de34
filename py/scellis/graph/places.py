"""Where a node comes from: the line of the traced program that asked for it, and who is told when that fails.

A place is text, `model.py, line 12`: it stays beside a graph, and no address hangs on it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

from scellis.errors import ScellisError
from scellis.graph.types import ArrayType

_PACKAGE = str(Path(__file__).parents[1])
_DERIVATIVE = "derivative of "
_WITHIN = ", in "
SHOWN_LIMIT = 60
"""Characters kept of an argument that is no value."""
SHOWN_VALUES = 8
"""Values shown of several."""


def here() -> str:
    """Where the code that is traced stands: the innermost line outside this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_ours(frame.f_code):
        frame = frame.f_back
    return _line(frame.f_code.co_filename, frame.f_lineno)


def derived(place: str) -> str:
    """Where the derivative of what comes from `place` comes from."""
    return place if is_derived(place) else _DERIVATIVE + place


def is_derived(place: str) -> bool:
    """Whether what comes from `place` is a derivative."""
    return place.startswith(_DERIVATIVE)


def within(part: str) -> str:
    """What the place of a node in a part of a model ends with."""
    return _WITHIN + part


def part_of(place: str) -> str:
    """The part of a model that a place is in, nothing where it is in none."""
    return place.rpartition(_WITHIN)[2] if _WITHIN in place else ""


def at(place: str) -> str:
    """` (model.py, line 12)`, to follow the name of a node; nothing where the place is not known."""
    return f" ({place})" if place else ""


def located(error: Exception) -> ScellisError | None:
    """What went wrong as a traced program called a function of ours: its line, the function, its arguments.

    None for what went wrong in the program itself, and for an error that names a line of a text already.
    """
    if isinstance(error, ScellisError) and "line" in error.arguments:
        return None
    frames = list(_frames(error.__traceback__))
    ours = [_is_ours(frame.f_code) for frame, _ in frames]
    if not ours[-1]:
        return None
    if all(ours):  # a function of ours is what is traced
        place, called = here(), frames[1][0]
    else:
        last = len(ours) - 1 - ours[::-1].index(False)
        (caller, line), (called, _) = frames[last : last + 2]
        place = _line(caller.f_code.co_filename, line)
    call = f"{place}: {_call(called)}"
    if isinstance(error, ScellisError):
        return error.located(call)
    return ScellisError(
        "SCL-GRAPH-ARGUMENT",
        f"{call}: {type(error).__name__}: {str(error)[:200]}.",
        "The function's help says what it takes.",
    )


def _frames(traceback: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    while traceback is not None:
        yield traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next


def _is_ours(code: CodeType) -> bool:
    # What attrs writes for our classes has no file.
    return code.co_filename.startswith((_PACKAGE, "<attrs generated"))


@lru_cache(maxsize=4096)
def _line(filename: str, line: int) -> str:
    return f"{Path(filename).name}, line {line}"


def _name(code: CodeType) -> str:
    """`softmax`; `add` of a value's operator; `vmap` of the function that it makes."""
    name = code.co_qualname.partition(".<locals>")[0].removesuffix(".__init__")
    return name.removeprefix("Value.").strip("_")


def _call(frame: FrameType) -> str:
    if not frame.f_code.co_qualname.startswith("in_f32.<locals>"):
        return f"{_name(frame.f_code)}({_arguments(frame)})"
    held = frame.f_locals  # the function is what is meant, not what it is wrapped in
    given = [("", value) for value in held["args"]] + list(held["named"].items())
    return f"{held['function'].__name__}({', '.join(_argument(name, value) for name, value in given)})"


def _arguments(frame: FrameType) -> str:
    code, held = frame.f_code, frame.f_locals
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 0x04)]
    return ", ".join(_argument(name, held[name]) for name in names if name in held)


def _argument(name: str, value: Any) -> str:
    """A value by its type, several by theirs; anything else with its name, as Python shows it."""
    type_ = getattr(value, "type", None)
    if isinstance(type_, ArrayType):
        return str(type_)
    if isinstance(value, (list, tuple)) and any(hasattr(item, "type") for item in value):
        return f"{name}=[{', '.join(_argument('', item) for item in value[:SHOWN_VALUES])}]"
    return f"{name}={repr(value)[:SHOWN_LIMIT]}" if name else repr(value)[:SHOWN_LIMIT]
