"""Offline after the first load; an update whole or not at all; old tabs told, never reloaded unasked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from support.page import run_python, wait_offline, wait_ready
from support.servers import StaticServer
from support.site import another_build, build_identity
from support.watch import Watch

Serve = Callable[..., StaticServer]

UPDATE_NOTICE = ".update"


def running_build(page: Page) -> str:
    """The identity of the build that this page's Python was started from."""
    worker = next(item for item in page.workers if item.url.endswith("/static/worker.js"))
    build: str = worker.evaluate("() => self.scellis.bridge.build")
    return build


def look_for_update(page: Page) -> None:
    """What happens by itself when somebody comes back to a tab."""
    page.evaluate("async () => { await (await navigator.serviceWorker.ready).update().catch(() => {}); }")


def open_kept(page: Page, server: StaticServer) -> None:
    """Open the page and wait until it can open without a network."""
    page.goto(server.url)
    wait_ready(page)
    wait_offline(page)


def test_opens_with_the_server_stopped(page: Page, serve: Serve, watch: Watch) -> None:
    watch.allow("sw.js|ERR_CONNECTION_REFUSED")
    server = serve()
    open_kept(page, server)
    server.stop()
    page.reload()
    wait_ready(page)
    assert run_python(page, "import scellis, numpy; scellis.ENGINE_VERSION") == "0.1.0"
    another = page.context.new_page()
    another.goto(server.url + "?lang=de#/runs")
    wait_ready(another)


def test_the_cache_is_where_workbox_looks_for_it(page: Page, serve: Serve) -> None:
    server = serve(mount="/scellis/")
    open_kept(page, server)
    names = page.evaluate("async () => await caches.keys()")
    assert names == [f"scellis-precache-v2-{server.url}"]


def test_two_deployments_on_one_origin_share_nothing(
    page: Page, site: Path, serve: Serve, tmp_path: Path
) -> None:
    both = tmp_path / "both"
    both.mkdir()
    (both / "one").symlink_to(site)
    (both / "two").symlink_to(another_build(site, tmp_path / "two"))
    server = serve(folder=both)
    for name in ("one", "two"):
        page.goto(f"{server.url}{name}/")
        wait_ready(page)
        wait_offline(page)
        assert running_build(page) == build_identity(both / name)
    page.goto(f"{server.url}one/")
    wait_ready(page)
    assert running_build(page) == build_identity(site)
    assert len(page.evaluate("async () => await caches.keys()")) == 2


def test_a_half_uploaded_update_changes_nothing(
    page: Page, site: Path, serve: Serve, tmp_path: Path, watch: Watch
) -> None:
    watch.allow("integrity|bad-precaching-response|404|Failed to find a valid digest")
    server = serve()
    open_kept(page, server)
    server.folder = another_build(site, tmp_path / "new")
    server.requests.clear()
    server.corrupt["static/main.js"] = lambda data: data + b"// not yet the new one"
    end = page.evaluate(
        """async () => {
            const registration = await navigator.serviceWorker.ready;
            const end = new Promise((done) => registration.addEventListener("updatefound", () => {
                const worker = registration.installing;
                worker.addEventListener("statechange", () => done(worker.state), { once: true });
            }));
            await registration.update();
            return end;
        }"""
    )
    assert end == "redundant", "an update was tried, and refused"
    assert server.asked_for("static/main.js") == 1
    expect(page.locator(UPDATE_NOTICE)).to_be_hidden()
    page.reload()
    wait_ready(page)
    assert running_build(page) == build_identity(site)


def test_an_update_waits_to_be_asked_for_and_the_other_tab_is_told(
    context: BrowserContext, site: Path, serve: Serve, tmp_path: Path
) -> None:
    server = serve()
    first = context.new_page()
    open_kept(first, server)
    second = context.new_page()
    second.goto(server.url)
    wait_ready(second)
    new = another_build(site, tmp_path / "new")
    server.folder = new
    server.requests.clear()

    look_for_update(first)
    expect(first.locator(UPDATE_NOTICE)).to_be_visible()
    expect(second.locator(UPDATE_NOTICE)).to_be_visible()
    assert server.asked_for("runtime/pyodide.asm.wasm") == 0, "what has not changed is not downloaded again"
    assert server.asked_for("static/main.js") == 1
    assert running_build(first) == build_identity(site), "a tab at work is left alone"

    with first.expect_navigation():
        first.locator(UPDATE_NOTICE).get_by_role("button").click()
    wait_ready(first)
    assert running_build(first) == build_identity(new)
    # The other tab still works, on the old version, and says so; it is never reloaded under a person's hands.
    expect(second.locator(UPDATE_NOTICE)).to_be_visible()
    assert running_build(second) == build_identity(site)
    assert run_python(second, "1 + 1") == 2
    second.locator(UPDATE_NOTICE).get_by_role("button").click()
    wait_ready(second)
    assert running_build(second) == build_identity(new)


def test_an_update_is_taken_by_itself_when_all_tabs_are_gone(
    context: BrowserContext, site: Path, serve: Serve, tmp_path: Path
) -> None:
    server = serve()
    page = context.new_page()
    open_kept(page, server)
    new = another_build(site, tmp_path / "new")
    server.folder = new
    look_for_update(page)
    expect(page.locator(UPDATE_NOTICE)).to_be_visible()
    page.close()
    page = context.new_page()
    page.goto(server.url)
    wait_ready(page)
    assert running_build(page) == build_identity(new)
