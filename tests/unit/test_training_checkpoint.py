"""Checkpoints: what a full disk, a kill, damage and strangers do to them."""

from __future__ import annotations

import asyncio
import io
import json
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scellis.codecs import safetensors
from scellis.content import FolderStore, MemoryStore, address, canonical_json
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.sml.training import TrainingRecord
from scellis.train import bundle, checkpoint
from scellis.train.data import Dataset
from scellis.train.manifest import addresses_of, ref_of
from scellis.train.run import claim_training
from scellis.train.trainer import Trainer, open_trainer
from support.training_texts import NarrowDevice, Told, dots, pause_after, same_bits, trained, training

SMALL = {
    "layers": "{ logits: { block_id: model/layer/linear, out_features: 2 } }",
    "checkpoint": "{ every_steps: 2, keep: 2 }",
    "epochs": "3",
}
"""Nine steps, with a checkpoint every two and after each best epoch."""


def small(**changes: str) -> TrainingRecord:
    return training({**SMALL, **changes})


async def opened(record: TrainingRecord | None = None, dataset: Dataset | None = None) -> Trainer:
    return await open_trainer(record or small(), dataset or dots(), NarrowDevice())


async def finished(store: Any) -> tuple[dict[str, Array], Told]:
    return await trained(small(), dots(), store, device=NarrowDevice())


