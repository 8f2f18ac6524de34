"""The corpus in a tab: what its Python is given, and the calls that a test makes there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from support.leaks import python_worker
from support.page import call_python

TESTS = Path(__file__).parents[1]
IN_TAB = ("cases", "operations", "overhead", "run", "tolerance", "training", "values")
SUPPORT = ("arrays", "mlp")
AT_A_TIME = 60
"""Cases of one call: a call of more than a minute would look like a page that hangs."""

SETUP = """
import json, sys
from pathlib import Path
from js import scellis
from scellis.device.browser import open_browser_gpu

root = Path("/tmp/conformance")
for name, text in files.items():
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
sys.path.insert(0, str(root))
from conformance import cases, overhead, run, training
CASES = cases.load()

async def conformance(first, count, tiers):
    device = await open_browser_gpu(scellis.bridge.gpu)
    try:
        found = await run.run(device, CASES[first:first + count], tiers)
        return [len(CASES), [result.to_json() for result in found]]
    finally:
        await device.close()

async def fusion(number):
    programs = overhead.programs(CASES)
    if number == len(programs):
        return None
    device = await open_browser_gpu(scellis.bridge.gpu)
    try:
        return [programs[number].name, await overhead.compare(device, programs[number])]
    finally:
        await device.close()

async def trained(steps, tier):
    device = await open_browser_gpu(scellis.bridge.gpu)
    try:
        return await training.trained(device, steps, tier)
    finally:
        await device.close()

async def fingerprint():
    device = await open_browser_gpu(scellis.bridge.gpu)
    try:
        return device.fingerprint
    finally:
        await device.close()
"""


def install(page: Page) -> None:
    """Give the tab's Python the corpus and the functions above."""
    files = {
        f"conformance/{path.name}": path
        for path in (TESTS / "conformance").glob("*.py")
        if path.stem in IN_TAB
    }
    files |= {
        f"conformance/cases/{path.name}": path for path in (TESTS / "conformance" / "cases").glob("*.yaml")
    }
    files |= {f"support/{name}.py": TESTS / "support" / f"{name}.py" for name in SUPPORT}
    texts = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    texts |= {"conformance/__init__.py": "", "support/__init__.py": ""}
    source = f"files = {texts!r}\n{SETUP}"
    python_worker(page).evaluate("(source) => void self.scellis.pyodide.runPython(source)", source)


def results(page: Page, tiers: tuple[str, ...]) -> list[dict[str, Any]]:
    """The results of all cases in a tab that has the corpus, as `Result.to_json` says them."""
    found: list[dict[str, Any]] = []
    total = 1
    while len(found) < total:
        total, some = call_python(page, "conformance", len(found), AT_A_TIME, tiers)
        found += some
    return found


def fusion(page: Page) -> dict[str, Any]:
    """What fusion gains there, by program."""
    found: dict[str, Any] = {}
    while (row := call_python(page, "fusion", len(found))) is not None:
        found[row[0]] = row[1]
    return found


def trained(page: Page, steps: int, tier: str = "debug") -> dict[str, Any]:
    """A training run there, see `training.trained`."""
    found: dict[str, Any] = call_python(page, "trained", steps, tier)
    return found


def fingerprint(page: Page) -> dict[str, Any]:
    """That of the tab's GPU."""
    found: dict[str, Any] = call_python(page, "fingerprint")
    return found
