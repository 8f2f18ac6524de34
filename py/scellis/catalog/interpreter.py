"""Walks the text of a catalog entry: its functions, called with arrays of a program that is traced.

What an entry can reach is what it is given: the words of the language, and the arguments of the call. There
is no way from these to anything else, for attributes are looked up in tables, never on objects. Steps, depth,
numbers and lists are bounded, so that a text of a stranger ends.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from scellis.catalog.syntax import refusal
from scellis.errors import ScellisError
from scellis.graph.trace import Value, at_place

STEPS_LIMIT = 1_000_000
"""Statements and expressions of one call."""
DEPTH_LIMIT = 40
"""Functions of the entry that wait for one another."""
LENGTH_LIMIT = 4096
"""Elements of a list or a map, and turns of a loop."""
NUMBER_LIMIT = 2**63
"""Whole numbers stay below, so that none grows without end."""

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.MatMult: operator.matmul, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_, ast.Invert: operator.invert,
}  # fmt: skip
_VALUE_ATTRIBUTES = frozenset(
    ("shape", "dtype", "ndim", "size", "T", "mT", "astype", "broadcast_to"),
)
_SCALARS = (bool, int, float)
_CONTAINERS = (tuple, list, dict)


@attrs.frozen(eq=False)
class Namespace:
    """Words that stand behind a name and a dot: functions and numbers, `xp.exp`; or what a call is given."""

    name: str
    words: Mapping[str, Any]

    def __repr__(self) -> str:
        return self.name


@attrs.frozen(eq=False)
class Word:
    """A function of ours that entries may call. Nothing else of Python's is callable there."""

    name: str
    function: Callable[..., Any]


@attrs.frozen(eq=False)
class _Function:
    """A function of the entry."""

    node: ast.FunctionDef


@attrs.frozen
class _Returned:
    value: Any


