"""How data is dealt to a training, and what files it is read from, friendly ones and others."""

from __future__ import annotations

import gzip
import io
import itertools
import struct
import warnings
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scellis.codecs import safetensors
from scellis.content import address
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.sml.dataset import DatasetText, parse_dataset
from scellis.sml.training import Data
from scellis.train import archives, files, reading
from scellis.train.background import exhaust
from scellis.train.data import Batch, Dataset, Loader, permutation
from scellis.train.reading import read_dataset
from support.image_files import zipped

# ---- loaders ----


def loader_of(
    count: int,
    validation: float,
    batch_size: int,
    accumulate: int = 1,
    sequence: int | None = None,
    seed: int = 7,
) -> Loader:
    """Over examples that are their own numbers, so that a batch says which it holds."""
    numbers = np.arange(count, dtype=np.int32)
    dataset = Dataset("numbers", 1, {"x": numbers} if sequence else {"x": numbers, "y": numbers * 2})
    data = Data("numbers@1", "x", "" if sequence else "y", sequence, validation, ())
    return Loader(dataset, data, batch_size, accumulate, seed)


def dealt(loader: Loader, epoch: int, accumulate: int) -> list[Array]:
    """The inputs of all batches of an epoch."""
    first = epoch * loader.steps_per_epoch
    steps = range(first, first + loader.steps_per_epoch)
    return [exhaust(loader.batch(step, part)).x for step in steps for part in range(accumulate)]


def validated_on(loader: Loader) -> list[Batch]:
    """The batches of what is held out."""
    return [exhaust(loader.validation(number)) for number in range(loader.validations)]


SIZES = st.tuples(
    st.integers(1, 120),
    st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 0.999]),
    st.integers(1, 12),
    st.integers(1, 3),
)


@given(SIZES, st.integers(0, 3))
def test_an_epoch_deals_each_example_once_and_none_that_is_held_out(
    sizes: tuple[int, float, int, int], epoch: int
) -> None:
    count, validation, batch_size, accumulate = sizes
    held_out = round(count * validation)
    try:
        loader = loader_of(count, validation, batch_size, accumulate)
    except ScellisError:
        assert count - held_out < batch_size * accumulate or (validation > 0 and held_out == 0)
        return
    found = Counter(int(x) for batch in dealt(loader, epoch, accumulate) for x in batch)
    step = batch_size * accumulate
    assert set(found.values()) == {1}
    assert len(found) == (count - held_out) // step * step
    kept = [
        int(x)
        for batch in validated_on(loader)
        for x, weight in zip(batch.x, batch.weight, strict=True)
        if weight
    ]
    assert len(kept) == len(set(kept)) == held_out
    assert not set(kept) & set(found)


def test_epochs_differ_in_order_and_targets_stay_with_their_inputs() -> None:
    loader = loader_of(60, 0.2, 8, 2)
    orders = [tuple(np.concatenate(dealt(loader, epoch, 2))) for epoch in range(4)]
    assert len(set(orders)) == 4
    assert orders[0] == tuple(np.concatenate(dealt(loader_of(60, 0.2, 8, 2), 0, 2)))
    assert orders[0] != tuple(np.concatenate(dealt(loader_of(60, 0.2, 8, 2, seed=8), 0, 2)))
    batch = exhaust(loader.batch(5, 1))
    assert (batch.y == batch.x * 2).all()
    assert (batch.weight == 1).all()


def test_what_a_step_sees_hangs_on_nothing_that_was_dealt_before() -> None:
    loader, again = loader_of(60, 0.0, 8), loader_of(60, 0.0, 8)
    there = [exhaust(loader.batch(step, 0)).x.tolist() for step in range(20)]
    back = [exhaust(again.batch(step, 0)).x.tolist() for step in reversed(range(20))]
    assert there == back[::-1]


def test_a_rest_of_the_validation_fills_a_batch_and_does_not_count() -> None:
    batches = validated_on(loader_of(50, 0.42, 8))
    assert [batch.x.shape for batch in batches] == [(8,)] * 3
    assert [batch.weight.tolist() for batch in batches] == [[1] * 8, [1] * 8, [1] * 5 + [0] * 3]
    assert (batches[2].x[5:] == batches[2].x[4]).all()


