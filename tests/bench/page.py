"""The page, measured: its first load, its first result, draws a second in a tab, and three tabs in a pool.

    python tests/bench/page.py [OPTIONS AS JSON]

Everything is real: Chromium with software WebGPU, `scellis serve`, the built site. One run makes all
figures, so that they can be compared with each other. `docs/bench/page.md` keeps them.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import attrs
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "scripts")]

from bench.proxy import Proxy
from bench.rates import Rates
from scellis.device.oracle import OracleDevice
from support.browsers import BrowserProcess
from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS, find_chromium
from support.coordinator import Coordinator
from support.leaks import python_worker
from support.page import agree, create_pool, open_program, wait_offline, wait_ready, wait_sealed
from support.programs import example_text
from support.servers import StaticServer
from support.site import built_site

PATIENCE_MS = 600_000
IN_TAB = """
from scellis.device.browser import open_browser_gpu
from scellis.device.oracle import OracleDevice
import js
gpu = await open_browser_gpu(js.scellis.bridge.gpu)
bench_rates = await Rates.open(text, {"webgpu": gpu, "oracle": OracleDevice()})
"""
PARTS = (
    ("interpreter (Pyodide)", ("runtime/pyodide", "runtime/python_stdlib")),
    ("NumPy", ("runtime/numpy",)),
    ("Scellis: Python", ("runtime/scellis",)),
    ("other packages", ("runtime/",)),
    ("Scellis: page, kernels, examples", ("",)),
)  # fmt: skip


@attrs.frozen
class Options:
    """What to measure, and how often."""

    loads: int = 3
    rounds: int = 5
    seconds: float = 4.0
    pool_shards: int = 640
    sections: tuple[str, ...] = ("load", "rates", "pool")


def load(playwright: Playwright, options: Options) -> dict[str, Any]:
    """Seconds from opening the page to Python ready and to a first result; bytes and what makes them up."""
    site = built_site()
    server = StaticServer(site)
    server.start()
    found: dict[str, list[float]] = {key: [] for key in ("ready", "first", "cached_ready", "cached_first")}
    browser = _chromium(playwright)
    for _ in range(options.loads):
        server.requests.clear()
        server.sent_bytes = 0
        context = browser.new_context()
        page = context.new_page()
        ready, first = _first_result(page, server.url)
        found["ready"].append(ready)
        found["first"].append(first)
        wait_offline(page)
        sent, asked = server.sent_bytes, Counter(server.requests)
        page.close()
        server.stop()
        page = context.new_page()
        ready, first = _first_result(page, server.url)
        found["cached_ready"].append(ready)
        found["cached_first"].append(first)
        context.close()
        server.start()
    browser.close()
    server.stop()
    return {
        "seconds": {name: round(statistics.median(values), 2) for name, values in found.items()},
        "transferred_bytes": sent,
        "parts": _parts(site, asked),
        "asked_twice": sorted(path for path, times in asked.items() if times > 1),
    }


def _chromium(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=find_chromium(), args=[*CHROMIUM_ARGS, *WEBGPU_ARGS])


def _first_result(page: Page, url: str) -> tuple[float, float]:
    """Open the page, press the example and Run as soon as each can be pressed: what a quick person waits."""
    start = time.perf_counter()
    page.goto(url)
    page.locator(".card .button").first.click()
    wait_ready(page)
    ready = time.perf_counter() - start
    page.get_by_role("button", name="Run", exact=True).click(timeout=PATIENCE_MS)
    page.locator(".estimate-value").filter(has_text="±").wait_for(timeout=PATIENCE_MS)
    first = time.perf_counter() - start
    page.get_by_role("button", name="Stop", exact=True).click()
    return ready, first


def _parts(site: Path, asked: Counter[str]) -> dict[str, int]:
    parts = {name: 0 for name, _ in PARTS}
    for path, times in asked.items():
        inner = path.lstrip("/") or "index.html"
        name = next(name for name, prefixes in PARTS if inner.startswith(prefixes))
        parts[name] += times * (site / inner).stat().st_size
    return parts


def rates(playwright: Playwright, options: Options) -> dict[str, Any]:
    """Draws a second: WebGPU in a tab, NumPy in that tab, NumPy natively, by turns."""
    server = StaticServer(built_site())
    server.start()
    browser = _chromium(playwright)
    page = browser.new_page()
    page.goto(server.url)
    wait_ready(page)
    worker = python_worker(page)
    text = example_text("gauge_block")
    source = (Path(__file__).parent / "rates.py").read_text() + f"\ntext = {text!r}\n" + IN_TAB
    worker.evaluate("(source) => self.scellis.pyodide.runPythonAsync(source)", source)

    def in_tab(name: str) -> dict[str, Any]:
        answer = worker.evaluate(
            "(source) => self.scellis.pyodide.runPythonAsync(source)",
            f"await bench_rates.time({name!r}, {options.seconds})",
        )
        found: dict[str, Any] = json.loads(answer)
        return found

    # Playwright's own loop runs on this thread.
    elsewhere = ThreadPoolExecutor(1)
    native = elsewhere.submit(asyncio.run, Rates.open(text, {"oracle": OracleDevice()})).result()

    def natively() -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            elsewhere.submit(asyncio.run, native.time("oracle", options.seconds)).result()
        )
        return found

    rounds: dict[str, list[dict[str, Any]]] = {"tab webgpu": [], "tab oracle": [], "native oracle": []}
    for _ in range(options.rounds):
        rounds["tab webgpu"].append(in_tab("webgpu"))
        rounds["tab oracle"].append(in_tab("oracle"))
        rounds["native oracle"].append(natively())
    browser.close()
    server.stop()
    median = {name: statistics.median(found["rate"] for found in all_) for name, all_ in rounds.items()}
    ratios = [
        (gpu["rate"] / tab["rate"], gpu["rate"] / numpy["rate"])
        for gpu, tab, numpy in zip(*rounds.values(), strict=True)
    ]
    return {
        "draws_per_second": {name: round(value) for name, value in median.items()},
        "webgpu_to_numpy_in_the_tab": round(statistics.median(ratio for ratio, _ in ratios), 2),
        "webgpu_to_numpy_natively": round(statistics.median(ratio for _, ratio in ratios), 2),
        "crossings_per_shard": round(rounds["tab webgpu"][-1]["crossings_per_shard"], 3),
        "shards_per_submit": rounds["tab webgpu"][-1]["batch"],
    }


def pool(playwright: Playwright, options: Options) -> dict[str, Any]:
    """The job on one device, then on three that share this machine: seconds, bytes over the coordinator."""
    with tempfile.TemporaryDirectory() as folder:
        coordinator = Coordinator(Path(folder), site=built_site())
        coordinator.start()
        proxy = Proxy(coordinator.port)
        command = [find_chromium(), *CHROMIUM_ARGS, *WEBGPU_ARGS]
        devices = [BrowserProcess(playwright, command, Path(folder) / str(no)) for no in range(3)]
        try:
            owner = devices[0].open(proxy.url)
            text = example_text("gauge_block", shards=options.pool_shards)
            open_program(owner, text)
            alone_s = _press_run(owner)
            open_program(owner, text)
            link = create_pool(owner)
            for device in devices[1:]:
                agree(device.open(link))
            expect(owner.locator(".peerlist li")).to_have_count(3, timeout=PATIENCE_MS)
            before = proxy.socket_bytes
            start = time.perf_counter()
            owner.get_by_role("button", name="Run", exact=True).click()
            wait_sealed(owner, PATIENCE_MS)
            pooled_s = time.perf_counter() - start
            carried = proxy.socket_bytes - before
        finally:
            for device in devices:
                device.kill()
            proxy.close()
            coordinator.kill()
    return {
        "shards": options.pool_shards,
        "alone_s": round(alone_s, 1),
        "three_tabs_s": round(pooled_s, 1),
        "delivered_of_one_alone": round(alone_s / pooled_s, 2),
        "coordinator_bytes_per_shard": round(carried / options.pool_shards),
    }


def _press_run(page: Page) -> float:
    start = time.perf_counter()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".screen.run .badges")).to_contain_text("verified", timeout=PATIENCE_MS)
    return time.perf_counter() - start


def main(options: Options) -> None:
    """Measure what the options ask for and print each section as a line of JSON."""
    with sync_playwright() as playwright:
        for section in options.sections:
            measure = {"load": load, "rates": rates, "pool": pool}[section]
            print(json.dumps({section: measure(playwright, options)}), flush=True)


if __name__ == "__main__":
    main(Options(**json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}")))
