"""The run URL: a record that fits behind a `#`, so that no server sees it and none is needed to read it.

    https://host/path/#run=<base64url of zlib of canonical JSON>

It holds the job whole, the result, and twelve bytes a shard: the first four of the state's address, and the
shard's mean and m2 in f32, centred and scaled as the job says. With that, any shard can be replayed and
compared on any device. Runs of more than `EVIDENCE_LIMIT` shards do not fit; their URL is refused.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import zlib
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from scellis.content import canonical_json, parse_address, parse_json
from scellis.errors import ScellisError
from scellis.job import Job, ShardState
from scellis.job.job import JOB_LIMIT_BYTES
from scellis.job.tolerance import MOVED_LIMIT
from scellis.records.record import VERDICTS, RunRecord, state_from_hex

PREFIX = "run="
EVIDENCE_LIMIT = 2048
"""The most shards a URL carries evidence of: about 35 kB of text."""
FRAGMENT_LIMIT = 128 * 1024
_JSON_LIMIT_BYTES = JOB_LIMIT_BYTES + 128 * 1024
_VERDICT_OF = {str(number): verdict for number, verdict in enumerate(VERDICTS)}
_BODY = re.compile(r"[A-Za-z0-9_-]*")
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

    def evidence_of(self, shard: int) -> Evidence:
        """What the URL keeps of `shard`. Raises `SCL-RECORD-SHARD` for one that the run does not have."""
        if not 0 <= shard < len(self.evidence):
            raise ScellisError(
                "SCL-RECORD-SHARD",
                f"The run has shards 0 to {len(self.evidence) - 1}; there is no shard {shard}.",
                shard=shard,
            )
        return self.evidence[shard]


def run_fragment(record: RunRecord, states: Sequence[ShardState]) -> str:
    """The fragment of a record's URL, without the `#`; `states` are its leaves in order.

    Raises `SCL-RECORD-LONG` for more than a URL holds.
    """
    if len(states) > EVIDENCE_LIMIT:
        raise _does_not_fit(f"a run of {len(states)} shards does not fit, {EVIDENCE_LIMIT} do")
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
    fragment = PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("=")
    if len(fragment) > FRAGMENT_LIMIT:
        raise _does_not_fit("the job's text is too long")
    return fragment


def _does_not_fit(why: str) -> ScellisError:
    return ScellisError(
        "SCL-RECORD-LONG", f"The run has no URL: {why}.", "Make the job of fewer, larger shards."
    )


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
        if not _BODY.fullmatch(body):  # the decoder would take + and / too: one record, two URLs
            raise ValueError("it has a character that no run URL has")
        packed = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
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
    verdicts = [_VERDICT_OF[digit] for digit in value["verdicts"]]
    if (
        not len(rows) == len(verdicts) == job.partition.shards
        or not (np.isfinite(rows["mean"]) & np.isfinite(rows["m2"])).all()
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
    if not result.is_of(job.draws, job.reduction.bins):
        raise ValueError("its result does not fit the job")
    _check_result(job, result, rows)
    _check_histogram(job, result)
    return LinkedRun(job, result, parse_address(value["record"]), evidence)


def _check_result(job: Job, result: ShardState, rows: NDArray[Any]) -> None:
    """Raise `ValueError` unless the shards' evidence merges to the result, so far as f32 tells.

    A forged result would need forged evidence, which the replay of a shard shows.
    """
    shards, draws = job.partition.shards, job.partition.draws_per_shard
    scale = job.reduction.scale
    means, squares = rows["mean"].astype(np.float64), rows["m2"].astype(np.float64)  # centred and scaled
    mean = float(means.mean())
    spread = float(np.abs(means - mean).max())
    m2 = float(squares.sum() + draws * np.sum((means - mean) ** 2))
    # Each mean and m2 was rounded to f32; draws that were not finite took weight from an unknown shard.
    slack = 2.0**-23 * float(np.abs(means).max()) + 2.0**-48 * abs(job.reduction.pivot) / scale
    slack += 2.0 * spread * result.nonfinite / result.draws
    slack_m2 = 2.0**-22 * m2 + shards * draws * slack * (2.0 * spread + slack) + spread**2 * result.nonfinite
    found = (result.mean - job.reduction.pivot) / scale
    if not abs(found - mean) <= slack or not abs(result.m2 / scale**2 - m2) <= slack_m2:
        raise ValueError("its result is not what its shards merge to")


def _check_histogram(job: Job, result: ShardState) -> None:
    """Raise `ValueError` unless some sample with these bins has the result's mean and m2.

    A URL keeps no bins of a shard, so that no replay can tell of them; what they must agree with is here.
    In each bin the deviations from the mean lie between its edges'; those of draws outside sum, by the
    inequality of Cauchy and Schwarz, to at most the root of their number times what m2 leaves for them.
    """
    edges = np.linspace(job.reduction.low, job.reduction.high, result.bins.size + 1) - result.mean
    low, high, counts = edges[:-1], edges[1:], result.bins.astype(np.float64)
    slack = 1.0 + 2.0 * MOVED_LIMIT  # f32 carries a few draws over an edge
    inside = np.minimum(np.abs(low), np.abs(high)) * (low * high > 0)
    left = slack * result.m2 - float(counts @ inside**2)
    outside = math.sqrt(max(left, 0.0) * (result.underflow + result.overflow))
    drift = 2.0 * MOVED_LIMIT * result.count * float(edges[1] - edges[0])
    if left < 0 or float(counts @ low) > outside + drift or float(counts @ high) < -(outside + drift):
        raise ValueError("its histogram is not that of its mean and spread")
