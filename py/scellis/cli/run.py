"""`scellis run JOB`: compute a job here, verified, as a pool of one."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import attrs
from tqdm import tqdm

from scellis.app.devices import Devices
from scellis.app.membership import Membership
from scellis.app.no_network import NoNetwork
from scellis.app.pooling import Pooling
from scellis.app.storage import Storage
from scellis.app.world import World
from scellis.cli.devices import add_device_arguments, open_device
from scellis.content import MemoryStore
from scellis.errors import ScellisError
from scellis.job import Estimate, Job, estimate, measure_rate, plan_job
from scellis.job.interval import REFUSALS
from scellis.pool.ports import SystemClock
from scellis.records import RunRecord, run_fragment


def add_arguments(commands: Any) -> None:
    """The grammar of `run`."""
    command: argparse.ArgumentParser = commands.add_parser(
        "run", help="compute a job on this machine, verified"
    )
    command.add_argument("job", type=Path, help="an SML text (.sml), or a job's canonical JSON (.json)")
    command.add_argument("--shards", type=int, help="compute so many shards instead of the job's own number")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    add_device_arguments(command)
    command.set_defaults(act=act)


async def act(options: argparse.Namespace) -> int:
    """Run and print; status 0 only when the result was verified."""
    job = read_job(options.job, options.shards)
    devices = Devices(lambda: open_device(options.device, options.site), required=True)
    try:
        membership = await compute(job, devices, quiet=options.json or not sys.stderr.isatty())
        kind = (await devices.main()).fingerprint["kind"]
    finally:
        await devices.close()
    record = membership.record
    if record is None:
        raise ScellisError("SCL-RUN-UNVERIFIED", "The run ended without a verified result.")
    found = estimate(job, record.result)
    report = {
        "title": job.labels.title,
        "unit": job.labels.unit,
        "determinism_tier": job.determinism_tier,
        "mean": found.mean,
        "std": found.std,
        "standard_error": found.standard_error,
        "coverage": found.interval.coverage,
        "interval": None if found.interval.low is None else [found.interval.low, found.interval.high],
        "interval_error": found.interval.error,
        "interval_refusal": found.interval.refusal or None,
        "draws": found.draws,
        "nonfinite": found.nonfinite,
        "device": kind,
        "address": record.result_address,
        "job": job.address,
        "record": record.address,
        "shards": job.partition.shards,
        "verdicts": record.verdict_counts,
        **_url(record, membership),
    }
    if options.json:
        print(json.dumps(report))
    else:
        _print(report, found)
    return 0


def _url(record: RunRecord, membership: Membership) -> dict[str, str | None]:
    """The run's URL, or why it has none: a result is not lost because it is long."""
    try:
        return {"url": "#" + run_fragment(record, membership.states), "url_refusal": None}
    except ScellisError as error:
        return {"url": None, "url_refusal": error.message}


def read_file(path: Path, limit_bytes: int | None = None) -> bytes:
    """What a file holds, of at most so many bytes. Raises `SCL-RUN-FILE`."""
    try:
        if limit_bytes is not None and path.stat().st_size > limit_bytes:
            raise ScellisError("SCL-RUN-FILE", f"{path} has more than {limit_bytes} bytes.")
        return path.read_bytes()
    except OSError as error:
        raise ScellisError("SCL-RUN-FILE", f"{path} cannot be read: {error.strerror}.") from error


def read_job(path: Path, shards: int | None) -> Job:
    """The job in a file. Raises `SCL-RUN-FILE`, and what reading it raises."""
    data = read_file(path)
    if path.suffix == ".json":
        job = Job.from_bytes(data)
    else:
        try:
            job = plan_job(data.decode()).job
        except UnicodeDecodeError as error:
            raise ScellisError("SCL-RUN-FILE", f"{path} is not text in UTF-8.") from error
        except ScellisError as error:  # the compiler's form: file, then line
            raise error.located(str(path)) from error
    if shards is not None:
        job = attrs.evolve(job, partition=attrs.evolve(job.partition, shards=shards))
    return job


async def compute(job: Job, devices: Devices, *, quiet: bool) -> Membership:
    """A pool of one on a device, from the job to its record."""
    clock = SystemClock()
    world = World(
        emit=lambda name, model: None,
        clock=clock,
        store=MemoryStore(),
        storage=Storage("memory"),
        devices=devices,
        entropy=os.urandom,
        network=NoNetwork("scellis run"),
        examples={},
    )
    device = await devices.main()
    rate = await measure_rate(job, device, clock.now_s)
    with tqdm(total=job.partition.shards, unit="shard", disable=quiet, file=sys.stderr) as bar:

        def show(membership: Membership) -> None:
            if membership.tracker is not None:
                bar.update(membership.tracker.accepted - bar.n)

        async with Pooling(world).alone(job, device.kind) as place:
            membership = Membership(world, place.make, job=job, rate=rate, owner=True)
            await membership.peer.consent(True)
            await membership.run(show)
    return membership


def _print(report: dict[str, Any], found: Estimate) -> None:
    unit = f" {report['unit']}" if report["unit"] else ""
    print(f"{report['title']} ({report['determinism_tier']}, {report['device']})")
    if report["std"] is None:
        print(f"  mean      {report['mean']:.8g}{unit}, of one draw: no standard deviation")
    else:
        print(f"  mean      {report['mean']:.8g}{unit}, standard error {report['standard_error']:.2g}{unit}")
        print(f"  std       {report['std']:.6g}{unit}")
    if report["interval"] is None:
        print(f"  interval  refused: {REFUSALS[report['interval_refusal']]}")
    else:
        low, high = report["interval"]
        print(
            f"  interval  [{low:.6g}, {high:.6g}]{unit}, shortest at {100 * report['coverage']:g} %,"
            f" ends to within {report['interval_error']:.2g}{unit}"
        )
    print(f"  draws     {report['draws']:,}" + (f", {found.nonfinite} not finite" if found.nonfinite else ""))
    counts = ", ".join(f"{count} {verdict}" for verdict, count in report["verdicts"].items())
    print(f"  verified  {counts} of {report['shards']} shards")
    print(f"  result    {report['address']}")
    print(f"  url       {report['url'] or report['url_refusal']}")
