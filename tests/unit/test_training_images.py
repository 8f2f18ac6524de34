"""Images in folders as a dataset: read by class, decoded ahead of the step, refused by name."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import Mapping

import numpy as np
import pytest

from scellis.catalog.library import built_in
from scellis.content import address
from scellis.device.oracle import OracleDevice
from scellis.device.protocol import Compiled
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.sml.dataset import parse_dataset
from scellis.sml.training import parse_training
from scellis.train import background, files, pictures
from scellis.train.background import exhaust, finish
from scellis.train.data import Dataset
from scellis.train.folders import pack_folder
from scellis.train.loop import Progress, fit
from scellis.train.pictures import Pictures
from scellis.train.reading import read_dataset, reading
from scellis.train.trainer import Trainer, open_trainer
from support.image_files import GREY, RGB, png, zipped

RANDOM = np.random.default_rng(5)
PIXELS = {
    f"{kind}/{n:02}.png": RANDOM.integers(0, 256, (6, 5, 1)) for kind in ("cat", "dog") for n in range(8)
}
IMAGES = {path: png(samples) for path, samples in PIXELS.items()}
ARRAYS = "{ images: { of: pixels, scale: 0.00392156862745098 }, kind: { of: folders } }"


def text_of(data: bytes, arrays: str = ARRAYS) -> str:
    files = f"files: {{ pets.zip: '{address(data)}' }}"
    return f"sml: 1\ndataset: pets@1\n{files}\nformat: images\narrays: {arrays}\n"


def made(data: bytes, arrays: str = ARRAYS) -> Dataset:
    return read_dataset(parse_dataset(text_of(data, arrays)), {"pets.zip": data})


def images(dataset: Dataset) -> Array:
    found = dataset.arrays["images"]
    return found[np.arange(found.shape[0])]


def refused(members: Mapping[str, bytes] | bytes, arrays: str = ARRAYS) -> ScellisError:
    with pytest.raises(ScellisError) as caught:
        images(made(members if isinstance(members, bytes) else zipped(members), arrays))
    assert "pets.zip" in caught.value.message
    return caught.value


def test_images_are_read_by_the_folders_that_they_lie_in() -> None:
    found = made(zipped(IMAGES))
    assert found.arrays["images"].shape == (16, 1, 6, 5)
    wanted = np.stack([PIXELS[path].transpose(2, 0, 1) for path in sorted(PIXELS)]) * 0.00392156862745098
    assert (images(found) == wanted.astype(np.float32)).all()
    assert found.arrays["kind"][np.arange(16)].tolist() == 8 * [0] + 8 * [1]
    assert found.words == {"kind": ("cat", "dog")}
    again = Dataset.from_bytes("pets", 1, found.to_bytes())
    assert (images(again) == images(found)).all()


def test_the_way_in_which_they_were_packed_changes_no_number_and_what_systems_leave_is_no_image() -> None:
    inside = {f"all/pets/{path}": data for path, data in reversed(IMAGES.items())}
    left = {
        "__MACOSX/all/._x.png": b"?",
        "all/pets/.DS_Store": b"?",
        "all/pets/cat/Thumbs.db": b"?",
        "all/": b"",
    }
    one, other = made(zipped(IMAGES, zipfile.ZIP_STORED)), made(zipped(left | inside))
    assert (images(one) == images(other)).all()
    assert one.words == other.words
    assert one.address != other.address


def test_a_folder_s_file_hangs_on_its_paths_and_contents_alone() -> None:
    packed = pack_folder(IMAGES)
    assert packed == pack_folder(dict(reversed(IMAGES.items())) | {".DS_Store": b"?"})
    assert packed != pack_folder({**IMAGES, "cat/00.png": IMAGES["cat/01.png"]})
    assert (images(made(packed)) == images(made(zipped(IMAGES)))).all()


def test_whole_numbers_of_pixels_are_read_as_such() -> None:
    found = made(zipped(IMAGES), "{ images: { of: pixels, dtype: i32, offset: 1 } }")
    assert images(found).dtype == np.int32
    assert images(found)[0].tolist() == (PIXELS["cat/00.png"].transpose(2, 0, 1) - 1).tolist()


WIDE = png(RANDOM.integers(0, 256, (6, 6, 1)), GREY)
COLOURED = png(RANDOM.integers(0, 256, (6, 5, 3)), RGB)
ANY = IMAGES["cat/00.png"]


@pytest.mark.parametrize(
    ("members", "said"),
    [
        (b"", "it is no ZIP of images"),
        (b"PK\x05\x06", "it is no ZIP of images"),
        ({}, "it has 0 images"),
        ({".hidden/a.png": ANY}, "it has 0 images"),
        ({**IMAGES, "cat/wide.png": WIDE}, "cat/wide.png has 6 × 6 pixels of 1"),
        ({**IMAGES, "dog/x.png": COLOURED}, "dog/x.png has 5 × 6 pixels of 3"),
        ({**IMAGES, "dog/x.png": png(PIXELS["cat/00.png"], depth=16)}, "dog/x.png has 5 × 6"),
        ({**IMAGES, "dog/x.png": b""}, "dog/x.png: it is neither a PNG"),
        ({**IMAGES, "dog/x.png": ANY[:30]}, "dog/x.png: it is no PNG"),
        ({**IMAGES, "dog/x.jpeg": b""}, "dog/x.jpeg is compressed with loss"),
        ({**IMAGES, "dog/notes.txt": b""}, "dog/notes.txt is no image that is read"),
        ({**IMAGES, "x.png": ANY}, "x.png lies in no folder that says its class"),
        ({"x.png": ANY, "y.png": ANY}, "x.png lies in no folder"),
        ({"cat/x.png": ANY, "cat/y.png": ANY}, "cat/x.png lies in no folder"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_folder_of_images_is_named(members: dict[str, bytes] | bytes, said: str) -> None:
    error = refused(members)
    assert error.code == "SCL-DATA-FORM"
    assert said in error.message


def test_pixels_that_are_damaged_are_named_when_they_are_wanted() -> None:
    whole = png(PIXELS["cat/00.png"])
    shallow = png(PIXELS["cat/00.png"][:5], said=(5, 6))
    data = zipped({**IMAGES, "dog/x.png": shallow})
    found = made(data)  # all heads are whole
    assert "dog/x.png: it has 5 rows of 6" in refused(data).message
    first = found.arrays["images"][np.array([0])]
    assert (first == made(zipped({"a/x.png": whole, "b/y.png": whole})).arrays["images"][np.array([0])]).all()


def test_numbers_that_no_pixel_may_become_are_refused_before_one_is_read() -> None:
    assert "no finite number" in refused(IMAGES, "{ images: { of: pixels, scale: 1.0e+38 } }").message
    assert "no whole number" in refused(IMAGES, "{ images: { of: pixels, dtype: i32, scale: 0.5 } }").message


@pytest.mark.parametrize("field", ["scale: 2", "columns: 0", "shape: [1]"])
def test_classes_of_folders_have_no_numbers_to_change(field: str) -> None:
    with pytest.raises(ScellisError, match="there is no such field"):
        parse_dataset(text_of(b"", f"{{ kind: {{ of: folders, {field} }} }}"))


def test_sizes_are_bounded_before_anything_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "IMAGE_LIMIT_BYTES", 100)
    assert "cat/00.png has" in refused({"cat/00.png": bytes(101)}).message
    monkeypatch.setattr(pictures, "FILES_LIMIT", 15)
    assert "it has 16 images" in refused(IMAGES).message
    monkeypatch.setattr(pictures, "DATASET_LIMIT_BYTES", 100)
    assert refused(IMAGES).code == "SCL-DATA-SIZE"


def test_decoded_pixels_are_kept_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded = []
    real = pictures.decode_image
    monkeypatch.setattr(pictures, "decode_image", lambda data: decoded.append(1) or real(data))
    found = made(zipped(IMAGES))
    assert (images(found) == images(found)).all()
    assert len(decoded) == 16
    monkeypatch.setattr(pictures, "KEPT_BYTES", 30 * 4)
    small = made(zipped(IMAGES))
    assert (images(small) == images(found)).all()
    assert (images(small) == images(found)).all()
    assert len(decoded) == 16 + 32


# ---- beside the steps ----

RECORD = """\
sml: 1
model: user/ada/pets@1
data: { dataset: pets@1, input: images, target: kind, validation: 0.25 }
layers:
  flat: { block_id: model/layer/flatten }
  out: { block_id: model/layer/linear, out_features: 2 }
