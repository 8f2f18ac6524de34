"""The run record: what was computed, what each shard left, and how each was checked."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import attrs

from scellis.content import address, canonical_json, parse_address, parse_json
from scellis.errors import ScellisError
from scellis.job import Job, ShardState
from scellis.job.job import JOB_LIMIT_BYTES
from scellis.job.state import STATE_LIMIT_BYTES

VERDICTS = ("re-executed", "batch-checked")
RECORD_LIMIT_BYTES = 128 * 1024 * 1024
"""A million shards at about a hundred bytes each."""


@attrs.frozen
class Leaf:
    """One shard's accepted state: its address and how it was checked."""

    address: str
    verdict: str


@attrs.frozen(slots=False)
class RunRecord:
    """A sealed run. `result` is the root of the fixed tree over the leaves' states."""

    job: Job
    result: ShardState
    leaves: tuple[Leaf, ...]

    def __attrs_post_init__(self) -> None:
        if len(self.leaves) != self.job.partition.shards:
            raise ScellisError(
                "SCL-RECORD-FORM",
                f"The record has {len(self.leaves)} leaves for {self.job.partition.shards} shards.",
            )
        if any(leaf.verdict not in VERDICTS for leaf in self.leaves):
            raise ScellisError("SCL-RECORD-FORM", "A leaf of the record has no known verdict.")
        if not self.result.is_of(self.job.draws, self.job.reduction.bins):
            raise ScellisError("SCL-RECORD-FORM", "The record's result does not fit its job.")

    @cached_property
    def result_address(self) -> str:
        """The address of the result's bytes."""
        return address(self.result.to_bytes())

    @cached_property
    def verdict_counts(self) -> dict[str, int]:
        """How many shards were re-executed and how many batch-checked."""
        return {verdict: sum(leaf.verdict == verdict for leaf in self.leaves) for verdict in VERDICTS}

    def to_bytes(self) -> bytes:
        """The canonical bytes (RFC 8785)."""
        return canonical_json(
            {
                "scellis_record": 1,
                "job": parse_json(self.job.to_bytes(), what="job", limit_bytes=JOB_LIMIT_BYTES),
                "result": {"address": self.result_address, "state": self.result.to_bytes().hex()},
                "leaves": [[leaf.address, VERDICTS.index(leaf.verdict)] for leaf in self.leaves],
            }
        )

    @cached_property
    def address(self) -> str:
        """The content address of the record."""
        return address(self.to_bytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> RunRecord:
        """Read a record from a stranger. Raises `SCL-RECORD-FORM` and what its parts raise."""
        value = parse_json(data, what="run record", limit_bytes=RECORD_LIMIT_BYTES)
        try:
            if set(value) != {"scellis_record", "job", "result", "leaves"} or value["scellis_record"] != 1:
                raise ValueError("unknown format")
            job = Job.from_bytes(canonical_json(value["job"]))
            result = state_from_hex(value["result"]["state"])
            leaves = tuple(Leaf(parse_address(name), VERDICTS[number]) for name, number in value["leaves"])
            record = cls(job, result, leaves)
            if record.to_bytes() != data:
                raise ValueError("it is not in its canonical form")
        except (TypeError, ValueError, KeyError, IndexError) as error:
            raise ScellisError("SCL-RECORD-FORM", f"This is not a run record: {error}.") from error
        return record


def state_from_hex(text: Any) -> ShardState:
    """A state from its hexadecimal bytes. Raises `ValueError` or what `ShardState.from_bytes` raises."""
    if not isinstance(text, str) or len(text) > 2 * STATE_LIMIT_BYTES:
        raise ValueError("a state is hexadecimal text of bounded length")
    return ShardState.from_bytes(bytes.fromhex(text))
