"""The states in which the screens are looked at: tests and the screenshots use the same ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from support.fed.page import VIEWS, FedPage
from support.fed.training import TOTAL, TRAININGS, scaled, training

GAUGE, SATURATING = VIEWS["gauge_block"], VIEWS["saturating"]

DEVICE = {
    "kind": "webgpu",
    "adapter": "SwiftShader (software)",
    "lacks": ["shader-f16"],
    "reason": None,
    "storage": "idb",
    "persisted": True,
}
CPU = {
    **DEVICE,
    "kind": "oracle",
    "adapter": "",
    "lacks": [],
    "reason": {"id": "error-gpu-none", "code": "SCL-GPU-NONE", "message": "No WebGPU adapter.", "args": {}},
    "storage": "memory",
    "persisted": False,
}
EXAMPLES = [
    {"id": name, **{key: shown["plan"][key] for key in ("title", "about", "unit", "sml")}}
    for name, shown in VIEWS.items()
]
RECENT = {
    "recent": [
        {
            "address": "77f0" * 8,
            "job_address": GAUGE["plan"]["job_address"],
            "title": "Gauge block calibration",
            "example": "gauge_block",
            "state": "done",
            "updated": 1_772_446_920.0,
            "url": "#run=abc",
        },
        {
            "address": "12ab" * 8,
            "job_address": SATURATING["plan"]["job_address"],
            "title": "Ratio behind a saturating curve",
            "example": "saturating",
            "state": "interrupted",
            "updated": 1_772_355_720.0,
            "url": None,
        },
    ]
}
CELLS = [
    [120, "re-executed", 2], [30, "batch-checked", 1], [90, "batch-checked", 2], [60, "batch-checked", 3],
    [14, "re-executed", 1], [40, "batch-checked", 4], [24, "committed", 2], [4, "drawn", 2],
    [28, "committed", 3], [3, "drawn", 3], [32, "leased", 1], [20, "leased", 2],
    [12, "stale", 4], [1, "refused", 0], [162, "queued", 0],
]  # fmt: skip


def _peer(no: int, label: str, rate: float, shards: int, **more: Any) -> dict[str, Any]:
    usual = {
        "you": False,
        "owner": False,
        "consent": True,
        "live": True,
        "aside": "",
        "kind": "webgpu",
    }
    return {"no": no, "label": label, "rate": rate, "shards": shards, **usual, **more}


POOL = {
    "state": "open",
    "link": "#pool=6f3a9c1e6f3a9c1e6f3a9c1e6f3a9c1e.0123456789abcdef0123456789abcdef",
    "peers": [
        _peer(1, "Chromium on Linux", 3.6e6, 104, you=True, owner=True),
        _peer(2, "Firefox on Windows", 21.5e9, 210),
        _peer(3, "Safari on macOS", 1.2e6, 60, kind="oracle"),
        _peer(4, "Chrome on Android", 8.1e8, 41, live=False),
        _peer(5, "", 0.0, 0, consent=False),
        _peer(6, "Edge on Windows", 9.0e8, 0, aside="pool-wrong-check"),
    ],
    "board": {"shards": 640, "cells": CELLS},
    "notices": [{"id": "pool-bytes-lost", "args": {"peer": 4, "shard": 120}}],
}
SHARD = {
    "shard": 639,
    "history": [
        {"event": "leased", "peer_no": 4, "epoch": 0, "at_s": 3.2, "address": None},
        {"event": "stale", "peer_no": 4, "epoch": 0, "at_s": 33.2, "address": None},
        {"event": "leased", "peer_no": 2, "epoch": 1, "at_s": 33.4, "address": None},
        {"event": "committed", "peer_no": 2, "epoch": 1, "at_s": 34.1, "address": "sha256:" + "0c9d" * 16},
        {"event": "drawn", "peer_no": 2, "epoch": 1, "at_s": 34.2, "address": "sha256:" + "0c9d" * 16},
        {"event": "check", "peer_no": 1, "at_s": 34.9, "address": "sha256:" + "0c9d" * 16, "findings": []},
        {"event": "re-executed", "peer_no": 2, "epoch": 1, "at_s": 35.0, "address": "sha256:" + "0c9d" * 16},
    ],
}
RECORD = {**SATURATING["done"], "engine_matches": True, "verdicts": {"re-executed": 64, "batch-checked": 576}}
REPLAY = {
    "shard": 317,
    "device": "webgpu",
    "address": "sha256:" + "12ab" * 16,
    "expected": "sha256:12ab12ab",
    "same_bits": True,
    "within": True,
    "findings": [],
    "bins_compared": False,
}
LOST = {
    "code": "SCL-GPU-LOST",
    "message_id": "error-gpu-lost",
    "message": "The GPU was lost.",
    "remedy": "Resume the run.",
    "args": {},
}

WRONG_RECORD = {
    "code": "SCL-SML-TEXT",
    "message_id": "error-sml-text",
    "message": "Line 10: optimizer.lr: a number above 0 is expected.",
    "remedy": "",
    "args": {"line": 10},
}


def run(shown: dict[str, Any], state: str, **more: Any) -> dict[str, Any]:
    """A run's view model in `state`."""
    job = shown["plan"]["job_address"]
    recorded = shown["done"] if state == "done" else shown["running"]
    return {"state": state, "notices": [], "job_address": job, "url": None, **recorded, **more}


