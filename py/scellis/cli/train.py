"""`scellis train RECORD`: train a model here, with checkpoints, from its record alone."""

from __future__ import annotations

import argparse
import json
import math
import signal
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from scellis.catalog.library import Library, built_in, texts_of
from scellis.cli.datasets import find_dataset
from scellis.cli.devices import add_device_arguments, open_device
from scellis.cli.run import read_file
from scellis.cli.train_plan import planned_to_fit, print_plan
from scellis.content.folder import FolderStore, write_atomically
from scellis.device.protocol import Device
from scellis.errors import ScellisError
from scellis.pool.ports import SystemClock
from scellis.records.recorder import Recorder, Texts
from scellis.records.trained import TrainedRun
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train import bundle, checkpoint
from scellis.train.data import Dataset
from scellis.train.fitting import size_text
from scellis.train.loop import Progress
from scellis.train.planned import PlannedTraining
from scellis.train.remedies import REMEDIES
from scellis.train.room import Room, room
from scellis.train.run import TrainingRun, claim_training
from scellis.train.trainer import Report, open_planned

INTERRUPTED = 130


def add_arguments(commands: Any) -> None:
    """The grammar of `train`."""
    command: argparse.ArgumentParser = commands.add_parser(
        "train", help="train a model from its record; run it again to go on where it stopped"
    )
    command.add_argument("record", type=Path, help="an SML text of a training")
    command.add_argument(
        "--data",
        metavar="ADDRESS",
        help="the dataset's SML text, its files beside it: a path, or what fsspec reads",
    )
    command.add_argument(
        "--catalog", type=Path, action="append", default=[], help="a file or folder of entries"
    )
    command.add_argument(
        "--store", type=Path, default=Path("scellis-store"), help="the folder of checkpoints"
    )
    command.add_argument("--export", type=Path, help="write the last checkpoint to this file, too")
    command.add_argument(
        "--import", dest="bring", type=Path, help="take in a checkpoint that was exported, and go on from it"
    )
    command.add_argument(
        "--plan", action="store_true", help="say what memory the training takes, and do no step of it"
    )
    command.add_argument(
        "--memory", type=_bytes, metavar="GB", help="what the device holds; else it is assumed, or tried"
    )
    command.add_argument("--remedy", choices=REMEDIES, help="change the record so that it takes less memory")
    command.add_argument("--json", action="store_true", help="print one JSON object for each event")
    add_device_arguments(command)
    command.set_defaults(act=act)


async def act(options: argparse.Namespace) -> int:
    """Train and print; status 0 when the training came to its end."""
    if options.export and not options.export.parent.is_dir():  # said now, not after hours
        raise ScellisError("SCL-RUN-FILE", f"{options.export.parent} is no folder, where --export writes.")
    text, record = _text(options.record), read_record(options.record, options.catalog)
    dataset, data_text = find_dataset(record, options.record, options.data, options.site)
    store = FolderStore(options.store)
    device = await open_device(options.device, options.site)
    try:
        if options.plan:
            await print_plan(text, record, dataset, device, options.memory, options.json)
            return 0
        planned, text = await planned_to_fit(text, record, dataset, device, options.memory, options.remedy)
        await checkpoint.collect(store)
        with await claim_training(store, planned.record):
            progress = await _train(planned, Texts(text, data_text), store, device, options)
    finally:
        await device.close()
    return 0 if progress.ended else INTERRUPTED


async def _train(
    planned: PlannedTraining, texts: Texts, store: FolderStore, device: Device, options: argparse.Namespace
) -> Progress:
    record = planned.record
    trainer = await open_planned(planned)
    try:
        if options.bring:
            await bundle.bring(store, trainer, read_file(options.bring, bundle.FILE_LIMIT_BYTES))
        show = (
            _Json()
            if options.json
            else _Terminal(record, trainer.total_steps, trainer.loader.steps_per_epoch)
        )
        recorder = Recorder(store, planned, texts, SystemClock().now_s)

        async def kept(step: int) -> None:
            await recorder.keep(run)
            show.checkpoint(step)

        run = TrainingRun(
            trainer, store, on_report=show.report, on_measures=show.measures, on_checkpoint=kept
        )
        step = await run.resume()
        goes_on = not run.progress.ended
        show.begin(record, planned.dataset, str(device.fingerprint["kind"]), step)
        if run.fault:
            show.fault(run.fault)
        found = await room(store, trainer)
        if found.short:
            show.short(found)
        before = signal.signal(signal.SIGINT, lambda *_: run.pause())
        try:
            await recorder.begin(step)
            progress = await run.go()
        finally:
            signal.signal(signal.SIGINT, before)
        if goes_on:
            show.recorded(await recorder.keep(run, progress.ended or "paused"))
    finally:
        trainer.close()
    show.end(progress)
    if options.export:
        _write(options.export, await bundle.export(store, trainer, progress.step))
    return progress


