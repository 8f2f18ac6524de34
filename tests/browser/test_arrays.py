"""Graphs of arrays on the tab's GPU, from its Python: every operation and gradient, and a training step."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from support.leaks import nothing_leaks, python_worker
from support.page import call_python
from support.trap_cases import TRAPPED, UNTRAPPED

SUPPORT = Path(__file__).parents[1] / "support"
MODULES = {
    name: (SUPPORT / name).read_text(encoding="utf-8")
    for name in (
        *("arrays.py", "array_cases.py", "nn_cases.py", "half_cases.py", "random_cases.py", "mlp.py"),
        *("split_cases.py", "subgroup_cases.py", "trap_cases.py"),
    )
}

SETUP = """
import asyncio, json, sys
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
from scellis.graph import compute
from scellis.graph.autodiff import gradient
from support import mlp
from support.array_cases import COMPOSED, DIFFERENTIABLE, FUNCTIONS, weighed
from support.arrays import halved, traced
from support.half_cases import CASES as HALF, PRODUCTS
from support.nn_cases import NN, OURS
from support.trap_cases import TRAPPED, UNTRAPPED
from scellis.errors import ScellisError
from support.random_cases import EXACT, NEAR, both
from support.split_cases import PARTS, low_limit
from support.subgroup_cases import CASES as FOLDED

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

async def traps():
    device = await open_browser_gpu(scellis.bridge.gpu)
    found = {}
    try:
        for name, case in (TRAPPED | UNTRAPPED).items():
            compiled = await device.compile(traced(case.function, *case.arrays), "prod", trap=case.trap)
            try:
                await compiled.compute(case.arrays)
                found[name] = ["", ""]
            except ScellisError as error:
                found[name] = [error.arguments["op"], error.arguments["place"]]
            compiled.close()
    finally:
        await device.close()
    return found

async def loss():
    # The losses of six steps, and of the last three again after the device was lost.
    size = (16, 20, 12, 4)
    x, y, *state = mlp.start(*size)

    async def steps(compiled, first, last, given):
        found = []
        for t in range(first, last):
            loss, *_ = await compiled.compute([x, y, *mlp.corrections(t), *given])
            found.append(float(loss))
            given = [None] * 12
        return found

    device = await open_browser_gpu(scellis.bridge.gpu)
    compiled = await device.compile(mlp.step(*size), "prod", mlp.CARRY)
    before = await steps(compiled, 1, 4, state)
    saved = [await compiled.read(4 + place) for place in range(12)]
    before += await steps(compiled, 4, 7, [None] * 12)
    running = asyncio.ensure_future(steps(compiled, 7, 1000, [None] * 12))
    await asyncio.sleep(0)
    device.gpu.lose()
    try:
        await running
        code = ""
    except ScellisError as error:
        code = error.code
    compiled.close()
    await device.close()
    renewed = await open_browser_gpu(scellis.bridge.gpu)
    try:
        compiled = await renewed.compile(mlp.step(*size), "prod", mlp.CARRY)
        after = await steps(compiled, 4, 7, saved)
        compiled.close()
    finally:
        await renewed.close()
    return [code, before, after]
async def halves():
    cases = HALF | {"product, " + name: case for name, case in PRODUCTS.items()}
    device = await open_browser_gpu(scellis.bridge.gpu)
    wrong, notices = [], set()
    try:
        for name, (function, arrays) in cases.items():
            arrays = halved(arrays)
            graph = traced(function, *arrays)
            compiled = await device.compile(graph, "prod")
            found = await compiled.compute(arrays)
            notices |= {*compiled.plan.notices}
            compiled.close()
            for one, other in zip(found, compute(graph, arrays, wide=False), strict=True):
                near = 2.0**-10 * np.abs(other[np.isfinite(other)].astype(float)).max(initial=0.0)
                same = np.allclose(one.astype(float), other.astype(float), 2.0**-10, near, equal_nan=True)
                if one.dtype != other.dtype or not same:
                    wrong.append([name, str(one), str(other)])
        native = "shader-f16" in device.gpu.info()["features"]
    finally:
        await device.close()
    return [len(cases), wrong, native, sorted(notices)]

