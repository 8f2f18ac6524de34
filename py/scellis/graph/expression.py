"""Arithmetic expressions in text, read to graph values; nothing is executed.

    sum    = term { ("+" | "-") term }
    term   = signed { ("*" | "/") signed }
    signed = { "+" | "-" } power
    power  = atom [ "**" number ]
    atom   = number | name | function "(" sum [ "," sum ] ")" | "(" sum ")"

Python's own parser is not used: in a tab, a few thousand signs in a row overflow its stack and end the
interpreter.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import attrs

from scellis.errors import ScellisError
from scellis.graph.elementwise import ELEMENTWISE
from scellis.graph.trace import Builder, Value

TEXT_LIMIT = 4096
"""The longest expression read, in characters."""
DEPTH_LIMIT = 100
"""The deepest nesting of brackets, functions and signs."""
POWER_LIMIT = 16
"""The highest integer power, written out as products."""

_SUM = {"+": "add", "-": "subtract"}
_TERM = {"*": "multiply", "/": "divide"}
_SIGNS = {*_SUM.values(), *_TERM.values(), "negative"}
FUNCTIONS = tuple(
    sorted(name for name, op in ELEMENTWISE.items() if op.rounding is not None and name not in _SIGNS)
)
"""What is called by its name: what a program may be made of besides."""

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number> (?: \d+(?:_\d+)*(?:\.\d*)? | \.\d+ ) (?:[eE][+-]?\d+)? (?![\w.]) )
      | (?P<name> [A-Za-z]\w* )
      | (?P<sign> \*\* | [-+*/(),] )
    )""",
    re.VERBOSE | re.ASCII,
)


@attrs.frozen
class _Token:
    kind: str
    text: str
    column: int


def parse_expression(text: str, names: Mapping[str, Value], builder: Builder, *, where: str) -> Value:
    """The value of `text` over `names`, as nodes of `builder`.

    `where` names the field in errors. Raises `SCL-SML-EXPRESSION` with the column of what is wrong.
    """
    return _Reader(text.strip(), names, builder, where).read()


class _Reader:
    """Reads one expression by recursive descent; chains of + and * are loops, so brackets alone nest."""

    def __init__(self, text: str, names: Mapping[str, Value], builder: Builder, where: str) -> None:
        self._names = names
        self._builder = builder
        self._where = where
        self._tokens = self._tokenise(text)
        self._next = 0

    def read(self) -> Value:
        value = self._sum(0)
        if self._token.kind != "end":
            raise self._refuse(f"{self._token.text[:40]!r} is not expected here")
        return value

    def _tokenise(self, text: str) -> list[_Token]:
        if len(text) > TEXT_LIMIT:
            raise self._refuse(f"the expression is longer than {TEXT_LIMIT} characters", TEXT_LIMIT)
        tokens: list[_Token] = []
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise self._refuse(f"{text[place:].split()[0][:20]!r} is not understood", place)
            kind = str(match.lastgroup)
            tokens.append(_Token(kind, match[kind], match.start(kind)))
            place = match.end()
        return [*tokens, _Token("end", "the end", len(text))]

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    def _take(self, *texts: str) -> str | None:
        """The next token, consumed, if it is one of `texts`."""
        token = self._token
        if token.kind != "sign" or token.text not in texts:
            return None
        self._next += 1
        return token.text

    def _refuse(self, why: str, column: int | None = None) -> ScellisError:
        column = (self._token.column if column is None else column) + 1
        return ScellisError(
            "SCL-SML-EXPRESSION",
            f"{self._where}, column {column}: {why}.",
            f"Expressions hold numbers, names, + - * / **, brackets, and {', '.join(FUNCTIONS)}.",
            where=self._where,
            column=column,
        )

    def _sum(self, depth: int) -> Value:
        value = self._term(depth)
        while sign := self._take(*_SUM):
            value = self._builder.apply(_SUM[sign], value, self._term(depth))
        return value

    def _term(self, depth: int) -> Value:
        value = self._signed(depth)
        while sign := self._take(*_TERM):
            value = self._builder.apply(_TERM[sign], value, self._signed(depth))
        return value

    def _signed(self, depth: int) -> Value:
        if depth > DEPTH_LIMIT:
            raise self._refuse(f"the expression is nested more than {DEPTH_LIMIT} deep")
        if self._take("+"):
            return self._signed(depth + 1)
        if not self._take("-"):
            return self._power(depth)
        if self._token.kind == "number" and self._tokens[self._next + 1].text != "**":
            return self._builder.constant(-self._number())
        return self._builder.apply("negative", self._signed(depth + 1))

    def _power(self, depth: int) -> Value:
        base = self._atom(depth)
        if not self._take("**"):
            return base
        column = self._token.column
        power = self._number() if self._token.kind == "number" else 0.0
        if power not in range(1, POWER_LIMIT + 1):
            raise self._refuse(f"a power is a whole number from 1 to {POWER_LIMIT}", column)
        result = base
        for _ in range(int(power) - 1):
            result = self._builder.apply("multiply", result, base)
        return result

    def _atom(self, depth: int) -> Value:
        if self._take("("):
            return self._bracketed(depth)
        token = self._token
        if token.kind == "number":
            return self._builder.constant(self._number())
        if token.kind != "name":
            raise self._refuse(f"a number, a name or a bracket is expected, not {token.text!r}")
        self._next += 1
        if self._take("("):
            if token.text not in FUNCTIONS:
                raise self._refuse(f"there is no function {token.text[:40]!r}", token.column)
            return self._builder.apply(token.text, *self._arguments(token, depth))
        if token.text not in self._names:
            raise self._refuse(f"the name {token.text[:40]!r} is not declared", token.column)
        return self._names[token.text]

    def _arguments(self, function: _Token, depth: int) -> list[Value]:
        values = [self._sum(depth + 1)]
        while self._take(","):
            values.append(self._sum(depth + 1))
        arity = ELEMENTWISE[function.text].arity
        if len(values) != arity:
            wants = "one value" if arity == 1 else f"{arity} values"
            raise self._refuse(f"{function.text} takes {wants}, not {len(values)}", function.column)
        self._close()
        return values

    def _bracketed(self, depth: int) -> Value:
        value = self._sum(depth + 1)
        self._close()
        return value

    def _close(self) -> None:
        if not self._take(")"):
            raise self._refuse(f"')' is expected, not {self._token.text[:40]!r}")

    def _number(self) -> float:
        number = float(self._token.text)
        if not math.isfinite(number):
            raise self._refuse("the number is too large")
        self._next += 1
        return number
