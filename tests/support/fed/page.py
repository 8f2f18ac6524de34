"""A page without Python behind it: the tests feed it recorded view models and see what it asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

HERE = Path(__file__).parent
VIEWS: dict[str, Any] = json.loads((HERE / "views.json").read_text(encoding="utf-8"))

_CHANNEL = """
() => {
  const channel = new BroadcastChannel("scellis-ui-test");
  window.fed = { calls: [], started: 0, send: (message) => channel.postMessage(message) };
  channel.onmessage = ({ data }) => {
    if (data.started) window.fed.started += 1;
    if (data.called) window.fed.calls.push(data);
  };
}
"""


class FedPage:
    """`page` at `url`, with the worker of this folder at the far end of the bridge."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        page.add_init_script(f"({_CHANNEL})()")
        page.route("**/static/worker.js", self._worker)

    def open(self, fragment: str = "", *, ready: bool = True) -> FedPage:
        """Open the page and, if `ready`, let the boot be over."""
        self.page.goto(self.url + fragment)
        self.page.wait_for_function("() => window.fed.started > 0")
        if ready:
            self.boot("ready", 100)
        return self

    def boot(self, stage: str, percent: int) -> None:
        """Say how far the boot is."""
        self._post({"type": "boot", "stage": stage, "percent": percent})
        self.page.wait_for_function(
            "([stage, percent]) => stage === 'ready' ? document.querySelector('.boot').dataset.state === 'ready'"
            " : document.querySelector('.boot-bar').value === percent",
            arg=[stage, percent],
        )

    def view(self, name: str, model: Any) -> None:
        """Hand the page a view model, and wait until it is drawn."""
        self._post({"type": "view", "name": name, "model": model})
        # The worker's message arrives in its own task: the next view's echo proves that this one was taken.
        self.page.evaluate(
            "() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => setTimeout(resolve)), 30))"
        )

    def fatal(self, fault: dict[str, Any]) -> None:
        """Let Python die."""
        self._post({"type": "fatal", "fault": fault})

    def fail(self, method: str, error: dict[str, Any]) -> None:
        """Let the next call of `method` fail."""
        self.page.evaluate("(fail) => window.fed.send({ fail })", {"method": method, "error": error})

    def calls(self, method: str) -> list[dict[str, Any]]:
        """The parameters of each call of `method` so far."""
        return [
            call["params"]
            for call in self.page.evaluate("() => window.fed.calls")
            if call["called"] == method
        ]

    def _post(self, message: dict[str, Any]) -> None:
        self.page.evaluate("(post) => window.fed.send({ post })", message)

    @staticmethod
    def _worker(route: Route) -> None:
        route.fulfill(path=HERE / "worker.js", content_type="text/javascript")
