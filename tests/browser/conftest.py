"""Browser tests: a real Chromium with software WebGPU, the built site, real servers on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page

from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS, find_chromium
from support.leaks import COUNT_IN_PAGE, check_page
from support.page import wait_ready
from support.servers import StaticServer
from support.site import built_site
from support.watch import Watch

MakeContext = Callable[..., BrowserContext]


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where Chromium is."""
    return find_chromium()


@pytest.fixture(scope="session")
def browser_type_launch_args(chromium_path: str) -> dict[str, Any]:
    """pytest-playwright's own hook for how the browser is started."""
    return {"executable_path": chromium_path, "args": [*CHROMIUM_ARGS, *WEBGPU_ARGS]}


@pytest.fixture(scope="session")
def site() -> Path:
    """The built site."""
    return built_site()


@pytest.fixture
def serve(site: Path) -> Iterator[Callable[..., StaticServer]]:
    """Starts static servers of the site; they end with the test."""
    servers: list[StaticServer] = []

    def start(
        folder: Path = site, mount: str = "/", headers: Mapping[str, str] | None = None
    ) -> StaticServer:
        server = StaticServer(folder, mount, headers or {})
        server.start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Fails the test when a watched page asked another origin or logged an error."""
    watch = Watch()
    yield watch
    watch.check()


def _watched(context: BrowserContext, watch: Watch) -> BrowserContext:
    """Counts what its pages make and watches what they do."""
    context.add_init_script(COUNT_IN_PAGE)
    watch.context(context)
    return context


@pytest.fixture
def chromium(
    browser_type: BrowserType, chromium_path: str, watch: Watch
) -> Iterator[Callable[[list[str]], Page]]:
    """Starts another Chromium with arguments of its own and opens a page in it, watched and counted."""
    pages: list[Page] = []

    def start(args: list[str]) -> Page:
        browser = browser_type.launch(executable_path=chromium_path, args=args)
        pages.append(_watched(browser.new_context(), watch).new_page())
        return pages[-1]

    yield start
    for page in pages:
        check_page(page)
        browser = page.context.browser
        assert browser
        browser.close()


@pytest.fixture
def new_context(
    serve: Callable[..., StaticServer], watch: Watch, new_context: MakeContext
) -> Iterator[MakeContext]:
    """Makes fresh profiles, watched and counted; pytest-playwright's `context` and `page` are made by it.

    They are closed before their complaints are judged and before their servers stop.
    """

    contexts: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        context = _watched(new_context(**options), watch)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        for page in context.pages:
            check_page(page)


@pytest.fixture
def app(page: Page, serve: Callable[..., StaticServer]) -> Page:
    """The app, open and with Python ready."""
    page.goto(serve().url)
    wait_ready(page)
    return page


@pytest.fixture(scope="module")
def shared_app(browser: Browser, site: Path) -> Iterator[Page]:
    """The app, opened once for all tests of a module: for those that leave it as they found it."""
    server, watch = StaticServer(site), Watch()
    server.start()
    context = _watched(browser.new_context(), watch)
    page = context.new_page()
    page.goto(server.url)
    wait_ready(page)
    yield page
    check_page(page)
    context.close()
    watch.check()
    server.stop()
