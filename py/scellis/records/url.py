"""The run URL: a record that fits behind a `#`, so that no server sees it and none is needed to read it.

    https://host/path/#run=<base64url of zlib of canonical JSON>

It holds the job whole, the result, and twelve bytes a shard: the first four of the state's address, and the
shard's mean and m2 in f32, centred and scaled as the job says. With that, any shard can be replayed and
compared on any device. Runs of more than `EVIDENCE_LIMIT` shards do not fit; their URL is refused and the
record itself is passed on instead.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from scellis.content import canonical_json, parse_address, parse_json
from scellis.errors import ScellisError
from scellis.job import Job, ShardState
from scellis.job.job import JOB_LIMIT_BYTES
from scellis.records.record import VERDICTS, RunRecord, state_from_hex

PREFIX = "run="
EVIDENCE_LIMIT = 2048
"""The most shards a URL carries evidence of: about 35 kB of text."""
FRAGMENT_LIMIT = 128 * 1024
_JSON_LIMIT_BYTES = JOB_LIMIT_BYTES + 128 * 1024
_ROW = np.dtype([("prefix", ">u4"), ("mean", "<f4"), ("m2", "<f4")])


@attrs.frozen
class Evidence:
    """What a URL keeps of a shard: the first 8 hex digits of its address, its mean and m2 rounded to f32."""

    address_prefix: str
    mean: float
    m2: float
    verdict: str


@attrs.frozen
class LinkedRun:
    """A run as its URL tells it."""

    job: Job
    result: ShardState
    record_address: str
    evidence: tuple[Evidence, ...]


def run_fragment(record: RunRecord, states: Sequence[ShardState]) -> str:
    """The fragment of a record's URL, without the `#`; `states` are its leaves in order.

    Raises `SCL-RECORD-URL` for more shards than a URL holds.
    """
    if len(states) > EVIDENCE_LIMIT:
        raise ScellisError(
            "SCL-RECORD-URL",
            f"A run of {len(states)} shards does not fit a URL; {EVIDENCE_LIMIT} do.",
            "Pass on the record itself.",
        )
    scale, pivot = record.job.reduction.scale, record.job.reduction.pivot
    rows = np.zeros(len(states), _ROW)
    for row, leaf, state in zip(rows, record.leaves, states, strict=True):
        row["prefix"] = int(leaf.address[7:15], 16)
        row["mean"] = (state.mean - pivot) / scale
        row["m2"] = state.m2 / scale**2
    value = {
        "job": parse_json(record.job.to_bytes(), what="job", limit_bytes=JOB_LIMIT_BYTES),
        "result": record.result.to_bytes().hex(),
        "record": record.address,
        "leaves": base64.b64encode(rows.tobytes()).decode(),
        "verdicts": "".join(str(VERDICTS.index(leaf.verdict)) for leaf in record.leaves),
    }
    packed = zlib.compress(canonical_json(value), 9)
    return PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def parse_fragment(text: str) -> LinkedRun:
    """Read a run URL, or its fragment, from a stranger. Raises `SCL-RECORD-URL`, naming what is damaged."""
    fragment = text.rpartition("#")[2]
    if not fragment.startswith(PREFIX):
        raise ScellisError(
            "SCL-RECORD-URL", "This is not a run URL: it has no '#run='.", "Copy the whole address."
        )
    if len(fragment) > FRAGMENT_LIMIT:
        raise ScellisError("SCL-RECORD-URL", f"The run URL is longer than {FRAGMENT_LIMIT} characters.")
    try:
        body = fragment.removeprefix(PREFIX)
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        expander = zlib.decompressobj()
        data = expander.decompress(packed, _JSON_LIMIT_BYTES)
        if not expander.eof or expander.unused_data:
            raise ValueError("it ends early or is too long")
        return _linked_run(parse_json(data, what="run URL", limit_bytes=_JSON_LIMIT_BYTES))
    except (TypeError, ValueError, KeyError, IndexError, zlib.error, binascii.Error) as error:
        raise ScellisError(
            "SCL-RECORD-URL",
            f"The run URL is damaged: {error}.",
            "Copy the whole address, to its last character.",
        ) from error


def _linked_run(value: Any) -> LinkedRun:
    if set(value) != {"job", "result", "record", "leaves", "verdicts"}:
        raise ValueError("it has other fields than a run URL")
    job = Job.from_bytes(canonical_json(value["job"]))
    rows = np.frombuffer(base64.b64decode(value["leaves"], validate=True), _ROW)
    verdicts = [VERDICTS[int(digit)] for digit in value["verdicts"]]
    if (
        not len(rows) == len(verdicts) == job.partition.shards
        or not np.isfinite(rows["mean"] + rows["m2"]).all()
    ):
        raise ValueError("its evidence does not fit the job")
    scale, pivot = job.reduction.scale, job.reduction.pivot
    evidence = tuple(
        Evidence(
            f"{row['prefix']:08x}", pivot + scale * float(row["mean"]), scale**2 * float(row["m2"]), verdict
        )
        for row, verdict in zip(rows, verdicts, strict=True)
    )
    result = state_from_hex(value["result"])
    if result.draws != job.draws or result.bins.size != job.reduction.bins:
        raise ValueError("its result does not fit the job")
    return LinkedRun(job, result, parse_address(value["record"]), evidence)
