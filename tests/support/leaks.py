"""Counts what a page can leak: proxies, GPU buffers, workers, object URLs, peer connections."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, Worker

COUNT_IN_PAGE = """
(() => {
  const live = (globalThis.scellisLive = { workers: 0, urls: new Set(), connections: 0 });
  globalThis.Worker = class extends Worker {
    constructor(...args) { super(...args); live.workers += 1; }
    terminate() { live.workers -= 1; super.terminate(); }
  };
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (object) => {
    const url = createObjectURL.call(URL, object);
    live.urls.add(url);
    return url;
  };
  URL.revokeObjectURL = (url) => {
    live.urls.delete(url);
    revokeObjectURL.call(URL, url);
  };
  if (globalThis.RTCPeerConnection) {
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(...args) { super(...args); live.connections += 1; }
      close() { if (this.signalingState !== "closed") live.connections -= 1; super.close(); }
    };
  }
})();
"""
"""Put into every page before its own scripts: Worker, URL and RTCPeerConnection, counted."""

COUNT_IN_WORKER = """
() => {
  const { pyodide, bridge } = self.scellis;
  const module = pyodide._module;
  if (!self.scellisTraced) {
    module.enable_pyproxy_allocation_tracing();
    self.scellisTraced = true;
  }
  return {
    proxies: module.pyproxy_alloc_map.size,
    made: [...module.pyproxy_alloc_map.values()].slice(-5),
    gpu: bridge.gpu.stats(),
  };
}
"""


def python_worker(page: Page) -> Worker:
    """The worker in which Python runs."""
    (worker,) = [item for item in page.workers if item.url.endswith("/static/worker.js")]
    return worker


def count(page: Page) -> dict[str, Any]:
    """What is alive now. Proxies are those made since the first count on this page."""
    in_page = page.evaluate("() => ({ ...scellisLive, urls: [...scellisLive.urls] })")
    return {**in_page, **python_worker(page).evaluate(COUNT_IN_WORKER)}


def check_page(page: Page) -> None:
    """What no page of the app may have at the end of any test: a second worker, a forgotten object URL."""
    if not any(worker.url.endswith("/static/worker.js") for worker in page.workers):
        return
    live = page.evaluate("() => ({ workers: scellisLive.workers, urls: [...scellisLive.urls] })")
    assert live["workers"] <= 1, f"{live['workers']} workers are alive on {page.url}"
    assert not live["urls"], f"object URLs are alive on {page.url}: {live['urls']}"


@contextmanager
def nothing_leaks(page: Page) -> Iterator[None]:
    """Whatever the block does, afterwards as much is alive as before; a leak prints where it was made."""
    before = count(page)
    yield
    after = count(page)
    where = after.pop("made")
    before.pop("made")
    assert after == before, "leaked; the newest proxies were made at:\n" + "\n---\n".join(where)
