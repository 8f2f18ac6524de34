"""Browsers that are processes and profiles of their own, stopped, killed and opened again like devices."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import attrs
from playwright.sync_api import Browser, Page, Playwright

from support.page import wait_ready

_LISTENING = re.compile(r"DevTools listening on (ws://\S+)")


@attrs.define
class BrowserProcess:
    """One Chromium with its own profile. `pause` puts it to sleep, `kill` ends it unasked."""

    playwright: Playwright
    command: list[str]
    profile: Path
    process: subprocess.Popen[str] | None = None
    browser: Browser | None = None

    def open(self, url: str) -> Page:
        """Start, open the page and wait for Python."""
        command = [
            *self.command,
            f"--user-data-dir={self.profile}",
            "--remote-debugging-port=0",
            "about:blank",
        ]
        # A session of its own, so that a signal reaches every process of this browser and no other.
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.browser = self.playwright.chromium.connect_over_cdp(self._endpoint())
        page = self.browser.contexts[0].pages[0]
        page.goto(url)
        wait_ready(page)
        return page

    def _endpoint(self) -> str:
        assert self.process is not None
        assert self.process.stderr is not None
        seen = ""
        for line in self.process.stderr:
            seen += line
            if found := _LISTENING.search(line):
                return found.group(1)
        raise AssertionError(f"Chromium did not start:\n{seen}")

    def pause(self) -> None:
        """SIGSTOP: asleep, with every connection still open."""
        self._signal(signal.SIGSTOP)

    def wake(self) -> None:
        """SIGCONT."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """SIGKILL: no page hears of it."""
        if self.process is not None:
            self._signal(signal.SIGKILL)
            self.process.wait()
            assert self.process.stderr is not None
            self.process.stderr.close()
            self.process = None

    def _signal(self, number: int) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, number)
