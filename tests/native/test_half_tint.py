"""Kernels with f16 as a type of its own are WGSL to browsers: Tint compiles each, on any machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scellis.graph import Graph
from scellis.graph import functions as xp
from scellis.graph.functions import matrix_transpose as turned
from scellis.graph.mixed import apply_precision
from scellis.kernels import matmul
from scellis.kernels.matrices import CONFIGURATION, FEATURES
from scellis.kernels.plan import HALVES, plan_graph
from support import mixed
from support.arrays import Array, halved, numbers, traced
from support.half_cases import CASES, PRODUCTS
from support.tint import said_of

LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}


def _kernels(graph: Graph) -> set[str]:
    """The kernels that hold f16, for either class of adapter."""
    plans = [plan_graph(graph, LIMITS, adapter=adapter, features=[HALVES]) for adapter in ("gpu", "software")]
    texts = {step.kernel.wgsl for plan in plans for step in plan.steps}
    return {text for text in texts if "Half" in text}


def test_tint_compiles_every_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [traced(function, *halved(arrays)) for function, arrays in (CASES | PRODUCTS).values()]
    graphs.append(apply_precision(mixed.step(64, 20, 32, 4), "mixed_f16"))
    kernels = set().union(*map(_kernels, graphs))
    monkeypatch.setattr(matmul, "FEW_TILES", 1)
    kernels |= set().union(*map(_kernels, graphs))
    assert len(kernels) > 500
    assert all("enable f16;" in text for text in kernels)
    found = zip(sorted(kernels), said_of(sorted(kernels)), strict=True)
    assert [(fault, text) for text, fault in found if fault is not None] == []


C, D = numbers((136, 72)), numbers((72, 264), 2)
UNITS: dict[str, tuple[Callable[..., Any], list[Array]]] = {
    "plain": (xp.matmul, [C, D]),
    "turned": (lambda a, b: turned(a) @ turned(b), [C.T.copy(), D.T.copy()]),
    "kept in f32": (lambda a, b: a.astype("f32") @ b.astype("f32"), [C, D]),
    "followed": (lambda a, b: xp.relu(a @ b + 1.0), [numbers((2, 3, 128, 72)), D]),
    "batched": (lambda a, b: a.astype("f32") @ turned(b.astype("f32")), [C[None], numbers((5, 64, 72))]),
}


@pytest.mark.parametrize("name", UNITS)
def test_tint_compiles_products_for_matrix_units(name: str) -> None:
    function, arrays = UNITS[name]
    features, limits = (*FEATURES, *CONFIGURATION), {**LIMITS, "maxComputeWorkgroupStorageSize": 32768}
    graph = traced(function, *halved(arrays))
    plan = plan_graph(graph, limits, adapter="gpu", features=features)
    (kernel,) = {step.kernel for step in plan.steps if step.kernel.template == "matmul_matrices.wgsl"}
    assert said_of([kernel.wgsl]) == [None]
    assert "subgroupMatrixLoad" in str(said_of([kernel.wgsl.replace("&a_tile,", "")]))
    for tier, class_, without in (
        ("debug", "gpu", ""),
        ("prod", "software", ""),
        ("prod", "gpu", "subgroups"),
    ):
        offered = [feature for feature in features if feature != without]
        plan = plan_graph(graph, limits, tier, adapter=class_, features=offered)
        assert all(step.kernel.template != "matmul_matrices.wgsl" for step in plan.steps)


@pytest.mark.parametrize("shapes", [((136, 71), (71, 264)), ((63, 72), (72, 264)), ((136, 72), (72, 260))])
def test_what_matrix_units_cannot_take_is_left_to_tiles(shapes: tuple[tuple[int, int], ...]) -> None:
    limits = {**LIMITS, "maxComputeWorkgroupStorageSize": 32768}
    graph = traced(xp.matmul, *halved([numbers(shape) for shape in shapes]))
    plan = plan_graph(graph, limits, adapter="gpu", features=(*FEATURES, *CONFIGURATION))
    assert [step.kernel.template for step in plan.steps] == ["matmul_tiles.wgsl"]


def test_tint_refuses_what_is_no_kernel() -> None:
    (kernel,) = _kernels(traced(lambda x: x + 1.0, *halved([numbers((3,))])))
    good, without, broken = said_of(
        [kernel, kernel.replace("enable f16;", ""), kernel.replace("Half(", "f17(")]
    )
    assert good is None
    assert "f16" in str(without)
    assert "f17" in str(broken)
