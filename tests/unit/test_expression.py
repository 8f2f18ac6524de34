"""Expressions in text: read as arithmetic, never executed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.errors import ScellisError
from scellis.graph import Builder, Value, evaluate, uniform
from scellis.graph.expression import TEXT_LIMIT, parse_expression

X, Y = 1.25, 2.5


def value_of(text: str) -> float:
    """What the graph of an expression over x = 1.25 and y = 2.5 gives."""
    builder = Builder()
    names = {"x": builder.draw(uniform(1, 1.5)), "y": builder.draw(uniform(2, 3))}
    graph = builder.graph(parse_expression(text, names, builder, where="steps.a (line 7)"))
    return float(evaluate(graph, [np.array([0.5]), np.array([0.5])])[0])


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "  x\n",
        "-x",
        "+x",
        "--x",
        "1 + x * y",
        "(1 + x) * y",
        "x - y - 1",
        "x / y / 2",
        "2 - -x",
        "-x**2",
        "(-x)**3",
        "x**1",
        "x**16",
        "2**3 * x",
        "50_000_000 + x",
        "1e-6 * x",
        ".5 * x",
        "x * (y +\n 1)",
    ],
)
def test_arithmetic_reads_as_python_does(text: str) -> None:
    expected = eval(text.strip(), {"__builtins__": {}}, {"x": X, "y": Y})  # the texts above alone
    assert value_of(text) == pytest.approx(expected, rel=1e-15)


def test_a_long_sum_is_not_deep() -> None:
    assert value_of("+".join("x" * 2000)) == 2000 * X
    assert value_of("(" * 100 + "x" + ")" * 100) == X


def test_negative_numbers_are_constants_and_negative_powers_are_not() -> None:
    builder = Builder()
    value = parse_expression("-2 + -2**2", {}, builder, where="w")
    nodes = [(node.op, node.params.get("value")) for node in builder.nodes]
    assert value.index == 4
    assert nodes == [
        ("constant", -2),
        ("constant", 2),
        ("multiply", None),
        ("negative", None),
        ("add", None),
    ]


@pytest.mark.parametrize(
    ("text", "column", "why"),
    [
        ("x + z", 5, "the name 'z' is not declared"),
        ("x + tan(y)", 5, "there is no function 'tan'"),
        ("x +", 4, "a number, a name or a bracket is expected, not 'the end'"),
        ("(x + y", 7, "')' is expected, not 'the end'"),
        ("x y", 3, "'y' is not expected here"),
        ("x, y", 2, "',' is not expected here"),
        ("(x, y)", 3, "')' is expected, not ','"),
        ("1 + exp(x, y)", 5, "exp takes one value, not 2"),
        ("minimum(x)", 1, "minimum takes 2 values, not 1"),
        ("minimum(x, y, 1)", 1, "minimum takes 2 values, not 3"),
        ("minimum(x,", 11, "a number, a name or a bracket is expected, not 'the end'"),
        ("maximum(x, y", 13, "')' is expected, not 'the end'"),
        ("x + y[0]", 6, "'[0]' is not understood"),
        ("2x", 1, "'2x' is not understood"),
        ("x**y", 4, "a power is a whole number from 1 to 16"),
        ("x * 1e999", 5, "the number is too large"),
    ],
)
def test_an_error_says_what_is_wrong_and_where(text: str, column: int, why: str) -> None:
    with pytest.raises(ScellisError) as caught:
        value_of(text)
    assert caught.value.message == f"steps.a (line 7), column {column}: {why}."
    assert caught.value.arguments == {"where": "steps.a (line 7)", "column": column}


def test_functions_are_those_of_the_op_set() -> None:
    assert value_of("exp(x) + expm1(y) - log(x) * sqrt(y)") == pytest.approx(
        math.exp(X) + math.expm1(Y) - math.log(X) * math.sqrt(Y), rel=1e-15
    )
    assert value_of("sin(x) * cos(y) - tanh(x) / abs(-y)") == pytest.approx(
        math.sin(X) * math.cos(Y) - math.tanh(X) / abs(-Y), rel=1e-15
    )
    assert value_of("minimum(x, y) + 2 * maximum(x - 1, (y))") == X + 2 * Y


ARITHMETIC = st.recursive(
    st.sampled_from(["x", "y"]) | st.floats(0.1, 9).map(repr),
    lambda e: (
        st.tuples(e, st.sampled_from("+-*/"), e).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
        | e.map("-{}".format)
    ),
    max_leaves=12,
)


@given(ARITHMETIC)
def test_random_arithmetic(text: str) -> None:
    text = f"x + {text}"
    try:
        expected = eval(text, {"__builtins__": {}}, {"x": X, "y": Y})  # made above, of numbers and signs
    except ZeroDivisionError:
        return
    assert value_of(text) == pytest.approx(expected, rel=1e-12, nan_ok=True)


HOSTILE = [
    "",
    " ",
    "()",
    "x y",
    "x +",
    "x; y",
    "x, y",
    "x = 1",
    "x := 1",
    "(x := 1)",
    "x == y",
    "x < y",
    "x and y",
    "not x",
    "x if x else y",
    "x in y",
    "x is y",
    "x // y",
    "x % y",
    "x @ y",
    "x | y",
    "~x",
    "x << 2",
    "x ** y",
    "x ** 2.5",
    "0x10 * x",
    "x ** -1",
    "x ** 0",
    "x ** 17",
    "x ** 10**9",
    "x ** True",
    "x ** (1 + 1)",
    "True",
    "-True",
    "None + x",
    "... + x",
    "1j * x",
    "'a' * 9",
    '"%c" % 9',
    "f'{x}'",
    "b'x'",
    "x[0]",
    "x.real",
    "x.__class__",
    "x._builder",
    "().__class__.__bases__[0].__subclasses__()",
    "(1).__class__",
    "1 .real",
    "lambda: 0",
    "(lambda: 0)()",
    "[x for x in y]",
    "{x: y}",
    "{x}",
    "[x]",
    "(x, y)",
    "*x",
    "exp(*x)",
    "exp(**x)",
    "exp(x, y)",
    "exp()",
    "exp(x=1)",
    "exp",
    "exp(exp)",
    "exp(x)(y)",
    "x(1)",
    "negative(x)",
    "add(x, y)",
    "print(x)",
    "open('/tmp/x')",
    "eval('1')",
    "exec('1')",
    "__import__('os').system('true')",
    "breakpoint()",
    "exit()",
    "globals()",
    "z",
    "__builtins__",
    "nan",
    "inf",
    "await x",
    "yield x",
    "import os",
    "x\nimport os",
    "x #",
    "x \\\n + y",
    "1e999",
    "-1e999",
    "9" * 400,
    "-" + "9" * 400,
    "0x" + "f" * 4000,
    "9" * 4090,
    "1_",
    "1if x else y",
    "0x1for x in y",
    "x−y",
    "ｘ",
    "x\u00b2",
    "x\0",
    "\ud800",
    "\ufeffx",
    "x" * (TEXT_LIMIT + 1),
    "(" * 4000,
    "(" * 90 + "x" + ")" * 90 + ")",
    "-" * 4000 + "x",
    "not " * 1000 + "x",
    "x" + "**2" * 1000,
    "exp(" * 600 + "x" + ")" * 600,
    "x" + ".a" * 2000,
    "x" + "()" * 2000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:40])
def test_what_is_no_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(ScellisError, match=r"SCL-SML-EXPRESSION") as caught:
        value_of(text)
    assert "steps.a (line 7)" in caught.value.message
    assert len(caught.value.message) < 400


@given(st.text(max_size=40))
def test_any_text_is_arithmetic_or_refused(text: str) -> None:
    read_or_refuse(text)


WORDS = "x y exp 1 1e9 0x j _ if else lambda not for in and is True None __class__ import yield await"
TOKENS = st.lists(st.sampled_from([*WORDS.split(), *"()+-*/. \n", "**"]), max_size=14).map("".join)


@given(TOKENS)
def test_any_tokens_are_arithmetic_or_refused(text: str) -> None:
    read_or_refuse(text)


def read_or_refuse(text: str) -> None:
    builder = Builder()
    names = {"x": builder.draw(uniform(1, 2)), "y": builder.draw(uniform(1, 2))}
    try:
        value: Any = parse_expression(text, names, builder, where="w")
    except ScellisError as error:
        assert error.code == "SCL-SML-EXPRESSION"  # noqa: PT017
    else:
        assert value.builder is builder


def test_products_written_out_stay_within_the_size_of_a_program() -> None:
    builder = Builder()
    value = builder.draw(uniform(0, 1))

    def grow(value: Value) -> None:
        while True:
            value = parse_expression("(a * a + 1)**16", {"a": value}, builder, where="w")

    with pytest.raises(ScellisError, match="SCL-GRAPH-SIZE"):
        grow(value)
