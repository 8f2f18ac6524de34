"""The page boots, wherever it is served from and whatever the browser withholds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS
from support.leaks import nothing_leaks
from support.page import BOOT_TIMEOUT_MS, run_python, wait_offline, wait_ready
from support.servers import StaticServer, npm_http_server, python_http_server

Serve = Callable[..., StaticServer]
Chromium = Callable[[list[str]], Page]


def test_python_is_ready_with_numpy_and_our_packages(shared_app: Page) -> None:
    found = run_python(shared_app, "import numpy, scellis; f'{numpy.__version__} {scellis.__version__}'")
    assert found == "2.2.5 0.1.0"


def test_the_frame_stands_before_python_does(page: Page, serve: Serve) -> None:
    server = serve()
    server.hold("runtime/pyodide.asm.wasm")
    page.goto(server.url)
    page.locator(".rail-link").first.wait_for()
    page.locator(".boot[data-state=loading]").wait_for()
    server.release()
    wait_ready(page)


def test_a_first_load_has_20_megabytes_at_most_and_none_twice(page: Page, serve: Serve, site: Path) -> None:
    server = serve()
    page.goto(server.url)
    wait_ready(page)
    wait_offline(page)
    # Not the modules: the browser loads them once more by itself after they were checked.
    names = [path.name for path in (site / "runtime").iterdir() if path.suffix in (".wasm", ".whl", ".zip")]
    assert {name: server.asked_for(f"runtime/{name}") for name in names} == dict.fromkeys(names, 1)
    assert server.sent_bytes <= 20_000_000


def test_calls_leak_nothing(shared_app: Page) -> None:
    run_python(shared_app, "1")
    with nothing_leaks(shared_app):
        for _ in range(20):
            run_python(shared_app, "sum(range(10))")


@pytest.mark.parametrize("mount", ["/scellis/", "/a/b/"])
def test_boots_from_a_sub_path(page: Page, serve: Serve, mount: str) -> None:
    page.goto(serve(mount=mount).url)
    wait_ready(page)


@pytest.mark.parametrize("host", [python_http_server, npm_http_server])
def test_boots_from_plain_static_hosting(page: Page, site: Path, host: Any) -> None:
    with host(site) as url:
        page.goto(url)
        wait_ready(page)
        wait_offline(page)


def test_boots_where_the_server_sends_a_strict_policy(page: Page, serve: Serve) -> None:
    # A worker obeys the header of its own script, not the page's meta tag.
    policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'"
    page.goto(serve(headers={"Content-Security-Policy": policy}).url)
    wait_ready(page)


def test_boots_in_an_iframe(page: Page, serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<!doctype html><link rel="icon" href="data:,"><iframe id="f"></iframe>'
    )
    outer = serve(folder=tmp_path)
    page.goto(outer.url)
    page.evaluate("(url) => { document.getElementById('f').src = url; }", serve().url)
    page.frame_locator("#f").locator(".boot[data-state=ready]").wait_for(timeout=BOOT_TIMEOUT_MS)


def test_boots_where_service_workers_are_refused(
    new_context: Callable[..., BrowserContext], serve: Serve
) -> None:
    page = new_context(service_workers="block").new_page()
    page.goto(serve().url)
    wait_ready(page)
    page.reload()
    wait_ready(page)


def test_boots_on_an_address_that_is_no_secure_context(plain_http: Page, serve: Serve) -> None:
    # No service worker, no cache, no WebCrypto there; the files are checked all the same.
    plain_http.goto(serve().url.replace("127.0.0.1", "plain.test"))
    assert plain_http.evaluate("() => isSecureContext") is False
    wait_ready(plain_http)


@pytest.fixture
def plain_http(chromium: Chromium) -> Page:
    """A page of a browser for which plain.test is this machine."""
    return chromium([*CHROMIUM_ARGS, *WEBGPU_ARGS, "--host-resolver-rules=MAP plain.test 127.0.0.1"])


@pytest.fixture
def no_webgpu(chromium: Chromium) -> Page:
    """A page of a browser without WebGPU."""
    return chromium([*CHROMIUM_ARGS, "--disable-features=WebGPU"])


def test_boots_without_webgpu(no_webgpu: Page, serve: Serve) -> None:
    no_webgpu.goto(serve().url)
    wait_ready(no_webgpu)
