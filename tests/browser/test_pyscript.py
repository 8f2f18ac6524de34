"""PyScript as a host: its own page imports scellis from our files and runs the example."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from support.servers import StaticServer


def test_pyscript_runs_the_example(page: Page, serve: Callable[..., StaticServer]) -> None:
    server = serve(mount="/scellis/")
    page.goto(server.url + "pyscript/")
    expect(page.locator("#result")).to_contain_text("838", timeout=90_000)
    assert server.asked_for("runtime/pyodide.mjs") > 0
