"""Records of trainings that were run: what they pin, what is refused, what differs between them."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.catalog.library import built_in
from scellis.content import MemoryStore, address, canonical_json, parse_json
from scellis.device.oracle import OracleDevice
from scellis.errors import ScellisError
from scellis.records.differences import differences, facts, first_apart, measured
from scellis.records.recorder import Recorder, Texts
from scellis.records.trained import RECORD_LIMIT_BYTES, TrainedRun
from scellis.records.trained_store import KeptRun, find_run, forget_run, keep_run, kept_runs
from scellis.sml.training import parse_training
from scellis.train.planned import plan_training
from scellis.train.run import TrainingRun
from scellis.train.trainer import open_planned
from support.training_texts import dots, pause_after, training_text

REFUSED = r"SCL-RECORD-FORM|SCL-CONTENT"
DATA = "sml: 1\ndataset: dots@1\nfiles: { dots.csv: 'sha256:" + "0" * 64 + "' }\narrays: {}\n"


class Ticks:
    """A clock that is a second further each time."""

    def __init__(self) -> None:
        self.at = 1000.0

    def now_s(self) -> float:
        self.at += 1.0
        return self.at


async def run(store: MemoryStore, clock: Ticks, stop: int | None = None, **fields: str) -> TrainedRun:
    """Train here from the last checkpoint, to a step or the end; the record that is left."""
    text = training_text(**fields)
    planned = await plan_training(parse_training(text, built_in()), dots(), OracleDevice())
    trainer = await open_planned(planned)
    recorder = Recorder(store, planned, Texts(text, DATA), clock.now_s)

    async def kept(step: int) -> None:
        await recorder.keep(training)

    training = TrainingRun(trainer, store, on_checkpoint=kept)
    await recorder.begin(await training.resume())
    if stop is not None:
        pause_after(training, [stop])
    progress = await training.go()
    trainer.close()
    return await recorder.keep(training, progress.ended or "paused")


@pytest.fixture
async def found() -> TrainedRun:
    return await run(MemoryStore(), Ticks())


async def test_a_record_pins_what_was_run_and_comes_back_from_its_bytes(found: TrainedRun) -> None:
    text = training_text()
    again = TrainedRun.from_bytes(found.to_bytes())
    assert again == found
    assert again.address == address(found.to_bytes())
    assert found.training_address == parse_training(text, built_in()).address
    assert (found.model, found.tier, found.state) == ("user/test/small@1", "debug", "done")
    assert (found.step, found.total, found.dataset.address) == (6, 6, dots().address)
    assert found.sittings[0].device == OracleDevice().fingerprint
    assert set(found.checkpoints) >= {"6"}
    assert set(found.measures) == {"loss"}
    assert [step for step, _ in found.losses] == [0, 1, 2, 3, 4, 5]


async def test_a_run_that_was_paused_is_one_run_and_ends_as_the_one_that_never_was() -> None:
    store, clock = MemoryStore(), Ticks()
    first = await run(store, clock, stop=2)
    assert (first.state, first.step) == ("paused", 2)
    second = await run(store, clock)
    ((only,), damaged) = await kept_runs(store)
    assert (only.run, damaged) == (second, [])
    assert [(sitting.first, sitting.last) for sitting in second.sittings] == [(0, 2), (2, 6)]
    assert second.begun_s == first.begun_s
    calm = await run(MemoryStore(), Ticks())
    assert second.checkpoints["6"] == calm.checkpoints["6"]
    assert second.curve == calm.curve


async def test_a_run_that_dies_leaves_the_record_of_its_last_checkpoint() -> None:
    store = MemoryStore()
    text = training_text(checkpoint="{ every_steps: 2 }")
    planned = await plan_training(parse_training(text, built_in()), dots(), OracleDevice())
    trainer = await open_planned(planned)
    recorder = Recorder(store, planned, Texts(text, DATA), Ticks().now_s)

    async def kept(step: int) -> None:
        await recorder.keep(training)
        if step == 4:
            raise ScellisError("SCL-GPU-LOST", "The device went away.")

    training = TrainingRun(trainer, store, on_checkpoint=kept)
    await recorder.begin(await training.resume())
    with pytest.raises(ScellisError, match="SCL-GPU-LOST"):
        await training.go()
    trainer.close()
    ((only,), _) = await kept_runs(store)
    assert (only.run.state, only.run.step) == ("interrupted", 4)


async def test_only_what_differs_is_told_by_its_path(found: TrainedRun) -> None:
    assert differences([found, found]) == []
    other = await run(MemoryStore(), Ticks(), optimizer="{ block_id: training/optimizer/sgd, lr: 0.02 }")
    told = {difference.path: difference.values for difference in differences([found, other])}
    assert told["training.optimizer.block_id"] == ("training/optimizer/adamw", "training/optimizer/sgd")
    assert told["training.optimizer.fields.momentum"] == (None, 0)
    assert "training.optimizer.fields.lr" not in told
    assert not [path for path in told if path.startswith(("training.layers", "training.entries", "device"))]
    assert told["program.step"][0] != told["program.step"][1]
    assert set(told) <= set(facts(found)) | set(facts(other))
    numbers = measured([found, other])
    assert numbers["training loss"] == (found.losses[-1][1], other.losses[-1][1])
    apart = first_apart([found.losses, other.losses])
    assert apart is not None
    assert apart.step == 1, "the loss of step 0 is that of the same beginning"


def test_curves_are_compared_where_all_have_a_step() -> None:
    assert first_apart([[(0, 1.0), (1, 2.0)], [(0, 1.0), (2, 5.0)]]) is None
    apart = first_apart([[(0, 1.0), (2, 2.0), (4, 3.0)], [(0, 1.0), (1, 9.0), (2, 2.0), (4, 3.5)]])
    assert apart is not None
    assert (apart.step, apart.losses, apart.each) == (4, (3.0, 3.5), 2)


async def test_a_run_is_found_by_the_beginning_of_its_address() -> None:
    store, clock = MemoryStore(), Ticks()
    with pytest.raises(ScellisError, match="None is kept here yet"):
        await find_run(store, "ab")
    first = await run(store, clock)
    others = [await run(store, clock, seed=str(seed)) for seed in range(1, 20)]
    assert (await find_run(store, first.address)).run == first
    digits = [one.address.removeprefix("sha256:") for one in (first, *others)]
    twice = next(digit for digit in "0123456789abcdef" if sum(name[0] == digit for name in digits) > 1)
    with pytest.raises(ScellisError) as caught:
        await find_run(store, twice)
    assert caught.value.code == "SCL-RUN-AMBIGUOUS"
    assert all(name[:12] in caught.value.message for name in digits if name[0] == twice)
    for wrong in ("", "zz", "f" * 64, "sha256:"):
        with pytest.raises(ScellisError) as caught:
            await find_run(store, wrong)
        assert caught.value.code == "SCL-RUN-UNKNOWN"
        assert "user/test/small@1" in caught.value.remedy
    await forget_run(store, await find_run(store, first.address))
    assert first not in [kept.run for kept in (await kept_runs(store))[0]]


async def test_a_record_that_is_damaged_in_the_store_is_told_of(found: TrainedRun) -> None:
    store = MemoryStore()
    await run(store, Ticks())
    (kept,), _ = await kept_runs(store)
    await store.set_ref("trained-damaged-1", b"{}")
    other = attrs.evolve(kept.history, skipped=7)
    await keep_run(store, "trained-damaged-2", kept.run, other)
    runs, damaged = await kept_runs(store)
    assert [one.ref for one in runs] == [kept.ref]
    assert damaged == ["trained-damaged-1", "trained-damaged-2"]
    assert isinstance(kept, KeptRun)


WRONG: list[tuple[str, Any]] = [
    ("state", "won"), ("step", 0), ("step", 7), ("step", -1), ("step", "6"), ("total", 2**60), ("epoch", -1),
    ("training", {}), ("training", []), ("program", {}), ("sittings", []), ("checkpoints", {"06": "x"}),
    ("checkpoints", {"9": "sha256:" + "0" * 64}), ("curve", "sha256:0"), ("losses", [[1, 1.0], [0, 1.0]]),
    ("losses", [[10**15, 1.0]]), ("losses", [[0, None]]), ("measures", {"loss": "low"}), ("more", 1),
    ("entries", None), ("engine", None), ("kernel_table", ""),
]  # fmt: skip


@pytest.mark.parametrize(("field", "wrong"), WRONG)
async def test_a_damaged_record_is_refused(found: TrainedRun, field: str, wrong: Any) -> None:
    value = parse_json(found.to_bytes(), what="record", limit_bytes=RECORD_LIMIT_BYTES)
    with pytest.raises(ScellisError, match=REFUSED):
        TrainedRun.from_bytes(canonical_json({**value, field: wrong}))


@given(st.binary(max_size=200) | st.recursive(
    st.none() | st.integers(-9, 9) | st.text(max_size=5),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=9), part, max_size=4),
).map(canonical_json))  # fmt: skip
def test_what_is_no_record_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(ScellisError, match=REFUSED):
        TrainedRun.from_bytes(data)
