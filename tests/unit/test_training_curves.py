"""Loss curves of a hundred steps against PyTorch's, which tests/fixtures/training.py wrote."""

from __future__ import annotations

import numpy as np
import pytest

from scellis.content import MemoryStore
from scellis.device.oracle import OracleDevice
from support.curve_cases import BOUND, CASES, STEPS, kinds, pytorch, record_of
from support.training_texts import NarrowDevice, trained

PYTORCH = pytorch()


def test_every_curve_of_pytorch_is_a_case() -> None:
    assert set(PYTORCH) == set(CASES)
    assert {len(losses) for losses in PYTORCH.values()} == {STEPS}
    # Each is another curve, by more than it may lie from ours: else no test would tell one from another.
    for name in CASES:
        for other in set(CASES) - {name}:
            assert not np.allclose(PYTORCH[name], PYTORCH[other], **BOUND[name])


@pytest.mark.parametrize("name", [name for name in CASES if "mixed" not in name])
async def test_a_loss_curve_in_f64_is_pytorch_s(name: str) -> None:
    _, told = await trained(record_of(name), kinds(), MemoryStore(), device=OracleDevice())
    np.testing.assert_allclose([report.loss for report in told.reports], PYTORCH[name], rtol=5e-6)


@pytest.mark.parametrize("name", CASES)
async def test_a_loss_curve_in_a_device_s_types_is_pytorch_s(name: str) -> None:
    _, told = await trained(record_of(name), kinds(), MemoryStore(), device=NarrowDevice())
    np.testing.assert_allclose([report.loss for report in told.reports], PYTORCH[name], **BOUND[name])
