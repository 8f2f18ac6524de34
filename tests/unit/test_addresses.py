"""Datasets natively from any address that fsspec reads, verified by their hashes, refused by name."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import fsspec
import numpy as np
import pytest

from scellis.cli import addresses
from scellis.cli.addresses import beside, last_name, read_address, read_folder
from scellis.cli.main import main
from scellis.content import address
from scellis.errors import ScellisError
from scellis.sml.dataset import parse_dataset
from support.image_files import png, zipped

TABLE = "width,height,kind\n" + "".join(f"{n},{n * n % 7},{'ab'[n % 2]}\n" for n in range(24))
TEXT = f"""\
sml: 1
dataset: shapes@1
files: {{ shapes.csv: '{address(TABLE.encode())}' }}
format: csv
header: true
arrays:
  sides: {{ columns: [width, height] }}
  kind: {{ columns: kind, classes: true }}
"""
RECORD = """\
sml: 1
model: user/ada/shapes@1
data: { dataset: shapes@1, input: sides, target: kind }
layers: { out: { block_id: model/layer/linear, out_features: 2 } }
optimizer: { block_id: training/optimizer/sgd, lr: 0.01 }
scheduler: { block_id: training/scheduler/constant }
loss: { block_id: training/loss/cross_entropy }
epochs: 1
batch_size: 8
determinism_tier: debug
seed: 7
"""
IMAGES = {
    f"{kind}/{n}.png": png(np.random.default_rng(n).integers(0, 256, (4, 4, 1)))
    for kind in ("cat", "dog")
    for n in range(3)
}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    fsspec.filesystem("memory").store.clear()
    return tmp_path


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The URL of a folder of files, by HTTP."""
    (tmp_path / "host").mkdir()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    handler = functools.partial(Handler, directory=tmp_path / "host")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def placed(where: str, files: dict[str, str | bytes]) -> None:
    for name, data in files.items():
        with fsspec.open(f"{where}/{name}", "wb", auto_mkdir=True) as file:
            file.write(data.encode() if isinstance(data, str) else data)


def train(data: str) -> int:
    Path("record.sml").write_text(RECORD)
    return main(["train", "record.sml", "--data", data, "--json"])


