"""Training on a GPU: stops change no bit on the tier debug, and losses are the oracle's."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from scellis.content import MemoryStore
from scellis.device.gpu import GpuDevice
from scellis.device.oracle import OracleDevice
from scellis.train.trainer import open_trainer
from support.curve_cases import BOUND, kinds, pytorch, record_of
from support.training_texts import EVERYTHING, Told, dots, pause_after, same_bits, trained, training

F32 = {"rtol": 2e-5, "atol": 2e-6}
"""Some hundred roundings of f32, which thirty small steps gather."""


@pytest.fixture
async def undisturbed(device: GpuDevice) -> tuple[dict, Told]:
    return await trained(training(EVERYTHING), dots(), MemoryStore(), device=device)


async def test_stops_change_no_bit(device: GpuDevice, undisturbed: tuple[dict, Told]) -> None:
    state, told = undisturbed
    assert {report.skipped for report in told.reports} == {False, True}
    assert len({report.lr for report in told.reports}) > 1
    for stops in ((2,), (5, 11, 13)):
        found, again = await trained(training(EVERYTHING), dots(), MemoryStore(), stops, device)
        assert same_bits(found, state)
        assert again.reports == told.reports
        assert again.measures == told.measures


CURVE = {
    "layers": "{ scale: { block_id: model/layer/batch_norm },"
    " hidden: { block_id: model/layer/linear, out_features: 16 }, active: { block_id: model/layer/gelu },"
    " drop: { block_id: model/layer/dropout, rate: 0.2 },"
    " logits: { block_id: model/layer/linear, out_features: 2 } }",
    "metrics": "[{ block_id: training/metric/accuracy }]",
    "epochs": "10",
    "accumulate": "1",
    "grad_clip": "{ max_norm: 0.5 }",
}


@pytest.mark.parametrize("tier", ["debug", "prod"])
async def test_losses_are_the_oracle_s(device: GpuDevice, tier: str) -> None:
    record = training(CURVE, determinism_tier=tier)
    _, found = await trained(record, dots(), MemoryStore(), device=device)
    _, exact = await trained(record, dots(), MemoryStore(), device=OracleDevice())
    assert len(found.reports) == len(exact.reports) == 30
    for name in ("loss", "gradient_norm"):
        ours, theirs = ([getattr(report, name) for report in told.reports] for told in (found, exact))
        np.testing.assert_allclose(ours, theirs, **F32)
    assert exact.reports[-1].loss < 0.8 * exact.reports[0].loss
    for (_, ours), (_, theirs) in zip(found.measures, exact.measures, strict=True):
        assert ours["loss"] == pytest.approx(theirs["loss"], rel=1e-4)
        assert ours["training/metric/accuracy"] == theirs["training/metric/accuracy"]


@pytest.mark.parametrize("name", ["lion", "adamw, one_cycle", "adamw, mixed_f16"])
async def test_a_loss_curve_is_pytorch_s(device: GpuDevice, name: str) -> None:
    _, told = await trained(record_of(name), kinds(), MemoryStore(), device=device)
    np.testing.assert_allclose([report.loss for report in told.reports], pytorch()[name], **BOUND[name])


async def test_what_the_oracle_began_goes_on_on_a_gpu(device: GpuDevice) -> None:
    record, store = training(CURVE), MemoryStore()
    begun = await open_trainer(record, dots(), OracleDevice())
    run = Told().run(begun, store)
    pause_after(run, {17})
    await run.go()
    _, rest = await trained(record, dots(), store, device=device)
    _, exact = await trained(record, dots(), MemoryStore())
    assert rest.reports[0].step == 15
    losses = {report.step: report.loss for report in exact.reports}
    for report in rest.reports:
        assert report.loss == pytest.approx(losses[report.step], rel=2e-5)


async def test_a_training_that_is_cancelled_leaves_nothing_under_way(device: GpuDevice) -> None:
    trainer = await open_trainer(training(CURVE), dots(), device)
    task = asyncio.ensure_future(Told().run(trainer, MemoryStore()).go())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(asyncio.all_tasks()) == 1
    trainer.close()
