"""A training that is stopped, killed or kept waiting computes the bits of one that never was."""

from __future__ import annotations

import asyncio
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scellis.catalog.library import built_in
from scellis.content import MemoryStore
from scellis.device.oracle import OracleDevice
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train import checkpoint
from scellis.train.data import Dataset
from scellis.train.loop import LEAST_SCALE
from scellis.train.trainer import open_trainer
from support.training_texts import (
    EVERYTHING,
    NarrowDevice,
    Told,
    dots,
    pause_after,
    same_bits,
    trained,
    training,
    training_text,
)

STEPS = st.integers(1, 40)
"""Any step of the training below, or none."""


@cache
def undisturbed() -> tuple[dict[str, Array], Told]:
    return asyncio.run(trained(training(EVERYTHING), dots(), MemoryStore(), device=NarrowDevice()))


def test_all_that_a_stop_might_change_happens_in_the_training_that_is_stopped() -> None:
    """Else the tests below would show little."""
    state, told = undisturbed()
    steps, losses = len(told.reports), [measures["loss"] for _, measures in told.measures]
    assert [report.step for report in told.reports] == list(range(steps))
    assert {report.skipped for report in told.reports} == {False, True}
    assert len({report.loss_scale for report in told.reports}) > 5
    assert {0.5, 0.25} <= {report.lr for report in told.reports}
    assert any((report.gradient_norm or 0) > 1 for report in told.reports)
    assert 3 <= len(losses) < training(EVERYTHING).epochs, "it is to end early"
    assert losses.index(min(losses)) == len(losses) - 3
    assert set(range(3, steps, 3)) | {steps} <= set(told.checkpoints)
    assert int(state["updates"]) == sum(not report.skipped for report in told.reports)
    assert set(state) == {
        *(f"{kind}/{layer}/{name}" for kind in ("parameter", "accumulated")
          for layer in ("scale", "hidden", "height") for name in ("weight", "bias")),
        *(f"optimizer/{layer}/{name}/{slot}" for layer in ("scale", "hidden", "height")
          for name in ("weight", "bias") for slot in ("m", "v")),
        *(name for name in state if name.startswith("model/scale/")),
        "scaler/scale", "scaler/steps", "updates",
    }  # fmt: skip


@settings(max_examples=10)
@given(st.lists(STEPS, max_size=5))
def test_stops_change_no_bit(stops: list[int]) -> None:
    state, told = undisturbed()
    found, again = asyncio.run(trained(training(EVERYTHING), dots(), MemoryStore(), stops, NarrowDevice()))
    assert same_bits(found, state)
    assert again.reports == told.reports
    assert again.measures == told.measures


@settings(max_examples=10)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=7), st.lists(STEPS, max_size=2))
def test_when_results_come_back_changes_no_bit(turns: list[int], stops: list[int]) -> None:
    state, told = undisturbed()
    device = NarrowDevice(turns)
    found, again = asyncio.run(trained(training(EVERYTHING), dots(), MemoryStore(), stops, device))
    assert same_bits(found, state)
    assert again.reports == told.reports
    assert again.measures == told.measures


@settings(max_examples=10)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=3), st.integers(0, 4))
def test_a_device_that_goes_away_changes_no_bit(failures: list[int], turns: int) -> None:
    """The training goes on from its last checkpoint; reports of steps since then come again, the same."""

    async def interrupted() -> tuple[dict[str, Array], Told]:
        store, told = MemoryStore(), Told()
        for fails_at in failures:
            trainer = await open_trainer(training(EVERYTHING), dots(), NarrowDevice((turns,), fails_at))
            run = told.run(trainer, store)
            await run.resume()
            try:
                await run.go()
            except ScellisError:
                trainer.close()
        state, rest = await trained(training(EVERYTHING), dots(), store, device=NarrowDevice())
        return state, Told(told.reports + rest.reports, told.measures + rest.measures)

    state, told = undisturbed()
    found, again = asyncio.run(interrupted())
    assert same_bits(found, state)
    by_step = {report.step: report for report in told.reports}
    assert all(by_step[report.step] == report for report in again.reports)
    assert {report.step for report in again.reports} == set(by_step)
    by_epoch = dict(told.measures)
    assert all(by_epoch[epoch] == measures for epoch, measures in again.measures)


