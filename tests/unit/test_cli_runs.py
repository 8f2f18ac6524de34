"""`scellis runs`: trainings that were run here, listed, shown, compared and forgotten."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scellis.cli.main import main
from scellis.content import address
from support.training_texts import dots, training_text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two trainings that were run, of another seed and rate, in the folder where the command is run."""
    arrays = dots().arrays
    rows = zip(arrays["points"].tolist(), arrays["kind"].tolist(), strict=True)
    data = "".join(f"{x!r},{y!r},{kind}\n" for (x, y), kind in rows).encode()
    (tmp_path / "data").mkdir()
    (tmp_path / "data/dots.csv").write_bytes(data)
    (tmp_path / "data/dots.sml").write_text(
        f"sml: 1\ndataset: dots@1\nfiles: {{ dots.csv: '{address(data)}' }}\nformat: csv\narrays:\n"
        "  points: { columns: 0..1 }\n  kind: { columns: 2, classes: true }\n"
    )
    (tmp_path / "one.sml").write_text(training_text())
    (tmp_path / "two.sml").write_text(
        training_text(seed="43", optimizer="{ block_id: training/optimizer/adamw, lr: 0.05 }")
    )
    monkeypatch.chdir(tmp_path)
    assert main(["train", "one.sml"]) == main(["train", "two.sml"]) == 0
    capsys.readouterr()
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["runs", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_what_was_run_is_listed_and_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = told(capsys, "list")
    assert listed["damaged"] == []
    second, first = listed["runs"]
    assert (first["state"], first["step"], first["total"], first["dataset"]) == ("done", 6, 6, "dots@1")
    assert main(["runs", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:12] for line in lines] == [run["run"][7:19] for run in (second, first)]
    shown = told(capsys, "show", first["run"][7:15])
    assert shown["address"] == first["run"]
    assert shown["record"]["sml"] == training_text()
    assert main(["runs", "show", first["run"]]) == 0
    text = capsys.readouterr().out
    assert "user/test/small@1, done at step 6 of 6" in text
    assert "  training.seed  42" in text


def test_only_what_differs_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second, first = (run["run"] for run in told(capsys, "list")["runs"])
    found = told(capsys, "compare", first[7:19], second)
    assert found["runs"] == [first, second]
    fields = {row["path"]: row["values"] for row in found["differences"]}
    assert fields["training.optimizer.fields.lr"] == [0.02, 0.05]
    assert fields["training.seed"] == ["42", "43"]
    assert not [path for path in fields if path.startswith(("dataset", "device", "training.layers"))]
    assert found["first_apart"]["step"] == 0
    assert set(found["measures"]) == {"training loss", "validation loss"}
    assert main(["runs", "compare", first[7:19], second[7:19]]) == 0
    text = capsys.readouterr().out
    assert "training.seed" in text
    assert "losses    differ from step 0 on: " in text
    assert main(["runs", "compare", first, first]) == 0
    assert "no field of their records differs" in (text := capsys.readouterr().out)
    assert "losses    the same at every step that is kept" in text


def test_two_runs_of_one_training_differ_in_time_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "scellis-store").rename(folder / "before")
    assert main(["train", "one.sml"]) == 0
    (again,) = (folder / "scellis-store/refs").glob("trained-*")
    again.rename(folder / "before/refs" / again.name)
    capsys.readouterr()
    runs = [run["run"] for run in told(capsys, "list", "--store", "before")["runs"]]
    found = told(capsys, "compare", runs[0], runs[2], "--store", "before")
    assert {row["path"] for row in found["differences"]} <= {"begun_s", "seconds"}
    assert found["first_apart"] is None


def test_a_training_that_is_done_already_is_no_other_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = told(capsys, "list")
    assert main(["train", "one.sml"]) == 0
    capsys.readouterr()
    assert told(capsys, "list") == before


def test_a_run_that_is_not_there_is_refused_with_those_that_are(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [run["run"][7:19] for run in told(capsys, "list")["runs"]]
    assert main(["runs", "show", "zebra"]) == 1
    error = capsys.readouterr().err
    assert "[SCL-RUN-UNKNOWN]" in error
    assert all(name in error for name in names)
    assert told(capsys, "forget", names[0])["forgot"].startswith(f"sha256:{names[0]}")
    assert [run["run"][7:19] for run in told(capsys, "list")["runs"]] == names[1:]
    assert main(["runs", "list", "--store", "nowhere"]) == 0
    assert "No training that was run is kept in nowhere." in capsys.readouterr().out
