"""A page without Python behind it: the tests feed it recorded view models and see what it asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Page, Route

HERE = Path(__file__).parent
VIEWS: dict[str, Any] = json.loads((HERE / "views.json").read_text(encoding="utf-8"))
"""By example: its plan, and its run at a tenth and at the end, as `record.py` computed them."""

_CHANNEL = """
(() => {
  const channel = new BroadcastChannel("scellis-ui-test");
  window.fed = { calls: [], started: 0 };
  channel.addEventListener("message", ({ data }) => {
    if (data.started) window.fed.started += 1;
    if (data.called) window.fed.calls.push(data);
  });
})()
"""

_DELIVER = """
(message) => new Promise((resolve) => {
  const channel = new BroadcastChannel("scellis-ui-test");
  channel.onmessage = ({ data }) => {
    if (data.posted !== message.mark) return;
    channel.close();
    // The worker's message to the page was sent before this one and is taken first; then it is painted.
    setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
  };
  channel.postMessage(message);
})
"""


class FedPage:
    """`page` at `url`, with the worker of this folder at the far end of the bridge.

    Its context must block service workers: they would answer for the worker's file themselves.
    """

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self._mark = 0
        page.add_init_script(_CHANNEL)
        page.route("**/static/worker.js", self._worker)

    def open(self, fragment: str = "", *, ready: bool = True) -> Self:
        """Open the page and, if `ready`, let the boot be over."""
        self.page.goto("about:blank")
        self.page.goto(self.url + fragment)
        self.wait_started(1)
        if ready:
            self.boot("ready", 100)
        return self

    def boot(self, stage: str, percent: int) -> None:
        """Say how far the boot is."""
        self._post({"type": "boot", "stage": stage, "percent": percent})

    def view(self, name: str, model: Any) -> None:
        """Hand the page a view model; it is drawn when this returns."""
        self._post({"type": "view", "name": name, "model": model})

    def views(self, **models: Any) -> Self:
        """Hand it several, in order."""
        for name, model in models.items():
            self.view(name, model)
        return self

    def fatal(self, fault: dict[str, Any]) -> None:
        """Let Python die, for good if it was not ready."""
        self._post({"type": "fatal", "fault": fault})

    def die(self, fault: dict[str, Any]) -> None:
        """Let Python die where a new interpreter takes its place, and let that be ready."""
        before = self.page.evaluate("() => window.fed.started")
        self.fatal(fault)
        self.wait_started(before + 1)
        self.boot("ready", 100)

    def fail(self, method: str, error: dict[str, Any]) -> None:
        """Let the next call of `method` fail."""
        self._deliver({"fail": {"method": method, "error": error}})

    def calls(self, method: str) -> list[dict[str, Any]]:
        """The parameters of each call of `method` so far: those on their way have arrived."""
        self._deliver({})  # goes to the worker and back behind them
        calls = self.page.evaluate("() => window.fed.calls")
        return [call["params"] for call in calls if call["called"] == method]

    def wait_started(self, times: int) -> None:
        """Wait until a worker has been started so many times."""
        self.page.wait_for_function("(times) => window.fed.started >= times", arg=times)

    def _post(self, message: dict[str, Any]) -> None:
        self._deliver({"post": message})

    def _deliver(self, message: dict[str, Any]) -> None:
        self._mark += 1
        self.page.evaluate(_DELIVER, {**message, "mark": self._mark})

    @staticmethod
    def _worker(route: Route) -> None:
        route.fulfill(path=HERE / "worker.js", content_type="text/javascript")
