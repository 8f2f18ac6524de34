"""The corpus itself: whole, well-formed, with the truth that NumPy tells; and its judge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np
import pytest

from conformance.cases import FOLDER, CorpusError, load, read
from conformance.figures import PAGE, page, stale
from conformance.figures import read as read_figures
from conformance.operations import listed, numpys
from conformance.run import Prepared, prepare, run_oracle
from conformance.tolerance import CLASSES, judge
from conformance.values import KINDS, elements
from scellis.errors import ScellisError
from scellis.graph import DRAWS, OPS
from scellis.graph.drawn import DRAWN_OPS, WEIGHT_OPS
from scellis.graph.mixed import PRODUCTS
from scellis.graph.types import DTYPES, ArrayType

CASES = load()
README = FOLDER.parent / "README.md"
FAMILIES = list(dict.fromkeys(case.family for case in CASES))
ELSEWHERE = {*DRAWS, *DRAWN_OPS, *WEIGHT_OPS}
"""Draws: of sampled programs test_draws.py holds them, of arrays test_random.py, here and in tests/native."""
LOOSE = {"sum", "composite", "product"}
"""Classes in which the oracle and NumPy may add up in another order."""


@pytest.fixture(scope="module")
def prepared() -> dict[str, list[Prepared]]:
    """All cases, by family."""
    found: dict[str, list[Prepared]] = {family: [] for family in FAMILIES}
    for case in CASES:
        found[case.family].append(prepare(case))
    return found


def _nodes(prepared: dict[str, list[Prepared]]) -> Iterator[tuple[str, tuple[ArrayType, ...], Any, str]]:
    """Operation, types of the arguments, parameters and type of the result of every node of every case."""
    for graph in (row.graph for rows in prepared.values() for row in rows):
        for index, node in enumerate(graph.nodes):
            types = tuple(graph.types[argument] for argument in node.args)
            yield node.op, types, node.params, graph.types[index].dtype


DATA = {
    "barrier": (0,),
    "take": (0,),
    "scatter_add": (0,),
    "scatter_add_in_order": (0,),
    "merge_order": (0,),
    "where": (1, 2),
} | {op: PRODUCTS[op] for op in PRODUCTS if op.startswith("attention")}
"""The arguments of one type, where that is not all of them."""


def _takes(op: str, types: tuple[ArrayType, ...], params: Any, dtype: str) -> tuple[str, ...] | None:
    """The types of the arguments with `dtype` for the data, None if the operation does not take it."""
    data = types[1].dtype if op == "where" else types[0].dtype
    places = DATA.get(op, range(len(types)))
    other = tuple(attrs.evolve(t, dtype=dtype) if n in places else t for n, t in enumerate(types))
    assert all(types[n].dtype == data for n in places)
    try:
        OPS[op].infer(other, params)
    except ScellisError:
        return None
    return tuple(t.dtype for t in other)


def test_every_operation_has_a_case_of_every_type_it_takes(prepared: dict[str, list[Prepared]]) -> None:
    seen: set[tuple[str, tuple[str, ...]]] = set()
    example: dict[str, tuple[tuple[ArrayType, ...], Any]] = {}
    results: set[tuple[str, str]] = set()
    for op, types, params, result in _nodes(prepared):
        seen.add((op, tuple(t.dtype for t in types)))
        results.add((op, result))
        example.setdefault(op, (types, params))
    assert set(OPS) - set(example) == ELSEWHERE
    missing = []
    for op, (types, params) in example.items():
        for dtype in DTYPES if types and op != "random_words" else ():
            wanted = _takes(op, types, params, dtype)
            if wanted is not None and (op, wanted) not in seen:
                missing.append((op, wanted))
    assert missing == []
    assert {dtype for op, dtype in results if op == "astype"} == set(DTYPES)
    assert {dtype for op, dtype in results if op == "iota"} == {"i32", "u32", "f16", "f32"}


def test_the_format_is_written_down() -> None:
    text = README.read_text(encoding="utf-8")
    classes = text.split("| class | how near |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| (\w+) \|", classes, re.M)) == set(CLASSES)
    assert set(re.findall(r"^\| `(\w+): ", text, re.M)) == set(KINDS)


def test_the_awkward_ones_are_among_them(prepared: dict[str, list[Prepared]]) -> None:
    inputs = [array for rows in prepared.values() for row in rows for array in row.inputs]
    floats = [array for array in inputs if array.dtype.kind == "f"]
    assert any(array.size == 0 for array in inputs)
    assert any(array.ndim == 0 for array in inputs)
    assert any(np.isnan(array).any() for array in floats)
    assert any(np.isinf(array).any() for array in floats)
    assert any((np.signbit(array) & (array == 0)).any() for array in floats)
    assert any(array.size > 65_536 for array in inputs)
    assert any(
        given.through and given.through[0] == "permute_dims" for case in CASES for given in case.inputs
    )
    assert {case.tolerance for case in CASES} == set(CLASSES)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_truth_is_numpys(prepared: dict[str, list[Prepared]], family: str) -> None:
    for row in prepared[family]:
        function = None if row.case.gradient else numpys(row.case.op, row.case.params)
        if function is None:
            continue
        for ours, theirs in zip(row.exact, _computed(row, function), strict=True):
            assert ours.shape == theirs.shape, row.case.name
            bound = 1e-9 if row.case.tolerance in LOOSE else 1e-12
            np.testing.assert_allclose(ours, theirs, rtol=bound, atol=1e-13, err_msg=row.case.name)
            if CLASSES[row.case.tolerance].zeros and theirs.dtype.kind == "f":
                zero = theirs == 0
                same = np.signbit(ours[zero].astype(float)) == np.signbit(theirs[zero])
                assert same.all(), row.case.name


def _computed(row: Prepared, function: Any) -> list[Any]:
    """NumPy's results, in f64."""
    wide = [array.astype(np.float64) if array.dtype.kind == "f" else array for array in row.inputs]
    with np.errstate(all="ignore"):
        for number, given in enumerate(row.case.inputs):
            if given.through is not None:
                through = numpys(*given.through)
                assert through is not None
                wide[number] = through(wide[number])
        return [np.asarray(result) for result in listed(function(*wide))]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_oracle_in_f32_is_within_the_classes(prepared: dict[str, list[Prepared]], family: str) -> None:
    errors = {row.case.name: run_oracle(row) for row in prepared[family]}
    assert {name: error.where for name, error in errors.items() if not error.holds} == {}


