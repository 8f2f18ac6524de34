"""`scellis runs`: the trainings that were run here, one in full, and what differs between several."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scellis.content.folder import FolderStore
from scellis.records.differences import Apart, differences, facts, first_apart, measured
from scellis.records.trained import TrainedRun
from scellis.records.trained_store import KeptRun, find_run, forget_run, kept_runs
from scellis.train.run import TRAINING, training_name

WIDTH = 28
"""Characters of a value in a column; `--json` has all of them."""


def add_arguments(commands: Any) -> None:
    """The grammar of `runs`."""
    command: argparse.ArgumentParser = commands.add_parser(
        "runs", help="list the trainings that were run here, show one, compare several"
    )
    verbs = command.add_subparsers(dest="verb", required=True, metavar="VERB")
    listing = verbs.add_parser("list", help="list them, the latest first")
    showing = verbs.add_parser("show", help="show what a run pins and what it came to")
    comparing = verbs.add_parser("compare", help="show what differs between runs, and nothing else")
    forgetting = verbs.add_parser("forget", help="forget a run's record; its checkpoints stay")
    for verb in (showing, forgetting):
        verb.add_argument("run", help="the beginning of its address")
    comparing.add_argument("run", nargs="+", help="the beginnings of their addresses")
    for verb, act in ((listing, _list), (showing, _show), (comparing, _compare), (forgetting, _forget)):
        verb.add_argument(
            "--store", type=Path, default=Path("scellis-store"), help="the folder that `scellis train` wrote"
        )
        verb.add_argument("--json", action="store_true", help="print one JSON object")
        verb.set_defaults(act=act)


async def _list(options: argparse.Namespace) -> int:
    store = FolderStore(options.store)
    runs, damaged = await kept_runs(store)
    held = set(await store.claimed(TRAINING))
    states = [_state(kept.run, held) for kept in runs]
    if options.json:
        rows = [_row(kept.run, state) for kept, state in zip(runs, states, strict=True)]
        print(json.dumps({"runs": rows, "damaged": damaged}))
        return 0
    for kept, state in zip(runs, states, strict=True):
        run = kept.run
        loss = f"loss {run.losses[-1][1]:.4g}" if run.losses else ""
        where = f"{run.step}/{run.total}"
        print(f"{kept.short}  {_moment(run.ended_s)}  {state:<11} {where:>13}  {loss:<12} {run.model}")
    for ref in damaged:
        print(f"  left out  {ref}: it is damaged")
    if not runs:
        print(f"No training that was run is kept in {options.store}.")
    return 0


async def _show(options: argparse.Namespace) -> int:
    kept = await find_run(FolderStore(options.store), options.run)
    run = kept.run
    if options.json:
        value = json.loads(run.to_bytes())
        print(json.dumps({"address": run.address, "training_address": run.training_address, "record": value}))
        return 0
    print(f"{run.model}, {run.state} at step {run.step} of {run.total}")
    print(f"  run       {run.address}")
    print(f"  training  {run.training_address}")
    print(f"  from      {_moment(run.begun_s)} to {_moment(run.ended_s)}")
    for name, (value,) in measured([run]).items():
        print(f"  {name}  {_shown(value)}")
    for path, value in facts(run).items():
        print(f"  {path}  {value if isinstance(value, str) else json.dumps(value)}")
    return 0


async def _compare(options: argparse.Namespace) -> int:
    store = FolderStore(options.store)
    kept = [await find_run(store, name) for name in options.run]
    runs = [one.run for one in kept]
    apart = first_apart([one.history.curves["loss"].points for one in kept])
    if options.json:
        print(json.dumps(_report(runs, apart)))
    else:
        _print(kept, apart)
    return 0


async def _forget(options: argparse.Namespace) -> int:
    store = FolderStore(options.store)
    kept = await find_run(store, options.run)
    await forget_run(store, kept)
    print(json.dumps({"forgot": kept.run.address}) if options.json else f"Forgot {kept.named}.")
    return 0


def _state(run: TrainedRun, held: set[str]) -> str:
    running = run.state == "interrupted" and training_name(run.training_address) in held
    return "running" if running else run.state


def _row(run: TrainedRun, state: str) -> dict[str, Any]:
    return {
        "run": run.address,
        "training": run.training_address,
        "model": run.model,
        "dataset": run.dataset.id,
        "state": state,
        "step": run.step,
        "total": run.total,
        "loss": run.losses[-1][1] if run.losses else None,
        "measures": run.measures,
        "device": run.sittings[-1].device.get("kind"),
        "begun_s": run.begun_s,
        "ended_s": run.ended_s,
    }


def _report(runs: Sequence[TrainedRun], apart: Apart | None) -> dict[str, Any]:
    return {
        "runs": [run.address for run in runs],
        "differences": [{"path": found.path, "values": found.values} for found in differences(runs)],
        "measures": measured(runs),
        "first_apart": apart and {"step": apart.step, "losses": apart.losses, "each": apart.each},
    }


def _print(kept: Sequence[KeptRun], apart: Apart | None) -> None:
    runs = [one.run for one in kept]
    found = differences(runs)
    numbers = measured(runs)
    wide = max(map(len, [*(difference.path for difference in found), *numbers]))
    print(" ".join([" " * (wide + 2), *(one.short.ljust(WIDTH) for one in kept)]).rstrip())
    for path, values in [*((one.path, one.values) for one in found), *numbers.items()]:
        print(" ".join(["  " + path.ljust(wide), *(_shown(value).ljust(WIDTH) for value in values)]).rstrip())
    if not found:
        print("  no field of their records differs")
    if apart is None:
        print("  losses    the same at every step that is kept of both")
    else:
        every = f" (every {apart.each} steps one is kept)" if apart.each > 1 else ""
        losses = ", ".join(f"{loss:.9g}" for loss in apart.losses)
        print(f"  losses    differ from step {apart.step} on{every}: {losses}")


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    text = (
        f"{value:.6g}" if isinstance(value, float) else value if isinstance(value, str) else json.dumps(value)
    )
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
