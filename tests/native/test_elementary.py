"""Our own elementary functions on a device, against f64: at most 4 ulp over the whole range.

The worst errors found are printed with `pytest -rP`; docs/numerics/README.md keeps them.
"""

from __future__ import annotations

import numpy as np
import pytest

from support.device_checks import SWEEPS, bit_patterns
from support.mapper import Mapper


@pytest.mark.parametrize("name", SWEEPS)
async def test_error_is_within_its_limit(mapper: Mapper, name: str) -> None:
    sweep = SWEEPS[name]
    x, errors = await sweep.errors_ulp(mapper)
    worst = int(np.argmax(errors))
    print(f"{name}: {errors[worst]:.3f} ulp at {x[worst]!r}, {errors.mean():.3f} on average, {x.size} tried")
    assert errors[worst] <= sweep.limit_ulp


INFINITE, NAN = float("inf"), float("nan")
CLASSES: dict[str, list[tuple[float, float]]] = {
    "log_f32": [
        (0.0, -INFINITE), (-0.0, -INFINITE), (1e-40, -INFINITE), (-1e-40, -INFINITE), (1.0, 0.0),
        (INFINITE, INFINITE), (-1.0, NAN), (-INFINITE, NAN), (NAN, NAN),
    ],
    "exp_f32": [
        (0.0, 1.0), (1e-40, 1.0), (88.72284, INFINITE), (1e30, INFINITE), (INFINITE, INFINITE),
        (-87.33655, 0.0), (-1e30, 0.0), (-INFINITE, 0.0), (NAN, NAN),
    ],
    "sin_f32": [
        (0.0, 0.0), (-0.0, 0.0), (1e-40, 0.0), (-1e-40, 0.0), (INFINITE, NAN), (-INFINITE, NAN), (NAN, NAN),
    ],
    "cos_f32": [
        (0.0, 1.0), (1e-40, 1.0), (-1e-40, 1.0), (INFINITE, NAN), (-INFINITE, NAN), (NAN, NAN),
    ],
    "tanh_f32": [
        (0.0, 0.0), (1e-40, 0.0), (9.5, 1.0), (-9.5, -1.0), (1e30, 1.0), (INFINITE, 1.0), (-INFINITE, -1.0),
        (NAN, NAN),
    ],
    "expm1_f32": [
        (0.0, 0.0), (88.72284, INFINITE), (INFINITE, INFINITE), (-30.0, -1.0), (-1e30, -1.0),
        (-INFINITE, -1.0), (NAN, NAN),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
async def test_values_that_are_no_normal_number(mapper: Mapper, name: str) -> None:
    x, expected = np.array(CLASSES[name], np.float32).T.copy()
    found = (await mapper("elementary.wgsl", x, x.size, puts={"FUNCTION": f"return {name}(x);"})).view(
        np.float32
    )
    np.testing.assert_array_equal(found, expected)


async def test_results_below_the_normal_range_are_zero(mapper: Mapper) -> None:
    x = bit_patterns(-87.3366, -104.0, 100_000)
    found = await mapper("elementary.wgsl", x, x.size, puts={"FUNCTION": "return exp_f32(x);"})
    assert not found.any()
