"""Our own elementary functions on a device, against f64: at most 4 ulp over the whole range.

The worst errors found are printed with `pytest -rP`; docs/numerics/README.md keeps them.
"""

from __future__ import annotations

import numpy as np
import pytest

from support.mapper import Mapper
from support.special_values import PAIRS, SINGLE
from support.sweeps import F32, SWEEPS, apply, bit_patterns


@pytest.mark.parametrize("name", SWEEPS)
async def test_error_is_within_its_limit(mapper: Mapper, name: str) -> None:
    sweep = SWEEPS[name]
    x, errors = await sweep.errors_ulp(mapper)
    worst = int(np.argmax(errors))
    print(f"{name}: {errors[worst]:.3f} ulp at {x[worst]!r}, {errors.mean():.3f} on average, {x.size} tried")
    assert errors[worst] <= sweep.limit_ulp


@pytest.mark.parametrize("file", SINGLE)
async def test_special_values_and_signs_of_zero(mapper: Mapper, file: str) -> None:
    for name, values in SINGLE[file].items():
        x, expected = np.array(values, np.float32).T.copy()
        _check_same(f"{name}({x})", await apply(mapper, file, name, x), expected)


@pytest.mark.parametrize("file", PAIRS)
async def test_special_values_of_two_arguments(mapper: Mapper, file: str) -> None:
    for name, values in PAIRS[file].items():
        with np.errstate(over="ignore"):
            table = np.array(values).astype(np.float32)
        _check_same(f"{name}({table})", await apply(mapper, file, name, table[:, :2].copy()), table[:, 2])


def _check_same(what: str, found: F32, expected: F32) -> None:
    """Equal, NaN where NaN, and zeros of the same sign; the last bit of what is neither is left open."""
    np.testing.assert_allclose(found, expected, rtol=3e-7, atol=0, err_msg=what)
    zero = expected == 0
    np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(expected[zero]), err_msg=what)


async def test_results_below_the_normal_range_are_zero(mapper: Mapper) -> None:
    x = bit_patterns(-87.3366, -104.0, 100_000)
    for name in ("exp_f32", "exp_nonpositive"):
        assert not (await apply(mapper, "elementary.wgsl", name, x)).any()


async def test_exp_of_what_is_at_most_zero_is_exp_to_the_bit(mapper: Mapper) -> None:
    x = np.concatenate([bit_patterns(-1e-30, -87.33654), np.float32([-0.0, -88.0, -np.inf])])
    short, whole = [
        await apply(mapper, "elementary.wgsl", name, x) for name in ("exp_nonpositive", "exp_f32")
    ]
    assert np.array_equal(short.view(np.uint32), whole.view(np.uint32))
