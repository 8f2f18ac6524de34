"""Where a factor's elements lie: the steps of a view against the numbers that its movements carry along."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scellis.graph import Value, compute
from scellis.graph import functions as xp
from scellis.graph.fuse import Group
from scellis.kernels.views import View, view_of
from support.arrays import traced


def _heads(x: Value) -> Value:
    return xp.permute_dims(xp.reshape(x, (3, 8, 4, 4)), (0, 2, 1, 3))


VIEWS: dict[str, tuple[Callable[[Value], Value], tuple[int, ...], bool]] = {
    "itself": (lambda x: x, (6, 8), True),
    "turned": (xp.matrix_transpose, (6, 8), True),
    "heads": (_heads, (24, 16), True),
    "heads, turned": (lambda x: xp.matrix_transpose(_heads(x)), (24, 16), True),
    "a part": (lambda x: x[1:, 4:12:2], (6, 16), True),
    "spread": (lambda x: x[:, None].broadcast_to((5, 3, 4)), (5, 4), True),
    "one row": (lambda x: x[None], (8,), True),
    "heads put together": (
        lambda x: xp.reshape(xp.permute_dims(xp.reshape(x, (3, 4, 8, 4)), (0, 2, 1, 3)), (24, 16)),
        (24, 16),
        False,
    ),
    "turned round": (xp.flip, (6, 8), False),
    "computed": (lambda x: x + x, (6, 8), False),
}


def _view(function: Callable[[Value], Value], shape: tuple[int, ...]) -> tuple[View | None, np.ndarray]:
    numbers = np.arange(np.prod(shape)).reshape(shape).astype(np.float32)
    graph = traced(function, numbers)
    (root,) = graph.outputs
    (found,) = compute(graph, [numbers])
    return view_of(graph, Group((root,), graph.inputs, ()), root), found


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_lies_where_its_movements_take_it(name: str) -> None:
    function, shape, is_view = VIEWS[name]
    view, numbers = _view(function, shape)
    assert (view is not None) == is_view
    if view is not None:
        assert view.shape == numbers.shape
        places = view.first + sum(np.indices(view.shape)[axis] * step for axis, step in enumerate(view.steps))
        np.testing.assert_array_equal(places, numbers)


@pytest.mark.parametrize("name", [name for name, (_, _, is_view) in VIEWS.items() if is_view])
def test_a_matrix_begins_where_its_offset_says(name: str) -> None:
    function, shape, _ = VIEWS[name]
    view, numbers = _view(function, shape)
    assert view is not None
    firsts = numbers.reshape(-1, *numbers.shape[-2:])[:, 0, 0]
    for batch, first in enumerate(firsts):
        text = view.offset(str(batch)).replace("u", "").replace("/", "//")
        assert eval(text) == first


def test_fours_lie_as_four_from_a_multiple_of_four_on() -> None:
    def axes(function: Callable[[Value], Value], *shape: int) -> list[int]:
        view, _ = _view(function, shape)
        assert view is not None
        return [axis for axis in (-2, -1) if view.in_groups(axis)]

    assert axes(lambda x: x, 6, 8) == [-1]
    assert axes(lambda x: x, 8, 6) == []
    assert axes(xp.matrix_transpose, 6, 8) == [-2]
    assert axes(_heads, 24, 16) == [-1]
    assert axes(lambda x: x[:, 4:], 6, 8) == [-1]
    assert axes(lambda x: x[:, 2:6], 6, 8) == []
    assert axes(lambda x: x[:, ::2], 6, 8) == []