def test_the_oracle_in_f64_is_stopped_and_goes_on() -> None:
    state, told = asyncio.run(trained(training(EVERYTHING), dots(), MemoryStore()))
    stops = list(range(1, len(told.reports), 3))
    found, again = asyncio.run(trained(training(EVERYTHING), dots(), MemoryStore(), stops))
    assert same_bits(found, state)
    assert again.reports == told.reports


async def test_a_checkpoint_of_one_device_goes_on_on_another() -> None:
    record, store = training(), MemoryStore()
    trainer = await open_trainer(record, dots(), OracleDevice())
    run = Told().run(trainer, store)
    pause_after(run, {4})
    assert (await run.go()).step == 4
    state, told = await trained(record, dots(), store, device=NarrowDevice())
    exact, _ = await trained(record, dots(), MemoryStore())
    assert [report.step for report in told.reports] == list(range(2, 6))
    for name, array in exact.items():
        np.testing.assert_allclose(state[name], array, rtol=1e-4, atol=1e-6)


async def test_a_stop_as_the_training_ends_early_is_an_end() -> None:
    """What was still to be reported is reported, and nothing is left for a next run."""
    _, told = undisturbed()
    trainer = await open_trainer(training(EVERYTHING), dots(), NarrowDevice())
    again = Told()
    run = again.run(trainer, MemoryStore())
    pause_after(run, {len(told.reports)})
    progress = await run.go()
    assert (progress.ended, progress.pending) == ("early_stop", [])
    assert again.reports == told.reports


@pytest.mark.parametrize("delay", [1, 2, 5, 64])
async def test_a_report_is_decided_by_so_many_steps_later(delay: int) -> None:
    """However late: what is ahead of the last report that was decided by is never more."""
    record = training({**EVERYTHING, "early_stop": None, "decide_after": str(delay)})
    trainer = await open_trainer(record, dots(), NarrowDevice((3, 0, 11)))
    told, ahead = Told(), []
    run = told.run(trainer, MemoryStore())
    stepped = trainer.step

    async def step(number: int, lr: float) -> object:
        ahead.append(number - len(told.reports))
        return await stepped(number, lr)

    trainer.step = step  # type: ignore[method-assign, assignment]
    await run.go()
    assert max(ahead) == min(delay, trainer.total_steps) - 1
    assert [report.step for report in told.reports] == list(range(trainer.total_steps))


# ---- overflow and divergence ----

F16 = {"precision": "{ policy: mixed_f16 }", "data": "{ dataset: dots@1, input: points, target: height }"}
HEIGHTS = {
    "layers": "{ scale: { block_id: model/layer/batch_norm },"
    " height: { block_id: model/layer/linear, out_features: 1 } }",
    "loss": "{ block_id: training/loss/mse }",
}


@pytest.mark.parametrize("accumulate", ["1", "2"])
async def test_an_overflow_leaves_out_the_step_and_halves_the_scale(accumulate: str) -> None:
    record = training({**F16, **HEIGHTS}, accumulate=accumulate)
    trainer = await open_trainer(record, dots(), NarrowDevice())
    before = await trainer.state()
    scales = []
    for step in range(12):
        report = await trainer.step(step, 0.02)
        after = await trainer.state()
        scales.append(report.loss_scale)
        held = same_bits(_learnt(before), _learnt(after))
        assert held == report.skipped
        assert after["scaler/scale"] == before["scaler/scale"] * (0.5 if report.skipped else 1)
        assert after["updates"] == before["updates"] + (not report.skipped)
        assert after["scaler/steps"] == (0 if report.skipped else before["scaler/steps"] + 1)
        before = after
    assert scales[0] == 65536
    assert 65536 > scales[-1] == scales[-2] > 100


