"""Arithmetic expressions in text, parsed to graph values and never executed.

Python's own parser reads the text; of the tree that comes back only numbers, names, + − * /, unary signs,
integer powers and calls of the known functions are taken.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Mapping

from scellis.errors import ScellisError
from scellis.graph.ops import ELEMENTWISE
from scellis.graph.trace import Builder, Value

TEXT_LIMIT = 4096
"""The longest expression read, in characters: bounded before the parser sees it."""
DEPTH_LIMIT = 100
"""The deepest nesting followed."""
POWER_LIMIT = 16
"""The highest integer power, written out as products."""

_UNUSED = re.compile(r"[^A-Za-z0-9_.+\-*/() \t\n]")
"""What no expression holds, refused before the parser sees it: no string, index or lambda reaches it."""

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
}
FUNCTIONS = tuple(name for name, op in ELEMENTWISE.items() if op.arity == 1 and name != "negative")
GRAMMAR = f"Expressions hold numbers, names, + - * / **, and {', '.join(FUNCTIONS)}."


def parse_expression(text: str, names: Mapping[str, Value], builder: Builder, *, where: str) -> Value:
    """The value of `text` over `names`, as nodes of `builder`.

    `where` names the field in errors. Raises `SCL-SML-EXPRESSION` with the column of what is wrong.
    """
    if len(text) > TEXT_LIMIT:
        raise ScellisError(
            "SCL-SML-EXPRESSION",
            f"{where}: the expression is longer than {TEXT_LIMIT} characters.",
            where=where,
        )
    text = text.strip()
    if unused := _UNUSED.search(text):
        raise ScellisError(
            "SCL-SML-EXPRESSION",
            f"{where}, column {unused.start() + 1}: {unused[0]!r} is not used in expressions.",
            GRAMMAR,
            where=where,
            column=unused.start() + 1,
        )
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        column = getattr(error, "offset", None)
        at = f" at column {column}" if column else ""
        raise ScellisError(
            "SCL-SML-EXPRESSION", f"{where}: {text[:60]!r} is not an expression{at}.", GRAMMAR, where=where
        ) from error
    return _Reader(names, builder, where).read(tree.body, 0)


class _Reader:
    def __init__(self, names: Mapping[str, Value], builder: Builder, where: str) -> None:
        self._names = names
        self._builder = builder
        self._where = where

    def _refuse(self, node: ast.expr, why: str) -> ScellisError:
        return ScellisError(
            "SCL-SML-EXPRESSION",
            f"{self._where}, column {node.col_offset + 1}: {why}.",
            GRAMMAR,
            where=self._where,
            column=node.col_offset + 1,
        )

    def read(self, node: ast.expr, depth: int) -> Value:
        if depth > DEPTH_LIMIT:
            raise self._refuse(node, f"the expression is nested more than {DEPTH_LIMIT} deep")
        match node:
            case ast.Constant(value=bool()):
                raise self._refuse(node, "a truth value is no number")
            case ast.Constant(value=int() | float() as number):
                return self._number(node, number)
            case ast.Name(id=name):
                if name not in self._names:
                    raise self._refuse(node, f"the name {name[:40]!r} is not declared")
                return self._names[name]
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.read(operand, depth + 1)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)) if not (
                isinstance(number, bool)
            ):
                return self._number(node, -number)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._builder.apply("negative", self.read(operand, depth + 1))
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int() as power)):
                return self._power(node, self.read(base, depth + 1), power)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return self._builder.apply(
                    _BINARY[type(op)], self.read(left, depth + 1), self.read(right, depth + 1)
                )
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
                return self._builder.apply(name, self.read(argument, depth + 1))
            case ast.Call(func=ast.Name(id=name)):
                raise self._refuse(node, f"there is no function {name[:40]!r} of these arguments")
        raise self._refuse(node, "this is not allowed in a program")

    def _number(self, node: ast.expr, number: int | float) -> Value:
        if abs(number) > sys.float_info.max:
            raise self._refuse(node, "the number is too large")
        return self._builder.constant(number)

    def _power(self, node: ast.expr, base: Value, power: int) -> Value:
        if isinstance(power, bool) or not 1 <= power <= POWER_LIMIT:
            raise self._refuse(node, f"a power is a whole number from 1 to {POWER_LIMIT}")
        result = base
        for _ in range(power - 1):
            result = self._builder.apply("multiply", result, base)
        return result
