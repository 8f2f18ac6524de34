"""Kernels with f16 as a type of its own are WGSL to browsers: Tint compiles each, on any machine."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from scellis.graph import Graph
from scellis.graph.mixed import apply_precision
from scellis.kernels import matmul
from scellis.kernels.plan import HALVES, plan_graph
from support import mixed
from support.arrays import halved, numbers, traced
from support.half_cases import CASES, PRODUCTS

LIMITS = {"maxStorageBuffersPerShaderStage": 8, "maxStorageBufferBindingSize": 2**27}
TINT = Path(__file__).parents[1] / "support" / "tint.mjs"


def _said(kernels: list[str]) -> list[str | None]:
    """What Tint says of each kernel."""
    given = json.dumps(kernels)
    done = subprocess.run(
        ["node", str(TINT)], input=given, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said: list[str | None] = json.loads(done.stdout)
    return said


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
    found = zip(sorted(kernels), _said(sorted(kernels)), strict=True)
    assert [(fault, text) for text, fault in found if fault is not None] == []


def test_tint_refuses_what_is_no_kernel() -> None:
    (kernel,) = _kernels(traced(lambda x: x + 1.0, *halved([numbers((3,))])))
    good, without, broken = _said(
        [kernel, kernel.replace("enable f16;", ""), kernel.replace("Half(", "f17(")]
    )
    assert good is None
    assert "f16" in str(without)
    assert "f17" in str(broken)