def _start(fed: FedPage) -> None:
    fed.open().views(device=DEVICE, examples=EXAMPLES, storage=RECENT)


def _bare(fed: FedPage) -> None:
    fed.open().views(device=CPU, examples=EXAMPLES, storage={"recent": []})


def _boot(fed: FedPage) -> None:
    fed.open(ready=False).boot("files", 62)


def _pilot(fed: FedPage) -> None:
    fed.open(ready=False).boot("files", 40)
    fed.page.locator(".card .button").first.click()


def _plan(fed: FedPage) -> None:
    fed.open("#/run").views(device=DEVICE, examples=EXAMPLES, plan=GAUGE["plan"], run=None)


def _running(fed: FedPage) -> None:
    fed.open("#/run").views(
        device=DEVICE, plan=SATURATING["plan"], run=run(SATURATING, "running", computed=96)
    )


def _done(fed: FedPage) -> None:
    finished = run(GAUGE, "done", url="#run=" + "eJztXQd8VE" * 900)
    fed.open("#/run").views(device=DEVICE, plan=GAUGE["plan"], run=finished)


def _tail(fed: FedPage) -> None:
    fed.open("#/run").views(device=DEVICE, plan=SATURATING["plan"], run=run(SATURATING, "done"))
    fed.page.locator(".segment").nth(1).click()


def _failed(fed: FedPage) -> None:
    _plan(fed)
    fed.fail("run", LOST)
    fed.page.locator(".button.wide").click()
    fed.page.locator(".screen .fault .button").first.wait_for()


def _models(fed: FedPage) -> None:
    fed.open("#/train").views(device=CPU, trainings=TRAININGS)


def _opening(fed: FedPage) -> None:
    fed.open("#/train", ready=False).boot("files", 62)
    fed.page.locator(".card .button").first.click()


def _training(fed: FedPage) -> None:
    fed.open("#/train").views(device=CPU, training=scaled("running", 482, resumed=135, slow=True))


def _trained(fed: FedPage) -> None:
    fed.open("#/train").views(device=DEVICE, training=training("done", TOTAL))


def _anew(fed: FedPage) -> None:
    fed.open("#/train").views(device=DEVICE, training=training("paused", 482))
    fed.page.get_by_role("button", name="Begin anew").click()


def _misspelt(fed: FedPage) -> None:
    fed.open("#/train").views(device=DEVICE, training=training("ready", 0))
    fed.fail("open_training_text", WRONG_RECORD)
    fed.page.locator(".record-text").get_by_role("button", name="Open this record").click()
    fed.page.locator(".record-text .fault").wait_for()


def _outside(fed: FedPage) -> None:
    fed.open("#/pool").views(device=DEVICE)


def _pool(fed: FedPage) -> None:
    fed.open("#/pool").views(
        device=DEVICE, plan=GAUGE["plan"], run=run(GAUGE, "running", computed=482), pool=POOL
    )


def _joined(fed: FedPage) -> None:
    peers = [{**peer, "you": peer["no"] == 2} for peer in POOL["peers"]]
    pool = {**POOL, "state": "joined", "link": None, "peers": peers}
    fed.open("#pool=abc").views(device=DEVICE, run=run(GAUGE, "running", computed=482), pool=pool)


def _shard(fed: FedPage) -> None:
    _pool(fed)
    fed.page.locator(".board-canvas").focus()
    fed.page.keyboard.press("End")
    fed.view("shard", SHARD)


def _consent(fed: FedPage) -> None:
    board = {"shards": 640, "cells": [[640, "queued", 0]]}
    waiting = {"state": "waiting-consent", "link": None, "peers": [], "board": board, "notices": [],
               "title": GAUGE["plan"]["title"], "draws": GAUGE["plan"]["draws"]}  # fmt: skip
    fed.open("#pool=abc").views(device=DEVICE, pool=waiting)


def _record(fed: FedPage) -> None:
    fed.open("#run=abc").views(device=DEVICE, record=RECORD, replay=REPLAY)


def _runs(fed: FedPage) -> None:
    fed.open("#/runs").view("storage", RECENT)


def _limits(fed: FedPage) -> None:
    fed.open("#/limits")


SCENES: dict[str, Callable[[FedPage], None]] = {
    "start": _start, "bare": _bare, "boot": _boot, "pilot": _pilot, "plan": _plan, "running": _running,
    "done": _done, "tail": _tail, "failed": _failed, "outside": _outside, "pool": _pool, "joined": _joined,
    "shard": _shard, "consent": _consent, "record": _record, "runs": _runs, "limits": _limits,
    "models": _models, "opening": _opening, "training": _training, "trained": _trained, "anew": _anew,
    "misspelt": _misspelt,
}  # fmt: skip
"""Each opens the page and brings it into one state."""
