"""Loops of a fixed number of trips, their derivatives, and loops under vmap."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from scellis.errors import ScellisError
from scellis.graph import Value
from scellis.graph import functions as xp
from scellis.graph.autodiff import gradient
from scellis.graph.loops import scan, while_loop
from scellis.graph.vmap import vmap
from support.array_cases import square_root
from support.arrays import computed, numbers, one, traced


def _recurrence(w: Value, xs: Value) -> list[Value]:
    """A small recurrent network: its last state, and every state."""

    def step(state: Any, given: Any) -> Any:
        h = xp.tanh(w @ state[0] + given[0])
        return [h], [h]

    (last,), (every,) = scan(step, [xp.zeros_like(xs[0])], [xs])
    return [last, every]


def test_scan_goes_along_the_leading_axis() -> None:
    w, xs = numbers((3, 3)), numbers((6, 3), 2)
    last, every = computed(_recurrence, w, xs)
    h = np.zeros(3)
    for row, x in zip(every, xs, strict=True):
        h = np.tanh(w @ h + x)
        assert np.allclose(row, h)
    assert np.allclose(last, h)


def test_the_derivative_of_a_scan_goes_back_through_every_trip() -> None:
    w, xs = numbers((3, 3)), numbers((5, 3), 2)

    def loss(w: Value, xs: Value) -> Value:
        return xp.sum(xp.square(_recurrence(w, xs)[0]))

    (slope,) = computed(lambda w, xs: gradient(loss(w, xs), [w]), w, xs)
    for place in np.ndindex(3, 3):
        sides = []
        for step in (1e-6, -1e-6):
            moved = w.copy()
            moved[place] += step
            sides.append(float(one(loss, moved, xs)))
        assert np.isclose(slope[place], (sides[0] - sides[1]) / 2e-6, rtol=1e-6)


_root = partial(square_root, close=1e-9, trips=30)


def test_each_element_ends_by_itself() -> None:
    x = np.array([1.0, 2.0, 1e4, 0.01])
    assert np.allclose(one(_root, x), np.sqrt(x), rtol=1e-9)
    assert np.allclose(one(lambda x: vmap(_root)(x), x), np.sqrt(x), rtol=1e-9)


def test_a_loop_ends_after_its_trips_all_the_same() -> None:
    found = one(
        lambda x: while_loop(lambda s: s[0] < 100.0, lambda s: [s[0] + 1.0], [x], trips=3)[0], np.zeros(2)
    )
    assert found.tolist() == [3.0, 3.0]


def test_what_a_trip_that_ended_would_give_is_not_taken() -> None:
    def halves(x: Value) -> Value:  # log of what falls below 0 is NaN, and is never taken
        body: Callable[[Any], Any] = lambda s: [s[0] - 1.0, s[1] + xp.log(s[0])]  # noqa: E731
        return while_loop(lambda s: s[0] > 0.5, body, [x, xp.zeros_like(x)], trips=6)[1]

    x = np.array([1.0, 3.0])
    assert np.allclose(one(halves, x), [0.0, np.log(6.0)])


@pytest.mark.parametrize(
    ("code", "function"),
    [
        ("SCL-GRAPH-SHAPE", lambda x: scan(lambda s, e: (s, e), [x], [x, x[:1]])[0][0]),
        ("SCL-GRAPH-SHAPE", lambda x: scan(lambda s, e: (s, e), [x], [x[:0]])[0][0]),
        ("SCL-GRAPH-SHAPE", lambda x: scan(lambda s, e: ([xp.sum(s[0])], e), [x], [x])[0][0]),
        ("SCL-GRAPH-SHAPE", lambda x: while_loop(lambda s: x > 0.0, lambda s: [xp.sum(x)], [x], trips=1)[0]),
        ("SCL-GRAPH-DTYPE", lambda x: while_loop(lambda s: x, lambda s: s, [x], trips=1)[0]),
    ],
)  # fmt: skip
def test_what_is_no_loop_is_refused(code: str, function: Callable[..., Any]) -> None:
    with pytest.raises(ScellisError, match=code):
        traced(function, numbers((3,)))
