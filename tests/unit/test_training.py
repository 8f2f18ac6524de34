"""A training from its record: what it refuses, that it learns, and that a stop and a resume change no bit."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from scellis.catalog.library import built_in
from scellis.content import MemoryStore
from scellis.device.oracle import OracleDevice
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train import checkpoint
from scellis.train.data import Dataset, Loader
from scellis.train.run import TrainingRun
from scellis.train.trainer import Report, open_trainer

TEXT = """\
sml: 1
model: user/test/small@1
data:
  dataset: dots@1
  input: points
  target: kind
  validation: 0.25
  augment: [{ block_id: data/augmentation/noise, std: 0.05 }]
layers:
  scale: { block_id: model/layer/batch_norm }
  hidden: { block_id: model/layer/linear, out_features: 12 }
  active: { block_id: model/layer/gelu }
  drop: { block_id: model/layer/dropout, rate: 0.1 }
  logits: { block_id: model/layer/linear, out_features: 2 }
optimizer: { block_id: training/optimizer/adamw, lr: 0.02 }
scheduler: { block_id: training/scheduler/warmup_cosine, warmup_steps: 4 }
loss: { block_id: training/loss/cross_entropy, label_smoothing: 0.1 }
metrics: [{ block_id: training/metric/accuracy }]
epochs: 4
batch_size: 8
accumulate: 2
grad_clip: { max_norm: 1.0 }
precision: { policy: mixed_f16, master_weights: f32, loss_scaling: dynamic }
checkpoint: { every_steps: 3, keep: 2 }
determinism_tier: debug
seed: 42
"""


def dots() -> Dataset:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(120, 3)).astype(np.float32)
    kind = (points.sum(1) > 0).astype(np.int32)
    return Dataset("dots", 1, {"points": points, "kind": kind})


def record(text: str = TEXT) -> TrainingRecord:
    return parse_training(text, built_in())


async def trained(
    stops: set[int], store: MemoryStore
) -> tuple[dict[str, Array], list[Report], list[dict[str, float]]]:
    """The whole training, which is taken down and set up again after each of these steps."""
    reports: list[Report] = []
    measures: list[dict[str, float]] = []
    while True:
        trainer = await open_trainer(record(), dots(), OracleDevice())
        run = TrainingRun(
            trainer, store, on_report=reports.append, on_measures=lambda _, found: measures.append(found)
        )
        await run.resume()
        stepped = trainer.step

        async def step(number: int, lr: float, run: TrainingRun = run, stepped: object = stepped) -> Report:
            if number + 1 in stops:
                run.pause()
            return await stepped(number, lr)  # type: ignore[operator]

        trainer.step = step  # type: ignore[method-assign]
        progress = await run.go()
        if progress.ended:
            return await trainer.state(), reports, measures
        trainer.close()


async def test_stops_and_resumes_change_no_bit() -> None:
    state, reports, measures = await trained(set(), MemoryStore())
    assert measures[-1]["training/metric/accuracy"] > 0.85
    assert [report.step for report in reports] == list(range(20))
    for stops in ({1}, {5, 6}, {3, 10, 19}):
        again, reports_again, measures_again = await trained(stops, MemoryStore())
        assert reports_again == reports
        assert measures_again == measures
        assert again.keys() == state.keys()
        for name, array in state.items():
            assert array.tobytes() == again[name].tobytes(), name


async def test_what_is_kept_is_the_last_and_the_best_and_travels_as_one_file() -> None:
    store, other = MemoryStore(), MemoryStore()
    await trained(set(), store)
    trainer = await open_trainer(record(), dots(), OracleDevice())
    steps = await checkpoint.steps_kept(store, trainer)
    assert steps[-1] == 20
    assert 2 <= len(steps) <= 3
    data = await checkpoint.export(store, trainer, 20)
    assert await checkpoint.bring(other, trainer, data) == 20
    assert (await checkpoint.load(other, trainer, 20)).ended == "done"
    with pytest.raises(ScellisError, match="no checkpoint"):
        await checkpoint.bring(other, trainer, data[:200])
    foreign = await open_trainer(record(TEXT.replace("seed: 42", "seed: 43")), dots(), OracleDevice())
    with pytest.raises(ScellisError, match="is of the record"):
        await checkpoint.bring(other, foreign, data)
    await checkpoint.forget(store, trainer)
    assert await store.refs() == []


def test_every_example_is_seen_once_an_epoch_and_none_that_is_held_out() -> None:
    data = Dataset(
        "dots", 1, {"points": np.arange(100, dtype=np.float32), "kind": np.arange(100, dtype=np.int32)}
    )
    loader = Loader(data, record().data, 8, 2, 42)
    held_out = {int(y) for batch in loader.validation() for y in batch.y}
    seen = [
        int(y)
        for step in range(loader.steps_per_epoch)
        for part in (0, 1)
        for y in loader.batch(step, part).y
    ]
    assert len(held_out) == 25
    assert len(set(seen)) == len(seen) == loader.steps_per_epoch * 16
    assert not held_out & set(seen)
    assert sum(float(batch.weight.sum()) for batch in loader.validation()) == 25


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seed: 42\n", "", "'seed' is missing"),
        ("determinism_tier: debug\n", "", "'determinism_tier' is missing"),
        ("optimizer/adamw", "optimizer/admw", "Line 15: .*Did you mean 'training/optimizer/adamw'"),
        ("lr: 0.02", "rate: 0.02", "Line 15: optimizer.rate: there is no such field"),
        ("lr: 0.02", "lr: -1", "Line 15: optimizer.lr: a number above 0 is expected"),
        ("loss: {", "losses: {", "Did you mean 'loss'"),
        ("rate: 0.1 }", "rate: 0.1, of: nothing }", "no layer 'nothing' before this one"),
        ("layer/gelu", "optimizer/adam", "not a layer|no layer"),
        ("epochs: 4", "epochs: 0", "Line 19: epochs: a whole number from 1"),
        ("policy: mixed_f16", "policy: f8", "Known: f32, mixed_f16"),
    ],
)
def test_a_record_says_what_is_wrong_and_where(old: str, new: str, said: str) -> None:
    assert old in TEXT
    with pytest.raises(ScellisError, match=said):
        record(TEXT.replace(old, new))


def test_a_record_is_named_by_what_it_computes() -> None:
    assert record().address == record(TEXT.replace("sml: 1\n", "# a comment\nsml: 1\n")).address
    for old, new in (("seed: 42", "seed: 41"), ("lr: 0.02", "lr: 0.03"), ("rate: 0.1 }", "rate: 0.2 }")):
        assert record(TEXT.replace(old, new)).address != record().address


async def test_a_loss_that_is_no_number_ends_the_training() -> None:
    text = TEXT.replace("policy: mixed_f16, master_weights: f32, loss_scaling: dynamic", "policy: f32")
    data = dots()
    broken = Dataset(
        "dots", 1, {"points": np.full_like(data.arrays["points"], 3e38), "kind": data.arrays["kind"]}
    )
    with np.errstate(all="ignore"):
        trainer = await open_trainer(record(text), broken, _F32Oracle())
        with pytest.raises(ScellisError, match="is no number"):
            await asyncio.wait_for(TrainingRun(trainer, MemoryStore()).go(), 60)


class _F32Oracle(OracleDevice):
    """The oracle, whose results are rounded to f32 as a device has them."""

    async def compile(self, graph, tier, carry=None, trap=""):  # type: ignore[no-untyped-def]
        compiled = await super().compile(graph, tier, carry, trap)
        computed = compiled._computed

        async def rounded(inputs: list[Array]) -> list[Array]:
            return [a.astype(np.float32) if a.dtype == np.float64 else a for a in await computed(inputs)]

        compiled._computed = rounded
        return compiled
