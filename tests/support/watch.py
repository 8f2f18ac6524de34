"""What no page of ours may do, whatever it is tested for: ask another origin, or complain in the console."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import attrs
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

OWN_HOSTS = ("127.0.0.1", "localhost", "plain.test")
"""plain.test is this machine by a name that is no secure context"""
OWN_SCHEMES = ("blob", "data", "about", "chrome-error")


@attrs.define(slots=False)  # Playwright hangs its own attributes on the listeners' owner
class Watch:
    """Collects the offences of every page of the contexts it watches; `check` fails the test on any."""

    offences: list[str] = attrs.field(factory=list)
    _allowed: list[re.Pattern[str]] = attrs.field(factory=list)

    def allow(self, pattern: str) -> None:
        """Expect complaints that match: for tests that break something on purpose."""
        self._allowed.append(re.compile(pattern))

    def context(self, context: BrowserContext) -> None:
        """Watch all pages of a context, workers and service worker included."""
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("weberror", lambda error: self._note(f"uncaught in a page: {error.error}"))

    def page(self, page: Page) -> None:
        """Watch one page whose context another fixture has made."""
        self.context(page.context)

    def check(self) -> None:
        """Fail on what was seen and not allowed."""
        seen = [text for text in self.offences if not any(rule.search(text) for rule in self._allowed)]
        assert not seen, "the page did what no page of ours may:\n" + "\n".join(seen)

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in OWN_SCHEMES and parts.hostname not in OWN_HOSTS:
            self._note(f"asked another origin: {request.url}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._note(f"console error: {message.text} ({message.location['url']})")

    def _note(self, text: str) -> None:
        self.offences.append(text)