def _bytes(text: str) -> int:
    try:
        size = float(text) * 1e9
    except ValueError:
        size = math.nan
    if not 0 < size < 2**53:
        raise argparse.ArgumentTypeError(f"{text[:40]} is no size in GB")
    return int(size)


def read_record(path: Path, catalog: list[Path]) -> TrainingRecord:
    """The record in a file, with entries from other files. Raises `SCL-RUN-FILE`, and what reading raises."""
    library: Library = built_in()
    for folder in catalog:
        library = library.with_texts(texts_of(folder))
    try:
        return parse_training(_text(path), library)
    except ScellisError as error:
        raise error.located(str(path)) from error


def _write(path: Path, data: bytes) -> None:
    try:
        write_atomically(path, data)
    except OSError as error:
        raise ScellisError("SCL-RUN-FILE", f"{path} cannot be written: {error.strerror}.") from error


def _text(path: Path) -> str:
    try:
        return read_file(path).decode()
    except UnicodeDecodeError as error:
        raise ScellisError("SCL-RUN-FILE", f"{path} is not text in UTF-8.") from error


class _Json:
    """Events as lines of JSON."""

    def begin(self, record: TrainingRecord, dataset: Dataset, device: str, step: int) -> None:
        self._print(
            "begin", record=record.address, dataset=dataset.address, device=device,
            determinism_tier=record.determinism_tier, step=step,
        )  # fmt: skip

    def fault(self, error: ScellisError) -> None:
        self._print("fault", **error.as_dict())

    def short(self, room: Room) -> None:
        self._print("room", needed_bytes=room.needed_bytes, free_bytes=room.free_bytes)

    def report(self, report: Report) -> None:
        self._print(
            "step", step=report.step, loss=report.loss, lr=report.lr, gradient_norm=report.gradient_norm,
            loss_scale=report.loss_scale, skipped=report.skipped,
        )  # fmt: skip

    def measures(self, epoch: int, measures: dict[str, float]) -> None:
        self._print("epoch", epoch=epoch, measures=measures)

    def checkpoint(self, step: int) -> None:
        self._print("checkpoint", step=step)

    def recorded(self, run: TrainedRun) -> None:
        self._print("recorded", run=run.address)

    def end(self, progress: Progress) -> None:
        self._print("end", step=progress.step, why=progress.ended or "paused")

    def _print(self, event: str, **fields: object) -> None:
        print(json.dumps({"event": event, **fields}), flush=True)


class _Terminal:
    """Events for a person."""

    def __init__(self, record: TrainingRecord, total: int, steps_per_epoch: int) -> None:
        self._record = record
        self._bar = tqdm(total=total, unit="step", disable=not sys.stderr.isatty(), file=sys.stderr)
        self._epochs = total // steps_per_epoch

    def begin(self, record: TrainingRecord, dataset: Dataset, device: str, step: int) -> None:
        print(f"{record.model} on {dataset.id} ({record.determinism_tier}, {device})")
        print(f"  record    {record.address}")
        print(f"  dataset   {dataset.address}")
        if step:
            print(f"  goes on   from step {step}")
        self._bar.update(step)

    def fault(self, error: ScellisError) -> None:
        print(f"  left out  a later checkpoint: {error}", file=sys.stderr)

    def short(self, room: Room) -> None:
        needed, free = size_text(room.needed_bytes), size_text(room.free_bytes or 0)
        print(f"  room      {free} are free, and checkpoints will take {needed}: make room", file=sys.stderr)

    def report(self, report: Report) -> None:
        self._bar.update(report.step + 1 - self._bar.n)
        self._bar.set_postfix_str(
            "overflow, left out" if report.skipped else f"loss {report.loss:.4g}", refresh=False
        )

    def measures(self, epoch: int, measures: dict[str, float]) -> None:
        words = ", ".join(f"{name.rpartition('/')[2]} {value:.4g}" for name, value in measures.items())
        self._bar.write(f"  epoch {epoch:>4} of {self._epochs}: {words}", file=sys.stdout)

    def recorded(self, run: TrainedRun) -> None:
        self._bar.write(f"  run       {run.address}", file=sys.stdout)

    def checkpoint(self, step: int) -> None:
        self._bar.set_description_str(f"kept {step}", refresh=False)

    def end(self, progress: Progress) -> None:
        self._bar.close()
        why = {
            "done": "done",
            "early_stop": "stopped early: no better validation",
            "": "paused: run it again to go on",
        }
        print(f"  {why[progress.ended]} at step {progress.step}")
