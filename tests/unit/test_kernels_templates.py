from __future__ import annotations

import pytest

from scellis.kernels.templates import assemble, expand, functions, read_wgsl


def test_a_file_is_included_once() -> None:
    text = expand(
        "//#include words_shift.wgsl\n//#include words\nend\n",
        includes={"words": "words_shift.wgsl"},
        puts={},
    )
    assert text.count("fn high_half(") == 1
    assert text.endswith("end\n")


def test_a_place_takes_lines_at_its_indent() -> None:
    assert expand("a\n  //#put DRAW\nb\n", includes={}, puts={"DRAW": "x;\ny;"}) == "a\n  x;\n  y;\nb\n"


@pytest.mark.parametrize("line", ["//#put NOTHING\n", "//#include nothing\n"])
def test_what_is_not_given_is_a_fault(line: str) -> None:
    with pytest.raises(KeyError):
        expand(line, includes={}, puts={})


def test_the_doctors_kernel_is_whole() -> None:
    text = assemble("philox_words.wgsl", includes={"words": "words_float.wgsl"}, puts={})
    assert "//#" not in text
    assert text.index("fn high_half(") < text.index("fn philox_round(")


def test_both_elementary_files_have_what_programs_call() -> None:
    for name in (
        "log_unit",
        "powm1_unit",
        "sin2pi",
        "cos2pi",
        "log_f32",
        "exp_f32",
        "exp_nonpositive",
        "expm1_f32",
        "tanh_f32",
    ):
        for file in ("elementary.wgsl", "elementary_fast.wgsl"):
            assert f"fn {name}(" in read_wgsl(file)
    for name in ("log1p_f32", "log2_f32", "log10_f32", "exp2_f32"):
        for file in ("logarithms.wgsl", "logarithms_fast.wgsl"):
            assert f"fn {name}(" in read_wgsl(file)


def test_a_kernel_has_the_functions_that_it_calls_and_what_they_need() -> None:
    files = ["classes.wgsl", "hypot.wgsl", "pow.wgsl", "gamma.wgsl"]
    text = functions(["let v0 = a0[i];", "let v1 = lgamma_f32(v0);"], files)
    for needed in ("lgamma_f32", "sin_of_quarters", "multiply_wide", "is_nan"):
        assert text.count(f"fn {needed}(") == 1
    assert "fn pow_f32(" not in text
    assert functions(["let v1 = sqrt(v0);"], files) == ""