class FullStore(MemoryStore):
    """A store that fails at the write of a number, and every one after it."""

    def __init__(self, writes: int) -> None:
        super().__init__()
        self.left = writes

    def _write(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise ScellisError("SCL-STORE-FULL", "The store is full.")

    async def put(self, data: bytes) -> str:
        self._write()
        return await super().put(data)

    async def set_ref(self, name: str, data: bytes) -> None:
        self._write()
        await super().set_ref(name, data)

    async def delete(self, name: str) -> None:
        self._write()
        await super().delete(name)

    async def delete_ref(self, name: str) -> None:
        self._write()
        await super().delete_ref(name)


async def test_a_full_store_pauses_a_training_that_goes_on_once_there_is_room() -> None:
    state, told = await finished(MemoryStore())
    pauses = []
    for allowed in range(0, 80, 3):
        store, again = FullStore(allowed), Told()
        trainer = await opened()
        run = again.run(trainer, store)
        with pytest.raises(ScellisError, match="The store is full") as caught:
            await run.go()
        assert run.unkept is caught.value
        at = run.progress.step
        pauses.append(at)
        assert at > (again.checkpoints or [0])[-1] or run.progress.step == again.checkpoints[-1]
        with pytest.raises(ScellisError, match="The store is full"):  # the next press finds it full, too
            await run.go()
        assert run.progress.step == at, "no step is done that cannot be kept"
        store.left = 10**6
        await run.go()
        assert run.progress.ended == "done"
        assert run.unkept is None
        assert [report.step for report in again.reports] == [report.step for report in told.reports]
        assert same_bits(await trainer.state(), state)
        await run.resume()
        assert same_bits(await trainer.state(), state)
        named = set()
        for ref in await store.refs("checkpoint-"):
            named |= await addresses_of(store, ref)
        assert blobs_of(store) == named
    assert len(set(pauses)) > 4


async def test_after_an_error_a_run_stands_at_its_last_checkpoint() -> None:
    state, _ = await finished(MemoryStore())
    store = MemoryStore()
    found = set()
    for fails_at in range(12):
        device = NarrowDevice(fails_at=fails_at)
        trainer = await open_trainer(small(), dots(), device)
        run = Told().run(trainer, store)
        await run.resume()
        with pytest.raises(ScellisError, match="The device went away"):
            await run.go()
        kept = max(await checkpoint.steps_kept(store, trainer), default=0)
        found.add(kept)
        assert run.progress.step == kept
        assert len(run.history.curves["loss"].points) <= kept
        device.comes_back()
        await run.go()
        assert run.progress.ended == "done"
        assert same_bits(await trainer.state(), state)
        await checkpoint.forget(store, trainer)
    assert found >= {0, 2, 4, 6}


class KilledStore(FullStore):
    """A store whose process is killed at the write of a number: nobody catches that."""

    def _write(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise KilledError


class KilledError(BaseException):
    pass


async def test_what_a_kill_leaves_unnamed_is_collected_at_the_next_start() -> None:
    other = canonical_json({"kept": "by somebody else"})
    left_behind = 0
    for allowed in range(1, 70):
        store = KilledStore(allowed)
        await store.put(other)
        with pytest.raises(KilledError):
            await Told().run(await opened(), store).go()
        store.left = 10**6
        store._held.clear()  # as the system lets go of what a dead process held
        before = blobs_of(store)
        await checkpoint.collect(store)
        named = {address(other)}
        for ref in await store.refs("checkpoint-"):
            named |= await addresses_of(store, ref)
        assert blobs_of(store) == named
        assert not await store.refs("loose-")
        left_behind += before != named
    assert left_behind > 10


async def test_nothing_is_collected_while_another_process_writes() -> None:
    store = MemoryStore()
    trainer = await opened()
    blob = await store.put(b"about to be named")
    await store.set_ref(
        "loose-" + ref_of(trainer, 0).removeprefix("checkpoint-")[:32], canonical_json([blob])
    )
    with await store.turn(checkpoint.WRITING):
        await checkpoint.collect(store)
    assert await store.get(blob) is not None
    await checkpoint.collect(store)
    assert await store.get(blob) is None


async def test_a_damaged_log_collects_nothing_and_goes() -> None:
    store = MemoryStore()
    await store.put(b"anything")
    for number, log in enumerate((b"\xff", b"{}", b"[1]", b'["../../etc/passwd"]', b"[[]]", b"3")):
        await store.set_ref(f"loose-{number}", log)
    await checkpoint.collect(store)
    assert await store.refs() == []
    assert await store.get(address(b"anything")) == b"anything"


async def test_one_process_trains_a_record_in_a_store(tmp_path: Path) -> None:
    with await claim_training(FolderStore(tmp_path), small()):
        with pytest.raises(ScellisError, match="another tab or process") as caught:
            await claim_training(FolderStore(tmp_path), small())
        assert caught.value.code == "SCL-TRAIN-ELSEWHERE"
        (await claim_training(FolderStore(tmp_path), small(seed="43"))).release()


async def test_a_store_that_fails_at_any_write_leaves_the_checkpoint_before() -> None:
    state, told = await finished(MemoryStore())
    counting = FullStore(10**6)
    await finished(counting)
    writes = 10**6 - counting.left
    assert writes > 60
    loaded = set()
    for allowed in range(writes):
        store, again = FullStore(allowed), Told()
        with pytest.raises(ScellisError, match="The store is full"):
            await again.run(await opened(), store).go()
        store.left = 10**6
        trainer = await opened()
        steps = await checkpoint.steps_kept(store, trainer)
        assert set(again.checkpoints) - set(told.checkpoints) == set()
        assert steps[-1:] >= again.checkpoints[-1:]
        for step in steps:
            assert (await checkpoint.load(store, trainer, step))[0].step == step
        loaded |= set(steps)
        if allowed % 7 == 0:
            found, _ = await finished(store)
            assert same_bits(found, state)
    assert loaded == set(told.checkpoints)


# ---- what is kept ----


def blobs_of(store: MemoryStore) -> set[str]:
    return set(store._blobs)


async def test_the_last_ones_and_the_best_are_kept_and_nothing_that_no_one_names() -> None:
    store = MemoryStore()
    other = canonical_json({"kept": "by somebody else"})
    await store.put(other)
    await store.set_ref("run-1", address(other).encode())
    _, told = await trained(small(epochs="8", optimizer="{ block_id: training/optimizer/adamw, lr: 2 }"),
                            dots(), store, device=NarrowDevice())  # fmt: skip
    trainer = await opened(small(epochs="8", optimizer="{ block_id: training/optimizer/adamw, lr: 2 }"))
    steps = await checkpoint.steps_kept(store, trainer)
    losses = [measures["loss"] for _, measures in told.measures]
    best = (losses.index(min(losses)) + 1) * trainer.loader.steps_per_epoch
    assert steps == sorted({best, *sorted(set(told.checkpoints))[-2:]})
    assert best < sorted(set(told.checkpoints))[-2], "the best is to be an old one here"
    named = {address(other)}
    for step in steps:
        named |= await addresses_of(store, ref_of(trainer, step))
    assert blobs_of(store) == named
    await checkpoint.forget(store, trainer)
    assert blobs_of(store) == {address(other)}
    assert await store.refs() == ["run-1"]


async def test_checkpoints_of_two_trainings_do_not_take_each_other_s_arrays() -> None:
    store = MemoryStore()
    first, second = (
        small(seed="1", loss="{ block_id: training/loss/cross_entropy }"),
        small(seed="1", epochs="4"),
    )
    for record in (first, second):
        await trained(record, dots(), store, device=NarrowDevice())
    await checkpoint.forget(store, await opened(first))
    trainer = await opened(second)
    for step in await checkpoint.steps_kept(store, trainer):
        await checkpoint.load(store, trainer, step)


async def test_equal_arrays_are_kept_once() -> None:
    store = MemoryStore()
    trainer = await opened()
    run = Told().run(trainer, store)
    pause_after(run, {1})
    await run.go()
    kept = await checkpoint.save(store, trainer, run.progress, run.history)
    before = blobs_of(store)
    frozen = small(
        layers="{ one: { block_id: model/layer/linear, out_features: 2, frozen: true },"
        " logits: { block_id: model/layer/linear, out_features: 2 } }"
    )
    assert before == {*kept.blobs, *(await addresses_of(store, ref_of(trainer, 1)))}
    assert len(before) == len(set(kept.arrays.values())) + 2
    assert await checkpoint.save(store, trainer, run.progress, run.history) == kept
    assert blobs_of(store) == before
    other = await opened(frozen)
    told = Told().run(other, store)
    pause_after(told, {1, 2})
    for _ in range(2):
        await told.go()
    first, second = [
        json.loads((await store.get(checkpoint_name)) or b"")["arrays"]
        for checkpoint_name in [
            ((await store.get_ref(ref_of(other, step))) or b"").decode() for step in (1, 2)
        ]
    ]
    same = {path for path in first if first[path] == second[path]}
    assert {"parameter/one/weight", "parameter/one/bias"} <= same
    assert "parameter/logits/weight" not in same


async def test_a_manifest_says_where_all_stands() -> None:
    store = MemoryStore()
    trainer = await opened(small(accumulate="2", batch_size="2"))
    run = Told().run(trainer, store)
    pause_after(run, {3})
    await run.go()
    name = (await store.get_ref(ref_of(trainer, 3))) or b""
    manifest = json.loads((await store.get(name.decode())) or b"")
    assert manifest["record"] == trainer.record.address
    assert manifest["dataset"] == dots().address
    assert manifest["rng"] == {
        "generator": "philox4x32-10", "key": [42, 0], "streams": {"dropout": 6, "augment": 6},
    }  # fmt: skip
    assert manifest["progress"]["step"] == 3
    assert [report["step"] for report in manifest["progress"]["pending"]] == [1, 2]
    assert set(manifest["arrays"]) == set(await trainer.state())


# ---- damage ----


def blob_path(root: Path, name: str) -> Path:
    digest = name.removeprefix("sha256:")
    return root / "blobs" / digest[:2] / digest


async def damaged_last(root: Path, damage: Callable[[Path, str, dict[str, Any]], None]) -> tuple[int, int]:
    """The last checkpoint, which is damaged, and the one before it."""
    store = FolderStore(root)
    trainer = await opened()
    run = Told().run(trainer, store)
    pause_after(run, {7})
    await run.go()
    before, last = (await checkpoint.steps_kept(store, trainer))[-2:]
    name = ((await store.get_ref(ref_of(trainer, last))) or b"").decode()
    other = ((await store.get_ref(ref_of(trainer, before))) or b"").decode()
    manifest, earlier = (json.loads(blob_path(root, each).read_bytes()) for each in (name, other))
    manifest["own"] = sorted(set(manifest["arrays"].values()) - set(earlier["arrays"].values()))
    damage(root, name, {**manifest, "ref": root / "refs" / ref_of(trainer, last)})
    return before, last


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


DAMAGE: dict[str, tuple[Callable[[Path, str, dict[str, Any]], object], str]] = {
    "an array is cut": (lambda root, name, m: _cut(blob_path(root, m["own"][0])), "no longer matches"),
    "an array is gone": (lambda root, name, m: blob_path(root, m["own"][0]).unlink(), "lacks the array"),
    "the history is cut": (lambda root, name, m: _cut(blob_path(root, m["history"])), "no longer matches"),
    "the history is gone": (lambda root, name, m: blob_path(root, m["history"]).unlink(), "history is"),
    "the manifest is cut": (lambda root, name, m: _cut(blob_path(root, name)), "no longer matches"),
    "the manifest is gone": (lambda root, name, m: blob_path(root, name).unlink(), "no checkpoint of"),
    "the reference is empty": (lambda root, name, m: m["ref"].write_bytes(b""), "names no manifest"),
    "the reference is noise": (lambda root, name, m: m["ref"].write_bytes(b"\xff\0"), "names no manifest"),
    "the reference is of an array": (
        lambda root, name, m: m["ref"].write_text(m["own"][0]), "a field of its manifest is damaged",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGE)
async def test_a_damaged_checkpoint_is_named_and_the_one_before_goes_on(name: str, tmp_path: Path) -> None:
    state, _ = await finished(MemoryStore())
    damage, said = DAMAGE[name]
    before, last = await damaged_last(tmp_path, damage)  # type: ignore[arg-type]
    store, trainer = FolderStore(tmp_path), await opened()
    with pytest.raises(ScellisError, match=said) as caught:
        await checkpoint.load(store, trainer, last)
    run = Told().run(trainer, store)
    assert await run.resume() == before
    assert run.fault is not None
    assert run.fault.code == caught.value.code
    progress = await run.go()
    assert progress.ended == "done"
    assert same_bits(await trainer.state(), state)
    again = Told().run(await opened(), store)
    assert await again.resume() == 9
    assert again.fault is None


async def test_where_no_checkpoint_can_be_read_the_fault_is_raised(tmp_path: Path) -> None:
    await finished(FolderStore(tmp_path))
    for path in (tmp_path / "blobs").rglob("*"):
        if path.is_file():
            _cut(path)
    with pytest.raises(ScellisError, match="no longer matches its address"):
        await Told().run(await opened(), FolderStore(tmp_path)).resume()


async def test_a_pause_after_going_back_is_kept() -> None:
    """A checkpoint of a later step, which could not be read, does not push out what is newly kept."""
    store, record = MemoryStore(), small(checkpoint="{ every_steps: 1, keep: 2 }")
    run = Told().run(await opened(record), store)
    pause_after(run, {8})
    await run.go()
    trainer = await opened(record)
    await store.set_ref(ref_of(trainer, 8), b"")
    run = Told().run(trainer, store)
    assert await run.resume() == 7
    record_steps = await checkpoint.steps_kept(store, trainer)
    assert record_steps[-2:] == [7, 8]
    await store.set_ref(ref_of(trainer, 9), b"")
    pause_after(run, {8})
    await run.go()
    assert (await checkpoint.steps_kept(store, trainer))[-1] == 8
    assert await Told().run(await opened(record), store).resume() == 8


async def test_files_of_others_among_the_references_are_left_alone(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    trainer = await opened()
    prefix = ref_of(trainer, 0)[:-1]
    for name in (f"{prefix}5.bak", f"{prefix}-5", f"{prefix}x", f"{prefix}05", "checkpoint-odd"):
        await store.set_ref(name, b"{}")
    assert await checkpoint.steps_kept(store, trainer) == []
    await finished(store)
    assert len(await store.refs()) == 5 + len(await checkpoint.steps_kept(store, trainer))


class LostStore(MemoryStore):
    """A store that cannot read the blob of one name now."""

    lost = ""

    async def get(self, name: str) -> bytes | None:
        if name == self.lost:
            raise ScellisError("SCL-STORE-LOST", "The browser does not read it.")
        return await super().get(name)


async def test_what_cannot_be_read_now_keeps_its_arrays() -> None:
    store, record = LostStore(), small()
    run = Told().run(await opened(record), store)
    pause_after(run, {4})
    await run.go()
    trainer = await opened(record)
    kept = await checkpoint.steps_kept(store, trainer)
    store.lost = ((await store.get_ref(ref_of(trainer, kept[-1]))) or b"").decode()
    before = blobs_of(store)
    with pytest.raises(ScellisError, match="does not read it"):
        await checkpoint._forget(store, [ref_of(trainer, kept[0])])
    assert blobs_of(store) == before


# ---- other trainings ----


async def exported() -> bytes:
    store = MemoryStore()
    await finished(store)
    return await bundle.export(store, await opened(), 9)


@pytest.mark.parametrize(
    "change",
    [{"seed": "43"}, {"epochs": "4"}, {"optimizer": "{ block_id: training/optimizer/adam, lr: 0.02 }"}],
)
async def test_a_checkpoint_of_another_record_is_refused(change: dict[str, str]) -> None:
    trainer = await opened(small(**change))
    with pytest.raises(ScellisError) as caught:
        await bundle.bring(MemoryStore(), trainer, await exported())
    assert caught.value.code == "SCL-CHECKPOINT-FOREIGN"
    assert small().address in caught.value.message
    assert trainer.record.address in caught.value.message


async def test_a_checkpoint_on_other_data_of_one_name_is_refused() -> None:
    store = MemoryStore()
    run = Told().run(await opened(), store)
    pause_after(run, {4})
    await run.go()
    data = dots()
    points = data.arrays["points"].copy()
    points[3, 1] += 1
    other = await opened(dataset=Dataset("dots", 1, {**data.arrays, "points": points}))
    for attempt in (Told().run(other, store).resume(), bundle.bring(store, other, await exported())):
        with pytest.raises(ScellisError) as caught:
            await attempt
        assert caught.value.code == "SCL-CHECKPOINT-FOREIGN"
        assert data.address in caught.value.message


# ---- files ----


async def test_a_checkpoint_travels_as_one_file() -> None:
    store, data = MemoryStore(), await exported()
    trainer = await opened()
    assert await bundle.bring(store, trainer, data) == 9
    assert await bundle.export(store, trainer, 9) == data
    run = Told().run(trainer, store)
    assert await run.resume() == 9
    assert run.progress.ended == "done"
    state, _ = await finished(MemoryStore())
    assert same_bits(await trainer.state(), state)
    with pytest.raises(ScellisError, match="no checkpoint of step 8"):
        await bundle.export(store, trainer, 8)


def members_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(
    members: dict[str, bytes] | list[tuple[str, bytes]], compression: int = zipfile.ZIP_STORED
) -> bytes:
    out = io.BytesIO()
    rows = list(members.items()) if isinstance(members, dict) else members
    with zipfile.ZipFile(out, "w", compression) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of a name that stands twice
        for name, data in rows:
            archive.writestr(name, data)
    return out.getvalue()


def _first(members: dict[str, bytes]) -> str:
    return min(name for name in members if name != "manifest.json")


def _renamed(members: dict[str, bytes], name: str) -> dict[str, bytes]:
    first = _first(members)
    return {name if key == first else key: data for key, data in members.items()}


def _without(members: dict[str, bytes], name: str) -> dict[str, bytes]:
    return {key: data for key, data in members.items() if key != name}


def _manifest(members: dict[str, bytes], **changes: Any) -> dict[str, bytes]:
    manifest = json.loads(members["manifest.json"])
    for path, value in changes.items():
        target = manifest
        *parents, last = path.split("__")
        for parent in parents:
            target = target[parent]
        target[last] = value
    return {**members, "manifest.json": canonical_json(manifest)}


ARRAY = safetensors.pack({"array": np.zeros(3, "<f4")})
HOSTILE: dict[str, tuple[Callable[[dict[str, bytes]], bytes], str]] = {
    "nothing": (lambda m: b"", "no checkpoint"),
    "noise": (lambda m: b"PK" + bytes(range(256)), "no checkpoint"),
    "an empty archive": (lambda m: packed({}), "a field of its manifest is damaged or missing"),
    "deflated": (lambda m: packed(m, zipfile.ZIP_DEFLATED), "it is compressed"),
    "by LZMA": (lambda m: packed(m, zipfile.ZIP_LZMA), "it is compressed"),
    "no manifest": (lambda m: packed(_without(m, "manifest.json")), "a field of its manifest"),
    "an array too few": (lambda m: packed(_without(m, _first(m))), "other parts than its"),
    "an array too many": (
        lambda m: packed({**m, address(ARRAY).replace(":", "-"): ARRAY}), "other parts than its",
    ),
    "an array twice": (lambda m: packed({**m, "again": m[_first(m)]}), "other parts than its"),
    "one name twice": (lambda m: packed([*m.items(), (_first(m), b"")]), "names a part twice"),
    "another array": (lambda m: packed({**m, _first(m): ARRAY}), "other parts than its"),
    "a name out of it": (lambda m: packed(_renamed(m, "../../etc/passwd")), "other parts than its"),
    "an absolute name": (lambda m: packed(_renamed(m, "/etc/passwd")), "other parts than its"),
    "a folder": (lambda m: packed({**m, "folder/": b""}), "other parts than its"),
    "a manifest in another form": (
        lambda m: packed({**m, "manifest.json": m["manifest.json"] + b" "}), "not in its canonical form",
    ),
    "a field too many": (lambda m: packed(_manifest(m, more=1)), "not in its canonical form"),
    "no list of arrays": (lambda m: packed(_manifest(m, arrays=[])), "a field of its manifest"),
    "an address that is none": (lambda m: packed(_manifest(m, arrays={"a": "../a"})), "a field of its"),
    "a step below 0": (
        lambda m: packed(_manifest(m, progress__step=-1, rng__streams={"dropout": -1, "augment": -1})),
        "No training of 9 steps stands where",
    ),
    "a step after the end": (
        lambda m: packed(_manifest(m, progress__step=10, rng__streams={"dropout": 10, "augment": 10})),
        "No training of 9 steps stands where",
    ),
    "a step that is none": (lambda m: packed(_manifest(m, progress__step="9")), "not in its canonical form"),
    "another end": (lambda m: packed(_manifest(m, progress__ended="crash")), "No training of 9 steps"),
    "reports without end": (
        lambda m: packed(_manifest(m, progress__pending=[
            {"step": n, "lr": 0, "loss": 0, "gradient_norm": None, "loss_scale": None, "skipped": False}
            for n in range(3)
        ])),
        "No training of 9 steps",
    ),
    "another stream": (
        lambda m: packed(_manifest(m, rng__streams={"dropout": 8, "augment": 9})), "not in its canonical",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_file_from_other_hands_is_refused_by_name(name: str) -> None:
    make, said = HOSTILE[name]
    store, trainer = MemoryStore(), await opened()
    with pytest.raises(ScellisError, match=said) as caught:
        await bundle.bring(store, trainer, make(members_of(await exported())))
    assert caught.value.code == "SCL-CHECKPOINT-FORM"
    assert blobs_of(store) == set()
    assert await store.refs() == []


@pytest.mark.parametrize("array", [
    ("<f4", (3,)), ("<f2", (2,)), ("<i4", (2,)), ("<f4", ()),
])  # fmt: skip
async def test_arrays_of_another_shape_or_type_are_refused(array: tuple[str, tuple[int, ...]]) -> None:
    members = members_of(await exported())
    manifest = json.loads(members["manifest.json"])
    old = manifest["arrays"]["parameter/logits/bias"]
    blob = safetensors.pack({"array": np.zeros(array[1], array[0])})
    manifest["arrays"]["parameter/logits/bias"] = address(blob)
    kept = _without(members, old.replace(":", "-"))
    changed = {**kept, "manifest.json": canonical_json(manifest), address(blob).replace(":", "-"): blob}
    with pytest.raises(ScellisError, match="parameter/logits/bias of the state is") as caught:
        await bundle.bring(MemoryStore(), await opened(), packed(changed))
    assert caught.value.code == "SCL-TRAIN-STATE"


@settings(max_examples=150)
@given(st.data())
def test_a_damaged_file_is_refused_or_the_same(data: st.DataObject) -> None:
    whole, trainer = _whole()
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    store = MemoryStore()
    try:
        asyncio.run(bundle.bring(store, trainer, bytes(damaged)))
    except ScellisError:
        assert not blobs_of(store)
        return
    assert asyncio.run(bundle.export(store, trainer, 9)) == whole


@cache
def _whole() -> tuple[bytes, Trainer]:
    return asyncio.run(exported()), asyncio.run(opened())
