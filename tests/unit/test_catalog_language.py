"""The language of catalog entries: what it computes; that a stranger's text can do nothing else, and ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.catalog.entry import read_entry
from scellis.catalog.interpreter import Module
from scellis.catalog.language import WORDS
from scellis.catalog.syntax import TEXT_LIMIT, parse
from scellis.errors import ScellisError
from scellis.graph import ArrayType, Value, compute, trace


def module(text: str) -> Module:
    return Module("user/test", parse("user/test", text), WORDS)


def called(body: str, *args: object) -> object:
    names = ", ".join("abcd"[: len(args)])
    lines = "\n".join("    " + line for line in body.splitlines())
    head = "from scellis.catalog.language import math, nn, xp, refuse\n"
    return module(f"{head}def f({names}):\n{lines}\n").call("f", *args)


@pytest.mark.parametrize(
    ("body", "args", "wanted"),
    [
        ("return a + 2 * 3 ** 2", (1,), 19),
        ("return -a // 2, a % 4, not a", (7,), (-4, 3, False)),
        ("return 1 if 0 < a <= 3 else 2", (3,), 1),
        ("b = 0\nfor i in range(a):\n    b += i\nreturn b", (5,), 10),
        ("for i in range(9):\n    if i * i > a:\n        return i", (10,), 4),
        ("return [x * y for x in a for y in a if x != y]", ([1, 2, 3],), [2, 3, 2, 6, 3, 6]),
        (
            "b, *c = a\n*d, e = a\nf, *g, h = a[:2]\nreturn b, c, d, e, g",
            ([1, 2, 3],),
            (1, [2, 3], [1, 2], 3, []),
        ),
        ("return {k: v + 1 for k, v in a.items()}", ({"p": 1},), {"p": 2}),
        ("b, (c, d) = a\nreturn d, c, b", ((1, (2, 3)),), (3, 2, 1)),
        ("return {**a, 'z': 3}['z'], a['p']", ({"p": 1},), (3, 1)),
        ("b = [0] * a\nb[1] = 5\nreturn b", (3,), [0, 5, 0]),
        ("return (*a, 4)[1:3]", ((1, 2),), (2, 4)),
        ("return math.floor(math.sqrt(a))", (10,), 3),
        ("return max(a), min(a), sum(a), len(a)", ([3, 1, 2],), (3, 1, 6, 3)),
        ("return a == 'relu' or a in ('gelu', 'silu')", ("silu",), True),
        ("if a > 3:\n    return 'x'\nelif a > 2:\n    return 'y'\nelse:\n    return 'z'", (3,), "y"),
        ("return 1 if a is None else 2", (None,), 1),
        ("return a or 5, a and 5, 3 and 4, 3 or 4", (0,), (5, 0, 4, 3)),
    ],
)
def test_plain_python_is_what_it_is(body: str, args: tuple[object, ...], wanted: object) -> None:
    assert called(body, *args) == wanted


def test_functions_take_defaults_and_names() -> None:
    text = "def g(x, y=2, *, z=3):\n    return x * 100 + y * 10 + z\n"
    text += "def f():\n    return g(1), g(1, z=4), g(y=5, x=6)\n"
    assert module(text).call("f") == (123, 124, 653)


def test_arrays_are_traced_and_know_their_lines() -> None:
    entry = module(
        "from scellis.catalog.language import xp\n\ndef f(x):\n"
        "    y = xp.exp(x[1:, None] * 2)\n    return xp.sum(y.T @ y, axis=0)\n"
    )
    graph = trace(lambda x: entry.call("f", x), x=ArrayType((3,), "f32"))
    (found,) = compute(graph, [np.array([0, 1, 2], np.float32)])
    assert np.allclose(found, np.exp(4) + np.exp(8))
    places = dict(zip((node.op for node in graph.nodes), graph.places, strict=True))
    assert places["exp"] == "user/test, line 4"
    assert places["matmul"] == "user/test, line 5"


def test_a_shape_that_does_not_fit_names_the_line() -> None:
    entry = module("def f(x):\n    y = x + 1\n    return y @ y\n")
    with pytest.raises(ScellisError) as caught:
        trace(lambda x: entry.call("f", x), x=ArrayType((3, 4), "f32"))
    assert caught.value.code == "SCL-GRAPH-SHAPE"
    assert "user/test, line 3: " in caught.value.message
    assert caught.value.message.count("line") == 1


ESCAPES = [
    "import os",
    "from os import system",
    "from scellis.catalog.language import *",
    "from scellis.catalog.language import xp as y",
    "from scellis.catalog.language import __builtins__",
    "from scellis.catalog.language import nothing",
    "def f():\n    return ().__class__",
    "def f(a):\n    return a._x",
    "def f():\n    return (lambda: 1)()",
    "def f():\n    return f'{1}'",
    "def f():\n    while True:\n        pass",
    "def f():\n    global x",
    "def f():\n    exec('1')",
    "def f():\n    return open('/etc/passwd')",
    "def f():\n    return getattr(1, 'real')",
    "def f():\n    return type(1)",
    "def f():\n    return (1).real",
    "def f():\n    return 'a'.format(1)",
    "def f():\n    return '%99999999d' % 1",
    "def f():\n    return len.function",
    "def f():\n    return len.name",
    "from scellis.catalog.language import xp\ndef f():\n    return xp.words",
    "from scellis.catalog.language import xp\ndef f():\n    return xp.__array_namespace_info__",
    "from scellis.catalog.language import xp\ndef f():\n    return xp.asarray([1])",
    "def f():\n    return xp",
    "class A:\n    pass",
    "@len\ndef f():\n    return 1",
    "def f():\n    try:\n        return 1\n    finally:\n        return 2",
    "def f():\n    yield 1",
    "def f():\n    assert 1",
    "def f():\n    x: int = 1",
    "def f():\n    return (x := 1)",
    "def f():\n    return {1, 2}",
    "def f():\n    return b'x'",
    "def f():\n    return 1j",
    "for i in range(3):\n    pass",
    "def f(a):\n    a.b = 1",
    "def f():\n    return max([1], key=len)",
    "def f(*a):\n    return len(**{'x': 1})",
    "def f():\n    *a, *b = [1, 2]",
    "def f():\n    *a = [1, 2]",
    "def f():\n    a, *b, c = [1]",
    "def f():\n    a, b = 1",
]


@pytest.mark.parametrize("text", ESCAPES)
def test_there_is_no_way_out(text: str) -> None:
    with pytest.raises(ScellisError) as caught:
        module(text).call("f")
    assert caught.value.code == "SCL-CATALOG-TEXT"
    assert caught.value.message.startswith("user/test, line ")


ENDLESS = [
    "def f():\n    return f()",
    "def f():\n    return 10 ** 10 ** 10",
    "def f():\n    return 2 << 100000",
    "def f():\n    x = 2\n    for i in range(100):\n        x *= x\n    return x",
    "def f():\n    return [0] * 10 ** 9",
    "def f():\n    return range(10 ** 9)",
    "def f():\n    x = [1]\n    for i in range(60):\n        x = [x, x]\n    return x",
    "def f():\n    x = [1]\n    for i in range(60):\n        x = x + x\n    return x",
    "def f():\n    x = [1]\n    x[0] = x\n    return x",
    "def f():\n    x = [1]\n    y = [x]\n    x[0] = y\n    return x == y",
    "def f():\n    x = {}\n    for i in range(5000):\n        x[i] = i\n    return x",
    "def f():\n    for a in range(4000):\n        for b in range(4000):\n            x = 1",
    "def f():\n    return [0 for a in range(4000) for b in range(4000)]",
    "def f():\n    return [0 for a in range(4000) for b in range(4000) for c in range(4000) if a < 0]",
    "def f():\n    return 'a' * 10 ** 9",
    "def f():\n    return " + "(" * 60 + "1" + ")" * 60,
    "def f():\n    return " + "-" * 5000 + "1",
    "def f():\n    return " + "not " * 5000 + "1",
    "def f():\n    return " + "1 if 1 else " * 5000 + "1",
    "def f():\n    return " + "2 ** " * 5000 + "1",
    "def f(a):\n    if a:\n        return 1\n" + "    elif a:\n        return 1\n" * 1000,
    "def f():\n" + "".join("    " * (n + 1) + "if 1:\n" for n in range(60)) + "    " * 61 + "return 1",
    "x = '" + "a" * TEXT_LIMIT + "'",
    "def f():\n    return '" + "a" * 5000 + "'",
    "def f():\n    return [" + "1, " * 5000 + "]",
    "from scellis.catalog.language import math\ndef f():\n    return math.prod([2 ** 60] * 4000)",
]


@pytest.mark.parametrize("text", ENDLESS)
def test_every_text_ends(text: str) -> None:
    with pytest.raises(ScellisError) as caught:
        module(text).call("f")
    assert caught.value.code == "SCL-CATALOG-TEXT"


@given(st.text(alphabet=st.sampled_from(" \n():=+-*[]{},.abfx01'\"#\\\t@if"), max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse("user/test", text)
    except ScellisError as error:
        if error.code != "SCL-CATALOG-TEXT":
            raise


def test_what_an_array_holds_is_no_truth() -> None:
    entry = module("def f(x):\n    if x > 0:\n        return x\n    return -x\n")
    with pytest.raises(ScellisError, match=r"line 2: .*where"):
        trace(lambda x: entry.call("f", x), x=ArrayType((3,), "f32"))


GOOD = '''"""Sign descent: a step of one size.