async def subgroups():
    device = await open_browser_gpu(scellis.bridge.gpu)
    device.fingerprint["class"] = "gpu"
    given = device.features
    device.features = [name for name in given if name != "subgroups from 4"]  # too small to be used
    wrong, kernels = [], 0
    try:
        for name, (function, arrays) in FOLDED.items():
            graph = traced(function, *arrays)
            compiled = await device.compile(graph, "fast")
            kernels += sum("enable subgroups;" in step.kernel.wgsl for step in compiled.plan.steps)
            found = await compiled.compute(arrays)
            compiled.close()
            near = 2e-3 if name == "f16" else 2e-5
            for one, other in zip(found, compute(graph, narrow(arrays)), strict=True):
                one, other = one.astype(float), np.asarray(other, float)
                largest = np.abs(other[np.isfinite(other)]).max(initial=0.0)
                if not np.allclose(one, other, near, near + 1e-5 * largest, equal_nan=True):
                    wrong.append([name, str(one), str(other)])
    finally:
        await device.close()
    return [kernels, wrong, given]

async def draws():
    device = await open_browser_gpu(scellis.bridge.gpu)
    wrong = []
    try:
        for name, (function, parameters, *bound) in (EXACT | NEAR).items():
            function, arrays = both(function, parameters)
            graph = traced(function, *arrays)
            compiled = await device.compile(graph, "prod")
            found = await compiled.compute(arrays)
            compiled.close()
            expected = await (await OracleDevice().compile(graph, "prod")).compute(narrow(arrays))
            for one, other in zip(found, expected, strict=True):
                near = (bound or [0.0])[0]
                if not np.allclose(one.astype(float), other.astype(float), near, near, equal_nan=True):
                    wrong.append([name, str(one), str(other)])
    finally:
        await device.close()
    return [len(EXACT | NEAR), wrong]

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
                counts = [after[1][name] - before[1][name] for name in ("submits", "crossings")]
                counts.append(after[0] == before[0])
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


def test_a_trap_names_where_nan_arose(tab: Page) -> None:
    with nothing_leaks(tab):
        found = call_python(tab, "traps")
    for name, case in (TRAPPED | UNTRAPPED).items():
        op, place = found[name]
        assert op == case.op, name
        assert not op or place.startswith(case.place), name


def test_after_a_loss_a_run_goes_on_from_its_inputs_with_the_same_bits(tab: Page) -> None:
    with nothing_leaks(tab):
        code, before, after = call_python(tab, "loss")
    assert code == "SCL-GPU-LOST"
    assert after == before[3:]


def test_f16_is_numpys(tab: Page) -> None:
    with nothing_leaks(tab):
        cases, wrong, native, notices = call_python(tab, "halves")
    assert cases > 200
    assert wrong == []
    assert bool(notices) == (not native)


def test_reductions_by_subgroups_are_the_oracles(tab: Page) -> None:
    with nothing_leaks(tab):
        kernels, wrong, features = call_python(tab, "subgroups")
    assert {"subgroups", "subgroup_id"} <= {*features}
    assert kernels > 10
    assert wrong == []


def test_random_arrays_are_the_oracles(tab: Page) -> None:
    with nothing_leaks(tab):
        cases, wrong = call_python(tab, "draws")
    assert cases > 30
    assert wrong == []


def test_parts_of_arrays_give_what_the_oracle_gives(tab: Page) -> None:
    with nothing_leaks(tab):
        cases, wrong = call_python(tab, "differences_of_parts")
    assert cases > 10
    assert wrong == []


def test_a_training_step_makes_nothing_and_is_one_submit_and_one_crossing(tab: Page) -> None:
    with nothing_leaks(tab):
        (found, expected), (submits, crossings, nothing_made) = call_python(tab, "training", 20)
    assert max(abs(a - b) for a, b in zip(found, expected, strict=True)) < 1e-4
    assert expected[-1] < expected[0]
    assert nothing_made
    assert submits == crossings == 1
