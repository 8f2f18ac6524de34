"""The app's page, as a test sees it.

Its policy forbids eval, so Playwright's wait_for_function cannot be used; locators and evaluate can.
"""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from support.leaks import python_worker

BOOT_TIMEOUT_MS = 120_000
PATIENCE_MS = 150_000
"""for whatever busy cores may take"""


def wait_ready(page: Page) -> None:
    """Until Python is ready; fails with the page's own words when it says that it cannot be."""
    page.locator(".boot[data-state=ready], .boot[data-state=failed]").wait_for(timeout=BOOT_TIMEOUT_MS)
    if page.locator(".boot[data-state=failed]").count():
        raise AssertionError(f"the page says: {shown_fault(page).inner_text()}")


def wait_offline(page: Page) -> None:
    """Until the service worker holds the whole site and serves this page."""
    page.evaluate(
        """async () => {
            await navigator.serviceWorker.ready;
            if (navigator.serviceWorker.controller) return;
            await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
        }"""
    )


def shown_fault(page: Page) -> Locator:
    """The fault that the page shows. (Each screen has a place for its own; only one is in use.)"""
    return page.locator(".fault:not([hidden])").first


def fault_code(page: Page) -> str:
    """The code of the fault that the page shows, once it shows one."""
    code = shown_fault(page).locator(".code")
    code.wait_for(timeout=BOOT_TIMEOUT_MS)
    return code.inner_text()


def run_python(page: Page, source: str) -> object:
    """Evaluate an expression in the page's own Python."""
    return python_worker(page).evaluate("(source) => self.scellis.pyodide.runPython(source)", source)


def call_python(page: Page, name: str, *arguments: Any) -> Any:
    """Await a function that the page's own Python knows; arguments and answer cross as JSON."""
    source = f"json.dumps(await {name}(*json.loads({json.dumps(json.dumps(arguments))})))"
    return json.loads(
        python_worker(page).evaluate("(source) => self.scellis.pyodide.runPythonAsync(source)", source)
    )


def open_program(page: Page, sml: str) -> None:
    """Open a program of one's own, as a person does, and wait until it can be run."""
    page.get_by_role("link", name="Start", exact=True).click()
    own = page.locator("details.disclosure").filter(has=page.locator("#own-text"))
    if own.get_attribute("open") is None:
        own.locator("summary").click()
    page.locator("#own-text").fill(sml)
    own.get_by_role("button", name="Open").click()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled(timeout=PATIENCE_MS)


def create_pool(page: Page) -> str:
    """Press "Pool with my devices"; the invitation's link."""
    page.get_by_role("link", name="Pool", exact=True).click()
    page.get_by_role("button", name="Pool with my devices").click()
    link = page.locator(".invitation code")
    expect(link).to_contain_text("#pool=", timeout=PATIENCE_MS)
    return link.inner_text()


def agree(page: Page) -> None:
    """Let this device compute for the pool that it has joined."""
    page.get_by_role("button", name="Let it compute").click(timeout=PATIENCE_MS)


def wait_sealed(page: Page, timeout_ms: float = PATIENCE_MS) -> None:
    """Until the pool screen says that the pool is sealed."""
    expect(page.locator(".screen.pool .badges")).to_contain_text("sealed", timeout=timeout_ms)
