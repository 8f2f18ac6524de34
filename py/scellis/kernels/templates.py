"""Reads kernels from wgsl/ and puts them together: includes, and the places that a kernel's head lists.

A line `//#include NAME` takes another file in, once; `//#put NAME` takes the text that the caller gives. In
an installed package, in the tab too, the files lie beside this module; in a checkout they are in wgsl/.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

_CALL = re.compile(r"\b(\w+)\(")
_LINE = re.compile(r"^([ ]*)//#(include|put) (\S+)\n", re.MULTILINE)


def _folder() -> Traversable:
    packaged = files("scellis.kernels") / "wgsl"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "wgsl"


def wgsl_files() -> list[str]:
    """The names of all files of wgsl/, in order."""
    return sorted(file.name for file in _folder().iterdir() if file.name.endswith(".wgsl"))


@cache
def read_wgsl(name: str) -> str:
    """The text of one file of wgsl/."""
    return (_folder() / name).read_text(encoding="utf-8")


@cache
def _defined(name: str) -> frozenset[str]:
    """The functions of one file of wgsl/."""
    return frozenset(re.findall(r"^fn (\w+)\(", read_wgsl(name), re.MULTILINE))


@lru_cache(maxsize=512)
def _called(text: str) -> frozenset[str]:
    """What a text calls. Most of what is put into a kernel is put into others too."""
    return frozenset(_CALL.findall(text))


@cache
def _together(files: tuple[str, ...]) -> str:
    """Several files of wgsl/ and what they include: few sets of them serve all kernels."""
    return expand("".join(f"//#include {file}\n" for file in files), includes={}, puts={})


def functions(texts: Iterable[str], files: Iterable[str]) -> str:
    """Those of `files`, and what they include, that define a function which a text calls."""
    called = frozenset().union(*map(_called, texts))
    return _together(tuple(file for file in files if not called.isdisjoint(_defined(file))))


def assemble(name: str, *, includes: Mapping[str, str], puts: Mapping[str, str]) -> str:
    """The kernel `name` as one WGSL text; see `expand`."""
    return expand(read_wgsl(name), includes=includes, puts=puts)


def expand(text: str, *, includes: Mapping[str, str], puts: Mapping[str, str]) -> str:
    """A kernel's text with its includes and places filled.

    `includes` maps an include without an ending to the file that this adapter or tier takes for it; `puts`
    maps each listed place to its lines, indented as the place is. A name that is not given is a `KeyError`.
    """
    taken: set[str] = set()

    def fill(match: re.Match[str]) -> str:
        indent, verb, what = match.groups()
        if verb == "put":
            return "".join(f"{indent}{line}\n" for line in puts[what].splitlines())
        file = what if what.endswith(".wgsl") else includes[what]
        if file in taken:
            return ""
        taken.add(file)
        return _LINE.sub(fill, read_wgsl(file)) + "\n"

    return _LINE.sub(fill, text)