def test_a_training_reads_its_dataset_wherever_it_lies(
    served: str, elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files: dict[str, str | bytes] = {"shapes.sml": TEXT, "shapes.csv": TABLE}
    placed("memory://shelf", files)
    placed(f"file://{elsewhere}/host", files)
    placed(f"file://{elsewhere}", {"pack.zip": zipped({name: data.encode() for name, data in files.items()})})  # type: ignore[union-attr]
    found = set()
    for place in (
        "memory://shelf/shapes.sml",
        f"file://{elsewhere}/host/shapes.sml",
        f"{served}/shapes.sml",
        f"zip://shapes.sml::file://{elsewhere}/pack.zip",
        str(elsewhere / "host/shapes.sml"),
    ):
        assert train(place) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        found.add((lines[0]["dataset"], lines[-1]["step"]))
    assert found == {(parse_dataset(TEXT).address, 3)}


def test_what_comes_from_elsewhere_is_held_to_its_hash(capsys: pytest.CaptureFixture[str]) -> None:
    placed("memory://shelf", {"shapes.sml": TEXT, "shapes.csv": TABLE.replace("24", "25") + "1,1,a\n"})
    assert train("memory://shelf/shapes.sml") == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "SCL-DATA-HASH"


def refused(at: str) -> ScellisError:
    with pytest.raises(ScellisError) as caught:
        read_address(at)
    return caught.value


def test_what_cannot_be_read_is_named(served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused("memory://shelf/none.csv").code == "SCL-DATA-MISSING"
    assert refused(f"{served}/none.csv").code == "SCL-DATA-MISSING"
    assert refused("http://127.0.0.1:9/none.csv").code == "SCL-DATA-UNREACHABLE"
    error = refused("gopher://host/x.csv")
    assert (error.code, "memory" in error.remedy) == ("SCL-DATA-PROTOCOL", True)
    error = refused("s3://bucket/x.csv")
    assert (error.code, error.remedy) == ("SCL-DATA-PROTOCOL", "Install s3fs to access S3")
    placed("memory://shelf", {"x.csv": "1,2\n"})
    monkeypatch.setattr(addresses, "DATASET_LIMIT_BYTES", 3)
    assert refused("memory://shelf/x.csv").code == "SCL-DATA-SIZE"


def test_files_beside_another_are_in_the_same_folder_or_archive() -> None:
    assert beside("https://host/a/x.sml", "y.csv") == "https://host/a/y.csv"
    assert beside("zip://x.sml::https://host/p.zip", "y.csv") == "zip://y.csv::https://host/p.zip"
    assert beside("zip://a/x.sml::file:///p.zip", "y.csv") == "zip://a/y.csv::file:///p.zip"
    assert last_name("https://host/a/x.csv?key=1") == "x.csv"


# ---- scellis data add ----


def add(*arguments: str) -> int:
    return main(["data", "add", *arguments])


def test_a_dataset_is_made_of_a_file_and_then_trained_on(capsys: pytest.CaptureFixture[str]) -> None:
    placed("memory://shelf", {"Shapes 2.csv": TABLE})
    assert add("memory://shelf/Shapes 2.csv", "--name", "shapes") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("shapes@1  sha256:")
    assert out[1:3] == ["  inputs       24 of 2, float32", "  target       24 of one number, int32"]
    Path("record.sml").write_text(RECORD.replace("sides", "inputs").replace("kind", "target"))
    assert main(["train", "record.sml", "--json"]) == 0
    assert out[0].split()[1] == json.loads(capsys.readouterr().out.splitlines()[0])["dataset"]


def test_a_folder_of_images_becomes_one_file_wherever_it_lies(
    elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    placed("memory://shelf/pets", dict(IMAGES))
    placed(f"file://{elsewhere}/pets", {**IMAGES, ".DS_Store": b"?"})
    (elsewhere / "packed.zip").write_bytes(zipped({f"pets/{path}": data for path, data in IMAGES.items()}))
    found = []
    for place in (
        "memory://shelf/pets",
        f"file://{elsewhere}/pets",
        "pets",
        f"zip://pets::file://{elsewhere}/packed.zip",
    ):
        assert add(place, "--json") == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found == [found[0]] * 4
    assert found[0]["dataset"] == "pets@1"
    assert found[0]["arrays"] == {"images": ["float32", 6, 1, 4, 4], "labels": ["int32", 6]}
    assert read_folder(f"file://{elsewhere}/packed.zip") is None


def test_another_file_of_one_name_is_another_version(capsys: pytest.CaptureFixture[str]) -> None:
    Path("shapes.csv").write_text(TABLE)
    assert add("shapes.csv") == 0
    text = Path("data/shapes.sml")
    text.write_text(text.read_text() + "licence: mine\n")
    assert add("shapes.csv") == 0
    assert "licence: mine" in text.read_text()
    Path("shapes.csv").write_text(TABLE + "1,1,a\n")
    capsys.readouterr()
    assert add("shapes.csv") == 1
    assert "data/shapes.sml is shapes@1 already" in (said := capsys.readouterr().err)
    assert "--version 2" in said
    assert add("shapes.csv", "--version", "2") == 0
    assert parse_dataset(text.read_text()).id == "shapes@2"


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"x.csv": b"1,2\n3\n"}, "SCL-DATA-FORM"),
        ({"x.csv": b""}, "SCL-DATA-FORM"),
        ({"x.csv.gz": b"\x1f\x8b"}, "SCL-DATA-FORM"),
        ({"x.zip": b"PK"}, "SCL-DATA-FORM"),
        ({"x.npz": b"PK"}, "SCL-DATA-FORM"),
        ({"x.parquet": b"PAR1"}, "SCL-SML-TEXT"),
        ({"x.doc": b"?"}, "SCL-DATA-DRAFT"),
        ({"x/a.png": IMAGES["cat/0.png"], "x/b.csv": b"1\n"}, "SCL-DATA-DRAFT"),
    ],
)
def test_what_is_no_data_is_refused(
    files: dict[str, bytes], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    placed("file://" + str(Path.cwd()), dict(files))
    assert add(next(iter(files)).partition("/")[0]) == 1
    assert f"[{code}]" in capsys.readouterr().err
    assert not Path("data").exists()