optimizer: { block_id: training/optimizer/sgd, lr: 0.1 }
scheduler: { block_id: training/scheduler/constant }
loss: { block_id: training/loss/cross_entropy }
epochs: 2
batch_size: 2
accumulate: 2
determinism_tier: debug
seed: 7
"""


class Watcher:
    """Follows a training to its end."""

    def __init__(self) -> None:
        self.losses: list[float | None] = []
        self.measures: list[dict[str, float]] = []

    def reported(self, report: object) -> None:
        self.losses.append(report.loss)  # type: ignore[attr-defined]

    def measured(self, epoch: int, measures: dict[str, float], *, best: bool) -> None:
        self.measures.append(measures)

    async def keep(self, trainer: Trainer, progress: Progress) -> None: ...

    def stops(self) -> bool:
        return False


async def trained(dataset: Dataset) -> Watcher:
    trainer = await open_trainer(parse_training(RECORD, built_in()), dataset, OracleDevice())
    watcher = Watcher()
    await fit(trainer, Progress(), watcher)
    trainer.close()
    return watcher


@pytest.mark.parametrize("threads", [True, False])
async def test_a_training_on_images_has_the_bits_of_one_on_arrays(
    threads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "THREADS", threads)
    lazy = made(zipped(IMAGES))
    eager = Dataset.from_bytes("pets", 1, lazy.to_bytes())
    assert isinstance(lazy.arrays["images"], Pictures)
    assert isinstance(eager.arrays["images"], np.ndarray)
    one, other = await trained(lazy), await trained(eager)
    assert len(one.losses) == 6
    assert (one.losses, one.measures) == (other.losses, other.measures)


class Held:
    """A device's program that ends when a test says so."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self.began = asyncio.Event()
        self.goes_on = asyncio.Event()

    async def compute(self, inputs: list[Array | None]) -> list[Array | None]:
        self.began.set()
        await self.goes_on.wait()
        return await self._compiled.compute(inputs)

    def close(self) -> None:
        self._compiled.close()