@given(st.integers(0, 2**64 - 1), st.integers(0, 1000), st.integers(0, 200))
def test_a_permutation_has_every_number_once(seed: int, index: int, count: int) -> None:
    assert sorted(permutation(seed, index, count)) == list(range(count))


@given(
    st.integers(2, 200), st.sampled_from([0.0, 0.1, 0.5, 0.9, 0.999]), st.integers(1, 5), st.integers(1, 9)
)
def test_windows_of_tokens_meet_their_targets_and_not_the_validation(
    tokens: int, validation: float, batch_size: int, sequence: int
) -> None:
    try:
        loader = loader_of(tokens, validation, batch_size, 1, sequence)
    except ScellisError:
        return
    held_out = validated_on(loader)
    validated = {int(x) for batch in held_out for x in np.concatenate([batch.x.ravel(), batch.y.ravel()])}
    shifts = set()
    for epoch in range(6):
        seen: Counter[int] = Counter()
        for step in range(epoch * loader.steps_per_epoch, (epoch + 1) * loader.steps_per_epoch):
            batch = exhaust(loader.batch(step, 0))
            assert (batch.y == batch.x + 1).all()
            assert (np.diff(batch.x, axis=1) == 1).all()
            assert not validated & {int(x) for x in np.concatenate([batch.x.ravel(), batch.y.ravel()])}
            seen.update(int(x) for x in batch.x.ravel())
            shifts |= {int(x) % sequence for x in batch.x[:, 0]}
        assert set(seen.values()) == {1}
    assert shifts <= set(range(sequence))
    assert all((batch.y == batch.x + 1).all() for batch in held_out)
    examples = (tokens - sequence) // sequence
    assert sum(float(batch.weight.sum()) for batch in held_out) == round(examples * validation)


def test_windows_of_tokens_begin_elsewhere_each_epoch() -> None:
    loader = loader_of(400, 0.1, 4, 1, 16)
    shifts = {
        int(exhaust(loader.batch(epoch * loader.steps_per_epoch, 0)).x[0, 0]) % 16 for epoch in range(40)
    }
    assert len(shifts) > 8


@pytest.mark.parametrize(
    ("count", "validation", "sequence"),
    [(10, 0.04, None), (3, 0.9, None), (5, 0.9, 2), (2, 0.0, 2), (1, 0.0, 4)],
)
def test_too_little_data_is_refused(count: int, validation: float, sequence: int | None) -> None:
    with pytest.raises(ScellisError) as caught:
        loader_of(count, validation, 1 if validation else 4, 1, sequence)
    assert caught.value.code == "SCL-DATA-SIZE"
    assert caught.value.remedy


@pytest.mark.parametrize(
    "arrays",
    [
        {}, {"x": np.zeros((0, 2), np.float32)}, {"x": np.float32(1)}, {"x": np.zeros(3)},
        {"x": np.zeros(3, np.float32), "y": np.zeros(4, np.int32)}, {"x": np.zeros(3, np.int64)},
    ],
)  # fmt: skip
def test_arrays_that_are_no_dataset_are_refused(arrays: dict[str, Array]) -> None:
    with pytest.raises(ScellisError) as caught:
        Dataset("odd", 1, {name: np.asarray(array) for name, array in arrays.items()})
    assert caught.value.code == "SCL-DATA-FORM"


def test_a_dataset_is_named_by_its_bytes() -> None:
    first = Dataset("numbers", 1, {"x": np.arange(4, dtype=np.float32)})
    again = Dataset.from_bytes("numbers", 1, first.to_bytes())
    assert again.address == first.address
    assert Dataset("numbers", 1, {"x": np.arange(4, dtype=np.int32)}).address != first.address
    with pytest.raises(ScellisError, match="has no array 'z'"):
        first.array("z")


# ---- files ----


def npz(**arrays: Array) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)  # type: ignore[arg-type]
    return out.getvalue()


def text_of(format_: str, file: str, data: bytes, arrays: str, **more: str) -> DatasetText:
    rest = "".join(f"{name}: {value}\n" for name, value in more.items())
    files = f"files: {{ {file}: '{address(data)}' }}\n"
    return parse_dataset(f"sml: 1\ndataset: some@1\n{files}format: {format_}\n{rest}arrays: {arrays}\n")


def made(format_: str, data: bytes, arrays: str, file: str = "file.dat", **more: str) -> Dataset:
    return read_dataset(text_of(format_, file, data, arrays, **more), {file: data})


