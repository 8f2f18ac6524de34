"""The transformer on a book: what the example is, and that it is trained as PyTorch trains it."""

from __future__ import annotations

import numpy as np

from scellis.content import MemoryStore
from scellis.device.oracle import OracleDevice
from scellis.sml.dataset import parse_dataset
from support.book_cases import EXAMPLES, STEPS, letters, pytorch, record, short_record
from support.training_texts import trained

PYTORCH = pytorch()


async def test_the_example_without_chance_is_trained_as_pytorch_trains_it() -> None:
    record = short_record()
    _, told = await trained(record, letters(), MemoryStore(), device=OracleDevice())
    ((_, measures),) = told.measures
    found = [report.loss for report in told.reports] + [measures["loss"]]
    assert len(found) == STEPS + 1
    np.testing.assert_allclose(found, PYTORCH["short"], rtol=1e-5)
    assert found[0] - found[-1] > 0.3, "it learns"


def test_the_curve_of_pytorch_is_of_the_example() -> None:
    assert PYTORCH["record"] == record().address
    text = parse_dataset((EXAMPLES / "data/moby_dick.sml").read_text(encoding="utf-8"))
    assert text.id == record().data.dataset