def test_inputs_are_the_same_everywhere() -> None:
    assert elements("integers", [0, 99], (4,), "i32", 1, 0).tolist() == [32, 87, 32, 89]
    assert elements("uniform", [-1, 1], (2,), "f32", 1, 1).tolist() == [
        -0.8555929064750671,
        -0.8687620759010315,
    ]
    assert elements("bits", [0, 3], (2,), "f16", 1, 0).tolist() == [-12.875, -1.0263671875]
    assert elements("special", True, (3,), "u32", 1, 0).tolist() == [0, 1, 2]
    assert elements("list", [5, 6], (3,), "f32", 1, 0).tolist() == [5.0, 6.0, 5.0]


ENTRY = "{ops: [add], dtypes: [f32], inputs: [{shape: [2], uniform: [0, 1]}, {shape: [2], list: [1]}]}"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("add", "sine", "there is no operation 'sine'"),
        ("f32", "f64", "dtype 'f64' is none of bool"),
        ("uniform: [0, 1]", "uniform: [1, 0]", "input 0: uniform takes two numbers"),
        ("uniform: [0, 1]", "", "made in one way"),
        ("shape: [2], list", "shape: [-2], list", "input 1: [-2] is no shape"),
        ("dtypes: [f32], ", "", "dtypes is missing"),
        ("dtypes: [f32]", "dtypes: f32", "dtypes is to be a list"),
        ("ops", "op", "there is no op; known: ops"),
        ("ops: [add]", "ops: [add], class: vague", "class 'vague' is none of exact"),
        ("[{shape", "[{through: {op: sine}, shape", "goes through no operation 'sine'"),
        ("{ops", "{{ops", "is no YAML"),
    ],
)
def test_a_case_that_is_none_is_refused(old: str, new: str, said: str) -> None:
    text = f"family: x\nclass: exact\ncases:\n  - {ENTRY}\n"
    assert len(read("x.yaml", text)) == 1
    with pytest.raises(CorpusError) as refused:
        read("x.yaml", text.replace(old, new, 1))
    assert str(refused.value).startswith("x.yaml")
    assert said in str(refused.value)


ONE = np.float32(1)
NEXT = np.nextafter(ONE, np.float32(2))


@pytest.mark.parametrize(
    ("tolerance", "found", "exact", "holds"),
    [
        ("exact", 0.0, -0.0, False),
        ("equal", 0.0, -0.0, True),
        ("exact", NEXT, 1.0, False),
        ("rounded", NEXT, 1.0 + 0.51 * 2.0**-23, True),
        ("rounded", ONE, 1.0 + 0.51 * 2.0**-23, False),
        ("function", ONE, 1.0 + 3.9 * 2.0**-23, True),
        ("function", ONE, 1.0 + 4.1 * 2.0**-23, False),
        ("function", 0.0, 1e-39, True),
        ("function", 0.0, 1.2e-38, False),
        ("function", np.inf, 3.5e38, True),
        ("function", np.inf, 3.3e38, False),
        ("function", np.nan, np.nan, True),
        ("function", np.nan, 1.0, False),
        ("function", 1.0, np.nan, False),
        ("composite", np.nan, np.inf, False),
        ("exact", np.inf, -np.inf, False),
    ],
)
def test_the_judge(tolerance: str, found: float, exact: float, holds: bool) -> None:
    error = judge(np.array([found], np.float32), np.array([exact]), tolerance, "prod")
    assert error.holds is holds
    assert bool(error.where) is not holds


def test_a_sum_is_judged_by_its_terms() -> None:
    found, exact = np.array([2.0**-20], np.float32), np.array([0.0])
    for magnitude, holds in ((1.0, False), (10.0, True)):
        judged = judge(found, exact, "sum", "prod", np.array([magnitude]), np.array([2.0]))
        assert judged.holds is holds
    assert judge(found, exact, "sum", "prod", np.array([1.0]), np.array([16.0])).holds


def test_the_fast_tier_is_judged_by_what_built_in_functions_promise() -> None:
    found = np.array([-88.0, 1.001], np.float32)
    exact = np.array([-np.inf, 1.0])
    assert judge(found, exact, "elementary", "fast").holds
    assert not judge(found, exact, "elementary", "prod").holds
    assert not judge(found, exact, "function", "fast").holds
    assert not judge(np.array([1.1], np.float32), np.array([1.0]), "elementary", "fast").holds


def test_the_published_figures_are_of_this_engine() -> None:
    figures = read_figures()
    assert stale(figures) == []
    assert figures["cases"] == len(CASES)
    assert PAGE.read_text(encoding="utf-8") == page(figures)
    for name, of_other in (("engine", "0.0.9"), ("kernel_table", "sha256:0")):
        (said,) = stale({**figures, name: of_other})
        assert said.startswith(f"{name} of the figures is {of_other}")
        assert said.endswith("run scripts/correctness")
