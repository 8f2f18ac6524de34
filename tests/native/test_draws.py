"""Draws and operations on a device: every value within the bound that jobs derive their tolerance from."""

from __future__ import annotations

import numpy as np
import pytest

from scellis.graph import DRAWS, ELEMENTWISE
from scellis.kernels.emit import EMITTED
from support.device_checks import PROGRAMS, STANDARD_DRAWS, draw_values
from support.mapper import Mapper
from support.sweeps import ulps


@pytest.mark.parametrize("name", PROGRAMS)
async def test_every_value_is_within_its_bound(mapper: Mapper, name: str) -> None:
    found, exact, bound = await draw_values(mapper, PROGRAMS[name])
    share = np.abs(found - exact) / bound
    print(f"{name}: worst error is {share.max():.2f} of its bound")
    assert share.max() <= 1.0


@pytest.mark.parametrize("name", STANDARD_DRAWS)
async def test_error_of_standard_draws_in_ulp(mapper: Mapper, name: str) -> None:
    found, exact, _ = await draw_values(mapper, PROGRAMS[name])
    worst = ulps(found, exact).max()
    print(f"{name}: worst error {worst:.2f} ulp")
    assert worst <= STANDARD_DRAWS[name]


def test_what_lowers_is_the_op_set() -> None:
    smooth = {name for name, op in ELEMENTWISE.items() if op.rounding is not None}
    assert {*DRAWS, *smooth, "constant"} == EMITTED
    assert {node.op for graph in PROGRAMS.values() for node in graph.nodes} == EMITTED
