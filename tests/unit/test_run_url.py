"""Run URLs: a whole record behind a '#', and what strangers make of it."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.content import canonical_json
from scellis.errors import ScellisError
from scellis.records import LinkedRun, RunRecord, parse_fragment, run_fragment
from scellis.records.url import EVIDENCE_LIMIT, FRAGMENT_LIMIT, PREFIX
from support.runs import finished


@pytest.fixture(scope="module")
def fragment() -> str:
    return run_fragment(*finished("gauge_block", 7, 512))


def opened(fragment: str) -> Any:
    body = fragment.removeprefix(PREFIX)
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))))


def closed(data: bytes) -> str:
    return PREFIX + base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def test_a_run_comes_back_from_its_url(fragment: str) -> None:
    record, states = finished("gauge_block", 7, 512)
    for text in (fragment, "#" + fragment, "https://host.example/some/path/?lang=tr#" + fragment):
        run = parse_fragment(text)
        assert run.job == record.job
        assert run.result.to_bytes() == record.result.to_bytes()
        assert run.record_address == record.address
        for shard, (state, leaf) in enumerate(zip(states, record.leaves, strict=True)):
            evidence = run.evidence_of(shard)
            assert leaf.address.startswith("sha256:" + evidence.address_prefix)
            assert len(evidence.address_prefix) == 8
            assert evidence.verdict == leaf.verdict
            # Rounded to f32, relative to the deviation from the pivot.
            assert evidence.mean == pytest.approx(
                state.mean, abs=2.0**-24 * abs(state.mean - record.job.reduction.pivot) + 1e-12
            )
            assert evidence.m2 == pytest.approx(state.m2, rel=2.0**-24)


def test_a_fragment_goes_through_an_address_bar(fragment: str) -> None:
    assert fragment.isascii()
    assert set(fragment.removeprefix(PREFIX)) <= set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    )


def test_640_shards_fit_a_message() -> None:
    # Twelve bytes a shard hardly compress; as base64 they are 16 characters. Browsers take 64 k and more.
    for name in ("gauge_block", "saturating"):
        text = run_fragment(*finished(name, 640, 64))
        assert len(text) < 16_384
        assert len(parse_fragment(text).evidence) == 640


def test_too_many_shards_have_no_url() -> None:
    record, states = finished("gauge_block", 7, 512)
    with pytest.raises(ScellisError, match=f"{EVIDENCE_LIMIT} do"):
        run_fragment(record, states * 300)


def test_too_long_a_job_has_no_url() -> None:
    record, states = finished("gauge_block", 7, 512)
    noise = np.random.Generator(np.random.PCG64(1)).bytes(110_000).hex()
    job = attrs.evolve(record.job, labels=attrs.evolve(record.job.labels, title=noise))
    with pytest.raises(ScellisError, match="too long"):
        run_fragment(RunRecord(job, record.result, record.leaves), states)


@pytest.mark.parametrize("shard", [-1, 7, 10**9])
def test_a_shard_that_the_run_does_not_have_is_refused(fragment: str, shard: int) -> None:
    with pytest.raises(ScellisError, match="SCL-RECORD-SHARD"):
        parse_fragment(fragment).evidence_of(shard)


def refused(text: str) -> ScellisError:
    with pytest.raises(ScellisError) as caught:
        parse_fragment(text)
    assert caught.value.code.split("-")[1] in ("RECORD", "JOB", "GRAPH", "TENSOR", "CONTENT", "RNG")
    assert len(caught.value.message) < 500
    return caught.value


@pytest.mark.parametrize(
    "text", ["", "#", "run", "#run", "run=", "#run=", "https://host/", "#pool=abc", "run=!", "run=é"]
)
def test_what_is_no_run_url_is_refused(text: str) -> None:
    assert refused(text).code == "SCL-RECORD-URL"


@pytest.mark.parametrize("kept", [0.01, 0.5, 0.9, 0.999])
def test_a_truncated_url_is_refused(fragment: str, kept: float) -> None:
    error = refused(fragment[: int(len(fragment) * kept)])
    assert error.code == "SCL-RECORD-URL"
    assert "to its last character" in error.remedy


def test_a_url_with_more_behind_it_is_refused(fragment: str) -> None:
    for more in ("A", "AAAA", "%20", "\n", " ", "." * 9):
        refused(fragment + more)


def test_an_oversize_url_is_refused_unread() -> None:
    assert "longer than" in refused(PREFIX + "A" * FRAGMENT_LIMIT).message


def test_a_bomb_is_not_expanded() -> None:
    bomb = closed(b" " * 50_000_000)
    assert len(bomb) < FRAGMENT_LIMIT
    assert refused(bomb).code == "SCL-RECORD-URL"
    nested = closed(zlib.compress(b"0" * 50_000_000, 9))
    assert refused(nested)


@pytest.mark.parametrize(
    "data", [b"", b"null", b"5", b"[]", b"{}", b'"job"', b"\xff", b"[" * 5000, b'{"job":NaN}']
)
def test_other_contents_are_refused(data: bytes) -> None:
    refused(closed(data))


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        *(("job", wrong) for wrong in (None, 5, [], {}, "job")),
        *(("result", wrong) for wrong in (None, 5, "", "zz", "00" * 99, "é")),
        *(("record", wrong) for wrong in (None, 5, "", "sha256:", [[]])),
        *(("leaves", wrong) for wrong in (None, 5, "", "AAAA", "é", "!!!!", [], "A" * 112)),
        *(
            ("verdicts", wrong)
            for wrong in (None, 5, "", "000000", "0000000" * 2, "0000002", "000000-", "000000٠")
        ),
        *(("verdicts", wrong) for wrong in ([0] * 7, ["0"] * 6, [-1] * 7, {"0": 1})),
        ("extra", 1),
    ],
)
def test_a_damaged_field_is_refused(fragment: str, field: str, wrong: Any) -> None:
    refused(closed(canonical_json({**opened(fragment), field: wrong})))


def rows_of(fragment: str) -> np.ndarray:
    rows = np.frombuffer(
        base64.b64decode(opened(fragment)["leaves"]), [("prefix", ">u4"), ("mean", "<f4"), ("m2", "<f4")]
    )
    return rows.copy()


def with_rows(fragment: str, rows: np.ndarray) -> str:
    return closed(canonical_json({**opened(fragment), "leaves": base64.b64encode(rows.tobytes()).decode()}))


def test_evidence_that_is_no_number_is_refused(fragment: str) -> None:
    for field, wrong in (("mean", np.nan), ("mean", np.inf), ("m2", np.inf), ("m2", -np.inf)):
        rows = rows_of(fragment)
        rows[field][3] = wrong
        refused(with_rows(fragment, rows))
    rows = rows_of(fragment)
    rows["mean"] = rows["m2"] = np.finfo(np.float32).max  # finite, but their sum is not
    refused(with_rows(fragment, rows))


def with_result(fragment: str, **change: float) -> str:
    result = attrs.evolve(finished("gauge_block", 7, 512)[0].result, **change)
    return closed(canonical_json({**opened(fragment), "result": result.to_bytes().hex()}))


def test_a_result_that_its_shards_do_not_merge_to_is_refused(fragment: str) -> None:
    # Otherwise a forged headline would stand beside honest evidence, which every replay confirms.
    result = finished("gauge_block", 7, 512)[0].result
    parse_fragment(with_result(fragment, mean=result.mean))
    for change in (
        {"mean": result.mean + 1e-4},
        {"mean": result.mean - 1.0},
        {"m2": result.m2 * 1.00001},
        {"m2": 0.0},
    ):
        assert "merge to" in refused(with_result(fragment, **change)).message
    rows = rows_of(fragment)
    rows["mean"][2] += 0.001
    assert "merge to" in refused(with_rows(fragment, rows)).message


@pytest.mark.parametrize("turn", [-60, -10, 10, 40])
def test_a_histogram_of_another_mean_is_refused(fragment: str, turn: int) -> None:
    bins = parse_fragment(fragment).result.bins
    assert "histogram" in refused(with_result(fragment, bins=np.roll(bins, turn))).message


def test_a_histogram_of_another_spread_is_refused(fragment: str) -> None:
    bins = parse_fragment(fragment).result.bins
    middle = np.zeros_like(bins)
    middle[bins.size // 2] = bins.sum()
    assert "histogram" in refused(with_result(fragment, bins=middle)).message
    wide = np.zeros_like(bins)
    wide[:: bins.size - 1] = bins.sum() // 2
    wide[0] += bins.sum() % 2
    assert "histogram" in refused(with_result(fragment, bins=wide)).message


def test_a_few_draws_that_are_not_finite_leave_room_but_little(fragment: str) -> None:
    record, states = finished("gauge_block", 7, 512)
    # One draw of shard 3 was not finite: that shard weighs a little less.
    lost = states[3]
    bins = lost.bins.copy()
    bins[bins.argmax()] -= 1
    changed = [*states[:3], attrs.evolve(lost, count=511, bins=bins, nonfinite=1), *states[4:]]
    result = changed[0]
    for state in changed[1:]:
        result = result.merge(state)
    text = run_fragment(RunRecord(record.job, result, record.leaves), changed)
    assert parse_fragment(text).result.nonfinite == 1
    forged = attrs.evolve(result, mean=result.mean + 1.0)
    refused(closed(canonical_json({**opened(text), "result": forged.to_bytes().hex()})))


@given(st.data())
def test_a_changed_character_is_refused_or_changes_nothing_that_counts(data: st.DataObject) -> None:
    original = run_fragment(*finished("gauge_block", 7, 512))
    place = data.draw(st.integers(0, len(original) - 1))
    letter = data.draw(st.characters(min_codepoint=33, max_codepoint=126))
    damaged = original[:place] + letter + original[place + 1 :]
    try:
        found = parse_fragment(damaged)
    except ScellisError:
        return
    # The last character has spare bits; everything before is under the checksum of zlib.
    assert place == len(original) - 1 or damaged == original
    assert isinstance(found, LinkedRun)


@given(st.text(max_size=60) | st.binary(max_size=60).map(closed))
def test_any_fragment_is_read_or_refused(text: str) -> None:
    refused(PREFIX + text)
    refused(text)


def test_a_job_of_another_engine_can_still_be_read(fragment: str) -> None:
    value = opened(fragment)
    value["job"]["engine"] = "9.9.9"
    run = parse_fragment(closed(canonical_json(value)))
    with pytest.raises(ScellisError, match="SCL-JOB-ENGINE"):
        run.job.check_engine()
