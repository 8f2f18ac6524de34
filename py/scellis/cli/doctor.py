"""`scellis doctor`: what this machine has, and whether it computes the known answers."""

from __future__ import annotations

import argparse
import json
import platform
import shutil
from pathlib import Path
from typing import Any

from scellis import ENGINE_VERSION
from scellis.app.devices import WISHED
from scellis.cli.devices import DEVICES, add_site_argument, open_device
from scellis.cli.run import read_file
from scellis.content import parse_json
from scellis.content.folders import NOWHERE, VARIABLE
from scellis.device.fingerprint import changes
from scellis.device.plans import KEPT
from scellis.device.user_plans import plan_folder, size_bytes
from scellis.errors import ScellisError

Finding = dict[str, Any]

LIMITS = ("maxBufferSize", "maxStorageBufferBindingSize", "maxComputeInvocationsPerWorkgroup")
"""Those that a job may meet."""
REPORT_BYTES = 1024 * 1024
"""The longest report that is read."""

KNOWN_ANSWERS: tuple[tuple[tuple[int, int, int, int], tuple[int, int], tuple[int, int, int, int]], ...] = (
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
)
"""Counter, key and output of Philox4x32-10, from Random123's kat_vectors."""


def add_arguments(commands: Any) -> None:
    """The grammar of `doctor`."""
    command: argparse.ArgumentParser = commands.add_parser(
        "doctor", help="show devices, limits and storage, and check the known answers"
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.add_argument(
        "--since", type=Path, metavar="REPORT", help="what `--json` said before: say what has changed since"
    )
    add_site_argument(command, "a built site, for oracle-wasm")
    command.set_defaults(act=act)


async def act(options: argparse.Namespace) -> int:
    """Print the findings; status 0 when every device found computes the known answers, as it did before."""
    before = _read(options.since) if options.since else {}
    findings = [await examine(name, options.site) for name in DEVICES]
    for finding in findings:
        if finding["found"] and finding["device"] in before:
            finding["changed"] = changes(before[finding["device"]], finding["fingerprint"])
    report = {
        "engine": ENGINE_VERSION,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "free_bytes": shutil.disk_usage(Path.cwd()).free,
        "plans": _plans(),
        "devices": findings,
    }
    if options.json:
        print(json.dumps(report))
    else:
        _print(report)
    right = all(finding["philox"] in ("ok", None) for finding in findings)
    return 0 if right and not any(finding.get("changed") for finding in findings) else 1


def _plans() -> Finding:
    """Where plans of graphs are kept on this machine, and what they take."""
    folder = plan_folder()
    if folder is None:
        return {"folder": None, "size_bytes": 0}
    return {"folder": str(folder), "size_bytes": size_bytes(folder)}


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """The fingerprints of a report, by device. Raises `SCL-RUN-FILE`."""
    value = parse_json(read_file(path), what=str(path), limit_bytes=REPORT_BYTES)
    try:
        rows = [(row["device"], row["fingerprint"]) for row in value["devices"] if row["found"]]
        if not all(isinstance(name, str) and isinstance(found, dict) for name, found in rows):
            raise TypeError("a fingerprint is an object")
    except (KeyError, TypeError) as error:
        raise ScellisError(
            "SCL-RUN-FILE",
            f"{path} is no report of doctor ({error}).",
            "Make one with: scellis doctor --json",
        ) from error
    return dict(rows)


async def examine(name: str, site: Path) -> Finding:
    """Open one device and have it compute the known answers."""
    try:
        device = await open_device(name, site)
    except ScellisError as error:
        return {"device": name, "found": False, "why": str(error), "philox": None}
    found = {"device": name, "found": True, "fingerprint": device.fingerprint}
    try:
        right = [await device.philox(counter, key) == answer for counter, key, answer in KNOWN_ANSWERS]
        return {**found, "philox": "ok" if all(right) else "wrong"}
    except ScellisError as error:
        return {**found, "philox": "failed", "why": str(error)}
    finally:
        await device.close()


def _print(report: Finding) -> None:
    print(f"scellis {report['engine']}, Python {report['python']}, {report['platform']}")
    print(f"{report['free_bytes'] / 1e9:.1f} GB free in this folder")
    plans = report["plans"]
    if plans["folder"] is None:
        print("Plans of graphs are not kept.")
    else:
        size = f"{plans['size_bytes'] / 1e6:.1f} MB"
        print(f"The last {KEPT} plans of graphs are kept in {plans['folder']}: {size}.")
        print(f"Delete it to be rid of them; with {VARIABLE}={NOWHERE} none are kept.")
    for finding in report["devices"]:
        if not finding["found"]:
            print(f"  {finding['device']:12} not here: {finding['why']}")
            continue
        marks = {
            "ok": "✓ Philox known answers",
            "wrong": "✕ WRONG Philox answers: do not use this device",
            "failed": f"✕ it computes nothing: {finding.get('why')}",
        }
        print(f"  {finding['device']:12} {marks[finding['philox']]}")
        for change in finding.get("changed", ()):
            print(f"               ! {change}")
        for key, value in finding["fingerprint"].items():
            print(f"               {key}: {_short(key, value)}")


def _short(key: str, value: Any) -> Any:
    """What matters here of the long lists; `--json` has all of them."""
    if key == "features":
        return ", ".join(f"{name} {'yes' if name in value else 'no'}" for name in WISHED)
    if key == "limits":
        return ", ".join(f"{name} {value[name]}" for name in LIMITS if name in value)
    return value or "not said"
