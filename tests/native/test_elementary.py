"""Our own elementary functions on a device, against f64: at most 4 ulp over the whole range.

The worst errors found are printed with `pytest -rP`; docs/numerics/README.md keeps them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from scellis.graph.ops import F32_SMALLEST

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
LIMIT_ULP = 4.0


def ulps(found: F32, exact: F64) -> F64:
    """|found − exact| in units of the last place of the exact value as f32 has it."""
    spacing = np.spacing(np.maximum(np.abs(exact), F32_SMALLEST).astype(np.float32)).astype(np.float64)
    return np.abs(found.astype(np.float64) - exact) / spacing


def all_uniforms() -> F32:
    return (np.arange(2**23, dtype=np.float64) * 2.0**-23 + 2.0**-24).astype(np.float32)


def bit_patterns(low: float, high: float, count: int) -> F32:
    """About `count` f32 from `low` to `high`, of one sign, evenly spread over their bit patterns."""
    first, last = np.float32([low, high]).view(np.uint32).tolist()
    start, stop = sorted((first, last))
    step = max(1, (stop - start) // count)
    return np.append(np.arange(start, stop, step, dtype=np.uint32), np.uint32(stop)).view(np.float32)


SWEEPS: dict[str, tuple[str, Callable[[], F32], Callable[[F64], F64]]] = {
    "log of every uniform": ("log_unit", all_uniforms, np.log),
    "log of the whole range": ("log_f32", lambda: bit_patterns(F32_SMALLEST, 3.4e38, 4_000_000), np.log),
    "log about 1": ("log_f32", lambda: bit_patterns(0.5, 2.0, 4_000_000), np.log),
    "sin 2 pi u of every uniform": ("sin2pi", all_uniforms, lambda u: _sin2pi(u)),
    "cos 2 pi u of every uniform": ("cos2pi", all_uniforms, lambda u: _sin2pi(u + 0.25)),
    "expm1 from 0 to 40": ("expm1_moderate", lambda: bit_patterns(1e-30, 40.0, 4_000_000), np.expm1),
    "expm1 of positive": ("expm1_f32", lambda: bit_patterns(1e-30, 88.72283, 4_000_000), np.expm1),
    "expm1 of negative": ("expm1_f32", lambda: bit_patterns(-1e-30, -110.0, 4_000_000), np.expm1),
    "exp of positive": ("exp_f32", lambda: bit_patterns(1e-30, 88.72283, 4_000_000), np.exp),
    "exp of negative": ("exp_f32", lambda: bit_patterns(-1e-30, -87.33654, 4_000_000), np.exp),
}


def _sin2pi(turns: F64) -> F64:
    """sin 2πt in f64 with the angle reduced in turns, so that it is as good near its zeros as elsewhere."""
    folded = turns - np.round(turns)
    folded = np.where(np.abs(folded) > 0.25, np.copysign(0.5, folded) - folded, folded)
    return np.sin(2.0 * np.pi * folded)


@pytest.mark.parametrize("sweep", SWEEPS)
async def test_error_is_at_most_4_ulp(mapper, sweep: str) -> None:
    name, arguments, exact = SWEEPS[sweep]
    x = arguments()
    found = (await mapper("elementary.wgsl", x, x.size, puts={"FUNCTION": f"return {name}(x);"})).view(
        np.float32
    )
    errors = ulps(found, exact(x.astype(np.float64)))
    worst = int(np.argmax(errors))
    print(
        f"{sweep}: {errors[worst]:.3f} ulp at {x[worst]!r}, {np.mean(errors):.3f} on average, {x.size} tried"
    )
    assert errors[worst] <= LIMIT_ULP


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
    "expm1_f32": [
        (0.0, 0.0), (88.72284, INFINITE), (INFINITE, INFINITE), (-30.0, -1.0), (-1e30, -1.0),
        (-INFINITE, -1.0), (NAN, NAN),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
async def test_values_that_are_no_normal_number(mapper, name: str) -> None:
    x, expected = np.array(CLASSES[name], np.float32).T.copy()
    found = (await mapper("elementary.wgsl", x, x.size, puts={"FUNCTION": f"return {name}(x);"})).view(
        np.float32
    )
    np.testing.assert_array_equal(found, expected)


async def test_results_below_the_normal_range_are_zero(mapper) -> None:
    x = bit_patterns(-87.3366, -104.0, 100_000)
    found = await mapper("elementary.wgsl", x, x.size, puts={"FUNCTION": "return exp_f32(x);"})
    assert not found.any()


async def test_square_root_keeps_the_bound_that_draws_assume(mapper) -> None:
    # Not ours but WGSL's; graph.draws counts on 9 unit roundoffs, 4.5 ulp.
    x = bit_patterns(1e-30, 1e30, 4_000_000)
    found = (await mapper("elementary.wgsl", x, x.size, puts={"FUNCTION": "return sqrt(x);"})).view(
        np.float32
    )
    assert ulps(found, np.sqrt(x.astype(np.float64))).max() <= 4.5
