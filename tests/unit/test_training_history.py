"""What a training has told: thinned, kept with its checkpoints, and the same however often it was stopped."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.content import MemoryStore, canonical_json
from scellis.device.oracle import OracleDevice
from scellis.errors import ScellisError
from scellis.train.history import EPOCHS_LIMIT, POINTS_LIMIT, Curve, History
from scellis.train.run import TrainingRun
from scellis.train.trainer import Report, open_trainer
from support.training_texts import EVERYTHING, dots, pause_after, training

numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(st.integers(0, 5000), st.integers(1, 7))
def test_a_curve_keeps_every_so_many_th_step_and_no_more_than_it_may(steps: int, every: int) -> None:
    curve = Curve()
    for step in range(0, steps, every):
        curve.add(step, float(step))
    assert len(curve.points) <= POINTS_LIMIT
    assert curve.points == [(step, float(step)) for step in range(0, steps, every) if step % curve.each == 0]


@given(st.lists(st.tuples(numbers, st.none() | numbers, st.booleans()), max_size=60), st.data())
def test_bytes_hold_all_of_it(rows: list[tuple[float, float | None, bool]], data: st.DataObject) -> None:
    history = History()
    for step, (loss, norm, skipped) in enumerate(rows):
        history.reported(Report(step, 0.1, loss, norm, None, skipped=skipped))
        if data.draw(st.booleans()):
            history.measured(step + 1, {"loss": loss, "odd": math.nan})
    assert History.from_bytes(history.to_bytes()) == history
    assert all(set(found) == {"loss"} for _, found in history.measures)


def test_the_last_epochs_are_kept() -> None:
    history = History()
    for epoch in range(1, EPOCHS_LIMIT + 3):
        history.measured(epoch, {"loss": 1.0})
    assert [epoch for epoch, _ in history.measures] == list(range(3, EPOCHS_LIMIT + 3))


def _with(**changes: Any) -> bytes:
    return canonical_json({**json.loads(History().to_bytes()), **changes})


CURVE = {"each": 1, "points": []}
CURVES = dict.fromkeys(("loss", "lr", "gradient_norm", "loss_scale"), CURVE)
HOSTILE = {
    "nothing": None,
    "noise": b"\xff",
    "a list": b"[]",
    "one curve missing": _with(curves={"loss": CURVE}),
    "a curve too many": _with(curves={**CURVES, "more": CURVE}),
    "a negative step": _with(curves={**CURVES, "loss": {"each": 1, "points": [[-1, 0.5]]}}),
    "a step that is true": _with(curves={**CURVES, "loss": {"each": 1, "points": [[True, 0.5]]}}),
    "a text for a number": _with(curves={**CURVES, "loss": {"each": 1, "points": [[1, "0"]]}}),
    "too many points": _with(
        curves={**CURVES, "loss": {"each": 1, "points": [[step, 1] for step in range(POINTS_LIMIT + 1)]}}
    ),
    "no step at a time": _with(curves={**CURVES, "loss": {"each": 0, "points": []}}),
    "measures of no epoch": _with(measures=[["1", {}]]),
    "too many epochs": _with(measures=[[epoch, {}] for epoch in range(EPOCHS_LIMIT + 1)]),
    "spaces": History().to_bytes() + b" ",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_history_is_refused(name: str) -> None:
    with pytest.raises(ScellisError) as refused:
        History.from_bytes(HOSTILE[name])
    assert refused.value.code == "SCL-CHECKPOINT-FORM"


async def _told(stops: tuple[int, ...]) -> History:
    store = MemoryStore()
    while True:
        trainer = await open_trainer(training(EVERYTHING), dots(), OracleDevice())
        run = TrainingRun(trainer, store)
        at = await run.resume()
        pause_after(run, [stop for stop in stops if stop > at])
        progress = await run.go()
        trainer.close()
        if progress.ended:
            return run.history


async def test_a_run_that_was_stopped_tells_what_one_tells_that_never_was() -> None:
    whole = await _told(())
    assert whole.curves["loss"].points
    assert whole.measures
    assert await _told((2, 3, 11)) == whole
