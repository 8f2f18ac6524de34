from __future__ import annotations

import math

import pytest

from scellis.errors import ScellisError
from scellis.planner import draws_needed, shards_needed


def test_draws_for_a_wished_standard_error() -> None:
    assert draws_needed(0.31, 5e-5) == 38_440_000  # the arithmetic of the second example
    assert draws_needed(1.0, 1.0) == 1
    assert draws_needed(1.0, 0.3) == 12
    assert draws_needed(0.1, 7.0) == 1
    assert draws_needed(35.801, 0.006) == math.ceil((35.801 / 0.006) ** 2)


def test_shards_are_whole() -> None:
    assert shards_needed(0.31, 5e-5, 65_536) == 587
    assert shards_needed(1.0, 1.0, 65_536) == 1
    assert shards_needed(8.0, 1.0, 64) == 1
    assert shards_needed(8.1, 1.0, 64) == 2


@pytest.mark.parametrize("standard_error", [0.0, -1.0, math.nan, 1e-300, 5e-324])
def test_a_wish_that_no_run_reaches_is_refused(standard_error: float) -> None:
    with pytest.raises(ScellisError, match="SCL-PLAN-ERROR"):
        draws_needed(1.0, standard_error)
    with pytest.raises(ScellisError, match="SCL-PLAN-ERROR"):
        shards_needed(1.0, standard_error, 1)


def test_an_infinite_spread_is_refused() -> None:
    for std in (math.inf, math.nan):
        with pytest.raises(ScellisError, match="SCL-PLAN-ERROR"):
            draws_needed(std, 1.0)
