"""What a tab plans is found again when the page is reloaded: the same kernels, and the same bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from support.leaks import python_worker
from support.page import call_python, wait_ready

SUPPORT = Path(__file__).parents[1] / "support"
FILES = {
    name: (SUPPORT / name).read_text(encoding="utf-8") for name in ("__init__.py", "arrays.py", "mlp.py")
}
SETUP = """
import json, sys
from pathlib import Path
from js import scellis
from scellis.content.browser import TabStore
from scellis.device import plans
from scellis.device.browser import open_browser_gpu

for name, text in files.items():
    path = Path("/tmp/kept/support") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
sys.path.insert(0, "/tmp/kept")
from support import mlp

planned = []
plan_graph = plans.plan_graph
plans.plan_graph = lambda *args, **named: planned.append(1) or plan_graph(*args, **named)

async def losses(damaged):
    store = TabStore(await scellis.bridge.openStore())
    names = await store.refs("plan-")
    if damaged:
        await store.set_ref(names[-1], b"damaged")
    device = await open_browser_gpu(scellis.bridge.gpu, plans=plans.Plans(store, scellis.bridge.build))
    size = (16, 20, 12, 4)
    x, y, *state = mlp.start(*size)
    try:
        compiled = await device.compile(mlp.step(*size), "debug", mlp.CARRY)
        found = []
        for t in range(1, 5):
            loss, *_ = await compiled.compute([x, y, *mlp.corrections(t), *state])
            found.append(loss.tobytes().hex())
            state = [None] * len(state)
        compiled.close()
        notices = list(compiled.plan.notices)
        return {"losses": found, "plan": compiled.plan.address, "planned": len(planned), "notices": notices}
    finally:
        await device.close()
"""


def test_a_plan_outlives_a_reload_and_a_damaged_one_is_made_anew(app: Page) -> None:
    first, *later = [_opened(app, reloads) for reloads in range(3)]
    assert (first["planned"], first["notices"]) == (1, [])
    assert [found["planned"] for found in later] == [0, 1]
    assert later[0]["notices"] == []
    assert "made anew" in later[1]["notices"][0]
    for found in later:
        assert (found["losses"], found["plan"]) == (first["losses"], first["plan"])


def _opened(app: Page, reloads: int) -> dict[str, Any]:
    """The losses after so many reloads; before the second the kept plan is damaged."""
    if reloads:
        app.reload()
        wait_ready(app)
    python_worker(app).evaluate(
        "(source) => void self.scellis.pyodide.runPython(source)", f"files = {FILES!r}\n{SETUP}"
    )
    found: dict[str, Any] = call_python(app, "losses", reloads == 2)
    return found
