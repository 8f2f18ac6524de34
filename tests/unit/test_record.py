"""Run records: their bytes, and records from strangers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.content import address, canonical_json
from scellis.errors import ScellisError
from scellis.records import Leaf, RunRecord
from support.runs import finished


@pytest.fixture
def record() -> RunRecord:
    return finished("gauge_block", 7, 512)[0]


def test_a_record_comes_back_from_its_bytes(record: RunRecord) -> None:
    data = record.to_bytes()
    again = RunRecord.from_bytes(data)
    assert again.to_bytes() == data
    assert again.address == record.address == address(data)
    assert again.job == record.job
    assert again.leaves == record.leaves
    assert again.result_address == record.result_address
    assert again.verdict_counts == {"re-executed": 3, "batch-checked": 4}


def test_a_record_fits_its_job(record: RunRecord) -> None:
    with pytest.raises(ScellisError, match="6 leaves for 7 shards"):
        RunRecord(record.job, record.result, record.leaves[:-1])
    with pytest.raises(ScellisError, match="verdict"):
        RunRecord(record.job, record.result, (Leaf(record.leaves[0].address, "trusted"), *record.leaves[1:]))
    with pytest.raises(ScellisError, match="does not fit"):
        RunRecord(record.job, attrs.evolve(record.result, nonfinite=1), record.leaves)
    with pytest.raises(ScellisError, match="does not fit"):
        RunRecord(record.job, attrs.evolve(record.result, bins=record.result.bins[:-1]), record.leaves)


def put(path: list[Any], new: Any) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = new

    return change


OTHER = "sha256:" + "0" * 64


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        *((["scellis_record"], wrong) for wrong in (2, "1", None, True, [])),
        *((["job"], wrong) for wrong in (None, [], {}, "job", 5)),
        *((["result"], wrong) for wrong in (None, [], {}, "result", {"state": ""})),
        *((["result", "state"], wrong) for wrong in (None, 5, "", "zz", "00", "é", "0" * 10**6)),
        *((["result", "address"], wrong) for wrong in (None, OTHER, 5)),
        *((["leaves"], wrong) for wrong in (None, 5, {}, [], "leaves", [[]] * 7)),
        *((["leaves", 0], wrong) for wrong in (None, 5, [], "ab", {}, [OTHER], [OTHER, 0, 0])),
        *((["leaves", 0, 0], wrong) for wrong in (None, 5, "", OTHER[:-1], [[[]]])),
        *((["leaves", 0, 1], wrong) for wrong in (None, 2, -1, "0", 0.5, True, [])),
        (["signature"], "x"),
        (["job", "determinism_tier"], "best"),
        (["job", "partition", "shards"], 8),
    ],
)
def test_a_damaged_record_is_refused(record: RunRecord, path: list[Any], wrong: Any) -> None:
    value = json.loads(record.to_bytes())
    put(path, wrong)(value)
    with pytest.raises(ScellisError, match=r"SCL-(RECORD|JOB|TENSOR|CONTENT)-") as caught:
        RunRecord.from_bytes(canonical_json(value))
    assert len(caught.value.message) < 400


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"null", b"5", b'"x"', b"\xff", b"[" * 999])
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(ScellisError, match=r"SCL-RECORD-FORM|SCL-CONTENT-JSON"):
        RunRecord.from_bytes(data)


def test_only_the_canonical_bytes_are_a_record(record: RunRecord) -> None:
    for data in (record.to_bytes() + b" ", json.dumps(json.loads(record.to_bytes())).encode()):
        with pytest.raises(ScellisError, match="canonical"):
            RunRecord.from_bytes(data)
    upper = json.loads(record.to_bytes())
    upper["result"]["state"] = upper["result"]["state"].upper()
    with pytest.raises(ScellisError, match="canonical"):
        RunRecord.from_bytes(canonical_json(upper))


@given(st.data())
def test_a_flipped_byte_is_refused_or_is_another_record(data: st.DataObject) -> None:
    original = finished("gauge_block", 7, 512)[0].to_bytes()
    damaged = bytearray(original)
    damaged[data.draw(st.integers(0, len(original) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        found = RunRecord.from_bytes(bytes(damaged))
    except ScellisError as error:
        assert error.code.split("-")[1] in ("RECORD", "JOB", "GRAPH", "TENSOR", "CONTENT", "RNG")  # noqa: PT017
    else:
        assert found.to_bytes() == damaged
