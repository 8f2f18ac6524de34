"""The text of a catalog entry, read to a tree of the few kinds of Python that entries are written in.

An entry is a module of functions over arrays. Its text may come from anyone, so it is never executed: it is
parsed by Python's own parser, checked here to hold nothing but what is listed, and walked by
`catalog.interpreter`. The idea is Starlark's: a part of Python that computes and can do nothing else.
"""

from __future__ import annotations

import ast
import io
import token
import tokenize
from typing import NoReturn

from scellis.errors import ScellisError

TEXT_LIMIT = 32 * 1024
"""The longest text read, in characters."""
TOKENS_LIMIT = 400
"""Tokens of one statement: Python's parser recurses along them, and in a tab its stack is small."""
NESTING_LIMIT = 30
"""The deepest nesting of brackets."""
INDENT_LIMIT = 10
"""The deepest nesting of blocks."""
BRANCHES_LIMIT = 50
"""`elif`s in one text, each of which the parser nests in the one before."""

LANGUAGE_MODULE = "scellis.catalog.language"

_NODES: tuple[type[ast.AST], ...] = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.Expr,
    ast.If, ast.For, ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.keyword,
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Dict, ast.Starred,
    ast.ListComp, ast.DictComp, ast.comprehension, ast.ImportFrom, ast.alias, ast.Load, ast.Store,
    ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
_NAMES = {
    ast.While: "while", ast.Lambda: "lambda", ast.ClassDef: "class", ast.Import: "import", ast.With: "with",
    ast.Try: "try", ast.Raise: "raise", ast.Delete: "del", ast.Global: "global", ast.Assert: "assert",
    ast.JoinedStr: "an f-string", ast.AsyncFunctionDef: "async", ast.Await: "await", ast.Yield: "yield",
    ast.NamedExpr: ":=", ast.AnnAssign: "an annotation", ast.Match: "match", ast.Set: "a set",
}  # fmt: skip


def refusal(name: str, line: int | None, message: str, remedy: str = "") -> ScellisError:
    """The error of an entry's text: the entry, the line, what is wrong there."""
    where = f"{name}, line {line}" if line else name
    return ScellisError("SCL-CATALOG-TEXT", f"{where}: {message}", remedy, entry=name[:120], line=line)


def parse(name: str, text: str) -> ast.Module:
    """The tree of an entry's text. Raises `SCL-CATALOG-TEXT` with the line of what is not of the language."""
    if len(text) > TEXT_LIMIT:
        raise refusal(name, None, f"the text has {len(text)} characters; at most {TEXT_LIMIT} are read.")
    try:
        _check_tokens(name, text)
        tree = ast.parse(text)
    except SyntaxError as error:
        raise refusal(name, error.lineno, f"{error.msg}.", "Mend the text there.") from error
    except (tokenize.TokenError, ValueError, RecursionError, MemoryError) as error:
        raise refusal(name, None, f"the text cannot be read: {str(error)[:120]}.") from error
    for node in ast.walk(tree):
        _check_node(name, node)
    for statement in tree.body:
        _check_top(name, statement)
    return tree


def _check_tokens(name: str, text: str) -> None:
    """Refuse what could overflow the parser's stack, before it sees the text."""
    in_statement = brackets = indents = branches = 0
    for found in tokenize.generate_tokens(io.StringIO(text).readline):
        line = found.start[0]
        in_statement = 0 if found.type in {token.NEWLINE, token.INDENT, token.DEDENT} else in_statement + 1
        indents += (found.type == token.INDENT) - (found.type == token.DEDENT)
        if found.type == token.OP:
            brackets += (found.string in "([{") - (found.string in ")]}")
        branches += found.type == token.NAME and found.string == "elif"
        for count, most, what in (
            (in_statement, TOKENS_LIMIT, "a statement of more than {} words and signs"),
            (brackets, NESTING_LIMIT, "brackets nested more than {} deep"),
            (indents, INDENT_LIMIT, "blocks nested more than {} deep"),
            (branches, BRANCHES_LIMIT, "more than {} branches by elif"),
        ):
            if count > most:
                raise refusal(name, line, what.format(most) + ".", "Make several smaller ones of it.")


def _check_node(name: str, node: ast.AST) -> None:
    if not isinstance(node, _NODES):
        word = _NAMES.get(type(node), type(node).__name__)
        _refuse(name, node, f"{word} is not of the language that entries are written in.")
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        _refuse(name, node, "a function of an entry takes no decorator.")
    if isinstance(node, ast.comprehension) and node.is_async:
        _refuse(name, node, "async is not of the language that entries are written in.")
    if isinstance(node, ast.For) and node.orelse:
        _refuse(name, node, "a loop of an entry has no else.")
    if isinstance(node, ast.Constant) and not isinstance(
        node.value, (bool, int, float, str, type(None), type(...))
    ):
        _refuse(
            name, node, f"{type(node.value).__name__} is not of the language that entries are written in."
        )
    for identifier in _identifiers(node):
        if identifier.startswith("_"):
            _refuse(name, node, f"{identifier!r}: names that begin with _ are not used in entries.")


def _identifiers(node: ast.AST) -> list[str]:
    match node:
        case (
            ast.Name(id=found) | ast.Attribute(attr=found) | ast.arg(arg=found) | ast.FunctionDef(name=found)
        ):
            return [found]
        case ast.keyword(arg=str(found)) | ast.alias(name=found):
            return [found]
        case _:
            return []


def _check_top(name: str, node: ast.stmt) -> None:
    match node:
        case ast.ImportFrom(module=module, level=0, names=names) if module == LANGUAGE_MODULE:
            if any(alias.asname or alias.name == "*" for alias in names):
                _refuse(name, node, "words of the language keep their names.")
        case ast.ImportFrom():
            _refuse(name, node, f"an entry imports nothing but words of {LANGUAGE_MODULE}.")
        case ast.FunctionDef() | ast.Assign(targets=[ast.Name()]):
            pass
        case ast.Expr(value=ast.Constant(value=str())):
            pass  # the docstring
        case _:
            _refuse(name, node, "an entry has a docstring, imports, names that are set, and functions.")


def _refuse(name: str, node: ast.AST, message: str) -> NoReturn:
    raise refusal(
        name, getattr(node, "lineno", None), message, "docs/catalog.md lists what entries are made of."
    )
