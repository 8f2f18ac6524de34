"""Fields of an SML text set one by one, with all else as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.catalog.library import built_in
from scellis.sml.edit import with_fields
from scellis.sml.training import parse_training
from support.training_texts import EVERYTHING, FIELDS, training_text

BLOCK = """\
# of one's own
batch_size: 8  # each
layers:
  hidden: { block_id: model/layer/linear }
  # then
  logits:
    block_id: model/layer/linear

# how
seed: 1
"""


def test_a_line_is_replaced() -> None:
    assert with_fields(BLOCK, {"batch_size": "4"}) == BLOCK.replace("8  # each", "4")


def test_a_field_of_several_lines_is_replaced_and_what_stands_before_the_next_stays() -> None:
    start, end = BLOCK.index("layers:"), BLOCK.index("\n# how")
    assert with_fields(BLOCK, {"layers": "{}"}) == BLOCK[:start] + "layers: {}\n" + BLOCK[end:]


def test_what_is_missing_comes_last() -> None:
    assert with_fields("seed: 1", {"accumulate": "2"}) == "seed: 1\naccumulate: 2\n"
    assert with_fields(BLOCK, {"seed": "2"}).endswith("# how\nseed: 2\n")


@pytest.mark.parametrize("changes", [{}, EVERYTHING], ids=["small", "everything"])
@given(fields=st.dictionaries(st.sampled_from(["batch_size", "accumulate", "epochs"]), st.integers(1, 16)))
def test_the_record_is_the_one_with_those_fields(changes: dict[str, str], fields: dict[str, int]) -> None:
    set_ = {name: str(value) for name, value in fields.items()}
    found = parse_training(with_fields(training_text(changes), set_), built_in())
    assert found == parse_training(training_text(FIELDS | changes | set_), built_in())
