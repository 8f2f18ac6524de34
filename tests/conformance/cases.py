"""Reads the corpus: a file of `cases/` for each family of operations, checked as it is read.

README.md says what a case is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from conformance.operations import CREATED, is_known
from conformance.tolerance import CLASSES
from conformance.values import KINDS
from scellis.graph.types import DTYPES

FOLDER = Path(__file__).parent / "cases"


class CorpusError(ValueError):
    """A case that is none: the file, which case it is, and what is wrong."""


@attrs.frozen
class Input:
    """An array that a case is given: how its elements are made, `through` which operation it then goes."""

    shape: tuple[int, ...]
    dtype: str
    kind: str
    values: Any
    through: tuple[str, Mapping[str, Any]] | None


@attrs.frozen
class Case:
    """One operation on one set of inputs.

    `name` is its own in the corpus. `tolerance` names a class of tolerance.py. `gradient`: what is judged are
    the derivatives of its results, each weighed by a number of its own. `timed`: large enough to be timed.
    """

    family: str
    op: str
    dtype: str
    inputs: tuple[Input, ...]
    params: Mapping[str, Any]
    tolerance: str
    seed: int
    gradient: bool
    timed: bool
    about: str

    @property
    def name(self) -> str:
        """What it is called in reports."""
        shapes = " ".join(str(list(given.shape)).replace(" ", "") for given in self.inputs)
        what = f"{'gradient of ' if self.gradient else ''}{self.op} {self.dtype} {shapes}"
        params = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return what + (f" ({params})" if params else "") + (f": {self.about}" if self.about else "")


def load(folder: Path = FOLDER) -> list[Case]:
    """All cases, in the order of their files. Raises `CorpusError`."""
    found = [
        case for path in sorted(folder.glob("*.yaml")) for case in read(path.name, path.read_text("utf-8"))
    ]
    seen: set[str] = set()
    for case in found:
        if case.name in seen:
            raise CorpusError(
                f"{case.family}: there are two cases {case.name!r}; say what is special in `about`."
            )
        seen.add(case.name)
    return found


def read(name: str, text: str) -> list[Case]:
    """The cases of one file. Raises `CorpusError`."""
    try:
        value = YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise CorpusError(f"{name} is no YAML: {error}") from error
    where = _Where(name)
    family, tolerance, rows = where.fields(value, {"family": str, "class": str, "cases": list})
    where.one_of("class", tolerance, CLASSES)
    return [
        case
        for number, row in enumerate(rows, 1)
        for case in _cases(_Where(f"{name}, case {number}"), family, tolerance, row)
    ]


@attrs.frozen
class _Where:
    """Says where something is wrong."""

    place: str

    def wrong(self, why: str) -> CorpusError:
        return CorpusError(f"{self.place}: {why}")

    def fields(
        self, value: Any, wanted: Mapping[str, type], optional: Mapping[str, Any] | None = None
    ) -> list[Any]:
        """The values of a mapping: of the `wanted` names, and of the `optional` ones or their defaults."""
        optional = optional or {}
        if not isinstance(value, dict):
            raise self.wrong(f"a mapping is expected, not {value!r:.60}.")
        unknown = set(value) - {*wanted, *optional}
        if unknown:
            known = ", ".join([*wanted, *optional])
            raise self.wrong(f"there is no {', '.join(map(str, sorted(unknown)))}; known: {known}.")
        for name, kind in {**wanted, **{name: type(default) for name, default in optional.items()}}.items():
            if name in wanted and name not in value:
                raise self.wrong(f"{name} is missing.")
            if name in value and type(value[name]) is not kind:
                raise self.wrong(f"{name} is to be a {kind.__name__}, not {value[name]!r:.60}.")
        return [value[name] for name in wanted] + [
            value.get(name, default) for name, default in optional.items()
        ]

    def one_of(self, what: str, value: Any, known: Sequence[str] | Mapping[str, Any]) -> None:
        if value not in known:
            raise self.wrong(f"{what} {value!r:.60} is none of {', '.join(known)}.")


def _cases(where: _Where, family: str, tolerance: str, row: Any) -> Iterator[Case]:
    """The cases of one entry: one for each operation and element type that it names."""
    optional = {"class": tolerance, "params": {}, "seed": 1, "gradient": False, "timed": False, "about": ""}
    ops, dtypes, inputs, tolerance, params, seed, gradient, timed, about = where.fields(
        row, {"ops": list, "dtypes": list, "inputs": list}, optional
    )
    where.one_of("class", tolerance, CLASSES)
    if not ops or not dtypes:
        raise where.wrong("it names no operation or no element type.")
    for op in ops:
        if not isinstance(op, str) or not is_known(op):
            raise where.wrong(f"there is no operation {op!r:.60}.")
        if not inputs and op not in CREATED:
            raise where.wrong(f"{op} takes inputs.")
        for dtype in dtypes:
            where.one_of("dtype", dtype, DTYPES)
            made = tuple(
                _input(_Where(f"{where.place}, input {n}"), dtype, given) for n, given in enumerate(inputs)
            )
            yield Case(family, op, dtype, made, params, tolerance, seed, gradient, timed, about)


def _input(where: _Where, dtype: str, value: Any) -> Input:
    optional = {"dtype": dtype, "through": {}}
    kinds = [kind for kind in KINDS if isinstance(value, dict) and kind in value]
    if len(kinds) != 1:
        raise where.wrong(f"its elements are to be made in one way: {', '.join(KINDS)}.")
    (kind,) = kinds
    rest = {name: given for name, given in value.items() if name != kind}
    shape, dtype, through = where.fields(rest, {"shape": list}, optional)
    where.one_of("dtype", dtype, DTYPES)
    if not all(type(length) is int and length >= 0 for length in shape):
        raise where.wrong(f"{shape} is no shape.")
    check: Callable[[Any, str], str] = KINDS[kind].check
    if complaint := check(value[kind], dtype):
        raise where.wrong(f"{kind} {complaint}.")
    if not through:
        return Input(tuple(shape), dtype, kind, value[kind], None)
    op = through.get("op")
    if not isinstance(op, str) or not is_known(op):
        raise where.wrong(f"it goes through no operation {op!r:.60}.")
    return Input(
        tuple(shape), dtype, kind, value[kind], (op, {k: v for k, v in through.items() if k != "op"})
    )
