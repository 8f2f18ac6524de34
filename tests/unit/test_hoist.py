"""What is taken out of a loop."""

from __future__ import annotations

from scellis.kernels.hoist import hoisted


def test_only_what_stays_the_same_comes_before() -> None:
    lines = [
        "let v0 = a1[row];",
        "let v1 = a0[i];",
        "let v2 = v1 * v0;",
        "let v3 = 2.0 / v0;",
        "total = total + v2;",
        "let v4 = v3 + total;",
    ]
    before, inside = hoisted(lines, ("i", "total"))
    assert before == ["let v0 = a1[row];", "let v3 = 2.0 / v0;"]
    assert inside == [line for line in lines if line not in before]


def test_a_name_within_another_is_another() -> None:
    before, inside = hoisted(["let v0 = size + i1;", "let v1 = quad_a0.x;"], ("i", "quad_a0"))
    assert before == ["let v0 = size + i1;"]
    assert inside == ["let v1 = quad_a0.x;"]
