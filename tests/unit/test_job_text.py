"""SML of a job: what it says, and texts from strangers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scellis.errors import ScellisError
from scellis.sml import parse_job_text
from scellis.sml.document import DEPTH_LIMIT, TEXT_LIMIT, load
from support.programs import example_text

SMALL = """\
sml: 1
title: Small
inputs:
  a: {draw: normal, loc: 1, scale: 2}
  b: {draw: uniform, low: 0, high: 1e1}
constants:
  half: 0.5
steps:
  s: a * half
output:
  name: y
  unit: m
  value: s + b
job:
  partition: {by_seed: {shards: 4, draws_per_shard: 1024}}
  reduction: {moments_histogram: {bins: 64}}
  coverage: 0.95
  standard_error: 0.1
  determinism_tier: prod
  seed: 7
  policy: own_devices
"""


def refused(text: str) -> ScellisError:
    with pytest.raises(ScellisError) as caught:
        parse_job_text(text)
    return caught.value


def changed(old: str, new: str) -> str:
    assert SMALL.count(old) == 1
    return SMALL.replace(old, new)


def test_a_text_says_what_is_to_be_computed() -> None:
    text = parse_job_text(SMALL)
    assert (text.title, text.about, text.output, text.unit) == ("Small", "", "y", "m")
    assert text.inputs == ("a", "b")
    assert (text.shards, text.draws_per_shard, text.bins) == (4, 1024, 64)
    assert (text.coverage, text.standard_error, text.seed) == (0.95, 0.1, 7)
    assert (text.determinism_tier, text.policy) == ("prod", "own_devices")
    ops = [node.op for node in text.program.nodes]
    assert ops == ["draw_normal", "draw_uniform", "constant", "multiply", "add"]


def test_the_examples_are_read() -> None:
    gauge, ratio = (parse_job_text(example_text(name)) for name in ("gauge_block", "saturating"))
    assert (len(gauge.inputs), len(ratio.inputs)) == (9, 7)
    assert gauge.shards == ratio.shards == 640
    assert gauge.draws_per_shard == ratio.draws_per_shard == 65_536
    assert gauge.about
    assert gauge.unit == "nm"
    assert ratio.unit == ""


def test_shards_may_be_left_to_the_wish() -> None:
    assert parse_job_text(changed("shards: 4, ", "")).shards is None


def test_comments_quotes_and_order_do_not_change_the_program() -> None:
    other = "# note\n" + changed("value: s + b", 'value: "s + b"  # a sum')
    assert parse_job_text(other).program.address == parse_job_text(SMALL).program.address


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("sml: 1", "sml: 2", 1, "this engine reads SML version 1"),
        ("sml: 1", "sml: '1'", 1, "sml: a whole number"),
        ("title: Small", "titel: Small", 2, "Did you mean 'title'?"),
        ("title: Small", "title: 5", 2, "title: text is expected"),
        ("title: Small\n", "", 1, "'title' is missing"),
        ("draw: normal", "draw: gauss", 4, "'gauss' is not known"),
        ("scale: 2", "scale: 0", 4, "scale must be positive"),
        ("scale: 2", "scale: two", 4, "scale: a number is expected"),
        ("scale: 2", "scale: true", 4, "scale: a number is expected"),
        ("scale: 2", "scale: .inf", 4, "too large, or none"),
        ("scale: 2", "scale: .nan", 4, "too large, or none"),
        ("scale: 2", "scale: 1e999", 4, "too large, or none"),
        ("scale: 2", "scale: 1" + "0" * 400, 4, "too large, or none"),
        ("scale: 2", "scale: 2, df: 1", 4, "there is no such field"),
        (", scale: 2", "", 4, "'scale' is missing"),
        ("  b:", "  exp:", 5, "no function"),
        ("  b:", "  1b:", 5, "a name is a letter"),
        ("  b:", "  a_:", 13, "the name 'b' is not declared"),
        ("  half: 0.5", "  a: 0.5", 7, "declared twice"),
        ("  s: a", "  half: a", 9, "declared twice"),
        ("s: a * half", "s: a * s", 9, "the name 's' is not declared"),
        ("s: a * half", "s: a * __import__('os')", 9, "is not understood"),
        ("s: a * half", "s: true", 9, "an expression"),
        ("s: a * half", "s: [a]", 9, "an expression"),
        ("s + b", "a + half", 5, "the output does not depend on it"),
        ("value: s + b", "value: 0x" + "f" * 300, 13, "too large, or none"),
        ("{by_seed: {shards: 4, draws_per_shard: 1024}}", "{by_hand: {}}", 15, "no partition 'by_hand'"),
        ("coverage: 0.95", "coverage: 1", 17, "a number between 0 and 1"),
        ("standard_error: 0.1", "standard_error: 0", 18, "a number above 0"),
        ("tier: prod", "tier: product", 19, "Did you mean 'prod'?"),
        ("policy: own_devices", "policy: crowd", 21, "'crowd' is not known"),
        ("{by_seed: {shards: 4, draws_per_shard: 1024}}", "{}", 15, "exactly one kind"),
        ("{by_seed: {shards: 4, draws_per_shard: 1024}}", "by_seed", 15, "a map of fields"),
        ("shards: 4", "shards: 0", 15, "a whole number from 1"),
        ("shards: 4", "shards: 4.0", 15, "a whole number from 1"),
        ("draws_per_shard: 1024", "draws_per_shard: 0", 15, "a whole number from 1"),
        ("draws_per_shard: 1024", "draws_per_shard: -5", 15, "a whole number from 1"),
        ("draws_per_shard: 1024", "draws_per_shard: 4294967297", 15, "a whole number from 1"),
        (", draws_per_shard: 1024", "", 15, "'draws_per_shard' is missing"),
        ("bins: 64", "bins: many", 16, "a whole number from 2"),
        ("  determinism_tier: prod\n", "", 15, "'determinism_tier' is missing"),
        ("  seed: 7\n", "", 15, "'seed' is missing"),
        ("seed: 7", "seed: -1", 20, "a whole number from 0"),
        ("seed: 7", "seed: 18446744073709551616", 20, "a whole number from 0"),
        ("seed: 7", "seed: 0x" + "f" * 6000, 20, "a whole number from 0"),
        ("policy: own_devices", "policy: own_devices\n  price: 5", 22, "there is no such field"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old: str, new: str, line: int, says: str) -> None:
    error = refused(changed(old, new))
    assert says in error.message
    assert f"ine {line}" in error.message
    assert len(error.message) < 400


def test_an_unknown_reduction_is_no_reduction() -> None:
    assert refused(changed("moments_histogram", "mean_of_means")).code == "SCL-JOB-REDUCER"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "- a",
        "just text",
        "a: [",
        "a: 1\na: 2",
        "a: 1\n---\nb: 2",
        "a: &x 1",
        "a: *x",
        "x: &x {a: 1}\n<<: *x",
        "sml: 1\n<<: {foo: 1}",
        "'<<': 1",
        "a: !!python/object/apply:os.system ['true']",
        "a: !local 1",
        "a: 2001-99-99",
        'a: "\\U00110000"',
        "a: \0",
        "a\ud800: 1",
        "%YAML 9.9\n---\na: 1",
        "sml: 1\n? [1, 2]\n: 3",
        "sml: 1\n? {a: 1}\n: 3",
        "sml: 1\n1: 2",
        "sml: 1\nnull: 2",
        "sml: 1\n2001-01-01: 2",
        "sml: " + "9" * 6000,
        "a: " + "[" * (DEPTH_LIMIT + 1),
        "a: " + "{b: " * (DEPTH_LIMIT + 1),
        "- " * 30_000,
        "[" * 60_000,
        "x" * (TEXT_LIMIT + 1),
        "k" * 60_000 + ": 1",
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_texts_that_are_no_sml_are_refused(text: str) -> None:
    error = refused(text)
    assert error.code == "SCL-SML-TEXT"
    assert len(error.message) < 400


def test_an_entity_bomb_is_refused_before_it_grows() -> None:
    rows = [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)]
    with pytest.raises(ScellisError, match="anchors and aliases"):
        load("a0: &a0 [x]\n" + "\n".join(rows))


PIECES = st.sampled_from(
    [
        *"{}[]:,-?&*!|>'\"%@#~ \n\t\\",
        "a",
        "1",
        ".5",
        "0x",
        ".nan",
        "null",
        "<<: ",
        "? ",
        "- ",
        "!!int ",
        "---\n",
        "\ufeff",
    ]
)


@settings(max_examples=150)
@given(
    st.integers(0, len(SMALL)),
    st.integers(0, 30),
    st.lists(PIECES | st.characters(), max_size=6).map("".join),
)
def test_a_damaged_text_is_read_or_refused(place: int, lost: int, put: str) -> None:
    try:
        parse_job_text(SMALL[:place] + put + SMALL[place + lost :])
    except ScellisError as error:
        assert error.code.split("-")[1] in ("SML", "GRAPH", "JOB")  # noqa: PT017


@settings(max_examples=150)
@given(st.lists(PIECES | st.characters(), max_size=20).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        load(text)
    except ScellisError as error:
        assert error.code == "SCL-SML-TEXT"  # noqa: PT017