def _learnt(state: dict[str, Array]) -> dict[str, Array]:
    kinds = ("parameter/", "optimizer/", "updates")
    return {name: array for name, array in state.items() if name.startswith(kinds)}


async def test_what_overflowed_is_not_remembered_by_layers_either() -> None:
    """A batch whose infinities went into running means would spoil every validation after it."""
    layers = (
        "{ first: { block_id: model/layer/linear, out_features: 3 },"
        " scale: { block_id: model/layer/batch_norm },"
        " height: { block_id: model/layer/linear, out_features: 1 } }"
    )
    record = training({**F16, **HEIGHTS, "layers": layers, "batch_size": "4"})
    data = dots(height=1)
    points = data.arrays["points"].copy()
    points[7] = 1e6  # more than f16 holds
    trainer = await open_trainer(
        record, Dataset("dots", 1, {**data.arrays, "points": points}), NarrowDevice()
    )
    skipped = []
    for step in range(trainer.loader.steps_per_epoch):
        report = await trainer.step(step, 0.02)
        if report.loss is None:
            skipped.append(report.skipped)
    assert skipped == [True]
    assert all(np.isfinite(array).all() for array in (await trainer.state()).values())


async def test_gradients_that_overflow_at_every_scale_end_the_training() -> None:
    record = training({**F16, **HEIGHTS}, epochs="100", checkpoint="{ every_steps: 1, keep: 1 }")
    trainer = await open_trainer(record, dots(height=1e25), NarrowDevice())
    store, told = MemoryStore(), Told()
    with pytest.raises(ScellisError) as caught:
        await told.run(trainer, store).go()
    assert caught.value.code == "SCL-TRAIN-DIVERGED"
    assert "Step 31 overflows even at the loss scale" in caught.value.message
    assert all(report.skipped for report in told.reports)
    assert told.reports[-1].loss_scale == 2 * LEAST_SCALE


DIVERGING = {
    "data": "{ dataset: dots@1, input: points, target: height, validation: 0.25 }",
    "optimizer": "{ block_id: training/optimizer/sgd, lr: 1.0e+10 }", **HEIGHTS,
}  # fmt: skip


@pytest.mark.parametrize("delay", ["1", "2", "4"])
async def test_a_loss_that_is_no_number_ends_the_training_and_keeps_what_is_before(delay: str) -> None:
    record = training(DIVERGING, decide_after=delay, checkpoint="{ every_steps: 1, keep: 1 }", epochs="9")
    trainer = await open_trainer(record, dots(), NarrowDevice())
    store, told = MemoryStore(), Told()
    with pytest.raises(ScellisError) as caught:
        await told.run(trainer, store).go()
    assert caught.value.code == "SCL-TRAIN-DIVERGED"
    assert caught.value.remedy
    (kept,) = await checkpoint.steps_kept(store, trainer)
    assert kept >= 1
    await checkpoint.load(store, trainer, kept)
    parameters = [array for name, array in (await trainer.state()).items() if name.startswith("parameter/")]
    assert all(np.isfinite(array).all() for array in parameters)


@pytest.mark.parametrize("delay", ["1", "3"])
async def test_the_step_whose_loss_is_no_number_is_named(delay: str) -> None:
    record = training(DIVERGING, decide_after=delay, epochs="9", data=F16["data"])
    trainer = await open_trainer(record, dots(), NarrowDevice())
    told = Told()
    with pytest.raises(ScellisError) as caught:
        await told.run(trainer, MemoryStore()).go()
    assert caught.value.message == f"The loss of step {len(told.reports)} is no number any more."
    assert all(report.loss is not None for report in told.reports)


