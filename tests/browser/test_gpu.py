"""WebGPU in the tab, from Python: the same answers as elsewhere, one crossing a batch, nothing left."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from support.device_checks import KNOWN_ANSWERS, SEVEN_ROUNDS
from support.leaks import nothing_leaks, python_worker
from support.page import call_python
from support.programs import example_text

SETUP = """
import asyncio, json
import attrs, numpy as np
from js import scellis
from scellis.device.browser import open_browser_gpu
from scellis.device.gpu import prepare_kernel
from scellis.device.oracle import OracleDevice
from scellis.errors import ScellisError
from scellis.job import compare, plan_job, prepare_job

async def philox(rows):
    device = await open_browser_gpu(scellis.bridge.gpu)
    try:
        return [await device.philox(tuple(counter), tuple(key), rounds) for counter, key, rounds in rows]
    finally:
        await device.close()

async def against_the_oracle(text, tier):
    job = attrs.evolve(plan_job(text).job, determinism_tier=tier)
    device = await open_browser_gpu(scellis.bridge.gpu)
    try:
        states = [
            await (await prepare_job(job, each)).states(317, 2) for each in (device, OracleDevice())
        ]
    finally:
        await device.close()
    return [compare(*pair, job.tolerance) for pair in zip(*states)]

def arrays(found):
    return {name: np.asarray(value).tolist() for name, value in attrs.asdict(found).items()}

async def batches(text, count):
    job = plan_job(text).job
    device = await open_browser_gpu(scellis.bridge.gpu)
    try:
        sampler = await prepare_job(job, device)
        await sampler.states(0, 1)
        before = device.gpu.stats(), scellis.bridge.gpu.stats().to_py()
        for shard in range(count):
            await sampler.states(shard, 1)
        after = device.gpu.stats(), scellis.bridge.gpu.stats().to_py()
        return {"before": before, "after": after}
    finally:
        await device.close()

async def loss(text):
    job = plan_job(text).job
    device = await open_browser_gpu(scellis.bridge.gpu)
    sampler = await prepare_job(job, device)
    expected = [state.to_bytes() for state in await sampler.states(0, 2)]
    running = asyncio.ensure_future(sampler.states(0, 200))
    await asyncio.sleep(0)
    device.gpu.lose()
    try:
        await running
        code = "none"
    except ScellisError as error:
        code = error.code
    await device.close()
    renewed = await open_browser_gpu(scellis.bridge.gpu)
    try:
        again = [state.to_bytes() for state in await (await prepare_job(job, renewed)).states(0, 2)]
    finally:
        await renewed.close()
    return {"code": code, "same": again == expected}

async def refused():
    device = await open_browser_gpu(scellis.bridge.gpu)
    codes = []
    try:
        for attempt in (
            lambda: device.gpu.pipeline("fn main() { nonsense(); }", "main", {}, "bad"),
            lambda: device.gpu.buffer(2**45, 0x80, "huge"),
        ):
            try:
                await attempt()
            except ScellisError as error:
                codes.append(error.code)
    finally:
        await device.close()
    return codes
"""


@pytest.fixture(scope="module")
def tab(shared_app: Page) -> Page:
    """The app with the functions above defined in its Python."""
    python_worker(shared_app).evaluate("(source) => void self.scellis.pyodide.runPython(source)", SETUP)
    return shared_app


def test_philox_known_answers_and_seven_rounds_are_another_generator(tab: Page) -> None:
    rows = [(counter, key, 10) for counter, key, _ in KNOWN_ANSWERS]
    expected = [output for _, _, output in KNOWN_ANSWERS] + [SEVEN_ROUNDS]
    found = call_python(tab, "philox", [*rows, ((0, 0, 0, 0), (0, 0), 7)])
    assert [tuple(words) for words in found] == expected


def test_shards_agree_with_the_oracle_of_the_tab(tab: Page) -> None:
    for name in ("gauge_block", "saturating"):
        for tier in ("debug", "prod", "fast"):
            assert call_python(tab, "against_the_oracle", example_text(name), tier) == [[], []], (name, tier)


def test_one_crossing_a_batch_and_no_buffer_after_warm_up(tab: Page) -> None:
    found = call_python(tab, "batches", example_text("saturating"), 20)
    (counts, live), (counts_after, live_after) = found["before"], found["after"]
    assert counts_after["crossings"] - counts["crossings"] == 20
    assert counts_after["submits"] - counts["submits"] == 20
    assert live_after == live


def test_devices_come_and_go_are_lost_and_refuse_and_nothing_is_left(tab: Page) -> None:
    call_python(tab, "batches", example_text("saturating"), 1)
    with nothing_leaks(tab):
        for _ in range(3):
            call_python(tab, "batches", example_text("saturating"), 2)
        assert call_python(tab, "loss", example_text("gauge_block")) == {"code": "SCL-GPU-LOST", "same": True}
        assert call_python(tab, "refused") == ["SCL-GPU-SHADER", "SCL-GPU-OOM"]
