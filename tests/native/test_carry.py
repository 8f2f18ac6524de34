"""What is carried to the next computation, on a device: a thread writes over what it alone has read."""

from __future__ import annotations

import numpy as np
import pytest

from scellis.device.gpu import GpuDevice
from scellis.device.oracle import OracleDevice
from support.arrays import Array
from support.carry_programs import SHAPES, CarryProgram

CARRIED = {
    "as it is": (1, [("itself", 0, 0)], {0: 0}),
    "to another": (2, [("stopped", 0, 0)], {0: 1}),
    "exchanged": (2, [("stopped", 0, 0), ("stopped", 1, 1)], {0: 1, 1: 0}),
    "exchanged, as inputs": (2, [("itself", 0, 0), ("itself", 1, 1)], {1: 0, 0: 1}),
    "exchanged and changed": (2, [("more", 0, 0), ("both", 1, 0)], {0: 1, 1: 0}),
    "in a ring": (3, [("stopped", 0, 0), ("itself", 1, 1), ("more", 2, 0)], {0: 1, 1: 2, 2: 0}),
    "to two": (3, [("itself", 0, 0), ("stopped", 0, 0), ("more", 0, 1)], {0: 1, 1: 2, 2: 0}),
    "to itself and another": (2, [("itself", 0, 0), ("stopped twice", 0, 0)], {0: 0, 1: 1}),
    "two that are one": (2, [("more", 0, 0), ("as much more", 0, 0), ("more", 0, 0)], {0: 1, 1: 0}),
    "and given back": (2, [("stopped", 0, 0), ("itself", 0, 0), ("turned", 1, 0)], {0: 1, 2: 0}),
    "along rows": (2, [("rows", 0, 1), ("rows", 1, 0), ("stopped", 0, 0)], {0: 1, 1: 0}),
}


@pytest.mark.parametrize("name", CARRIED)
async def test_whatever_is_carried_arrives(device: GpuDevice, name: str) -> None:
    inputs, outputs, carry = CARRIED[name]
    for shape in SHAPES:
        program = CarryProgram(shape, inputs, tuple(outputs), carry)
        compiled = await device.compile(program.graph, "prod", carry)
        oracle = await OracleDevice().compile(program.graph, "prod", carry)
        given: list[Array | None] = [*program.arrays]
        for _ in range(3):
            for found, expected in zip(
                await compiled.compute(given), await oracle.compute(given), strict=True
            ):
                assert (found is None) == (expected is None)
                if found is not None:
                    np.testing.assert_array_equal(found, expected)
            given = [None] * inputs
            for number in range(inputs):
                np.testing.assert_array_equal(await compiled.read(number), await oracle.read(number))
        compiled.close()