Source: made up for a test.
"""

from scellis.catalog.language import number, xp

KIND = "optimizer"
FIELDS = {"lr": number(0.1, above=0, about="Learning rate.")}


def state(parameter, fields):
    return {}


def update(parameter, gradient, state, step, lr, fields):
    return parameter - lr * xp.sign(gradient), state
'''


def test_an_entry_says_what_it_is() -> None:
    entry = read_entry("user/ada/signs", GOOD)
    assert (entry.kind, entry.title, entry.source) == (
        "optimizer",
        "Sign descent: a step of one size",
        "made up for a test.",
    )
    assert entry.read({}) == {"lr": 0.1}
    assert entry.read({"lr": 2}) == {"lr": 2.0}
    assert entry.address == read_entry("user/other", GOOD).address

    def step(p: Value, g: Value, lr: Value) -> Value:
        found = entry.call("update", p, g, {}, p, lr, fields=entry.read({}))
        assert found[1] == {}
        return found[0]

    vector = ArrayType((2,), "f32")
    (found,) = compute(
        trace(step, p=vector, g=vector, lr=ArrayType((), "f32")),
        [np.array([1, 2], np.float32), np.array([-3, 4], np.float32), np.float32(0.5)],
    )
    assert found.tolist() == [1.5, 1.5]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('KIND = "optimizer"', 'KIND = "optimiser"', "Known: optimizer"),
        ("def state", "def begin", "'state', which is missing"),
        ("step, lr, fields", "lr, fields", "takes 6 arguments"),
        (GOOD[: GOOD.index("from")], "", "begins with a docstring"),
        ('about="Learning rate."', "", "does not say what it is"),
        ("above=0", "above=1", "a number above 1 is expected"),
        ('"lr": number', '"LR": number', "no field"),
    ],
)
def test_an_entry_that_lacks_something_says_what(old: str, new: str, said: str) -> None:
    with pytest.raises(ScellisError) as caught:
        read_entry("user/ada/signs", GOOD.replace(old, new))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "id_", ["signs", "user/Ada", "user//x", "../x", "user/a b", "user/x/", "a/" * 8 + "a"]
)
def test_an_id_is_lower_case_words(id_: str) -> None:
    with pytest.raises(ScellisError, match="no id of an entry"):
        read_entry(id_, GOOD)
