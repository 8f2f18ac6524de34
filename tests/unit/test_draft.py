"""What files seem to be, drafted as the text of a dataset: it reads what it is of, or says what is wrong."""

from __future__ import annotations

import contextlib
import gzip
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.errors import ScellisError
from scellis.sml.dataset import parse_dataset
from scellis.train.data import Dataset
from scellis.train.draft import dataset_name, draft, gathered
from scellis.train.reading import read_dataset
from support.image_files import png, zipped


def drafted(file: str, data: bytes) -> Dataset:
    text = parse_dataset(draft("some", 1, file, data))
    return read_dataset(text, dict.fromkeys(text.files, data))


def shapes(file: str, data: bytes) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {name: (str(array.dtype), array.shape) for name, array in drafted(file, data).arrays.items()}


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("1,2,3.5\n4,5,6\n", {"inputs": ("float32", (2, 2)), "target": ("float32", (2, 1))}),
        ("1,2,0\n4,5,1\n", {"inputs": ("float32", (2, 2)), "target": ("int32", (2,))}),
        ("a,b,c\n1,2,x\n4,5,y\n", {"inputs": ("float32", (2, 2)), "target": ("int32", (2,))}),
        ("a;b;c\n1;z;2.5\n4;z;5\n", {"inputs": ("float32", (2, 1)), "target": ("float32", (2, 1))}),
        ("1\t2\n3\t4\n", {"inputs": ("float32", (2, 1)), "target": ("int32", (2,))}),
        ("1 2 9\n3 4 8\n", {"inputs": ("float32", (2, 2)), "target": ("int32", (2,))}),
        ("1\n2\n", {"inputs": ("float32", (2, 1))}),
        ("height\n1\n2\n", {"inputs": ("float32", (2, 1))}),
    ],
)
def test_a_table_s_last_column_is_its_target(table: str, found: dict[str, object]) -> None:
    assert shapes("t.csv", table.encode()) == found
    assert shapes("t.csv.gz", gzip.compress(table.encode())) == found
    assert shapes("t.csv", b"\xef\xbb\xbf" + table.encode()) == found


def test_a_long_table_is_drafted_by_its_beginning() -> None:
    rows = "".join(f"{n},{n % 7}.5,{n % 3}\n" for n in range(60_000))
    assert len(rows) > 2**18
    assert shapes("t.csv", rows.encode()) == {
        "inputs": ("float32", (60_000, 2)),
        "target": ("int32", (60_000,)),
    }
    with pytest.raises(ScellisError, match="row 60001, column 0: 'x' is no number"):
        drafted("t.csv", (rows + "x,1,1\n").encode())


def test_archives_images_and_texts_are_known_by_their_names() -> None:
    out = io.BytesIO()
    np.savez(out, images=np.zeros((3, 2)), labels=np.arange(3), words=np.array(["a", "b", "a"]))
    assert shapes("a.npz", out.getvalue()) == {
        "images": ("float32", (3, 2)), "labels": ("int32", (3,)), "words": ("int32", (3,)),
    }  # fmt: skip
    image = png(np.zeros((2, 2, 1), int))
    assert shapes("a.zip", zipped({"x/a.png": image, "y/b.png": image})) == {
        "images": ("float32", (2, 1, 2, 2)), "labels": ("int32", (2,)),
    }  # fmt: skip
    assert shapes("a.zip", zipped({"x/a.png": image})) == {"images": ("float32", (1, 1, 2, 2))}
    assert shapes("a.txt", b"abba") == {"characters": ("int32", (4,))}


def test_files_are_one_or_a_folder_of_images() -> None:
    image = png(np.zeros((2, 2, 1), int))
    assert gathered({"a/t.csv": b"1\n", "a/.DS_Store": b"?"}) == ("t.csv", b"1\n")
    name, data = gathered({"pets/x/a.png": image, "pets/y/b.png": image})
    assert (name, shapes(name, data)["labels"]) == ("pets.zip", ("int32", (2,)))
    assert gathered({"a.png": image})[0] == "images.zip"
    for odd in ({}, {"a.csv": b"", "b.csv": b""}, {"a.png": image, "b.csv": b""}):
        with pytest.raises(ScellisError, match="neither one file of data nor a folder of images") as caught:
            gathered(odd)
        assert caught.value.code == "SCL-DATA-DRAFT"


@given(st.text(max_size=80))
def test_any_file_s_name_gives_a_name_of_a_dataset(file: str) -> None:
    text = parse_dataset(draft(dataset_name(file), 3, f"{file}.csv", b"1,2\n"))
    assert text.version == 3


@given(
    st.binary(max_size=60) | st.text("1,;\t \n\"'aé", max_size=60).map(str.encode),
    st.sampled_from(["t.csv", "t.csv.gz", "t.npz", "t.zip", "t.txt", "t.parquet", "t.exe"]),
)
def test_a_draft_of_anything_reads_it_or_says_what_is_wrong(data: bytes, file: str) -> None:
    with contextlib.suppress(ScellisError):
        assert drafted(file, data).arrays
