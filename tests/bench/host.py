"""What a step costs the host: compiling it in a tab, anew and after a reload, and Python in each step.

    python tests/bench/host.py [OPTIONS AS JSON]

Real Chromium with software WebGPU and one profile on disk, as a person has: opened for the first time, the
page reloaded, the browser started again. `docs/bench/host.md` keeps the figures.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "scripts")]

from bench.peers.cases import transformer
from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS, find_chromium
from support.leaks import python_worker
from support.page import call_python, wait_ready
from support.servers import StaticServer
from support.site import built_site

HERE = Path(__file__).parent
SENT = ("stages.py", "peers/data.py", "peers/scellis_side.py")
IN_TAB = """
import json, sys
from pathlib import Path
for name, text in sources.items():
    path = Path("/tmp/host/bench") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
sys.path.insert(0, "/tmp/host")
import js
from scellis.content.browser import TabStore
from scellis.device.browser import open_browser_gpu
from scellis.device.plans import Plans
from bench.stages import Stages
bridge = js.scellis.bridge
plans = Plans(TabStore(await bridge.openStore()), bridge.build)
device = await open_browser_gpu(bridge.gpu, "", plans)

async def compiled(request, kept):
    device.plans = plans if kept else None
    stages = Stages(device, request)
    found = await stages.compile()
    stages.close()
    return found

async def stepped(request, count, of_python):
    stages = Stages(device, request)
    await stages.compile()
    found = await stages.steps(count)
    replay, device.gpu._replay = device.gpu._replay, js.answerAtOnce
    found["python_ms"] = (await stages.steps(of_python))["ms"]
    device.gpu._replay = replay
    stages.close()
    return found
"""
ANSWER_AT_ONCE = "() => { self.answerAtOnce = () => Promise.resolve(new Uint8Array(4)) }"
"""In the place of a replay: what is left of a step is Python's time, with a promise's way there and back."""


@attrs.frozen
class Options:
    """Layers of the transformer and of the one of many dispatches; profiles; rounds and steps in each.

    Of several profiles and rounds the fastest counts: other work on the machine only adds.
    """

    layers: int = 2
    many: int = 5
    profiles: int = 3
    rounds: int = 5
    steps: int = 3
    python_steps: int = 300


def opened(page: Page, url: str) -> None:
    """The app, with the bench in its Python."""
    page.goto(url)
    wait_ready(page)
    sources = {name: (HERE / name).read_text(encoding="utf-8") for name in SENT}
    worker = python_worker(page)
    worker.evaluate(ANSWER_AT_ONCE)
    worker.evaluate(
        "(source) => self.scellis.pyodide.runPythonAsync(source).then(() => null)",
        f"sources = {sources!r}\n{IN_TAB}",
    )


def measure(playwright: Playwright, options: Options) -> Iterator[dict[str, Any]]:
    """What is measured in each profile: milliseconds by stage and opening, and of a step."""
    small, many = (
        transformer(layers, 8, 64, 64, 4, 64)["request"] for layers in (options.layers, options.many)
    )
    server = StaticServer(built_site())
    server.start()
    for _ in range(options.profiles):
        with tempfile.TemporaryDirectory() as profile:
            context = browser(playwright, profile)
            page = context.new_page()
            for opening in ("first", "reloaded"):
                opened(page, server.url)
                yield {opening: call_python(page, "compiled", small, True)}
            for _ in range(options.rounds):
                yield {"compiled again": call_python(page, "compiled", small, True)}
                yield {"planned again": call_python(page, "compiled", small, False)}
            for request in (small, many):
                found = call_python(page, "stepped", request, options.steps, options.python_steps)
                yield {f"a step of {found['dispatches']:g} dispatches": found}
            context.close()
            context = browser(playwright, profile)
            page = context.new_page()
            opened(page, server.url)
            yield {"restarted": call_python(page, "compiled", small, True)}
            context.close()
    server.stop()


def browser(playwright: Playwright, profile: str) -> BrowserContext:
    """Chromium with a profile on disk."""
    return playwright.chromium.launch_persistent_context(
        profile, executable_path=find_chromium(), args=[*CHROMIUM_ARGS, *WEBGPU_ARGS]
    )


def main(options: Options) -> None:
    """Measure, and print of each stage the least time as a line of JSON for each opening."""
    least: dict[str, dict[str, float]] = {}
    with sync_playwright() as playwright:
        for found in measure(playwright, options):
            for name, stages in found.items():
                known = least.setdefault(name, {})
                known |= {stage: min(known.get(stage, ms), ms) for stage, ms in stages.items()}
    for name, stages in least.items():
        print(json.dumps({name: {stage: round(ms, 2) for stage, ms in stages.items()}}), flush=True)


if __name__ == "__main__":
    main(Options(**json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}")))