def read(format_: str, data: bytes, arrays: str, file: str = "file.dat", **more: str) -> dict[str, Array]:
    return dict(made(format_, data, arrays, file, **more).arrays)


def refused(format_: str, data: bytes, arrays: str, file: str = "file.dat", **more: str) -> ScellisError:
    with pytest.raises(ScellisError) as caught:
        read(format_, data, arrays, file, **more)
    assert "file.dat" in caught.value.message
    return caught.value


TABLE = b"width, height ,kind\n1.5,2,b\n3,4e1,a\n\n-1,0.25,b\n"
COLUMNS = (
    "{ sizes: { columns: [width, height], scale: 2, offset: 1 }, kind: { columns: kind, classes: true } }"
)


def test_a_table_is_read_by_the_names_of_its_columns_compressed_or_not() -> None:
    plain = read("csv", TABLE, COLUMNS, header="true")
    assert plain["sizes"].tolist() == [[1, 2], [4, 78], [-4, -1.5]]
    assert plain["sizes"].dtype == np.float32
    assert plain["kind"].tolist() == [1, 0, 1]
    assert plain["kind"].dtype == np.int32
    packed = read(
        "csv", gzip.compress(TABLE[:20]) + gzip.compress(TABLE[20:]), COLUMNS, "t.csv.gz", header="true"
    )
    assert all((packed[name] == array).all() for name, array in plain.items())
    marked = read("csv", b"\xef\xbb\xbf" + TABLE.replace(b"\n", b"\r\n"), COLUMNS, header="true")
    assert all((marked[name] == array).all() for name, array in plain.items())


def test_a_table_is_read_by_the_numbers_of_its_columns() -> None:
    data = b"made by hand\n1;2;3;4\n5;6;7;8\n"
    arrays = "{ x: { columns: 0..3, shape: [2, 2] }, y: { columns: 3, dtype: i32, shape: [1] } }"
    found = read("csv", data, arrays, skip="1", delimiter="';'")
    assert found["x"].tolist() == [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    assert found["y"].tolist() == [[4], [8]]


@pytest.mark.parametrize(
    ("cells", "classes"),
    [
        (["10", "9", "10", "-1"], [2, 1, 2, 0]),
        (["1", "1.0", "2", "1e0"], [0, 0, 1, 0]),
        (["10", "9", "ten"], [0, 1, 2]),
        (["2", "nan", "10"], [1, 2, 0]),
        (["b", "a", "ä", ""], [2, 1, 3, 0]),
    ],
)
def test_classes_are_numbered_by_value_where_all_are_numbers_else_by_the_alphabet(
    cells: list[str], classes: list[int]
) -> None:
    data = "\n".join(f"{cell},0" for cell in cells).encode()
    assert read("csv", data, "{ kind: { columns: 0, classes: true } }")["kind"].tolist() == classes


@given(st.lists(st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=2), min_size=1, max_size=20))
def test_numbers_come_back_from_a_table_as_they_were_written(rows: list[list[float]]) -> None:
    data = "\n".join(f"{a!r},{b!r}" for a, b in rows).encode()
    assert (read("csv", data, "{ x: { columns: 0..1 } }")["x"] == np.array(rows, np.float32)).all()


