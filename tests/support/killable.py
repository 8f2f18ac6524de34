"""A Chromium with a profile of its own, that a test can kill: no page of it gets to say goodbye."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, BrowserType

from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS
from support.leaks import COUNT_IN_PAGE


class KillableChromium:
    """Started on a profile, in which what it keeps outlives it."""

    def __init__(self, browser_type: BrowserType, path: str, profile: Path) -> None:
        command = [
            path, *CHROMIUM_ARGS, *WEBGPU_ARGS, f"--user-data-dir={profile}", "--remote-debugging-port=0",
            "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self._browser: Browser = browser_type.connect_over_cdp(self._address())
        self.context: BrowserContext = self._browser.contexts[0]
        self.context.add_init_script(COUNT_IN_PAGE)

    def _address(self) -> str:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if found := re.search(r"DevTools listening on (\S+)", line):
                return found.group(1)
        raise AssertionError("Chromium did not start.")

    def crash_tabs(self) -> None:
        """End the processes of its pages; the browser itself lives on."""
        found = self._browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        for process in found["processInfo"]:
            if process["type"] == "renderer":
                os.kill(process["id"], signal.SIGKILL)

    def kill(self) -> None:
        """End all its processes at once; killing twice is once."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            assert self._process.stderr is not None
            self._process.stderr.close()
