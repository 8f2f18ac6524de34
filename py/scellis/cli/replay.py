"""`scellis replay URL --shard K`: recompute one shard of a finished run and compare."""

from __future__ import annotations

import argparse
import json
from typing import Any

from scellis.cli.devices import add_device_arguments, open_device
from scellis.job import check_frozen
from scellis.records import LinkedRun, Replay, parse_fragment, replay_shard


def add_arguments(commands: Any) -> None:
    """The grammar of `replay`."""
    command: argparse.ArgumentParser = commands.add_parser(
        "replay", help="recompute one shard of a finished run from its URL, and compare"
    )
    command.add_argument("url", help="the run's URL, or what stands behind its #")
    command.add_argument("--shard", type=int, required=True)
    command.add_argument("--json", action="store_true", help="print one JSON object")
    add_device_arguments(command)
    command.set_defaults(act=act)


async def act(options: argparse.Namespace) -> int:
    """Replay and print; status 0 when the replay confirms the record."""
    run = parse_fragment(options.url)
    check_frozen(run.job)
    device = await open_device(options.device, options.site)
    try:
        replay = await replay_shard(run, options.shard, device)
        fingerprint = device.fingerprint
    finally:
        await device.close()
    if options.json:
        print(json.dumps(_report(run, replay, fingerprint)))
    else:
        _print(run, replay, fingerprint)
    return 0 if replay.agrees else 1


def _report(run: LinkedRun, replay: Replay, fingerprint: dict[str, Any]) -> dict[str, Any]:
    return {
        "job": run.job.address,
        "record": run.record_address,
        "shard": replay.shard,
        "device": fingerprint["kind"],
        "address": replay.address,
        "expected_prefix": replay.expected_prefix,
        "same_bits": replay.same_bits,
        "agrees": replay.agrees,
        "findings": list(map(str, replay.findings)),
        "bins_compared": replay.bins_compared,
    }


def _print(run: LinkedRun, replay: Replay, fingerprint: dict[str, Any]) -> None:
    job = run.job
    print(f"{job.labels.title}, shard {replay.shard} of {job.partition.shards}, on {fingerprint['kind']}")
    print(f"  recorded  {replay.expected_prefix}…")
    print(f"  replayed  {replay.address}")
    if replay.same_bits:
        print("  ✓ the same bits")
    elif replay.agrees:
        print("  ✓ other bits, within the job's tolerance class (mean and m2; a URL does not keep the bins)")
    else:
        print("  ✕ it does not agree: " + "; ".join(map(str, replay.findings)))
