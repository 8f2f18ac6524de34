"""What goes wrong while the page boots is a sentence on the page, and a dead interpreter is replaced."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from support.leaks import python_worker
from support.page import fault_code, run_python, shown_fault, wait_ready
from support.servers import StaticServer
from support.site import build_identity
from support.watch import Watch

Serve = Callable[..., StaticServer]

NUMPY = "runtime/numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"


def flipped(data: bytes) -> bytes:
    """The same file with one bit changed in its middle."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def test_a_damaged_file_is_named(page: Page, serve: Serve, watch: Watch) -> None:
    watch.allow("numpy")
    server = serve()
    server.corrupt[NUMPY] = flipped
    page.goto(server.url)
    assert fault_code(page) == "SCL-BOOT-DAMAGED"
    assert "numpy-2.2.5" in shown_fault(page).inner_text()
    assert server.asked_for(NUMPY) >= 2  # the second time past every cache


def test_a_damaged_module_is_never_run(page: Page, serve: Serve) -> None:
    server = serve()
    server.corrupt["runtime/pyodide.asm.js"] = lambda data: (
        b"postMessage({type: 'view', name: 'evil'});" + data
    )
    page.goto(server.url)
    assert fault_code(page) == "SCL-BOOT-DAMAGED"
    assert "pyodide.asm.js" in shown_fault(page).inner_text()


def test_a_stale_copy_in_the_browsers_cache_is_healed(page: Page, serve: Serve) -> None:
    server = serve(headers={"Cache-Control": "max-age=3600"})
    server.corrupt[NUMPY] = flipped
    page.goto(server.url)
    assert fault_code(page) == "SCL-BOOT-DAMAGED"
    del server.corrupt[NUMPY]
    page.reload()
    wait_ready(page)


def test_a_missing_file_is_named(page: Page, serve: Serve, watch: Watch) -> None:
    watch.allow("404")
    server = serve()
    server.missing.add(NUMPY)
    page.goto(server.url)
    assert fault_code(page) == "SCL-BOOT-FETCH"
    assert "numpy-2.2.5" in shown_fault(page).inner_text()


def test_files_of_another_build_are_refused(page: Page, serve: Serve) -> None:
    server = serve()
    server.corrupt["runtime/lock.json"] = lambda data: json.dumps(
        {**json.loads(data), "build": "0" * 16}
    ).encode()
    page.goto(server.url)
    assert fault_code(page) == "SCL-BOOT-MIXED"


def test_a_page_of_another_build_than_its_worker_is_refused(page: Page, serve: Serve, site: Path) -> None:
    server = serve()
    build = build_identity(site).encode()
    server.corrupt["static/main.js"] = lambda data: data.replace(build, build[::-1])
    page.goto(server.url)
    assert fault_code(page) == "SCL-BOOT-MIXED"


def test_a_policy_that_forbids_webassembly_is_named(page: Page, serve: Serve, watch: Watch) -> None:
    watch.allow("Content Security Policy|WebAssembly")
    page.goto(serve(headers={"Content-Security-Policy": "script-src 'self'"}).url)
    assert fault_code(page) == "SCL-BOOT-CSP"


KILL_PYTHON = """
() => {
  try { self.scellis.pyodide._api.fatal_error(new Error("memory access out of bounds")); } catch {}
}
"""


def test_a_dead_interpreter_is_replaced(app: Page, watch: Watch) -> None:
    watch.allow("memory access out of bounds|fatal")
    first = python_worker(app)
    with app.expect_worker() as replaced:
        first.evaluate(KILL_PYTHON)
    assert fault_code(app) == "SCL-BOOT-PYTHON"
    wait_ready(app)
    assert replaced.value != first
    assert run_python(app, "1 + 1") == 2


def test_a_boot_that_failed_can_be_tried_again_on_the_page(
    page: Page, serve: Serve, watch: Watch, site: Path
) -> None:
    watch.allow("404")
    server = serve()
    server.missing.add(NUMPY)
    page.goto(server.url)
    fault_code(page)
    server.missing.clear()
    shown_fault(page).locator(".button").first.click()
    wait_ready(page)
