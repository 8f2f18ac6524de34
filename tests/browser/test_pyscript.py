"""PyScript as a host: its page imports scellis from our own files and runs the example."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from support.servers import StaticServer

PYSCRIPT_TIMEOUT_MS = 90_000


def test_pyscript_runs_the_example(page: Page, serve: Callable[..., StaticServer]) -> None:
    server = serve(mount="/scellis/")
    page.goto(server.url + "pyscript/")
    result = page.locator("#result")
    expect(result).not_to_have_text("Python is starting…", timeout=PYSCRIPT_TIMEOUT_MS)
    expect(result).to_contain_text("838 nm, standard deviation 36 nm, 99% interval [745, 932] nm")
    assert server.asked_for("runtime/pyodide.asm.wasm") == 1
