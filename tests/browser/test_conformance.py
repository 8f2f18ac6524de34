"""The conformance corpus on the tab's GPU, and debug's promise: the same bits after a reload."""

from __future__ import annotations

from playwright.sync_api import Page

from conformance.cases import load
from conformance.tab import install, results, trained
from scellis.device.fingerprint import changes
from support.leaks import nothing_leaks
from support.page import wait_ready


def test_every_case_is_within_its_class(shared_app: Page) -> None:
    install(shared_app)
    trained(shared_app, 1)  # what Pyodide itself makes once is there from now on
    with nothing_leaks(shared_app):
        found = results(shared_app, ("debug", "prod"))
    assert [result["name"] for result in found] == [case.name for case in load()]
    assert [complaint for result in found for complaint in result["complaints"]] == []
    assert [result["name"] for result in found if result["other_bits"]] == []


def test_debug_trains_to_the_same_bits_across_reloads(shared_app: Page) -> None:
    install(shared_app)
    first, again = (trained(shared_app, 20) for _ in range(2))
    shared_app.reload()
    wait_ready(shared_app)
    install(shared_app)
    reloaded = trained(shared_app, 20)
    other = trained(shared_app, 20, "fast")
    assert again == first == reloaded
    assert changes(first["fingerprint"], reloaded["fingerprint"]) == []
    assert first["bits"] != other["bits"]
    (said,) = changes(first["fingerprint"], other["fingerprint"])
    assert said.startswith("plan is sha256:")