class Module:
    """An entry's text, read: what it sets at its top, and its functions.

    `words` is what its names may mean besides. Raises `SCL-CATALOG-TEXT` with the line of what is wrong.
    """

    def __init__(self, name: str, tree: ast.Module, words: Mapping[str, Any]) -> None:
        self.name = name
        self._words: Mapping[str, Any] = {**PLAIN_WORDS, **words}
        self._top: dict[str, Any] = {}
        self._steps = 0
        self._depth = 0
        self.docstring = ast.get_docstring(tree) or ""
        imported: set[str] = set()
        for statement in tree.body:
            match statement:
                case ast.ImportFrom(names=names):
                    for alias in names:
                        if alias.name not in words:
                            raise self._refuse(statement, f"the language has no word {alias.name[:40]!r}.")
                        imported.add(alias.name)
                case ast.FunctionDef(name=function):
                    self._top[function] = _Function(statement)
                case ast.Assign(targets=[ast.Name(id=target)], value=value):
                    self._top[target] = self._evaluate(value, {})
        self._words = {**PLAIN_WORDS, **{word: words[word] for word in imported}}

    def __contains__(self, function: str) -> bool:
        return isinstance(self._top.get(function), _Function)

    def constant(self, name: str) -> Any:
        """What the text sets a name to, or None."""
        found = self._top.get(name)
        return None if isinstance(found, _Function) else found

    def parameters(self, function: str) -> list[str]:
        """The names of a function's parameters."""
        return [parameter.arg for parameter in self._top[function].node.args.args]

    def call(self, function: str, *args: Any) -> Any:
        """A function of the text. Raises `SCL-CATALOG-TEXT`, and what its words raise, with the line."""
        self._steps = 0
        self._depth = 0
        return self._called(self._top[function], args, {}, None)

    # ---- functions and statements ----

    def _called(
        self, function: _Function, args: Sequence[Any], named: Mapping[str, Any], node: ast.AST | None
    ) -> Any:
        held = function.node
        if self._depth >= DEPTH_LIMIT:
            raise self._refuse(held, f"functions call one another more than {DEPTH_LIMIT} deep.")
        local = self._bound(held, args, named, node or held)
        self._depth += 1
        try:
            found = self._block(held.body, local)
        finally:
            self._depth -= 1
        return found.value if found else None

    def _bound(
        self, held: ast.FunctionDef, args: Sequence[Any], named: Mapping[str, Any], node: ast.AST
    ) -> dict[str, Any]:
        """The parameters of a call."""
        names = [parameter.arg for parameter in (*held.args.args, *held.args.kwonlyargs)]
        plain = len(held.args.args)
        local = dict(zip(names[:plain], args, strict=False))
        defaults = list(held.args.defaults)
        unset = dict(zip(names[plain - len(defaults) : plain], defaults, strict=True)) if defaults else {}
        for name, default in zip(names[plain:], held.args.kw_defaults, strict=True):
            if default is not None:
                unset[name] = default
        for name, value in named.items():
            if name not in names or name in local:
                raise self._refuse(node, f"{held.name} takes no further {name[:40]!r}.")
            local[name] = value
        for name, default in unset.items():
            if name not in local:
                local[name] = self._evaluate(default, {})
        if len(args) > plain or len(local) < len(names):
            raise self._refuse(node, f"{held.name} takes {', '.join(names)}.")
        return local

    def _block(self, statements: Iterable[ast.stmt], local: dict[str, Any]) -> _Returned | None:
        for statement in statements:
            found = self._statement(statement, local)
            if found:
                return found
        return None

    def _statement(self, node: ast.stmt, local: dict[str, Any]) -> _Returned | None:
        self._count(node)
        match node:
            case ast.Return(value=value):
                return _Returned(self._evaluate(value, local) if value else None)
            case ast.Assign(targets=targets, value=value):
                found = self._evaluate(value, local)
                for target in targets:
                    self._assign(target, found, local)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                before = self._name(ast.Name(id=name, lineno=target.lineno), local)
                local[name] = self._operate(node, _BINARY[type(op)], before, self._evaluate(value, local))
            case ast.If(test=test, body=body, orelse=orelse):
                return self._block(body if self._truth(test, local) else orelse, local)
            case ast.For(target=target, iter=iterable, body=body):
                for item in self._items(iterable, local):
                    self._assign(target, item, local)
                    if found := self._block(body, local):
                        return found
            case ast.Expr(value=value):
                self._evaluate(value, local)
            case _:
                raise self._refuse(node, "this stands where it cannot.")
        return None

    def _assign(self, target: ast.expr, found: Any, local: dict[str, Any]) -> None:
        match target:
            case ast.Name(id=name):
                local[name] = found
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for each, item in zip(targets, self._shared_out(target, targets, found), strict=True):
                    self._assign(each.value if isinstance(each, ast.Starred) else each, item, local)
            case ast.Subscript(value=ast.Name() as name, slice=key):
                held = self._name(name, local)
                if not isinstance(held, (dict, list)):
                    raise self._refuse(target, "only lists and maps are written into.")
                place = self._evaluate(key, local)
                self._guarded(target, lambda: operator.setitem(held, place, found))
                self._bounded(target, held)
            case _:
                raise self._refuse(target, "only names, and elements of lists and maps, are set.")

    def _shared_out(self, node: ast.AST, targets: Sequence[ast.expr], found: Any) -> list[Any]:
        """One value for each target; the one with a star gets the list of what the others leave."""
        if not isinstance(found, (tuple, list)):
            raise self._refuse(node, f"{_kind(found)} is not shared out among names: take a list.")
        stars = [at for at, target in enumerate(targets) if isinstance(target, ast.Starred)]
        rest = len(found) - len(targets) + len(stars)
        if rest < 0 or (not stars and rest) or len(stars) > 1:
            raise self._refuse(node, f"{len(targets) - len(stars)} values are expected, not {len(found)}.")
        for at in stars:
            return [*found[:at], list(found[at : at + rest]), *found[at + rest :]]
        return list(found)

    # ---- expressions ----

    def _evaluate(self, node: ast.expr, local: dict[str, Any]) -> Any:
        self._count(node)
        match node:
            case ast.Constant(value=value):
                return self._bounded(node, value)
            case ast.Name():
                return self._name(node, local)
            case ast.Attribute(value=value, attr=attribute):
                return self._attribute(node, self._evaluate(value, local), attribute)
            case ast.Call():
                return self._call(node, local)
            case ast.BinOp(left=left, op=op, right=right):
                return self._operate(
                    node, _BINARY[type(op)], self._evaluate(left, local), self._evaluate(right, local)
                )
            case ast.UnaryOp(op=op, operand=operand):
                if isinstance(op, ast.Not):
                    return not self._truth(operand, local)
                return self._operate(node, _UNARY[type(op)], self._evaluate(operand, local))
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compare(node, left, ops, others, local)
            case ast.BoolOp(op=op, values=values):
                for value in values:
                    found = self._evaluate(value, local)
                    if self._true(value, found) == isinstance(op, ast.Or):
                        break
                return found
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._evaluate(body if self._truth(test, local) else orelse, local)
            case ast.Subscript(value=value, slice=key):
                return self._subscript(node, self._evaluate(value, local), self._key(key, local))
            case ast.Tuple(elts=elements):
                return tuple(self._sequence(node, elements, local))
            case ast.List(elts=elements):
                return self._sequence(node, elements, local)
            case ast.Dict(keys=keys, values=values):
                return self._map(node, keys, values, local)
            case ast.ListComp(elt=element, generators=generators):
                return self._bounded(
                    node, [self._evaluate(element, inner) for inner in self._scopes(generators, local)]
                )
            case ast.DictComp(key=key, value=value, generators=generators):
                pairs = [
                    (self._evaluate(key, inner), self._evaluate(value, inner))
                    for inner in self._scopes(generators, local)
                ]
                return self._bounded(node, self._guarded(node, lambda: dict(pairs)))
            case _:
                raise self._refuse(node, "this stands where it cannot.")

    def _name(self, node: ast.Name, local: Mapping[str, Any]) -> Any:
        for names in (local, self._top, self._words):
            if node.id in names:
                return names[node.id]
        raise self._refuse(node, f"the name {node.id[:40]!r} means nothing here.")

    def _attribute(self, node: ast.AST, held: Any, attribute: str) -> Any:
        if isinstance(held, Namespace):
            if attribute in held.words:
                return held.words[attribute]
            known = ", ".join(sorted(held.words)[:40])
            raise self._refuse(node, f"{held.name} has no {attribute[:40]!r}.", f"It has {known}.")
        if isinstance(held, Value) and attribute in _VALUE_ATTRIBUTES:
            found = self._guarded(node, lambda: getattr(held, attribute))
            return Word(attribute, found) if callable(found) else found
        if isinstance(held, dict) and attribute in {"items", "keys", "values"}:
            return Word(attribute, lambda: list(getattr(held, attribute)()))
        raise self._refuse(node, f"{_kind(held)} has no {attribute[:40]!r} here.")

    def _call(self, node: ast.Call, local: dict[str, Any]) -> Any:
        function = self._evaluate(node.func, local)
        args = self._sequence(node, node.args, local)
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self._refuse(node, "maps are not spread over arguments.")
            named[keyword.arg] = self._evaluate(keyword.value, local)
        if isinstance(function, _Function):
            return self._called(function, args, named, node)
        if not isinstance(function, Word):
            raise self._refuse(node, f"{_kind(function)} is not called.")
        return self._bounded(node, self._guarded(node, lambda: function.function(*args, **named)))

    def _compare(
        self,
        node: ast.Compare,
        left: ast.expr,
        ops: Sequence[ast.cmpop],
        others: Sequence[ast.expr],
        local: dict[str, Any],
    ) -> Any:
        first = self._evaluate(left, local)
        for place, (op, other) in enumerate(zip(ops, others, strict=True)):
            second = self._evaluate(other, local)
            found = self._operate(node, _COMPARE[type(op)], first, second)
            if place == len(ops) - 1 or not self._true(node, found):
                return found
            first = second
        return True

    def _subscript(self, node: ast.AST, held: Any, key: Any) -> Any:
        if not isinstance(held, (Value, tuple, list, dict)):
            raise self._refuse(node, f"{_kind(held)} has no elements here.")
        return self._guarded(node, lambda: held[key])

    def _key(self, node: ast.expr, local: dict[str, Any]) -> Any:
        match node:
            case ast.Slice(lower=lower, upper=upper, step=step):
                return slice(
                    *(self._evaluate(part, local) if part else None for part in (lower, upper, step))
                )
            case ast.Tuple(elts=elements):
                return tuple(self._key(element, local) for element in elements)
            case _:
                return self._evaluate(node, local)

    def _sequence(self, node: ast.AST, elements: Iterable[ast.expr], local: dict[str, Any]) -> list[Any]:
        found: list[Any] = []
        for element in elements:
            if isinstance(element, ast.Starred):
                found += self._items(element.value, local)
            else:
                found.append(self._evaluate(element, local))
            self._bounded(node, found)
        return found

    def _map(
        self,
        node: ast.Dict,
        keys: Iterable[ast.expr | None],
        values: Iterable[ast.expr],
        local: dict[str, Any],
    ) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key, value in zip(keys, values, strict=True):
            held = self._evaluate(value, local)
            if key is not None:
                at = self._evaluate(key, local)
                self._guarded(node, lambda at=at, held=held: operator.setitem(found, at, held))  # type: ignore[misc]
            elif isinstance(held, dict):
                found.update(held)
            else:
                raise self._refuse(node, f"{_kind(held)} is no map.")
            self._bounded(node, found)
        return found

    def _scopes(
        self, generators: Sequence[ast.comprehension], local: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        if not generators:
            yield local
            return
        first, *rest = generators
        for item in self._items(first.iter, local):
            inner = dict(local)
            self._assign(first.target, item, inner)
            if all(self._truth(test, inner) for test in first.ifs):
                yield from self._scopes(rest, inner)

    def _items(self, node: ast.expr, local: dict[str, Any]) -> list[Any]:
        held = self._evaluate(node, local)
        if not isinstance(held, (tuple, list, dict)):
            raise self._refuse(node, f"{_kind(held)} is gone through by nobody: take a list, or range.")
        return list(held)

    def _truth(self, node: ast.expr, local: dict[str, Any]) -> bool:
        return self._true(node, self._evaluate(node, local))

    def _true(self, node: ast.AST, value: Any) -> bool:
        return bool(self._guarded(node, lambda: bool(value)))

    # ---- bounds ----

    def _operate(self, node: ast.AST, function: Callable[..., Any], *operands: Any) -> Any:
        if not any(isinstance(operand, Value) for operand in operands):
            self._check_plain(node, function, operands)
        return self._bounded(node, self._guarded(node, lambda: function(*operands)))

    def _check_plain(self, node: ast.AST, function: Callable[..., Any], operands: Sequence[Any]) -> None:
        """Refuse operations on what is no array that would make much of little."""
        if function in _COMPARE.values():
            return
        if function is operator.add and all(isinstance(operand, (tuple, list)) for operand in operands):
            return
        if function in {operator.mul} and any(isinstance(operand, (tuple, list)) for operand in operands):
            sizes = [len(operand) if isinstance(operand, (tuple, list)) else operand for operand in operands]
            if all(type(size) is int for size in sizes) and abs(sizes[0] * sizes[1]) <= LENGTH_LIMIT:
                return
            raise self._refuse(node, f"a list has at most {LENGTH_LIMIT} elements.")
        if not all(isinstance(operand, _SCALARS) for operand in operands):
            raise self._refuse(node, f"{' and '.join(map(_kind, operands))} are not computed with.")
        if function in {operator.pow, operator.lshift} and all(type(operand) is int for operand in operands):
            base, power = operands
            if abs(base) > 1 and power > 64:
                raise self._refuse(node, "the number is too large.")

    def _guarded(self, node: ast.AST, function: Callable[[], Any]) -> Any:
        """What one of our functions gives, its nodes and errors named by the entry's line."""
        line = getattr(node, "lineno", 0)
        try:
            with at_place(f"{self.name}, line {line}"):
                return function()
        except ScellisError as error:
            if "line" in error.arguments:  # that of a function of an entry within this call
                raise
            raise ScellisError(
                error.code,
                f"{self.name}, line {line}: {error.message}",
                error.remedy,
                **{**error.arguments, "line": line},
            ) from error
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            raise self._refuse(node, f"{type(error).__name__}: {str(error)[:160]}.") from error

    def _count(self, node: ast.AST) -> None:
        self._steps += 1
        if self._steps > STEPS_LIMIT:
            raise self._refuse(node, f"the text takes more than {STEPS_LIMIT} steps.", "Loop less.")

    def _bounded(self, node: ast.AST, found: Any) -> Any:
        if isinstance(found, int) and abs(found) >= NUMBER_LIMIT:
            raise self._refuse(node, "the number is too large.")
        if isinstance(found, str) and len(found) > LENGTH_LIMIT:
            raise self._refuse(node, f"a text has at most {LENGTH_LIMIT} characters.")
        if isinstance(found, _CONTAINERS):
            # All within counts, as often as it is met: a list that doubles, or holds itself, ends here.
            pending, held = [found], 0
            while pending:
                inner = pending.pop()
                held += len(inner)
                if held > LENGTH_LIMIT:
                    raise self._refuse(
                        node, f"a list holds at most {LENGTH_LIMIT} elements, all lists in it counted."
                    )
                pending += [
                    item
                    for item in (inner.values() if isinstance(inner, dict) else inner)
                    if isinstance(item, _CONTAINERS)
                ]
            self._steps += held
        return found

    def _refuse(self, node: ast.AST, message: str, remedy: str = "") -> ScellisError:
        return refusal(self.name, getattr(node, "lineno", None), message, remedy)


def _kind(value: object) -> str:
    return (
        "an array"
        if isinstance(value, Value)
        else repr(value)[:40]
        if value is None
        else f"a {type(value).__name__.lower()}"
    )


def _range(*bounds: int) -> list[int]:
    found = range(*bounds)
    if len(found) > LENGTH_LIMIT:
        raise ValueError(f"a loop has at most {LENGTH_LIMIT} turns")
    return list(found)


PLAIN_WORDS: Mapping[str, Any] = {
    **{
        word.__name__: Word(word.__name__, word)
        for word in (len, min, max, sum, abs, int, float, bool, round, list, tuple)
    },
    "range": Word("range", _range),
    "zip": Word("zip", lambda *lists: list(zip(*lists, strict=True))),
    "enumerate": Word("enumerate", lambda items: list(enumerate(items))),
    "reversed": Word("reversed", lambda items: list(reversed(items))),
}
"""Python's own that entries may use, over lists and numbers."""
