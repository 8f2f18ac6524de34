"""Whatever a public function is given, it takes it or says what is wrong, with its name, shapes and line."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from scellis.errors import ScellisError
from scellis.graph import (
    ArrayType,
    Value,
    arithmetic,
    array_api,
    creation,
    functions,
    loops,
    nn,
    sorting,
    trace,
)
from scellis.graph.autodiff import gradient, jvp, vjp
from scellis.graph.random import Generator
from scellis.graph.vmap import vmap

TYPES = {
    "number": ArrayType((), "f32"),
    "row": ArrayType((4,), "f32"),
    "matrix": ArrayType((3, 4), "f32"),
    "images": ArrayType((2, 4, 5, 6), "f32"),
    "empty": ArrayType((0, 3), "f32"),
    "half": ArrayType((4,), "f16"),
    "counts": ArrayType((3, 4), "i32"),
    "words": ArrayType((4,), "u32"),
    "truths": ArrayType((4,), "bool"),
}
PLAIN: list[Any] = [
    *(None, True, 0, 1, 2, 3, -1, -9, 70, 2**40, 10**400, 0.5, -1.5, float("nan"), float("inf")),
    *("f32", "left", "", "f64", (), (0,), (0, 1), (1, 0), (-1, 2), (2**40,), [3, 4], ("a",), (None,)),
    *({}, object, 1j, b"x"),
]
TRIES = 150


def _public(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions that a module makes public: its own, and those that it gives on from within `graph`."""
    return {
        f"{module.__name__.removeprefix('scellis.graph.')}.{name}": function
        for name, function in vars(module).items()
        if inspect.isfunction(function) and not name.startswith("_") and name not in HELPERS
    }


HELPERS = (
    "elementwise",
    "unified",
    "in_f32",
    "wraps",
    "broadcast",
    "normal_axes",
    "normal_axis",
    "convolve",
    "turned",
    "builder_of_trace",
)
"""What those modules take from others for themselves."""

OPERATORS = (
    *("add", "radd", "sub", "rsub", "mul", "truediv", "rtruediv", "floordiv", "mod", "pow", "rpow", "matmul"),
    *("neg", "abs", "pos", "lt", "le", "gt", "ge", "eq", "ne", "invert", "and", "or", "xor"),
    *("lshift", "rshift", "getitem", "rand", "ror", "rxor", "rlshift", "rrshift"),
)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **_public(functions),
    **_public(arithmetic),
    **_public(creation),
    **{
        f"array_api.{name}": getattr(array_api, name)
        for name in ("astype", "sort", "searchsorted", "nonzero")
    },
    **_public(nn),
    **{name: function for name, function in _public(sorting).items() if name != "sorting.vmap"},
    **{f"operator {name}": getattr(Value, f"__{name}__") for name in OPERATORS},
    "astype": Value.astype,
    "broadcast_to": Value.broadcast_to,
    "gradient": gradient,
    "vjp": vjp,
    "jvp": jvp,
    "scan": loops.scan,
    "while_loop": loops.while_loop,
    "vmap": lambda function, in_axes, *values: vmap(function, in_axes)(*values),
    "Generator": lambda key, index, family, shape: Generator(key, index, family).normal(shape),
}


def _argument(rng: random.Random, values: list[Value]) -> Any:
    kind = rng.random()
    if kind < 0.55:
        return rng.choice(values)
    if kind < 0.7:
        return [rng.choice([*values, *PLAIN]) for _ in range(rng.randrange(4))]
    if kind < 0.75:
        return lambda *given: given[0] if given else None
    return rng.choice(PLAIN)


def _arguments(
    rng: random.Random, function: Callable[..., Any], values: list[Value]
) -> tuple[list[Any], dict[str, Any]]:
    """Some that the function's signature takes, whatever it makes of them."""
    plain: list[Any] = []
    named: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is not parameter.empty and rng.random() < 0.6:
            if parameter.kind is not parameter.KEYWORD_ONLY:
                break
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            plain += [_argument(rng, values) for _ in range(rng.randrange(3))]
        elif parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = _argument(rng, values)
        else:
            plain.append(_argument(rng, values))
    return plain, named


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_is_taken_or_refused_in_our_words(name: str) -> None:
    function, rng = FUNCTIONS[name], random.Random(name)
    first = next(iter(inspect.signature(function).parameters))
    given: list[Any] = []

    def program(**inputs: Value) -> Value:
        values = list(inputs.values())
        plain, named = _arguments(rng, function, values)
        if first == "self":
            plain[0] = rng.choice(values)
        given[:] = [*plain, *named.values()]
        function(*plain, **named)
        return values[0]

    refused = 0
    for _ in range(TRIES):
        try:
            trace(program, **TYPES)
        except ScellisError as error:
            refused += 1
            line, _, said = error.message.partition(": ")
            assert line.startswith("test_wrong_arguments.py, line ")
            if function.__name__ != "<lambda>":
                assert said.startswith(f"{function.__name__.strip('_')}(")
                assert all(str(value.type) in said for value in given if isinstance(value, Value))
    assert refused or name in TAKE_ALL


TAKE_ALL = ("operator pos",)
"""What takes all that it can be called with here."""
