"""The app's page, as a test sees it. (Its policy forbids eval, so Playwright's wait_for_function cannot be used.)"""

from __future__ import annotations

from playwright.sync_api import Page
from support.leaks import python_worker

BOOT_TIMEOUT_MS = 60_000


def wait_ready(page: Page) -> None:
    """Until Python is ready."""
    page.locator(".boot[data-state=ready]").wait_for(timeout=BOOT_TIMEOUT_MS)


def wait_offline(page: Page) -> None:
    """Until the service worker holds the whole site and serves this page."""
    page.evaluate(
        """async () => {
            await navigator.serviceWorker.ready;
            if (!navigator.serviceWorker.controller)
                await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
        }"""
    )


def fault_code(page: Page) -> str:
    """The code of the fault that the page shows, once it shows one."""
    shown = page.locator(".fault .code")
    shown.wait_for(timeout=BOOT_TIMEOUT_MS)
    return shown.inner_text()


def run_python(page: Page, source: str) -> object:
    """Evaluate an expression in the page's own Python."""
    return python_worker(page).evaluate("(source) => self.scellis.pyodide.runPython(source)", source)
