"""The app's page, as a test sees it.

Its policy forbids eval, so Playwright's wait_for_function cannot be used; locators and evaluate can.
"""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from support.leaks import python_worker

BOOT_TIMEOUT_MS = 120_000


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
