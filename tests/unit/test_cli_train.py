"""`scellis train`, as a person runs it: what it prints, refuses, and what a kill costs: nothing."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scellis.cli.main import main
from scellis.content import address
from scellis.graph.op import Array
from scellis.sml.dataset import parse_dataset
from support.training_texts import EVERYTHING, dots, training_text

OWN = '''"""Steps of one size, by the sign of each gradient."""

from scellis.catalog.language import number, xp

KIND = "optimizer"
FIELDS = {"lr": number(0.01, above=0, about="Learning rate.")}


def state(parameter, fields):
    return {}


def update(parameter, gradient, state, step, lr, fields):
    return parameter - lr * xp.sign(gradient), state
'''


def columns(*arrays: Array) -> bytes:
    rows = zip(*(array.reshape(len(array), -1).tolist() for array in arrays), strict=True)
    return "".join(",".join(repr(cell) for part in row for cell in part) + "\n" for row in rows).encode()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record and its dataset beside it, in the folder where the command is run."""
    arrays = dots().arrays
    data = columns(arrays["points"], arrays["height"], arrays["kind"])
    (tmp_path / "data").mkdir()
    (tmp_path / "data/dots.csv").write_bytes(data)
    (tmp_path / "data/dots.sml").write_text(
        f"sml: 1\ndataset: dots@1\nfiles: {{ dots.csv: '{address(data)}' }}\nformat: csv\narrays:\n"
        "  points: { columns: 0..1 }\n  height: { columns: 2, shape: [1] }\n"
        "  kind: { columns: 3, classes: true }\n"
    )
    (tmp_path / "small.sml").write_text(training_text(metrics="[{ block_id: training/metric/accuracy }]"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def train(*arguments: str | Path) -> int:
    return main(["train", *map(str, arguments)])


def named(folder: Path) -> str:
    """The address of the dataset in a folder."""
    return parse_dataset((folder / "data/dots.sml").read_text()).address


def events(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_person_reads_what_it_trains_on_and_how_well(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train("small.sml") == 0
    first, record, dataset, *epochs, run, end = capsys.readouterr().out.splitlines()
    assert first == "user/test/small@1 on dots@1 (debug, oracle)"
    assert record.startswith("  record    sha256:")
    assert dataset == f"  dataset   {named(folder)}"
    assert [line.partition(":")[0] for line in epochs] == ["  epoch    1 of 2", "  epoch    2 of 2"]
    assert all("loss 0." in line and "accuracy 0." in line for line in epochs)
    assert run.startswith("  run       sha256:")
    assert end == "  done at step 6"
    assert train("small.sml") == 0
    again = capsys.readouterr().out.splitlines()
    assert again[3:] == ["  goes on   from step 6", "  done at step 6"]


def test_a_program_reads_one_object_for_each_event(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "all.sml").write_text(training_text(EVERYTHING))
    assert train("all.sml", "--json") == 0
    begin, *middle, end = events(capsys)
    assert begin["event"] == "begin"
    assert (begin["dataset"], begin["step"], begin["device"]) == (named(folder), 0, "oracle")
    assert begin["determinism_tier"] == "debug"
    steps = [event for event in middle if event["event"] == "step"]
    assert [event["step"] for event in steps] == list(range(len(steps)))
    assert set(steps[0]) == {"event", "step", "loss", "lr", "gradient_norm", "loss_scale", "skipped"}
    epochs = [event for event in middle if event["event"] == "epoch"]
    assert [event["epoch"] for event in epochs] == list(range(1, len(steps) // 5 + 1))
    assert set(epochs[0]["measures"]) == {"loss", "training/metric/rmse"}
    kept = [event["step"] for event in middle if event["event"] == "checkpoint"]
    assert kept[0] == 3
    assert end == {"event": "end", "step": len(steps), "why": "early_stop"}


def test_the_last_checkpoint_is_written_to_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train("small.sml", "--export", "one.zip", "--store", "first") == 0
    assert train("small.sml", "--export", "two.zip", "--store", "second") == 0
    assert (folder / "one.zip").read_bytes() == (folder / "two.zip").read_bytes()
    assert (folder / "one.zip").read_bytes()[:2] == b"PK"
    assert train("small.sml", "--export", "gone/three.zip", "--store", "third") == 1
    assert "gone is no folder, where --export writes. [SCL-RUN-FILE]" in capsys.readouterr().err
    assert not (folder / "third").exists()


def test_a_checkpoint_that_was_exported_is_gone_on_from_elsewhere(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train("small.sml", "--export", "one.zip") == 0
    assert train("small.sml", "--import", "one.zip", "--export", "two.zip", "--store", "other") == 0
    assert "goes on   from step" in capsys.readouterr().out
    assert (folder / "one.zip").read_bytes() == (folder / "two.zip").read_bytes()
    (folder / "small.sml").write_text(training_text(seed="43"))
    assert train("small.sml", "--import", "one.zip") == 1
    assert "[SCL-CHECKPOINT-FOREIGN]" in capsys.readouterr().err
    assert train("small.sml", "--import", "small.sml") == 1
    assert "This file is no checkpoint" in capsys.readouterr().err
    assert train("small.sml", "--import", "gone.zip") == 1
    assert "gone.zip cannot be read" in capsys.readouterr().err


def test_a_disk_that_will_not_hold_the_checkpoints_is_told_of_before_it_is_full(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(folder)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    assert train("small.sml") == 0
    assert "1 kB are free, and checkpoints will take" in capsys.readouterr().err
    (folder / "other.sml").write_text(training_text(seed="43"))
    assert train("other.sml", "--json") == 0
    told = next(event for event in events(capsys) if event["event"] == "room")
    assert told["needed_bytes"] > told["free_bytes"] == 1000


def test_one_process_at_a_time_trains_a_record_in_a_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "small.sml").write_text(LONG)
    process = start(folder, "-m", "scellis", "train", "small.sml", "--json")
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["event"] == "begin"
    assert train("small.sml") == 1
    assert "[SCL-TRAIN-ELSEWHERE]" in capsys.readouterr().err
    process.kill()
    process.communicate(timeout=60)
    assert train("small.sml") == 0


def test_an_optimizer_of_one_s_own_is_brought_by_its_file_or_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mine").mkdir()
    (folder / "mine/signs.py").write_text(OWN)
    addresses = []
    for id_, given in (("user/signs", "mine/signs.py"), ("user/mine/signs", "mine")):
        (folder / "own.sml").write_text(training_text(optimizer=f"{{ block_id: {id_}, lr: 0.02 }}"))
        assert train("own.sml", "--json") == 1
        (refusal,) = events(capsys)
        assert f"Line 5: optimizer.block_id: There is no optimizer '{id_}'" in refusal["error"]["message"]
        assert train("own.sml", "--json", "--catalog", given) == 0
        begin, *_, end = events(capsys)
        assert end["why"] == "done"
        addresses.append(begin["record"])
    (folder / "mine/signs.py").write_text(OWN.replace("xp.sign(gradient)", "xp.sign(gradient) * 2"))
    assert train("own.sml", "--json", "--catalog", "mine") == 0
    begin, *_ = events(capsys)
    addresses.append(begin["record"])
    assert begin["step"] == 0, "it is another training now"
    assert len(set(addresses)) == 3


def test_what_is_missing_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said() -> str:
        assert train("small.sml") == 1
        return capsys.readouterr().err

    (folder / "data/dots.csv").rename(folder / "data/other.csv")
    assert "data/dots.sml: dots.csv is in none of data, " in said()
    (folder / "data/dots.csv").write_bytes(b"1,2,3,4\n")
    assert "[SCL-DATA-HASH]" in said()
    (folder / "data/dots.sml").rename(folder / "dots.sml")
    assert (
        "data/dots.sml is missing, which would say what dots@1 is. Name the dataset's SML text with --data"
        in said()
    )
    (folder / "data/other.csv").rename(folder / "dots.csv")
    assert train("small.sml", "--data", "dots.sml") == 0
    capsys.readouterr()
    (folder / "small.sml").write_bytes(b"\xff")
    assert "small.sml is not text in UTF-8" in said()
    (folder / "small.sml").write_text(training_text(seed=None))
    assert "scellis: small.sml: Line 1: document: the field 'seed' is missing." in said()
    (folder / "small.sml").unlink()
    assert "small.sml cannot be read: No such file or directory. [SCL-RUN-FILE]" in said()


def test_a_store_that_cannot_be_written_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "scellis-store").write_text("a file")
    assert train("small.sml") == 1
    assert "cannot be written: Not a directory." in (error := capsys.readouterr().err)
    assert "name another folder" in error
    assert "[SCL-STORE-FULL]" in error


def test_a_damaged_checkpoint_is_told_of_and_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "small.sml").write_text(training_text(checkpoint="{ every_steps: 1, keep: 3 }"))
    assert train("small.sml", "--export", "one.zip") == 0
    (last,) = (folder / "scellis-store/refs").glob("*-6")
    last.write_bytes(b"")
    capsys.readouterr()
    assert train("small.sml", "--json", "--export", "two.zip") == 0
    begin, fault, *_, end = events(capsys)
    assert begin["step"] == 5
    assert fault["event"] == "fault"
    assert fault["code"] == "SCL-CHECKPOINT-DAMAGED"
    assert end["why"] == "done"
    assert (folder / "one.zip").read_bytes() == (folder / "two.zip").read_bytes()
    last.write_bytes(b"")
    assert train("small.sml") == 0
    assert "left out  a later checkpoint: The reference" in capsys.readouterr().err


# ---- processes ----

LONG = training_text(EVERYTHING, checkpoint="{ every_steps: 7, keep: 1 }")

KILLED = """
import os, signal, sys
from scellis.cli.main import main

left, replace = int(sys.argv[1]), os.replace


def counted(*names):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(*names)


os.replace = counted
sys.exit(main(["train", *sys.argv[2:]]))
"""
"""`scellis train`, killed as it is about to put the file of a number in its place."""


def start(folder: Path, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, *command], cwd=folder, stdout=subprocess.PIPE, text=True)


def test_a_process_that_is_killed_loses_nothing_but_time(folder: Path) -> None:
    (folder / "small.sml").write_text(LONG)
    undisturbed = ["small.sml", "--store", "calm", "--export", "calm.zip"]
    assert train(*undisturbed) == 0
    begun = []
    for writes in (5, 40):  # within its first checkpoint, and a later one
        process = start(folder, "-c", KILLED, str(writes), "small.sml", "--json")
        assert process.stdout is not None
        begun.append(json.loads(process.stdout.readline())["step"])
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL
    process = start(folder, "-m", "scellis", "train", "small.sml", "--json")
    assert process.stdout is not None
    going = json.loads(process.stdout.readline())
    for line in process.stdout:  # killed from outside, wherever it then is
        if json.loads(line).get("event") == "epoch":
            break
    process.kill()
    process.communicate(timeout=60)
    assert train("small.sml", "--export", "stormy.zip") == 0
    assert begun == [0, 0]
    assert going["step"] > 0
    assert (folder / "stormy.zip").read_bytes() == (folder / "calm.zip").read_bytes()


def test_an_interrupt_pauses_and_the_same_command_goes_on(folder: Path) -> None:
    (folder / "small.sml").write_text(training_text(epochs="100000"))
    process = start(folder, "-m", "scellis", "train", "small.sml", "--json")
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["event"] == "epoch":
            process.send_signal(signal.SIGINT)
            break
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    end = json.loads(rest.splitlines()[-1])
    assert end["event"] == "end"
    assert end["why"] == "paused"
    process = start(folder, "-m", "scellis", "train", "small.sml", "--json")
    assert process.stdout is not None
    begin = json.loads(process.stdout.readline())
    process.kill()
    process.communicate(timeout=60)
    assert begin["step"] == end["step"] > 0