@pytest.mark.parametrize("threads", [True, False])
async def test_the_next_batch_is_decoded_while_the_device_computes(
    threads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "THREADS", threads)
    loop, ahead = asyncio.get_running_loop(), asyncio.Event()
    decoded: list[int] = []
    real = pictures.decode_image

    def watched(data: bytes) -> Array:
        decoded.append(1)
        if len(decoded) == 4:  # two of the batch that computes, two of the next
            loop.call_soon_threadsafe(ahead.set)
        return real(data)

    monkeypatch.setattr(pictures, "decode_image", watched)
    trainer = await open_trainer(parse_training(RECORD, built_in()), made(zipped(IMAGES)), OracleDevice())
    held = Held(trainer._stepper)
    trainer._stepper = held  # type: ignore[assignment]
    step = asyncio.ensure_future(trainer.step(0, 0.1))
    await held.began.wait()
    await asyncio.wait_for(ahead.wait(), 60)  # would not come before the step ends, if it did not overlap
    assert not step.done()
    held.goes_on.set()
    await step
    trainer.close()


async def test_reading_gives_way_between_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "THREADS", False)
    monkeypatch.setattr(files, "PIECE_BYTES", 64)
    data = zipped(IMAGES)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.ensure_future(others())
    await finish(reading(parse_dataset(text_of(data)), {"pets.zip": data}))
    beside.cancel()
    assert turns >= len(IMAGES)


async def test_a_batch_that_cannot_be_made_ends_the_step_that_wants_it_and_no_other() -> None:
    bad = png(PIXELS["cat/00.png"][:5], said=(5, 6))
    members = {path: bad if path == "dog/07.png" else data for path, data in IMAGES.items()}
    trainer = await open_trainer(parse_training(RECORD, built_in()), made(zipped(members)), OracleDevice())
    watcher = Watcher()
    with pytest.raises(ScellisError, match=r"dog/07.png: it has 5 rows of 6"):
        await fit(trainer, Progress(), watcher)
    trainer.close()
    for step in range(len(watcher.losses)):  # what was trained on was whole
        for part in range(2):
            exhaust(trainer.loader.batch(step, part))
