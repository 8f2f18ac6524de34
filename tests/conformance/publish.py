"""Runs the whole corpus everywhere and writes docs/correctness.json and, from that, docs/correctness.md."""

from __future__ import annotations

import asyncio
import json
import platform
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

from conformance import overhead, tab
from conformance.cases import Case, load
from conformance.figures import FIGURES, PAGE, page
from conformance.run import TIERS, Result, prepare, run, run_oracle
from scellis import ENGINE_VERSION
from scellis.device.native import open_native
from scellis.kernels.table import kernel_table_address
from support.chromium import CHROMIUM_ARGS, WEBGPU_ARGS, find_chromium
from support.page import wait_ready
from support.servers import StaticServer
from support.site import built_site
from support.vulkan import use_software

Row = dict[str, Any]


def _worst(rows: Iterable[Row]) -> dict[str, dict[str, list[Any]]]:
    """By tier and by family, type and class: the worst error in ulp, the worst share, the case of the former.

    What is exact in every case is left out.
    """
    found: dict[str, dict[str, list[Any]]] = {}
    for row in rows:
        kind = " · ".join(row[part] for part in ("family", "type", "class"))
        for tier, (ulp, relative) in row["errors"].items():
            worst = found.setdefault(tier, {})
            if ulp > 0.0:
                before = worst.get(kind, [0.0, 0.0, ""])
                name = row["name"] if ulp > before[0] else before[2]
                worst[kind] = [max(ulp, before[0]), max(relative, before[1]), name]
    return {
        tier: {kind: [float(f"{u:.3g}"), float(f"{r:.2e}"), name] for kind, (u, r, name) in worst.items()}
        for tier, worst in found.items()
    }


def _device(rows: list[Row], fingerprint: Mapping[str, Any], fusion: Mapping[str, Any]) -> Row:
    """The figures of a device. Raises `AssertionError` where a case does not hold: no page is written."""
    complaints = [complaint for row in rows for complaint in row["complaints"]]
    assert not complaints, "\n".join(complaints)
    return {
        "fingerprint": {
            name: fingerprint[name] for name in ("kind", "adapter", "class", "runtime") if name in fingerprint
        },
        "errors": _worst(rows),
        "other_bits": {tier: sum(tier in row["other_bits"] for row in rows) for tier in TIERS},
        "fusion": {
            name: {
                **row,
                "fused_ms": round(row["fused_ms"], 2),
                "ratio": [round(part, 2) for part in row["ratio"]],
            }
            for name, row in fusion.items()
        },
    }


def _oracle(cases: list[Case]) -> Row:
    rows = []
    for case in cases:
        prepared = prepare(case)
        error = run_oracle(prepared)
        rows.append(Result(case, prepared.type, {"oracle": error}, {}, []).to_json())
    return _device(rows, {"kind": "oracle", "adapter": f"NumPy {np.__version__}, {platform.machine()}"}, {})


async def _native(cases: list[Case]) -> Row:
    use_software()
    device = await open_native(plans=False)
    try:
        rows = [result.to_json() for result in await run(device, cases)]
        fusion = {
            program.name: await overhead.compare(device, program) for program in overhead.programs(cases)
        }
        return _device(rows, device.fingerprint, fusion)
    finally:
        await device.close()


def _chromium() -> Row:
    server = StaticServer(built_site())
    server.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=[*CHROMIUM_ARGS, *WEBGPU_ARGS]
        )
        opened = browser.new_page()
        opened.goto(server.url)
        wait_ready(opened)
        tab.install(opened)
        found = _device(tab.results(opened, TIERS), tab.fingerprint(opened), tab.fusion(opened))
        found["fingerprint"]["browser"] = browser.version
        browser.close()
    server.stop()
    return found


def main() -> None:
    """Run, and write both files."""
    cases = load()
    devices = {"oracle": _oracle(cases), "native": asyncio.run(_native(cases)), "chromium": _chromium()}
    figures = {
        "engine": ENGINE_VERSION,
        "kernel_table": kernel_table_address(),
        "cases": len(cases),
        "devices": devices,
    }
    FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(figures), encoding="utf-8")
    print(f"{PAGE} and {FIGURES}: {len(cases)} cases")


if __name__ == "__main__":
    main()
