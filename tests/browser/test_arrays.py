"""Graphs of arrays on the tab's GPU, from its Python: every operation and gradient, and a training step."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from support.leaks import nothing_leaks, python_worker
from support.page import call_python

SUPPORT = Path(__file__).parents[1] / "support"
MODULES = {
    name: (SUPPORT / name).read_text(encoding="utf-8")
    for name in ("arrays.py", "array_cases.py", "nn_cases.py", "split_cases.py", "mlp.py")
}

SETUP = """
import json, sys
from pathlib import Path
import numpy as np
from js import scellis
from scellis.device.browser import open_browser_gpu
from scellis.device.oracle import OracleDevice

folder = Path("/tmp/tests/support")
folder.mkdir(parents=True, exist_ok=True)
(folder / "__init__.py").write_text("")
for name, text in modules.items():
    (folder / name).write_text(text)
sys.path.insert(0, str(folder.parent))
from scellis.graph.autodiff import gradient
from support import mlp
from support.array_cases import COMPOSED, DIFFERENTIABLE, FUNCTIONS, weighed
from support.arrays import traced
from support.nn_cases import NN, OURS
from support.split_cases import PARTS, low_limit

def narrow(arrays):
    return [array.astype(np.float32) if array.dtype == np.float64 else array for array in arrays]

async def differences():
    cases = {name: (function, arrays) for name, function, _, arrays in FUNCTIONS}
    for name, (function, arrays) in (DIFFERENTIABLE | COMPOSED | NN | OURS).items():
        if name != "astype":  # its f16 rounds, and the oracle's f64 does not
            cases["gradient of " + name] = (lambda *x, f=function: gradient(weighed(f)(*x), x), arrays)
    return await differing(cases, 1)

async def differences_of_parts():
    "The same with every array cut into three parts or more."
    return await differing(PARTS, 3)

async def differing(cases, parts):
    device = await open_browser_gpu(scellis.bridge.gpu)
    wrong = []
    try:
        for name, (function, arrays) in cases.items():
            graph = traced(function, *arrays)
            if parts > 1:
                device.limits["maxStorageBufferBindingSize"] = 4 * low_limit(graph, parts)
            compiled = await device.compile(graph, "prod")
            found = await compiled.compute(arrays)
            compiled.close()
            expected = await (await OracleDevice().compile(graph, "prod")).compute(narrow(arrays))
            for one, other in zip(found, expected, strict=True):
                one, other = one.astype(float), other.astype(float)
                # A sum that cancels keeps the roundings of its largest terms, about as large as the results.
                near = 2e-6 + 5e-7 * np.abs(other[np.isfinite(other)]).max(initial=0.0)
                if not np.allclose(one, other, 2e-5, near, equal_nan=True):
                    wrong.append([name, str(one), str(other)])
    finally:
        await device.close()
    return [len(cases), wrong]

async def training(steps):
    size = (16, 20, 12, 4)
    x, y, *state = mlp.start(*size)
    device = await open_browser_gpu(scellis.bridge.gpu)
    try:
        losses = []
        for place in (device, OracleDevice()):
            compiled = await place.compile(mlp.step(*size), "prod", mlp.CARRY)
            given = list(state)
            losses.append([])
            for t in range(1, steps + 1):
                before = scellis.bridge.gpu.stats().to_py(), device.gpu.stats()
                loss, *_ = await compiled.compute([x, y, *mlp.corrections(t), *given])
                losses[-1].append(float(loss))
                given = [None] * 12
                if place is device and t == steps:
                    after = scellis.bridge.gpu.stats().to_py(), device.gpu.stats()
            compiled.close()
            if place is device:
                counts = [after[0] == before[0], after[1]["submits"] - before[1]["submits"]]
    finally:
        await device.close()
    return [losses, counts]
"""


@pytest.fixture(scope="module")
def tab(shared_app: Page) -> Page:
    """The app with the functions above defined in its Python."""
    source = f"modules = {MODULES!r}\n{SETUP}"
    python_worker(shared_app).evaluate("(source) => void self.scellis.pyodide.runPython(source)", source)
    call_python(shared_app, "training", 1)  # what Pyodide itself makes once is there from now on
    return shared_app


def test_operations_and_gradients_are_the_oracles(tab: Page) -> None:
    with nothing_leaks(tab):
        cases, wrong = call_python(tab, "differences")
    assert cases > 100
    assert wrong == []


def test_parts_of_arrays_give_what_the_oracle_gives(tab: Page) -> None:
    with nothing_leaks(tab):
        cases, wrong = call_python(tab, "differences_of_parts")
    assert cases > 10
    assert wrong == []


def test_a_training_step_makes_nothing_and_is_one_submit(tab: Page) -> None:
    with nothing_leaks(tab):
        (found, expected), (nothing_made, submits) = call_python(tab, "training", 20)
    assert max(abs(a - b) for a, b in zip(found, expected, strict=True)) < 1e-4
    assert expected[-1] < expected[0]
    assert nothing_made
    assert submits == 1