# ---- what cannot be trained ----


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"layers": "{ active: { block_id: model/layer/relu } }"}, "SCL-TRAIN-PARAMETERS"),
        (
            {"layers": "{ logits: { block_id: model/layer/linear, out_features: 2, frozen: true } }",
             "grad_clip": "{ max_norm: 1 }"},
            "SCL-TRAIN-PARAMETERS",
        ),
        ({"data": "{ dataset: dots@2, input: points, target: kind }"}, "SCL-TRAIN-DATASET"),
        ({"data": "{ dataset: dots@1, input: points, target: kin }"}, "SCL-DATA-ARRAY"),
        ({"batch_size": "41"}, "SCL-DATA-SIZE"),
        ({"loss": "{ block_id: training/loss/mse }"}, "SCL-"),
    ],
)  # fmt: skip
async def test_what_does_not_fit_is_refused_before_the_first_step(changes: dict[str, str], code: str) -> None:
    with pytest.raises(ScellisError) as caught:
        await open_trainer(training(changes), dots(), OracleDevice())
    assert caught.value.code.startswith(code)


async def test_a_frozen_layer_stays_as_it_began() -> None:
    layers = (
        "{ hidden: { block_id: model/layer/linear, out_features: 6, frozen: true },"
        " logits: { block_id: model/layer/linear, out_features: 2 } }"
    )
    record = training({**EVERYTHING, "layers": layers.replace("2 }", "1 }"), "early_stop": None})
    trainer = await open_trainer(record, dots(), NarrowDevice())
    begun = await trainer.state()
    state, _ = await trained(record, dots(), MemoryStore(), device=NarrowDevice())
    for name in ("weight", "bias"):
        assert same_bits({"it": begun[f"parameter/hidden/{name}"]}, {"it": state[f"parameter/hidden/{name}"]})
        assert not same_bits(
            {"it": begun[f"parameter/logits/{name}"]}, {"it": state[f"parameter/logits/{name}"]}
        )
    assert not any(name.startswith(("optimizer/hidden", "accumulated/hidden")) for name in state)


async def test_parts_of_a_step_give_the_step_of_the_whole() -> None:
    """Without anything random: the mean of four parts' gradients is that of their examples together."""
    layers = "{ logits: { block_id: model/layer/linear, out_features: 2 } }"
    states = [
        (await trained(training(layers=layers, batch_size=size, accumulate=parts), dots(), MemoryStore()))[0]
        for size, parts in (("8", "1"), ("2", "4"))
    ]
    for name, array in states[0].items():
        np.testing.assert_allclose(states[1][name], array, rtol=1e-9)


OWN = '''"""Each step goes by the sign of the mean of gradients: Lion without its decay."""

from scellis.catalog.language import number, xp

KIND = "optimizer"
FIELDS = {"lr": number(0.01, above=0, about="Rate."), "keep": number(0.9, about="Share that is kept.")}


def state(parameter, fields):
    return {"mean": xp.zeros_like(parameter)}


def update(parameter, gradient, state, step, lr, fields):
    mean = fields.keep * state["mean"] + (1 - fields.keep) * gradient
    return parameter - lr * xp.sign(mean), {RETURNED}
'''


def own(returned: str) -> TrainingRecord:
    library = built_in().with_texts({"user/mine/signs": OWN.replace("{RETURNED}", returned)})
    return parse_training(training_text(optimizer="{ block_id: user/mine/signs, lr: 0.01 }"), library)


async def test_an_optimizer_that_a_person_brings_trains() -> None:
    state, told = await trained(own('{"mean": mean}'), dots(), MemoryStore(), [3])
    assert "optimizer/hidden/weight/mean" in state
    assert told.measures[-1][1]["loss"] < told.measures[0][1]["loss"]


@pytest.mark.parametrize("returned", ['{"other": mean}', "{}", '{"mean": mean[0]}', '{"mean": mean > 0}'])
async def test_an_optimizer_that_keeps_something_else_is_refused(returned: str) -> None:
    with pytest.raises(ScellisError) as caught:
        await open_trainer(own(returned), dots(), OracleDevice())
    assert caught.value.code == "SCL-TRAIN-OPTIMIZER"
    assert "mean" in caught.value.message