@pytest.mark.parametrize(
    ("data", "arrays", "more", "said"),
    [
        (b"1,2\n3\n", "{ x: { columns: 0 } }", {}, "row 2 has 1 columns, where the first has 2"),
        (b"1,2\n3,4,5\n", "{ x: { columns: 0 } }", {}, "row 2 has 3 columns"),
        (b"1,2\n3,nan\n", "{ x: { columns: 0..1 } }", {}, "row 2, column 1: 'nan' is no finite number"),
        (b"1,2\n3,inf\n", "{ x: { columns: 0..1 } }", {}, "row 2, column 1: 'inf' is no finite number"),
        (b"1,2\n3,1e39\n", "{ x: { columns: 0..1 } }", {}, "x holds what is no finite number of 32 bits"),
        (b"1,2\n3,1e300\n", "{ x: { columns: 0..1, scale: 1.0e+300 } }", {}, "x holds what is no finite"),
        (b"1,2\n3,\n", "{ x: { columns: 0..1 } }", {}, "row 2, column 1: '' is no number"),
        (b"1,2\n3,0x1\n", "{ x: { columns: 0..1 } }", {}, "row 2, column 1: '0x1' is no number"),
        (b"1.5\n", "{ x: { columns: 0, dtype: i32 } }", {}, "x holds what is no whole number"),
        (b"3000000000\n", "{ x: { columns: 0, dtype: i32 } }", {}, "x holds what is no whole number"),
        (b"1,2\n", "{ x: { columns: 2 } }", {}, "there is no column 2 for x; there are 0 to 1"),
        (b"1,2\n", "{ x: { columns: -1 } }", {}, "there is no column -1 for x"),
        (b"1,2\n", "{ x: { columns: width } }", {}, "there is no column 'width' for x"),
        (b"a,b\n1,2\n", "{ x: { columns: c } }", {"header": "true"}, "no column 'c' for x; there are a, b"),
        (b"a,a\n1,2\n", "{ x: { columns: a } }", {"header": "true"}, "several columns 'a'"),
        (b"a,b\n1,2,3\n", "{ x: { columns: a } }", {"header": "true"}, "its header names 2 columns"),
        (b"a,b\n", "{ x: { columns: a } }", {"header": "true"}, "it has no rows"),
        (b"", "{ x: { columns: 0 } }", {}, "it has no rows"),
        (b"1,2\n", "{ x: { columns: 0..1, shape: [3] } }", {}, "x: an example of (2,) is not of shape (3,)"),
        (b"1\n\xff\n", "{ x: { columns: 0 } }", {}, "it is not text in UTF-8, at byte 2"),
        (b'1,"2\n3,4\n', "{ x: { columns: 0 } }", {}, "it is no table: unexpected end of data"),
        (b"9" * 200_000 + b"\n", "{ x: { columns: 0 } }", {}, "it is no table: field larger"),
        (b"1\x00,2\n", "{ x: { columns: 0 } }", {}, "row 1, column 0: '1\\x00' is no number"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_table_is_named(
    data: bytes, arrays: str, more: dict[str, str], said: str
) -> None:
    error = refused("csv", data, arrays, **more)
    assert error.code == "SCL-DATA-FORM"
    assert said in error.message


def test_a_file_of_another_hash_is_refused_by_both() -> None:
    text = text_of("csv", "file.dat", b"1\n", "{ x: { columns: 0 } }")
    with pytest.raises(ScellisError) as caught:
        read_dataset(text, {"file.dat": b"2\n"})
    assert caught.value.code == "SCL-DATA-HASH"
    assert address(b"1\n") in caught.value.message
    assert address(b"2\n") in caught.value.message


def test_a_file_that_unpacks_to_too_much_is_left_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (archives, files):
        monkeypatch.setattr(module, "DATASET_LIMIT_BYTES", 1000)
    monkeypatch.setattr(files, "PIECE_BYTES", 64)
    unpacked = []
    unpacker = gzip.GzipFile.read
    monkeypatch.setattr(gzip.GzipFile, "read", lambda *args: unpacked.append(args[1]) or unpacker(*args))
    bomb = gzip.compress(b"1\n" * 1_000_000)
    assert refused("csv", bomb, "{ x: { columns: 0 } }", "file.dat.gz").code == "SCL-DATA-SIZE"
    assert sum(unpacked) < 1200
    assert refused("csv", b"1\n" * 501, "{ x: { columns: 0 } }").code == "SCL-DATA-SIZE"
    assert len(read("csv", gzip.compress(b"1\n" * 500), "{ x: { columns: 0 } }", "file.dat.gz")["x"]) == 500
    arrays = "{ x: { array: a } }"
    assert refused("npz", npz(a=np.zeros(1000, np.uint8)), arrays).code == "SCL-DATA-SIZE"


def test_a_text_that_is_too_long_is_left_undecoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "DATASET_LIMIT_BYTES", 1000)
    assert refused("text", b"a" * 1001, "{ letters: {} }").code == "SCL-DATA-SIZE"
    assert (
        refused("text", gzip.compress(b"a" * 1001), "{ letters: {} }", "file.dat.gz").code == "SCL-DATA-SIZE"
    )
    assert len(read("text", b"a" * 1000, "{ letters: {} }")["letters"]) == 1000


@pytest.mark.parametrize(
    ("format_", "data", "arrays"),
    [
        ("text", b"", "{ letters: {} }"),
        ("text", b"\xef\xbb\xbf", "{ letters: {} }"),
        ("npz", npz(a=np.zeros((0, 3))), "{ x: { array: a } }"),
        ("npz", npz(a=np.zeros(3), b=np.zeros(2)), "{ x: { array: a }, y: { array: b } }"),
    ],
)
def test_data_of_no_example_or_of_several_lengths_are_refused(format_: str, data: bytes, arrays: str) -> None:
    with pytest.raises(ScellisError, match="dataset some are not of one length above 0") as caught:
        made(format_, data, arrays)
    assert caught.value.code == "SCL-DATA-FORM"


@pytest.mark.parametrize(
    "data", [b"", b"1\n", gzip.compress(b"1\n", mtime=0)[:-9], gzip.compress(b"1\n", mtime=0) + b"more"]
)
def test_what_is_no_gzip_file_is_refused(data: bytes) -> None:
    error = refused("csv", data, "{ x: { columns: 0 } }", "file.dat.gz")
    assert error.code == "SCL-DATA-FORM"


# ---- archives of arrays ----


def npy(header: str, body: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    text = header.encode() + b"\n"
    return b"\x93NUMPY" + version + struct.pack("<H", len(text)) + text + body


def test_an_archive_of_arrays_is_read() -> None:
    images = np.arange(24).reshape(2, 3, 4)
    found = read(
        "npz",
        npz(
            images=np.asfortranarray(images),
            words=np.array(["b", "a"]),
            numbers=np.array([[7, 5], [5, 9]], ">i2"),
        ),
        "{ x: { array: images, shape: [1, 3, 4] }, y: { array: words, classes: true },"
        " z: { array: numbers, classes: true }, w: { array: numbers } }",
    )
    assert (found["x"] == images[:, None]).all()
    assert found["y"].tolist() == [1, 0]
    assert found["z"].tolist() == [[1, 0], [0, 2]]
    assert found["w"].tolist() == [[7, 5], [5, 9]]
    assert {name: array.dtype for name, array in found.items()} == {
        "x": np.float32, "y": np.int32, "z": np.int32, "w": np.float32,
    }  # fmt: skip


SHAPE = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }"


class Bomb:
    """What runs code if it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return pytest.fail, ("a pickle was read",)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no archive of arrays"),
        (b"PK\x05\x06", "no archive of arrays"),
        (npz(b=np.zeros(2)), "it has no array 'a'; it has b"),
        (npz(a=np.array([Bomb()], object)), "a holds objects of Python"),
        (npz(a=np.float64(1)), "x is one number"),
        (npz(a=np.array(["a", "b"])), "x holds <U1, which are no numbers"),
        (npz(a=np.array([1, np.nan])), "x holds what is no finite number"),
        (npz(a=np.array([1, 1e39])), "x holds what is no finite number of 32 bits"),
        (npz(a=np.array([1 + 2j])), "x holds complex128"),
        (npz(a=np.zeros(2, [("p", "<f4")])), "x holds"),
        (zipped({"a.npy": npy(SHAPE % "(10**12,)")}), "no archive of arrays"),
        (zipped({"a.npy": npy(SHAPE % "(1000000000000,)")}), "a has 0 bytes, which are no (1000000000000,)"),
        (zipped({"a.npy": npy(SHAPE % "(4294967296, 4294967296)")}), "a has 0 bytes"),
        (zipped({"a.npy": npy(SHAPE % "(3,)", b"\0" * 8)}), "a has 8 bytes, which are no (3,) of float32"),
        (zipped({"a.npy": npy(SHAPE % "(1,)", b"\0" * 8)}), "a has 8 bytes"),
        (zipped({"a.npy": npy(SHAPE % "(-1,)", b"\0" * 4)}), "a has 4 bytes"),
        (zipped({"a.npy": npy(SHAPE % "(-1, -1)", b"\0" * 4)}), "no archive of arrays"),
        (zipped({"a.npy": npy("{")}), "no archive of arrays"),
        (zipped({"a.npy": npy("(" * 900)}), "no archive of arrays"),
        (zipped({"a.npy": npy("__import__('os').abort()")}), "no archive of arrays"),
        (zipped({"a.npy": npy(SHAPE % "(1,)", b"\0" * 4, b"\x07\x00")}), "no archive of arrays"),
        (zipped({"a.npy": b"\x93NUMPY"}), "no archive of arrays"),
        (zipped({"a.npy": b""}), "no archive of arrays"),
        (zipped({"a.npy": npy(SHAPE % "(1,)", b"\0" * 4), "a": b""}), "two arrays of one name"),
        (zipped({"a.npy": npy(SHAPE % "(1,)", b"\0" * 4)}, zipfile.ZIP_LZMA), "a is compressed in a way"),
        (zipped({"a.npy": npy(SHAPE % "(1,)", b"\0" * 4)}, zipfile.ZIP_BZIP2), "a is compressed in a way"),
        (zipped({f"a{n}": b"" for n in range(1001)}), "more than 1073741824 bytes"),
    ],
)
def test_an_archive_from_other_hands_is_refused_by_name(data: bytes, said: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", UserWarning
        )  # NumPy tells of headers that Python 2 might have written
        assert said in refused("npz", data, "{ x: { array: a } }").message


def test_an_archive_that_says_it_is_huge_is_left_unread() -> None:
    data = bytearray(zipped({"a.npy": npy(SHAPE % "(1,)", b"\0" * 4)}))
    at = data.index(b"PK\x01\x02") + 24  # the size in the list of members
    data[at : at + 4] = struct.pack("<I", 2**31)
    assert refused("npz", bytes(data), "{ x: { array: a } }").code == "SCL-DATA-SIZE"


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_archive_is_read_as_it_was_or_refused(data: st.DataObject) -> None:
    whole = npz(a=np.arange(6, dtype=np.float32))
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(damaged[: data.draw(st.integers(0, len(whole)) | st.just(len(whole)))])
    try:
        found = read("npz", cut, "{ x: { array: a } }")["x"]
    except ScellisError:
        return
    assert found.tolist() == [0, 1, 2, 3, 4, 5]


# ---- texts ----


def test_a_text_is_a_row_of_its_characters_by_their_places_in_order() -> None:
    found = read("text", "abba ç\U0001f600a".encode(), "{ letters: {} }")["letters"]
    assert found.tolist() == [1, 2, 2, 1, 0, 3, 4, 1]
    assert found.dtype == np.int32
    assert "not text in UTF-8, at byte 1" in refused("text", b"a\xff", "{ letters: {} }").message


def test_a_text_s_characters_are_kept_with_it_and_decide_its_address() -> None:
    first = made("text", "abba ç\U0001f600a".encode(), "{ letters: {} }")
    assert first.words == {"letters": (" ", "a", "b", "ç", "\U0001f600")}
    spelled = "".join(first.words["letters"][number] for number in first.arrays["letters"])
    assert spelled == "abba ç\U0001f600a"
    again = Dataset.from_bytes(first.name, first.version, first.to_bytes())
    assert again.words == first.words
    other = made("text", "xyyx ç\U0001f600x".encode(), "{ letters: {} }")
    assert (other.arrays["letters"] == first.arrays["letters"]).all()
    assert other.address != first.address


@pytest.mark.parametrize("words", [b"3", b'["a",1]', b"[", b'{"a":"b"}', b'["a", "b"]'])
def test_words_that_are_none_are_refused(words: bytes) -> None:
    arrays = {"x": np.arange(3, dtype=np.int32), "words/x": np.frombuffer(words, np.uint8)}
    with pytest.raises(ScellisError):
        Dataset.from_bytes("odd", 1, safetensors.pack(arrays))


def test_a_text_of_too_many_characters_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "VOCABULARY_LIMIT", 3)
    assert read("text", b"abcabc", "{ letters: {} }")["letters"].tolist() == [0, 1, 2] * 2
    assert "4 different characters; at most 3" in refused("text", b"abcd", "{ letters: {} }").message


# ---- what a dataset's text is refused for ----

DATASET = """\
sml: 1
dataset: some@1
files: { one.csv: 'sha256:0000000000000000000000000000000000000000000000000000000000000000' }
format: csv
arrays:
  x: { columns: 0..3, shape: [2, 2] }
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("some@1", "some", 2, "dataset: a name and a version"),
        ("sha256:0", "sha256:", 3, "files.one.csv: the name of a file and its address"),
        ("one.csv", "../one.csv", 3, "files.../one.csv: the name of a file"),
        ("one.csv", "two/one.csv", 3, "files.two/one.csv: the name of a file"),
        ("csv: '", "csv: 'x", 3, "files.one.csv: the name of a file and its address"),
        ("files: {", f"files: {{ two.csv: 'sha256:{'1' * 64}',", 3, "files.one.csv: no array is read"),
        ("files: {", "files: {} #", 3, "files: a dataset is made of 1 to 100"),
        ("format: csv", "format: cvs", 4, "format: 'cvs' is not known. Did you mean 'csv'"),
        ("format: csv", "delimiter: '|'\nformat: csv", 4, "delimiter: '|' is not known"),
        ("format: csv", "formats: csv", 4, "formats: there is no such field. Did you mean 'format'"),
        ("columns: 0..3", "columns: 3..0", 6, "arrays.x.columns: names or numbers"),
        ("columns: 0..3", "columns: []", 6, "arrays.x.columns: an array is made of one column"),
        ("columns: 0..3", "columns: [1.5]", 6, "arrays.x.columns: names or numbers"),
        ("columns: 0..3", "columns: [true]", 6, "arrays.x.columns: names or numbers"),
        ("columns: 0..3", "columns: 0..999999", 6, "arrays.x.columns: at most"),
        ("columns: 0..3", f"columns: [{', '.join(4000 * ['0..99999'])}]", 6, "arrays.x.columns: at most"),
        ("columns: 0..3, ", "", 6, "arrays.x: the field 'columns' is missing"),
        ("columns: 0..3", "array: x", 6, "arrays.x.array: there is no such field"),
        ("shape: [2, 2]", "shape: [0]", 6, "arrays.x.shape: a list of lengths"),
        ("shape: [2, 2]", "shape: 4", 6, "arrays.x.shape: a list of lengths"),
        ("shape: [2, 2]", "file: two.csv", 6, "arrays.x.file: 'two.csv' is not known. Did you mean"),
        ("shape: [2, 2]", "dtype: f16", 6, "arrays.x.dtype: 'f16' is not known"),
        ("  x: {", "  1x: {", 6, "arrays.1x: an array's name"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_dataset_s_text_is_named(old: str, new: str, line: int, said: str) -> None:
    assert old in DATASET
    with pytest.raises(ScellisError) as caught:
        parse_dataset(DATASET.replace(old, new))
    assert caught.value.message.startswith(f"Line {line}: {said}")


@pytest.mark.parametrize(
    "field", ["columns: 0", "array: x", "shape: [2]", "dtype: f32", "scale: 2", "classes: true"]
)
def test_a_text_has_nothing_that_tables_have(field: str) -> None:
    text = DATASET.replace("format: csv", "format: text").replace(
        "{ columns: 0..3, shape: [2, 2] }", f"{{ {field} }}"
    )
    with pytest.raises(
        ScellisError, match=rf"Line 6: arrays.x.{field.partition(':')[0]}: there is no such field"
    ):
        parse_dataset(text)


def test_the_examples_datasets_are_texts_of_datasets() -> None:
    folder = Path(__file__).parents[2] / "examples/data"
    found = {text.id for text in map(parse_dataset, [path.read_text() for path in folder.glob("*.sml")])}
    assert {"digits@1", "iris@1"} <= found


@pytest.mark.parametrize("format_", ["csv", "npz", "images", "text"])
def test_a_parquet_file_is_refused_with_the_way_to_convert_it(format_: str) -> None:
    arrays = {"csv": "columns: 0", "npz": "array: a", "images": "of: pixels", "text": ""}
    error = refused(format_, b"PAR1\x15\x04PAR1", f"{{ x: {{ {arrays[format_]} }} }}")
    assert error.code == "SCL-DATA-PARQUET"
    assert "pyarrow.parquet" in error.remedy
    with pytest.raises(ScellisError, match="format: Parquet is not read") as caught:
        parse_dataset(DATASET.replace("csv\n", "parquet\n"))
    assert caught.value.remedy == error.remedy


def test_columns_of_two_files_meet() -> None:
    one, two = b"1\n2\n", b"3\n4\n"
    text = parse_dataset(
        f"sml: 1\ndataset: some@1\nfiles: {{ a.csv: '{address(one)}', b.csv: '{address(two)}' }}\n"
        "format: csv\narrays: { x: { columns: 0 }, y: { columns: 0, file: b.csv } }\n"
    )
    arrays = read_dataset(text, {"a.csv": one, "b.csv": two}).arrays
    assert list(itertools.chain(arrays["x"], arrays["y"])) == [1, 2, 3, 4]
