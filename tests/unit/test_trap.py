"""A trap for NaN: the step fails at the first operation that makes one, and leaves what it carries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.device.oracle import OracleDevice
from scellis.errors import ScellisError
from scellis.graph import Graph, Value, compute, trace
from scellis.graph import functions as xp
from scellis.graph.trap import watch
from scellis.graph.types import ArrayType
from scellis.kernels.plan import plan_graph
from support.arrays import traced
from support.trap_cases import TRAPPED, UNTRAPPED, TrapCase

LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}
WIDE = (
    "in a row",
    "an infinity in a row",
    "in a product",
    "in a sum",
    "in a convolution",
    "in half precision",
)
"""What the oracle, in f64, holds as finite numbers."""


@pytest.mark.parametrize("name", [name for name in TRAPPED if name not in WIDE])
async def test_the_oracle_names_where_it_arose(name: str) -> None:
    case = TRAPPED[name]
    compiled = await OracleDevice().compile(traced(case.function, *case.arrays), "prod", trap=case.trap)
    with pytest.raises(ScellisError) as caught:
        await compiled.compute(case.arrays)
    assert caught.value.code == f"SCL-ARRAY-{case.trap.upper()}"
    assert caught.value.arguments["op"] == case.op
    assert str(caught.value.arguments["place"]).startswith(case.place)
    assert str(caught.value.arguments["place"]) in caught.value.message


@pytest.mark.parametrize("name", WIDE)
def test_the_reference_in_f32_names_it(name: str) -> None:
    case = TRAPPED[name]
    trapped = watch(traced(case.function, *case.arrays), case.trap)
    arrays = [array.astype(np.float32) for array in case.arrays]
    with pytest.raises(ScellisError) as caught:
        trapped.checked(compute(trapped.graph, arrays, wide=False))
    assert caught.value.arguments["op"] == case.op


@pytest.mark.parametrize("case", UNTRAPPED.values(), ids=UNTRAPPED)
async def test_what_is_no_fault_passes_and_is_what_it_would_be(case: TrapCase) -> None:
    graph = traced(case.function, *case.arrays)
    plain = await (await OracleDevice().compile(graph, "prod")).compute(case.arrays)
    found = await (await OracleDevice().compile(graph, "prod", trap=case.trap)).compute(case.arrays)
    assert [array.tobytes() for array in found if array is not None] == [
        array.tobytes() for array in plain if array is not None
    ]


async def test_a_step_that_is_trapped_leaves_what_it_carries() -> None:
    graph = trace(lambda x: [xp.log(x), xp.sum(x)], x=ArrayType((2,), "f32"))
    compiled = await OracleDevice().compile(graph, "prod", {0: 0}, "nan")
    start = np.array([1.0, 4.0])
    await compiled.compute([start])
    await compiled.compute([None])
    held = await compiled.read(0)
    with pytest.raises(
        ScellisError, match=r"%1 log of \(2\) f32 \(test_trap\.py, line \d+\) is the first to hold NaN"
    ):
        await compiled.compute([None])
    assert (await compiled.read(0)).tobytes() == held.tobytes()


async def test_there_is_no_other_trap() -> None:
    with pytest.raises(ScellisError, match="SCL-ARRAY-TRAP"):
        await OracleDevice().compile(trace(xp.exp, x=ArrayType((2,), "f32")), "prod", trap="inf")


def test_each_array_that_is_watched_is_stored_by_a_kernel_of_its_own() -> None:
    graph = trace(lambda x: xp.softmax(xp.exp(x) * 2.0) + 1.0, x=ArrayType((3, 4), "f32"))
    trapped = watch(graph, "nan")
    plan = plan_graph(trapped.graph, LIMITS, flags=len(trapped.watched))
    roots = [root for step in plan.steps for root in step.kernel.roots]
    assert all(len(step.kernel.roots) == 1 for step in plan.steps)
    stored = [plan.graph.nodes[root].op for root in roots]
    assert sorted(op for op in stored if op != "any") == sorted(
        trapped.graph.nodes[node].op for node in trapped.watched if graph.nodes[node].op != "input"
    )
    assert len(plan_graph(graph, LIMITS).steps) == 1  # without a trap


OP = st.sampled_from(["log", "sqrt", "exp", "divide", "subtract", "multiply"])
OPERATIONS = st.lists(st.tuples(OP, st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12)


@given(OPERATIONS, st.lists(st.floats(-3, 3), min_size=3, max_size=3), st.sampled_from(["nan", "nonfinite"]))
def test_it_is_the_first_in_order_whatever_the_program(
    operations: list[tuple[str, int, int]], numbers: list[float], kind: str
) -> None:
    def program(x: Value) -> list[Value]:
        made = [x]
        for op, one, other in operations:
            args = [made[one % len(made)], made[other % len(made)]]
            binary = op in ("divide", "subtract", "multiply")
            made.append(x.builder.apply(op, *args) if binary else x.builder.apply(op, args[0]))
        return made

    graph = trace(program, x=ArrayType((3,), "f32"))
    every = Graph(graph.nodes, range(len(graph.nodes)), places=graph.places)
    values = compute(every, [np.array(numbers)])
    bad = np.isnan if kind == "nan" else lambda array: ~np.isfinite(array)
    first = next((node for node, value in enumerate(values) if bad(value).any()), None)
    trapped = watch(graph, kind)
    outputs = compute(trapped.graph, [np.array(numbers)])
    if first is None:
        assert len(trapped.checked(outputs)) == len(graph.outputs)
        return
    with pytest.raises(ScellisError) as caught:
        trapped.checked(outputs)
    assert caught.value.arguments["node"] == first
