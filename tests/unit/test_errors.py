from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.errors import ScellisError


def test_an_error_carries_code_sentence_remedy_and_arguments() -> None:
    error = ScellisError("SCL-GPU-LOST", "The GPU went away.", "Reload the page.", adapter="swiftshader")
    assert error.message_id == "error-gpu-lost"
    assert str(error) == "The GPU went away. Reload the page. [SCL-GPU-LOST]"
    assert error.as_dict() == {
        "code": "SCL-GPU-LOST",
        "message_id": "error-gpu-lost",
        "message": "The GPU went away.",
        "remedy": "Reload the page.",
        "args": {"adapter": "swiftshader"},
    }


@pytest.mark.parametrize(
    "code", ["", "SCL", "SCL-", "scl-gpu", "SCL-gpu", "SCL-GPU-", "GPU-LOST", "SCL-GPU LOST"]
)
def test_a_code_has_one_form(code: str) -> None:
    with pytest.raises(ValueError, match="not an error code"):
        ScellisError(code, "x")


@given(st.text())
def test_a_message_never_sends_a_terminal_what_it_should_not(text: str) -> None:
    assert ScellisError("SCL-X", text).message.isprintable()
    ScellisError("SCL-X", text).message.encode("utf-8")


def test_letters_of_other_languages_stay() -> None:
    assert ScellisError("SCL-X", "größer, ığüşöç, σ − 1").message == "größer, ığüşöç, σ − 1"
    assert ScellisError("SCL-X", "\x1b[2Jgone\ud800\u202e").message == "\\x1b[2Jgone\\ud800\\u202e"
